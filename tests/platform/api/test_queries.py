"""A list costs the same number of questions to the database whether it has few rows or many."""

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.services import make_token, tell
from bots.services import upload
from ladders.models import Meeting, Rating
from ladders.services import enter
from tournaments.models import Match

FEW, MANY = 2, 15
LETTERS = "abcefhkmprtxyzw"  # no two of them look alike
LISTS = [
    "bots",
    "bots?owner=alice",
    "bots/robot-a/versions",
    "ladders",
    "ladders/crowd/standings",
    "ladders/crowd/standings?provisional=true",
    "ladders/crowd/crosstable",
    "ladders/crowd/entries/robot-a",
    "matches",
    "matches?bot=robot-a&ladder=crowd&state=finished",
    "matches/export",
    *(PERSONAL := ["challenges", "comparisons", "tokens", "notices"]),
]


class Crowd:
    """Rows of every kind, more with every call."""

    def __init__(self, make, alice, bob):
        self.make, self.alice, self.bob = make, alice, bob
        self.ladder = make.ladder("crowd")
        self.rows = 0

    def grow(self, until):
        for number in range(self.rows, until):
            self.add(number, LETTERS[number])
        self.rows = until

    def add(self, number, letter):
        make = self.make
        alices = make.bot(self.alice, f"robot-{letter}")
        bobs = make.bot(self.bob, f"droid-{letter}")
        first = self.alice.bots.get(name="robot-a")
        make.entry(self.ladder, alices, 1500.0 + number)
        enter(ladder=self.ladder, bot=bobs)
        self.meet(first, bobs)
        make.ladder(f"ladder-{number}", created_by=self.bob)
        make.finished([first, bobs], self.ladder)
        make.match([first, bobs], None, self.alice)
        tell(user=self.alice, text=f"Notice {number}.")
        make_token(user=self.alice, name=f"token {number}")
        data = f"print({number})\n".encode()
        make.ready(upload(bot=first, data=data, file_name="bot.py")[0])
        self.alice.comparisons.update(state="cancelled", finished_at=timezone.now())
        make.comparison(first, self.ladder)

    def meet(self, one, other):
        rated, theirs = (
            Rating.objects.get_or_create(
                entry=self.ladder.entries.get(bot=bot), version=bot.active_version
            )[0]
            for bot in (one, other)
        )
        Meeting.objects.create(rated=rated, other=theirs, owner=0, matches=1, thousandths=500)


@pytest.fixture
def crowd(make, alice, bob):
    return Crowd(make, alice, bob)


def queries(who, address):
    """How many questions an address asks; the first request may note that the token was used."""
    cache.clear()
    who.get("games")
    with CaptureQueriesContext(connection) as asked:
        answer = who.get(address)
        assert answer.status_code == 200, answer.content
        rows = answer.getvalue() if answer.streaming else answer.content
    return len(asked), len(rows)


@pytest.mark.parametrize("caller", ["as_alice", "as_operator", "anyone"])
def test_no_list_asks_more_for_more_rows(crowd, request, settings, caller):
    who = request.getfixturevalue(caller)
    lists = [one for one in LISTS if caller == "as_alice" or one not in PERSONAL]
    settings.QUOTAS = settings.QUOTAS | {"tokens": 100, "bots": 100, "uploads_a_day": 100}
    crowd.grow(FEW)
    few = {address: queries(who, address) for address in lists}
    crowd.grow(MANY)
    many = {address: queries(who, address) for address in lists}
    for address in lists:
        (few_asked, few_bytes), (many_asked, many_bytes) = few[address], many[address]
        assert (address, many_asked) == (address, few_asked)
        assert many_bytes > few_bytes, address
    assert Match.objects.count() == 2 * MANY
