"""How long a bot took for its answers, from the replay of its last match."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bots.files import Missing
from bots.models import Bot
from tournaments.models import Match
from tournaments.replays import legs_of


@dataclass(frozen=True)
class Time:
    """In milliseconds: of CPU a leg, an answer on average, and at most; and by the clock on the wall."""

    match: Match
    leg_ms: float
    mean_ms: float
    most_ms: float
    most_wall_ms: float


def time_in_last(bot: Bot, recent: Sequence[Mapping[str, Any]]) -> Time | None:
    """Of the newest of these matches; none where nothing was measured."""
    if not recent:
        return None
    match = Match.objects.get(pk=recent[0]["pk"])
    places = set(match.seats.filter(bot=bot).values_list("index", flat=True))
    try:
        return time_of(match, legs_of(match), places)
    except Missing:
        return None  # the page of the match says so


def time_of(match: Match, legs: Sequence[Mapping[str, Any]], places: set[int]) -> Time | None:
    answers = [answer for leg in legs for answer in answers_of(leg, places)]
    if not answers:
        return None
    cpu, wall = zip(*answers, strict=True)
    return Time(match, sum(cpu) / len(legs), sum(cpu) / len(cpu), max(cpu), max(wall))


def answers_of(leg: Mapping[str, Any], places: set[int]) -> list[tuple[float, float]]:
    """CPU and wall time of each answer from these places of the lineup."""
    own = {seat for seat, place in enumerate(leg["seating"]) if place in places}
    return [
        (cpu_ms, wall_ms)
        for decision in leg["decisions"]
        for seat, cpu_ms, wall_ms in zip(
            decision["seats"], decision["cpu_ms"], decision["wall_ms"], strict=True
        )
        if seat in own and cpu_ms is not None and wall_ms is not None
    ]
