"""Who plays whom: draws the table of the next rated match, at random among those who may sit together.

Opponents are not chosen for being near in rating: in games of luck that is no faster, and it would change what a
rating means. Owners choose nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random

WINDOW, LEAST_OPPONENTS = 400.0, 12
HOUSE_EVERY = 10  # matches of a version
OWNER_SHARE = 4  # at most one in so many matches against the same owner


@dataclass(frozen=True)
class Entrant:
    """One that may be drawn. Every house bot counts as an owner of its own. `met` says in how many of
    its matches somebody of an owner sat at the table, `since_house` how many it has played since a house
    bot did."""

    id: int
    owner: str
    program: str  # the hash of what is run
    rating: float
    plus_minus: float
    matches: int
    is_provisional: bool
    is_house: bool = False
    is_anchor: bool = False
    since_house: int = 0
    met: Mapping[str, int] = field(default_factory=dict)

    def has_met_enough(self, owner: str) -> bool:
        """Whether one more match would make too many of its matches be against that owner."""
        return OWNER_SHARE * (self.met.get(owner, 0) + 1) > self.matches + 1


def table(
    entrants: Sequence[Entrant],
    players: int,
    chance: Random,
    is_due: Callable[[Entrant], bool] = lambda entrant: True,
) -> list[Entrant] | None:
    """A table for one of those that are due, in the order of its lineup; None if nobody is, or there are
    not enough to fill it, or no two different ones."""
    order = shuffled(entrants, chance)
    due = [entrant for entrant in order if is_due(entrant)]
    if not due:
        return None
    first = first_of(due, order, players)
    seated = [first]
    if wants_house(first):
        seated += drawn_house(order, first, chance)
    seat_opponents(seated, order, players)
    seated += house_fill(order, seated, players - len(seated), chance)
    if len(seated) < players or len({entrant.id for entrant in seated}) < 2:
        return None
    return shuffled(seated, chance)


def first_of(due: Sequence[Entrant], order: Sequence[Entrant], players: int) -> Entrant:
    """Of those due, who has the fewest matches, and of those whose rating is the least sure. An owner whom nearly
    everybody has met too often waits, unless that is so of all."""
    waiting = sorted(due, key=lambda entrant: (entrant.matches, -entrant.plus_minus))
    seen = set()
    for entrant in waiting:
        if entrant.owner not in seen:
            seen.add(entrant.owner)
            if is_welcome(entrant.owner, order, players - 1):
                return entrant
    return waiting[0]


def is_welcome(owner: str, order: Sequence[Entrant], rivals: int) -> bool:
    """Whether enough others may meet that owner once more."""
    found = (other for other in order if other.owner != owner and not other.has_met_enough(owner))
    return len(list(islice(found, rivals))) == rivals


def wants_house(first: Entrant) -> bool:
    return not first.is_house and first.since_house >= HOUSE_EVERY - 1


def drawn_house(order: Sequence[Entrant], first: Entrant, chance: Random) -> list[Entrant]:
    """The anchor in half of the cases, else another house bot, as far as there are any."""
    anchor = [entrant for entrant in order if entrant.is_anchor]
    others = [entrant for entrant in order if entrant.is_house and not entrant.is_anchor]
    choice = anchor + others if chance.random() < 0.5 else others + anchor
    return [entrant for entrant in choice if may_join(entrant, [first])][:1]


def seat_opponents(seated: list[Entrant], order: Sequence[Entrant], players: int) -> None:
    """Seats those within reach whom nobody at the table has met too often. If that is not enough, those
    who were, the least met first; and at last those out of reach."""
    first = seated[0]
    rivals = [entrant for entrant in order if may_join(entrant, [first])]
    reach = reach_of(first, rivals)
    near = [rival for rival in rivals if distance(first, rival) <= reach]
    far = [rival for rival in rivals if distance(first, rival) > reach]
    for rival in near:
        if not any(met_enough(rival, other) for other in seated):
            seat(rival, seated, players)
    for rival in sorted(near, key=lambda rival: first.met.get(rival.owner, 0)):
        seat(rival, seated, players)
    for rival in far:
        seat(rival, seated, players)


def seat(rival: Entrant, seated: list[Entrant], players: int) -> None:
    if len(seated) < players and may_join(rival, seated):
        seated.append(rival)


def may_join(entrant: Entrant, seated: Sequence[Entrant]) -> bool:
    """Never two of one owner at a table, nor two that run the same program."""
    return all(
        entrant.owner != other.owner and entrant.program != other.program for other in seated
    )


def met_enough(one: Entrant, other: Entrant) -> bool:
    return one.has_met_enough(other.owner) or other.has_met_enough(one.owner)


def reach_of(first: Entrant, rivals: Sequence[Entrant]) -> float:
    """How far away opponents may be: 400 points, or more if fewer than twelve are that near."""
    distances = sorted(distance(first, rival) for rival in rivals)
    return max([WINDOW, *distances[:LEAST_OPPONENTS]])


def distance(one: Entrant, other: Entrant) -> float:
    """Where little is known yet, nobody is far away."""
    return 0.0 if one.is_provisional or other.is_provisional else abs(one.rating - other.rating)


def house_fill(
    order: Sequence[Entrant], seated: Sequence[Entrant], seats: int, chance: Random
) -> list[Entrant]:
    """House bots for the seats that are left, the same one on several if need be."""
    programs = {entrant.program for entrant in seated if not entrant.is_house}
    house = [entrant for entrant in order if entrant.is_house and entrant.program not in programs]
    filled: list[Entrant] = []
    while house and len(filled) < seats:
        filled += shuffled(house, chance)[: seats - len(filled)]
    return filled


def shuffled(entrants: Sequence[Entrant], chance: Random) -> list[Entrant]:
    order = list(entrants)
    chance.shuffle(order)
    return order
