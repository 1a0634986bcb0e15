"""A site with something on it to look at: bots, ladders, matches that were really played."""

import json
from dataclasses import dataclass

import pytest
from django.test import Client
from django.utils import timezone

from bots.models import Bot
from games.player import Fault
from ladders.models import Entry, Ladder
from ladders.services import enter, join, make_ladder
from ratings.claims import PROVISIONAL_MATCHES
from tests.platform.pages.replaying import GAMES
from tests.platform.tournaments.conftest import color_stock, hands, ladders, new_bot
from tournaments.matchmaker import Lobby, make_one
from tournaments.models import Match
from tournaments.services import challenge, void
from workers.bench import EXAMPLES
from workers.inside import Inside, choose_of

__all__ = ["color_stock", "hands", "ladders", "new_bot"]


@dataclass
class Site:
    """What is there, by the names that tests call it."""

    alices: Bot
    bobs: Bot
    public: Ladder
    private: Ladder
    played: Match
    waiting: Match
    void: Match
    challenge: Match


SIMPLE = choose_of(EXAMPLES / "color-stock" / "python" / "simple_bot.py")
RANDOM = choose_of(EXAMPLES / "color-stock" / "python" / "random_bot.py")


def quick():
    """A player that does not think."""
    return Inside(RANDOM)


@pytest.fixture
def site(alice, bob, operator, new_bot, color_stock, hands):
    """Alice and Bob have a bot each on a standard ladder; Alice's is on a private one, too."""
    alices, bobs = new_bot(alice, "red-fox"), new_bot(bob, "blue-owl")
    private = make_ladder(
        created_by=operator,
        title="Evening class",
        game="color-stock",
        options={},
        players=2,
        is_public=False,
    )
    join(ladder=private, user=alice, code=private.join_code)
    enter(ladder=private, bot=alices)
    lobby = Lobby(color_stock, timezone.now())
    played, broken, waiting = (make_one(lobby, newcomers=True) for _ in range(3))
    assert hands.play(played, [quick] * played.players).status_code == 200
    void(match=broken, reason="the engine died", who=operator)
    table = [alices.active_version, bobs.active_version]
    return Site(
        alices=alices,
        bobs=bobs,
        public=color_stock,
        private=private,
        played=Match.objects.get(pk=played.pk),
        waiting=waiting,
        void=broken,
        challenge=challenge(user=alice, versions=table),
    )


def logged_in(user):
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def as_alice(alice):
    return logged_in(alice)


@pytest.fixture
def as_bob(bob):
    return logged_in(bob)


@pytest.fixture
def as_charlie(charlie):
    return logged_in(charlie)


@pytest.fixture
def as_operator(operator):
    return logged_in(operator)


@pytest.fixture
def rank():
    """Puts an entry among those that are ranked."""

    def rank(entry, rating):
        Entry.objects.filter(pk=entry.pk).update(
            rating=rating, plus_minus=40, matches=PROVISIONAL_MATCHES
        )
        ranked = Entry.objects.filter(ladder=entry.ladder, matches__gte=PROVISIONAL_MATCHES)
        for number, better in enumerate(ranked.order_by("-rating", "pk"), 1):
            Entry.objects.filter(pk=better.pk).update(rank=number, best=1, worst=len(ranked))

    return rank


@pytest.fixture
def text():
    """What stands on a page, without the line breaks of its source."""

    def text(answer):
        return " ".join(answer.content.decode().split())

    return text


# -- Matches to look at ---------------------------------------------------------------------------


class Talkative(Inside):
    """Writes a note beside every move and something to its standard error."""

    def ask(self, line, limits):
        reply = super().ask(line, limits)
        answer = json.loads(reply.line) | {"note": "a <secret> note"}
        return reply._replace(line=json.dumps(answer).encode())

    def close(self):
        return b"some <debug> output"


class Faulty(Inside):
    def ask(self, line, limits):
        raise Fault("illegal", b'{"id":1,"move":"red+pink"}', "red+pink is <not> legal")


@pytest.fixture
def noted(site, hands, alice):
    """A match in which Alice's bot wrote notes and Bob's bot faulted."""
    table = [bot.active_version for bot in (site.alices, site.bobs)]
    match = challenge(user=alice, versions=table)
    assert hands.play(match, [lambda: Talkative(SIMPLE), lambda: Faulty(SIMPLE)]).status_code == 200
    return Match.objects.get(pk=match.pk)


@pytest.fixture
def match_of(alice, bob, operator, new_bot, hands):
    """Makes a played match of a game, which everybody may see."""

    def make(game, players=None, opens=None):
        players = players or GAMES[game]
        ladder = make_ladder(
            created_by=operator, title=f"{game} {players}", game=game, options={}, players=players
        )
        for seat in range(players):
            owner = (alice, bob)[seat % 2]
            enter(ladder=ladder, bot=new_bot(owner, f"{game}-{seat}", game=game))
        match = make_one(Lobby(ladder, timezone.now()), newcomers=True)
        assert hands.play(match, opens).status_code == 200
        return Match.objects.get(pk=match.pk)

    return make
