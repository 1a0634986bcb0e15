"""A site with somebody and something on it, and people who ask the API."""

from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from hashlib import sha256

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.services import make_token, tell
from bots.models import Bot, Version
from bots.services import upload, upload_first
from games import GAMES
from games.player import Limits
from jobs.models import State
from ladders.models import Entry, Ladder
from ladders.services import complete_limits, enter, join, make_ladder
from tournaments.models import Comparison, Match, Seat
from tournaments.replays import keep_packed
from tournaments.services import make_match
from workers.bench import EXAMPLES
from workers.contract import Private
from workers.inside import Inside, choose_of
from workers.jobs import leg_records
from workers.referee import play_match

SEED = bytes(range(32))
GAME = "color-stock"
MATCHES_TO_BE_RANKED = 30


@dataclass
class Caller:
    """Somebody who asks, with a token or without."""

    http: APIClient

    def __getattr__(self, method):
        """get, post, patch, delete of an address below /api/v1/."""
        return lambda address, *args, **kwargs: getattr(self.http, method)(
            address if address.startswith(("http", "/")) else f"/api/v1/{address}", *args, **kwargs
        )

    def upload(self, address="bots", **form):
        return self.post(address, form, format="multipart")


def caller(user=None):
    http = APIClient()
    if user is not None:
        _, letters = make_token(user=user, name="tests")
        http.credentials(HTTP_AUTHORIZATION=f"Bearer {letters}")
    return Caller(http)


@pytest.fixture
def anyone(db):
    return caller()


@pytest.fixture
def as_alice(alice):
    return caller(alice)


@pytest.fixture
def as_bob(bob):
    return caller(bob)


@pytest.fixture
def as_charlie(charlie):
    return caller(charlie)


@pytest.fixture
def as_operator(operator):
    return caller(operator)


# -- Things to ask for ----------------------------------------------------------------------------


@cache
def program(name):
    """The source of a bot that nobody else has."""
    return f"# {name}\nprint('ready')\n".encode()


def new_bot(owner, name, game=GAME):
    """A bot whose first version plays."""
    version = upload_first(
        owner=owner, game=game, name=name, data=program(name), file_name="bot.py"
    )
    version.check_job.lines.create(attempt=1, text="files: one source file")
    return ready(version).bot


def ready(version):
    check, bot = version.check_job, version.bot
    check.state, check.finished_at = State.FINISHED, timezone.now()
    check.save()
    version.state, version.verdict, version.language = Version.State.READY, "Ready.", "python"
    version.steps = [{"name": "files", "outcome": "passed", "detail": "one source file"}]
    version.save()
    bot.active_version = version
    bot.save()
    return version


def new_ladder(slug, *, is_public=True, created_by=None, game=GAME, players=2):
    return Ladder.objects.create(
        slug=slug,
        title=slug.replace("-", " ").capitalize(),
        game=game,
        options=GAMES[game].complete({}),
        players=players,
        limits=complete_limits({}),
        is_public=is_public,
        join_code="" if is_public else "swordfish",
        created_by=created_by,
    )


def ranked_entry(ladder, bot, rating):
    entry = enter(ladder=ladder, bot=bot)
    entry.rating, entry.matches, entry.version = rating, MATCHES_TO_BE_RANKED, bot.active_version
    entry.plus_minus, entry.places = 40, [20, 10]
    entry.save()
    ranked = list(
        Entry.objects.filter(ladder=ladder, plus_minus__isnull=False).order_by("-rating", "pk")
    )
    for number, better in enumerate(ranked, 1):
        better.rank, better.best, better.worst = number, 1, len(ranked)
        better.ahead = 0.876 if number < len(ranked) else None
        better.save()
    return entry


def new_match(bots, ladder=None, created_by=None):
    return make_match(
        ladder=ladder,
        is_rated=ladder is not None,
        created_by=created_by,
        game=GAME,
        options=GAMES[GAME].complete({}),
        limits=complete_limits({}),
        table=[(bot.active_version, None) for bot in bots],
    )


@cache
def played():
    """The legs of a match of two, played once for all tests."""
    opens = [lambda name=name: Inside(choose_of(example(name))) for name in ("simple", "random")]
    return leg_records(play_match(GAMES[GAME], {}, opens, SEED, limits=Limits()))


def example(strength):
    return EXAMPLES / GAME / "python" / f"{strength}_bot.py"


def finish(match):
    """Ends a match of two as if it had been played."""
    legs = played()
    match.seed, match.seed_sha256 = SEED.hex(), sha256(SEED).hexdigest()
    match.legs_sha256 = keep_packed([leg.entry for leg in legs])
    match.private_sha256 = keep_packed([said(leg.private) for leg in legs])
    match.state, match.finished_at, match.mode = State.FINISHED, timezone.now(), "kept"
    match.played_at = "2026-11-18T12:00:00Z"
    match.save()
    for index, (points, place) in enumerate([(7, 1), (3, 2)]):
        seats = [leg.seating.index(index) for leg in legs]
        Seat.objects.filter(match=match, index=index).update(
            points=points,
            place=place,
            ahead=float(2 - place),
            ranks=[leg.ranks[seat] for leg, seat in zip(legs, seats, strict=True)],
            scores=[leg.scores[seat] for leg, seat in zip(legs, seats, strict=True)],
        )
    return match


def new_comparison(bot, ladder):
    """Of the version that plays with one that is made for it; nobody plays it."""
    old = bot.active_version
    number = bot.versions.count() + 1
    data = program(f"{bot} {number}")
    new = ready(upload(bot=bot, data=data, file_name="bot.py")[0])
    bot.active_version = old
    bot.save()
    return Comparison.objects.create(
        owner=bot.owner, new=new, old=old, ladder=ladder, most_games=4000
    )


def said(private):
    return Private(notes=private.notes, faults=private.faults, debug=["of seat 0", "of seat 1"])


@dataclass
class Site:
    """What is there, by the names that tests call it."""

    alices: Bot
    bobs: Bot
    public: Ladder
    private: Ladder
    finished: Match
    waiting: Match
    void: Match
    private_match: Match
    challenge: Match
    bobs_challenge: Match
    entry: Entry


@pytest.fixture
def site(alice, bob, operator):
    """Alice has a bot, Bob has one; both are on a public ladder, and Alice is on a private one."""
    alices, bobs = new_bot(alice, "red-fox"), new_bot(bob, "blue-owl")
    public = new_ladder("open-table")
    private = new_ladder("evening-class", is_public=False, created_by=operator)
    join(ladder=private, user=alice, code="swordfish")
    entry = ranked_entry(public, alices, 1600.5)
    ranked_entry(public, bobs, 1400.25)
    enter(ladder=private, bot=alices)
    void = new_match([alices, bobs], public)
    void.state, void.finished_at, void.void_reason = State.VOID, timezone.now(), "the engine died"
    void.save()
    tell(user=alice, text="Your bot has been paused.", link="/bots/red-fox/")
    return Site(
        alices=alices,
        bobs=bobs,
        public=public,
        private=private,
        finished=finish(new_match([alices, bobs], public)),
        waiting=new_match([alices, bobs], public),
        void=void,
        private_match=finish(new_match([alices, bobs], private)),
        challenge=new_match([alices, bobs], created_by=alice),
        bobs_challenge=new_match([bobs, bobs], created_by=bob),
        entry=entry,
    )


@pytest.fixture
def teacher(charlie):
    """Charlie may create ladders."""
    charlie.may_create_ladders = True
    charlie.save()
    return charlie


@pytest.fixture
def tomorrow():
    return timezone.now() + timedelta(days=1)


@pytest.fixture
def teachers_ladder(teacher):
    return make_ladder(
        created_by=teacher, title="Class 7", game=GAME, options={}, players=3, is_public=False
    )


@pytest.fixture
def make():
    """Makes bots, ladders, entries and matches."""

    class Make:
        bot = staticmethod(new_bot)
        ladder = staticmethod(new_ladder)
        entry = staticmethod(ranked_entry)
        match = staticmethod(new_match)
        finished = staticmethod(lambda *args: finish(new_match(*args)))
        ready = staticmethod(ready)
        comparison = staticmethod(new_comparison)

    return Make
