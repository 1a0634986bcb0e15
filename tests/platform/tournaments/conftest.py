"""A worker without a sandbox: it claims, plays with the example bots inside the process, and reports."""

from dataclasses import dataclass, field
from itertools import count
from random import Random

import msgspec
import pytest
from django.test import Client
from django.utils import timezone

from bots.models import Bot
from bots.services import upload, upload_first
from games import game_named
from games.seating import seatings
from jobs.models import State
from jobs.services import make_worker
from ladders.models import Entry, Ladder
from ladders.services import ensure_standards, follow_versions
from tournaments.house import ensure_house
from tournaments.models import Seat
from tournaments.rater import Rater, due
from tournaments.services import make_rated
from workers import contract
from workers.bench import EXAMPLES
from workers.check import Verdict
from workers.contract import CheckRecord, Claim, GiveBack, MatchRecord, Progress, UnitRecord
from workers.inside import Inside, choose_of
from workers.jobs import leg_records, limits_of
from workers.referee import play_match, play_pair

QUICK_BOT = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "move":
        print(json.dumps({"id": message["id"], "move": message["legal"][0]}), flush=True)
    elif message["type"] == "start":
        print('{"type":"ready"}', flush=True)
"""


def inside(game, at):
    """Opens an example bot inside the process, another one for each place of a lineup."""
    strength = ("good", "simple", "random")[at % 3]
    choose = choose_of(EXAMPLES / game / "python" / f"{strength}_bot.py")
    return lambda: Inside(choose)


@dataclass
class Hands:
    """Speaks the contract with the site, message by message."""

    token: str
    name: str = "test"
    mode: str = "kept"
    http: Client = field(default_factory=Client)
    claims: count = field(default_factory=count)

    def post(self, path, message, **headers):
        raw = message if isinstance(message, bytes) else contract.encode(message)
        body, packed = contract.pack(raw)
        headers = {"authorization": f"Bearer {self.token}", **headers}
        if "Content-Encoding" in packed:
            headers["content-encoding"] = packed["Content-Encoding"]
        return self.http.post(path, body, content_type="application/json", headers=headers)

    def claim(self, job, claim=None):
        """The answer to a claim of a job as the queue names it."""
        claim = claim or f"claim-{next(self.claims)}"
        return self.post(contract.CLAIM, Claim(job, claim, self.name, self.mode))

    def ticket(self, job, claim=None):
        answer = self.claim(job, claim)
        assert answer.status_code == 200, answer.content
        return contract.decode_ticket(answer.content)

    def progress(self, job, lines=()):
        return self.post(contract.PROGRESS, Progress(job, "alive", list(lines)))

    def give_back(self, job, why="the engine is gone"):
        return self.post(contract.GIVE_BACK, GiveBack(job, "sandbox", why, self.name))

    def report(self, record):
        return self.post(contract.RECORD, record)

    def record(self, ticket, players=None):
        """What comes of playing a ticket; the examples play for the lineup unless others are given."""
        opens = players or [inside(ticket.game, at) for at in range(len(ticket.lineup))]
        played = play_match(
            game_named(ticket.game),
            ticket.options,
            opens,
            bytes.fromhex(ticket.seed),
            limits=[limits_of(ticket, archive) for archive in ticket.lineup],
            legs=ticket.legs,
        )
        return MatchRecord(**self.signature(ticket), limits=ticket.limits, legs=leg_records(played))

    def unit_record(self, ticket, players=None):
        """What comes of playing a unit; the examples play by seat unless others are given."""
        opens = players or [inside(ticket.game, at) for at in range(len(ticket.table))]
        played = play_pair(
            game_named(ticket.game),
            ticket.options,
            opens,
            ticket.pair,
            bytes.fromhex(ticket.seed),
            limits=ticket.limits.limits,
        )
        return UnitRecord(**self.signature(ticket), limits=ticket.limits, legs=leg_records(played))

    def signature(self, ticket):
        return {
            "id": ticket.id,
            "attempt": ticket.attempt,
            "worker": self.name,
            "mode": self.mode,
            "languages": {"python": "Python 3"},
            "played_at": "2026-11-18T12:00:00Z",
        }

    def play(self, match, players=None):
        """Claims a match, plays it and reports; the site's answer."""
        match.refresh_from_db()
        return self.report(self.record(self.ticket(match.name), players))

    def check_record(self, ticket, verdict=None):
        verdict = verdict or Verdict(True, "python", "Ready to play.", [])
        return CheckRecord(
            **self.signature(ticket),
            verdict="ready" if verdict.ready else "rejected",
            language=verdict.language,
            sentence=verdict.sentence,
            steps=verdict.steps,
            log=["built", "played"],
        )

    def check(self, version, verdict=None):
        """Claims a check and reports its verdict; the site's answer."""
        version.check_job.refresh_from_db()
        ticket = self.ticket(version.check_job.name)
        return self.report(self.check_record(ticket, verdict))


@pytest.fixture
def hands(db):
    return Hands(make_worker(name="one", created_by=None)[1])


@pytest.fixture
def other_hands(db):
    return Hands(make_worker(name="two", created_by=None)[1], "other")


@pytest.fixture
def ladders(db):
    """The standard ladders by their slugs, with the house bots on them."""
    ensure_standards()
    ensure_house()
    return {ladder.slug: ladder for ladder in Ladder.objects.select_related("anchor")}


@pytest.fixture
def color_stock(ladders):
    return ladders["color-stock"]


@pytest.fixture
def new_bot(hands, color_stock):
    """Makes a bot that has passed its check; its program is different from all others."""

    def make(owner, name="lucky", game="color-stock", data=None):
        data = data or f"{QUICK_BOT}# {name}".encode()
        version = upload_first(owner=owner, game=game, name=name, data=data, file_name="bot.py")
        assert hands.check(version).status_code == 200
        return Bot.objects.get(pk=version.bot_id)

    return make


def changed(record, leg=0, **fields):
    """A record with one leg's fields replaced."""
    legs = list(record.legs)
    legs[leg] = msgspec.structs.replace(legs[leg], **fields)
    return msgspec.structs.replace(record, legs=legs)


@pytest.fixture
def new_version(hands):
    """Makes another version of a bot that has passed its check."""

    def make(bot, data=None):
        data = data or f"{QUICK_BOT}# {bot} {bot.versions.count() + 1}".encode()
        version, _ = upload(bot=bot, data=data, file_name="bot.py")
        assert hands.check(version).status_code == 200
        version.refresh_from_db()
        return version

    return make


@pytest.fixture
def forged():
    return changed


# -- Matches that nobody played -------------------------------------------------------------------


@pytest.fixture
def chance():
    return Random(4)


@pytest.fixture
def play(chance):
    """Writes finished matches down as if they had been played; the stronger the bot, the likelier it is
    ahead, but for a place in the lineup that is lucky for all legs."""

    def play(ladder, number, strengths=None, table=None):
        made = []
        for _ in range(number):
            entries = table or drawn(ladder, chance)
            match = make_rated(
                ladder=ladder, table=[(entry.plays, entry) for entry in entries], is_newcomers=False
            )
            made.append(finished(match, strengths or {}, chance))
        return made

    return play


@pytest.fixture
def finish():
    """Writes one match down as if it had been played."""
    return finished


def drawn(ladder, chance):
    """Anybody's bots in any order, with house bots in the empty seats."""
    entries = list(Entry.objects.playing().filter(ladder=ladder).order_by("pk"))
    chance.shuffle(entries)
    return [entries[at % len(entries)] for at in range(ladder.players)]


def finished(match, strengths, chance):
    seats = list(match.seats.select_related("bot").order_by("index"))
    luck = [chance.gauss(0, 10) for _ in seats]
    for _ in seatings(match.players):
        scores = [
            round(strengths.get(seat.bot.name, 0) + luck[at] + chance.gauss(0, 20))
            for at, seat in enumerate(seats)
        ]
        for seat in seats:
            own = scores[seat.index]
            seat.scores.append(own)
            seat.ranks.append(1 + sum(other > own for other in scores))
            seat.kinds.append("")
    Seat.objects.bulk_update(seats, ["scores", "ranks", "kinds"])
    match.state, match.finished_at, match.legs_sha256 = State.FINISHED, timezone.now(), "0" * 64
    match.save()
    return match


def rate():
    follow_versions()
    assert Rater().rate_due() >= 1
    assert not due().exists()
