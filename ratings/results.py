"""The results of rated matches as arrays: a row a match, in the order of the matches' ids.

Who finished ahead of whom is counted in half-points (2 ahead, 1 level, 0 behind), so that sums are whole
numbers and no order of adding them can change a digit.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Places = NDArray[np.integer[Any]]  # in another array; often narrow ones


class Match(NamedTuple):
    """A rated match: whose program sat where in the lineup, and the ranks by leg and place in it."""

    id: int
    lineup: Sequence[int]
    ranks: Sequence[Sequence[int]]


@dataclass(frozen=True)
class Results:
    """Matches of one ladder, so all with as many seats and legs. `halves[m, a, b]` are the half-points
    of place a over place b in all legs of match m."""

    legs: int
    ids: Ints
    lineups: Ints
    halves: NDArray[np.int16]

    @classmethod
    def of(cls, matches: Sequence[Match], *, players: int, legs: int) -> Self:
        ranks = np.array([match.ranks for match in matches], np.int16)
        return cls.of_arrays(
            np.array([match.id for match in matches], np.int64),
            np.array([match.lineup for match in matches], np.int64).reshape(-1, players),
            ranks.reshape(-1, legs, players),
        )

    @classmethod
    def of_arrays(cls, ids: Ints, lineups: Ints, ranks: NDArray[np.int16]) -> Self:
        """The same from arrays: `ranks[m, leg, a]`."""
        own, other = ranks[:, :, :, None], ranks[:, :, None, :]
        halves: NDArray[np.int16] = np.sum(own <= other, axis=1, dtype=np.int16)
        halves += np.sum(own < other, axis=1, dtype=np.int16)
        return cls(ranks.shape[1], ids, lineups, halves).in_order()

    def in_order(self) -> Self:
        return self.chosen(np.argsort(self.ids, kind="stable"))

    def chosen(self, rows: Places | NDArray[np.bool_]) -> Self:
        return type(self)(self.legs, self.ids[rows], self.lineups[rows], self.halves[rows])

    def plus(self, other: Self) -> Self:
        """These matches and others."""
        return type(self)(
            self.legs,
            np.concatenate([self.ids, other.ids]),
            np.concatenate([self.lineups, other.lineups]),
            np.concatenate([self.halves, other.halves]),
        ).in_order()

    def without(self, ids: Collection[int]) -> Self:
        """All but these matches."""
        return self.chosen(~np.isin(self.ids, list(ids)))

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def players(self) -> int:
        return int(self.lineups.shape[1])
