"""People at the table: what a person sees there, which is what a bot in that seat is told, and says.

Between the site and the worker that plays stands the log of a chair; neither waits for the other.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

import msgspec
from django.conf import settings
from django.utils.crypto import salted_hmac
from redis import Redis, RedisError

from accounts.services import NotPossible
from games.base import Event
from tournaments import services
from tournaments.models import Match
from tournaments.replays import seats_of
from tournaments.telling import Round, told
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
    seat: int | None = None
    question: dict[str, Any] | None = None  # until it is answered
    view: dict[str, Any] | None = None
    end: dict[str, Any] | None = None
    has_left: bool = False
    is_gone: bool = False  # the house plays on
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
        if message["type"] == "start":
            self.seat = message["seat"]
        elif message["type"] == "move":
            self.question, self.view = message, message["view"]
        else:
            self.end = message


def situation(match: Match) -> Situation:
    seen = Situation()
    for entry in reached(chair_of(match).entries):
        seen.see(entry)
    if seen.has_left:
        seen.question = None
    return seen


def names_of(match: Match) -> list[str]:
    """Who sits there, by seat."""
    lineup = seats_of(match)
    return [lineup[index].name for index in match.seatings[0]]


def told_to_person(match: Match, seen: Situation) -> Sequence[Round]:
    return told(match.game, match.options, names_of(match), seen.events) if seen.events else []


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


def news(match: Match, after: str, wait_ms: int) -> None:
    """Waits a moment for something to happen after what was seen last."""
    reached(lambda: chair_of(match).awaited(after, wait_ms))
