"""People at the table: what a person sees there, which is what a bot in that seat is told, and says.

Between the site and the worker that plays stands the log of a chair; neither waits for the other.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, TypeVar

import msgspec
from django.conf import settings
from django.utils.crypto import salted_hmac
from redis import Redis, RedisError

from accounts.services import NotPossible
from games.base import Event, Seat
from games.color_stock import FULL_STACK
from tournaments import services
from tournaments.models import Match
from tournaments.replays import seats_of
from tournaments.telling import told
from workers.chair import BEGINNING, LEAVE, Chair, Entry, opened

AWAY = "The table cannot be reached at present. Nothing is lost; try again in a moment."

Outcome = TypeVar("Outcome")


def chair_name(match: Match) -> str:
    """Known to the site and to the worker that is told; the seed alone does not give it away."""
    return salted_hmac("kibitz.chair", match.seed, algorithm="sha256").hexdigest()


@cache
def redis(broker: str) -> Redis:
    return opened(broker)


def chair_of(match: Match) -> Chair:
    if not settings.BROKER:
        raise NotPossible("This site has no broker, so people cannot play: set KIBITZ_BROKER.")
    return Chair(redis(settings.BROKER), chair_name(match))


def reached(call: Callable[[], Outcome]) -> Outcome:
    try:
        return call()
    except RedisError:
        raise NotPossible(AWAY) from None


# -- What a person sees ---------------------------------------------------------------------------


@dataclass
class Situation:
    """A table as the person sees it: what the seat was told last, and whether something is asked."""

    at: str = BEGINNING
    question: dict[str, Any] | None = None  # until it is answered
    view: dict[str, Any] | None = None
    end: dict[str, Any] | None = None
    has_left: bool = False
    is_gone: bool = False  # has been waited for in vain
    events: list[Event] = field(default_factory=list)

    def see(self, entry: Entry) -> None:
        self.at = entry.at
        if entry.kind == "gone":
            self.is_gone, self.question = True, None
        elif entry.kind == "told":
            self.be_told(entry.message)
        elif entry.line == LEAVE:
            self.has_left, self.question = True, None
        elif self.question and entry.message["id"] == self.question["id"]:
            self.question = None

    def be_told(self, message: dict[str, Any]) -> None:
        self.events += message.get("events", [])
        if message["type"] == "move":
            self.question, self.view = message, message["view"]
        elif message["type"] == "end":
            self.end = message

    @property
    def is_over(self) -> bool:
        return bool(self.end) or self.has_left or self.is_gone

    @property
    def out(self) -> list[Seat]:
        """For whom the house plays, as far as that has been told."""
        return [event["seat"] for event in self.events if event["event"] == "faulted"]


def situation(match: Match, wait_ms: int = 0) -> Situation:
    """As it is now; with time to wait, as soon as something is asked or it is over."""
    chair, seen, until = chair_of(match), Situation(), time.monotonic() + wait_ms / 1000
    new = reached(chair.entries)
    while True:
        for entry in new:
            seen.see(entry)
        left_ms = round((until - time.monotonic()) * 1000)
        if seen.question or seen.is_over or left_ms <= 0:
            return seen
        new = reached(partial(chair.awaited, seen.at, left_ms))


def has_news(match: Match, at: str) -> bool:
    """Whether there is more than in the state of that name; a quick look, which open pages take often."""
    return at != f"{reached(lambda: chair_of(match).last)} {match.state}"


def news(match: Match, seen: Situation) -> dict[str, Any]:
    """All that the page shows, which is no more than the seat was told; `at` names this very state."""
    question = seen.question
    return {
        "at": f"{seen.at} {match.state}",
        "state": match.state,
        "question": question and {"id": question["id"], "legal": question["legal"]},
        "table": table_of(match, seen),
        "told": round_told(match, seen),
        "result": result_of(seen),
        "gone": seen.has_left or seen.is_gone,
    }


def result_of(seen: Situation) -> dict[str, int] | None:
    if seen.end is None or seen.view is None:
        return None
    seat = seen.view["seat"]
    return {"score": seen.end["scores"][seat], "rank": seen.end["ranks"][seat]}


def table_of(match: Match, seen: Situation) -> dict[str, Any] | None:
    """The view of the last question as the scripts of tables draw it; hands of others stay unknown.
    After the end it would show what is no more."""
    if seen.view is None or seen.is_over:
        return None
    view, tricks = seen.view, seen.view.get("tricks")
    return view | {
        "game": match.game,
        "hands": [view["hand"] if at == view["seat"] else None for at in range(match.players)],
        "asked": [view["seat"]] if seen.question else [],
        "moved": None,
        "out": seen.out,
        "finished": finished(tricks[-1], match.players) if tricks else None,
        "window": None,
        "full": FULL_STACK,
    }


def finished(trick: dict[str, Any], players: int) -> dict[str, Any]:
    """A trick with who played which card."""
    cards = [
        {"seat": (trick["leader"] + place) % players, "card": card}
        for place, card in enumerate(trick["cards"])
    ]
    return {"cards": cards, "taker": trick["taker"]}


def at_table(match: Match) -> list[dict[str, Any]]:
    """Who sits there, by seat, as the scripts of tables know them."""
    lineup = seats_of(match)
    seats = [lineup[index] for index in match.seatings[0]]
    names = [seat.name for seat in seats]
    return [
        {
            "name": seat.name if names.count(seat.name) == 1 else f"{seat.name} on {at}",
            "version": seat.version and seat.version.number,
            "isOwn": not seat.bot,
        }
        for at, seat in enumerate(seats)
    ]


def round_told(match: Match, seen: Situation) -> list[str]:
    """The sentences of this round, and how the one before has ended."""
    if not seen.events:
        return []
    names = [each["name"] for each in at_table(match)]
    rounds = told(match.game, match.options, names, seen.events)
    ended = rounds[-2].score if len(rounds) > 1 else []
    return [*ended, rounds[-1].title, *rounds[-1].moves, *rounds[-1].score]


# -- What a person says ---------------------------------------------------------------------------


def answer(*, match: Match, number: int, move: str) -> None:
    """Answers the question that is open. Whether a move is legal decides the referee; what is not
    among those offered is not even passed on, since nobody can mean it."""
    question = situation(match).question
    if question is None or question["id"] != number:
        raise NotPossible("This question has been answered already, or is not asked any more.")
    if move not in question["legal"]:
        raise NotPossible(f"{move} is not among the moves: {', '.join(question['legal'])}.")
    line = msgspec.json.encode({"id": number, "move": move})
    reached(lambda: chair_of(match).add("said", line))


def leave(*, match: Match) -> None:
    """Before the first card nobody misses the person, and the match is void; then the house plays on."""
    if services.leave_early(match=match) or match.has_ended:
        return
    if not situation(match).has_left:
        reached(lambda: chair_of(match).add("said", LEAVE))
