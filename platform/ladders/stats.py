"""What a ladder knows of its bots beside the standings: ratings over time, results against each other bot and in each
seat. All of it was counted when matches were recorded; no match is looked at."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import sqrt
from typing import Any

from django.db.models import F, Sum

from ladders.models import Entry, Ladder, Meeting, Rating, RatingPoint
from ladders.standings import ranked

HISTORY = 1000  # points of a bot's history, the newest
OPPONENTS = 100  # those that were met most often
CROSSED = 12
SEATED = 200  # bots whose results tell seats apart
SURE = 1.96


@dataclass(frozen=True)
class Share:
    """How often one finished ahead of the others in so many matches, from 0 to 1, give or take."""

    matches: int
    share: float
    plus_minus: float

    @property
    def low(self) -> float:
        return max(0.0, self.share - self.plus_minus)

    @property
    def high(self) -> float:
        return min(1.0, self.share + self.plus_minus)


def share_of(matches: int, thousandths: int, squares: int) -> Share:
    """A match is one observation. A quarter of one is added to the variance: few that were all alike
    would look sure."""
    mean = thousandths / matches / 1000
    variance = max(0.0, squares / matches / 1e6 - mean**2)
    return Share(matches, mean, SURE * sqrt((variance + 0.25 / matches) / matches))


# -- One bot --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Moment:
    """A rating as it once was, of the version with that number."""

    at: datetime
    version: int
    rating: float
    plus_minus: int
    matches: int


@dataclass(frozen=True)
class Opponent:
    """What the shown version has done against another bot, all of its versions added up."""

    bot: str
    is_house: bool
    result: Share


@dataclass(frozen=True)
class SeatResult:
    """What a version has done in one seat; the share is that of the others it finished ahead of."""

    seat: int
    legs: int
    share: float
    points: float  # a leg


@dataclass(frozen=True)
class Details:
    """All that is known of a bot on a ladder; the history is that of all its versions."""

    history: list[Moment]
    opponents: list[Opponent]
    seats: list[SeatResult]
    kinds: dict[str, int]  # of faults


def details_of(entry: Entry) -> Details:
    rating = Rating.objects.filter(entry=entry, version=entry.version_id).first()
    return Details(
        history_of(entry),
        opponents_of(rating) if rating else [],
        seat_results(rating.seats) if rating else [],
        rating.kinds if rating else {},
    )


def history_of(entry: Entry) -> list[Moment]:
    points = RatingPoint.objects.filter(rated__entry=entry).order_by("-pk")
    rows = points.values_list("at", "rated__version__number", "rating", "plus_minus", "matches")
    return [Moment(*row) for row in rows[:HISTORY]][::-1]


def opponents_of(rating: Rating) -> list[Opponent]:
    name, is_house = "other__entry__bot__name", "other__entry__bot__is_house"
    rows = summed(Meeting.objects.filter(rated=rating).values_list(name, is_house))
    by_matches = rows.order_by("-met", name)[:OPPONENTS]
    return [Opponent(bot, house, share_of(*sums)) for bot, house, *sums in by_matches]


def summed(meetings: Any) -> Any:
    """Meetings in groups, with the sums from which a share is made."""
    return (
        meetings.annotate(
            met=Sum("matches"), ahead=Sum("thousandths"), ahead_squared=Sum("squares")
        )
        .filter(met__gt=0)
        .order_by()
    )


def seat_results(seats: Sequence[Sequence[int]]) -> list[SeatResult]:
    return [
        SeatResult(seat, legs, halves / (2 * duels) if duels else 0.5, points / legs)
        for seat, (legs, duels, halves, points) in enumerate(seats)
        if legs
    ]


# -- A whole ladder -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Crossing:
    """A bot of the crosstable and its results against each of the columns; none where they never met."""

    entry: Entry
    columns: list[Entry]
    results: list[Share | None]

    @property
    def opponents(self) -> list[Opponent]:
        return [
            Opponent(other.bot.name, other.bot.is_house, result)
            for other, result in zip(self.columns, self.results, strict=True)
            if result
        ]


def crosstable(ladder: Ladder) -> list[Crossing]:
    """The first of a ladder against each other."""
    first = ranked(ladder).select_related("bot", "version").order_by("rank", "pk")[:CROSSED]
    entries = list(first)
    found = crossed(entries)
    return [
        Crossing(one, entries, [found.get((one.pk, other.pk)) for other in entries])
        for one in entries
    ]


def crossed(entries: Iterable[Entry]) -> dict[tuple[int, int], Share]:
    keys = [entry.pk for entry in entries]
    meetings = Meeting.objects.filter(
        rated__entry__in=keys, rated__version=F("rated__entry__version"), other__entry__in=keys
    )
    rows = summed(meetings.values_list("rated__entry", "other__entry"))
    return {(one, other): share_of(*sums) for one, other, *sums in rows if one != other}


def seats_on(ladder: Ladder) -> list[SeatResult]:
    """What the seats are worth: the results of the ranked bots' versions in them, added up."""
    rows = Rating.objects.filter(
        entry__in=ranked(ladder).order_by("rank")[:SEATED].values("pk"),
        version=F("entry__version"),
    ).values_list("seats", flat=True)
    return seat_results([added(counts) for counts in zip(*filter(None, rows), strict=True)])


def added(rows: Iterable[Sequence[int]]) -> list[int]:
    return [sum(counts) for counts in zip(*rows, strict=True)]
