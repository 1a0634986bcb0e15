"""Matches as lines of a list: little of each match, and all lineups in one question."""

from collections import defaultdict
from typing import Any

from django.db.models import QuerySet

from tournaments.models import Match, Seat

Line = dict[str, Any]

MATCH = ("pk", "state", "game", "finished_at", "ladder__slug", "ladder__title")
SEAT = (
    *("match", "place", "points", "faults", "version__number"),
    *("bot__name", "bot__is_house", "bot__owner"),
)


def lines(*lists: QuerySet[Match]) -> list[list[Line]]:
    """Several lists of matches, each as lines."""
    found = [list(as_lines(matches)) for matches in lists]
    add_lineups([line for each in found for line in each])
    return found


def as_lines(matches: QuerySet[Match]) -> QuerySet[Match, Any]:
    """Lines without their lineups."""
    found: QuerySet[Match, Any] = matches.values(*MATCH)
    return found


def add_lineups(lines: list[Line]) -> None:
    """Gives each line its `seats`, the winner first."""
    seats = Seat.objects.filter(match__in=[line["pk"] for line in lines])
    lineups = defaultdict(list)
    for seat in seats.order_by("place", "index").values(*SEAT):
        lineups[seat["match"]].append(seat)
    for line in lines:
        line["seats"] = lineups[line["pk"]]
