"""The same cards in other hands: who made what of the cards dealt to each seat."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from tournaments.models import Seat


@dataclass(frozen=True)
class Made:
    """What a bot made of a seat's cards in a leg. `bar` is how far it is from the mean of the row,
    from -50 to 50, on one scale for the whole table."""

    leg: int
    points: int
    rank: int
    difference: float
    bar: float
    is_best: bool


@dataclass(frozen=True)
class Deal:
    """The cards dealt to one seat. `made` is by bot of the lineup; at odd tables each has them twice."""

    seat: int
    made: list[list[Made]]
    mean: float


def deals_of(seats: Sequence[Seat], seatings: Sequence[Sequence[int]]) -> list[Deal]:
    points = [
        [seats[bot].scores[leg] for leg, seating in enumerate(seatings) for bot in [seating[at]]]
        for at in range(len(seats))
    ]
    means = [fmean(row) for row in points]
    widest = max(
        abs(score - mean) for row, mean in zip(points, means, strict=True) for score in row
    )

    def made(at: int, leg: int, seat: Seat) -> Made:
        difference = seat.scores[leg] - means[at]
        bar = 50 * difference / widest if widest else 0
        is_best = seat.scores[leg] == max(points[at])
        return Made(leg + 1, seat.scores[leg], seat.ranks[leg], difference, bar, is_best)

    def made_by(at: int, seat: Seat) -> list[Made]:
        legs = [leg for leg, seating in enumerate(seatings) if seating[at] == seat.index]
        return [made(at, leg, seat) for leg in legs]

    return [Deal(at, [made_by(at, seat) for seat in seats], means[at]) for at in range(len(seats))]
