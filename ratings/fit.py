"""The official rating: the strengths under which all results of a ladder together are likeliest.

Every leg is a duel of every pair at the table. One program, the anchor, is 1500 for ever. The answer
depends on the results alone, not on their order nor on where the search begins.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ratings.results import Floats, Ints, Places, Results
from ratings.scale import ELO, FIRST

FIRST_SPREAD = 350 / ELO  # how far a first version is expected from the level of the field
NEXT_SPREAD = 100 / ELO  # how far a later version is expected from the one before it
STOP = 1e-9 / ELO
NOISE = 1e-6 / ELO  # a step below this that is no shorter than the last is rounding, not progress
ROUGH = 0.1  # how exactly a long step is worked out


def chance(lead: Floats) -> Floats:
    """How often one finishes ahead who leads by that much; no lead is too large for it."""
    ahead: Floats = 0.5 + 0.5 * np.tanh(lead / 2)
    return ahead


@dataclass(frozen=True)
class Duels:
    """Who met whom, in both directions, sorted: entry k says that `row[k]` has `halves[k]` half-points
    in `games[k]` legs against `column[k]`. What is believed before any match: a `bond` draws a later
    version to the one before it, and a first version to the level of the field, which stands behind all
    entities; `pull` draws that level to 1500."""

    size: int
    anchor: int
    row: Ints
    column: Ints
    halves: Floats
    games: Floats
    bond: Floats
    pull: Floats

    @cached_property
    def starts(self) -> Places:
        """Where each row that has entries begins."""
        return np.flatnonzero(changed(self.row))

    def sums(self, values: Floats) -> Floats:
        """The sum of the entries of each row."""
        total = np.zeros(self.size)
        total[self.row[self.starts]] = np.add.reduceat(values, self.starts)
        return total

    def times(self, values: Floats, vector: Floats) -> Floats:
        """The product of the matrix that has these entries with a vector."""
        return self.sums(values * vector[self.column])

    def at(self, strength: Floats) -> tuple[Floats, "Curvature"]:
        """How the likelihood of all results grows with each strength, and how that growth bends."""
        lead = strength[self.row] - strength[self.column]
        ahead = chance(lead)
        expected = self.games * ahead
        surplus = self.halves / 2 - expected - self.bond * lead
        slope = self.held(self.sums(surplus) - self.pull * strength)
        weight = expected * (1 - ahead) + self.bond
        return slope, Curvature(self, weight, self.sums(weight) + self.pull)

    def odds(self) -> Floats:
        """A first guess at the strengths: the odds of each one's results, whoever they were against."""
        won, games = self.sums(self.halves) / 2, self.sums(self.games)
        odds = np.log((won + 1) / (games - won + 1))
        over_anchor: Floats = odds - odds[self.anchor]
        return over_anchor

    def held(self, values: Floats) -> Floats:
        """The same values, but nothing moves the anchor."""
        values[self.anchor] = 0.0
        return values


@dataclass(frozen=True)
class Curvature:
    """A matrix: `stiffness` on the diagonal, minus `weight` where two have met."""

    duels: Duels
    weight: Floats
    stiffness: Floats

    def times(self, vector: Floats) -> Floats:
        return self.duels.held(self.stiffness * vector - self.duels.times(self.weight, vector))

    @cached_property
    def together(self) -> float:
        """How stiff all are at once: only the anchor and what was believed before hold them."""
        by_anchor = self.weight[self.duels.column == self.duels.anchor].sum()
        return float(by_anchor + self.duels.pull.sum())

    def roughly(self, product: Floats) -> Floats:
        """A rough answer to `solve`: each one moved alone, and all at once."""
        return self.duels.held(product / self.stiffness + product.sum() / self.together)

    def solve(self, product: Floats, precision: float) -> Floats:
        """Which vector gives that product: conjugate gradients, each begun roughly right."""
        answer, rest = np.zeros_like(product), product
        scaled = self.roughly(rest)
        direction, error = scaled, float(rest @ scaled)
        enough = error * precision**2
        for _ in range(len(product)):
            if error <= enough:
                break
            bent = self.times(direction)
            length = error / float(direction @ bent)
            answer = answer + length * direction
            rest = rest - length * bent
            scaled = self.roughly(rest)
            error, before = float(rest @ scaled), error
            direction = scaled + error / before * direction
        return answer


@dataclass(frozen=True)
class Fit:
    """The ratings of a ladder: `entities` in order, and the `strength` of each in log-odds over the
    anchor. An entity is whatever is rated: on a ladder, a version of a bot. `places` is the lineup of
    every match of the `results`, as places in these arrays. `top` are the strengths with the level of the
    field behind them."""

    results: Results
    entities: Ints
    places: Places
    duels: Duels
    top: Floats
    steps: int

    @property
    def strength(self) -> Floats:
        return self.top[:-1]

    @property
    def level(self) -> float:
        """Where first versions are expected."""
        return round(FIRST + ELO * float(self.top[-1]), 1)

    @cached_property
    def ratings(self) -> Floats:
        """As they are published, to a tenth of a point."""
        return np.round(FIRST + ELO * self.strength, 1)

    def by_entity(self) -> dict[int, float]:
        return dict(zip(self.entities.tolist(), self.ratings.tolist(), strict=True))


def fit(
    results: Results,
    *,
    anchor: int,
    previous: Mapping[int, int] | None = None,
    start: Mapping[int, float] | None = None,
) -> Fit:
    """The ratings of all who have played and of all in `previous`, which says of a later version which
    one came before it. Ratings to `start` from only make the search shorter."""
    chain, begin = previous or {}, start or {}
    named = np.array([anchor, *chain, *chain.values()], np.int64)
    entities = np.unique(np.concatenate([results.lineups.ravel(), named]))
    narrow = np.dtype(np.uint16 if len(entities) < 2**16 else np.int32)  # sorted in no time
    places = np.searchsorted(entities, results.lineups).astype(narrow)
    held, later, earlier = np.split(
        np.searchsorted(entities, named).astype(narrow), [1, 1 + len(chain)]
    )
    duels = duels_of(results, places, Beliefs(len(entities), int(held[0]), later, earlier))
    guess = duels.odds()
    for place, entity in enumerate(entities.tolist()):
        if entity in begin:
            guess[place] = (begin[entity] - FIRST) / ELO
    return Fit(results, entities, places, duels, *climb(duels, duels.held(guess)))


class Beliefs(NamedTuple):
    """What is believed before any match, of so many entities: which one is the anchor, and that each
    of `later` is near the one of `earlier`."""

    entities: int
    anchor: int
    later: Places
    earlier: Places

    def bonds(self) -> tuple[Places, Places]:
        """Who is drawn to whom; the field's level has the place behind all entities."""
        first = np.setdiff1d(np.arange(self.entities, dtype=self.later.dtype), self.later)
        level = np.full_like(first, self.entities)
        one, two = np.concatenate([self.later, first]), np.concatenate([self.earlier, level])
        return np.concatenate([one, two]), np.concatenate([two, one])


def duels_of(results: Results, places: Places, beliefs: Beliefs) -> Duels:
    """All matches added up, pair by pair; nobody is a rival of itself."""
    level = beliefs.entities
    one, two = seat_pairs(results.players)
    own, other = places[:, one].ravel(), places[:, two].ravel()
    rivals = own != other
    halves = results.halves[:, one, two].ravel()[rivals]
    bound, to = beliefs.bonds()
    row, column = np.concatenate([own[rivals], bound]), np.concatenate([other[rivals], to])
    order = np.lexsort((column, row))
    row, column = row[order], column[order]
    starts = np.flatnonzero(changed(row) | changed(column))
    bonds = np.add.reduceat(order >= len(halves), starts, dtype=np.int64)
    points = np.concatenate([halves, np.zeros(len(bound), halves.dtype)])
    row, column = row[starts].astype(np.int64), column[starts].astype(np.int64)
    spread = np.where((row == level) | (column == level), FIRST_SPREAD, NEXT_SPREAD)
    pull = np.zeros(level + 1)
    pull[level] = 1 / FIRST_SPREAD**2
    return Duels(
        level + 1,
        beliefs.anchor,
        row,
        column,
        halves=np.add.reduceat(points[order], starts, dtype=np.float64),
        games=results.legs * (np.diff(starts, append=len(order)) - bonds).astype(np.float64),
        bond=bonds / spread**2,
        pull=pull,
    )


def seat_pairs(players: int) -> tuple[Places, Places]:
    """All pairs of different places in a lineup, in both directions."""
    one, two = np.nonzero(~np.eye(players, dtype=bool))
    return one, two


def changed(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Where a value is not the one before it; the first one is new."""
    new = np.ones(len(values), bool)
    new[1:] = values[1:] != values[:-1]
    return new


def climb(duels: Duels, strength: Floats) -> tuple[Floats, int]:
    """Newton's steps to the top, and how many there were. The curvature changes by a factor of at
    most e for each unit by which a lead changes. So a step within one unit leads up, and a longer one
    does when it is shortened like this."""
    spread, last, steps = math.inf, math.inf, 0
    while True:
        slope, curvature = duels.at(strength)
        step = curvature.solve(slope, min(ROUGH, spread))
        longest = float(np.max(np.abs(step)))
        spread = float(np.max(step) - np.min(step))
        strength = strength + step * (math.log1p(spread) / spread if spread > 1 else 1.0)
        steps += 1
        if longest < STOP or last <= longest < NOISE:
            return strength, steps
        last = longest
