"""Looks for helpers: does somebody do better against third parties whenever a certain other is at the table?"""

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ratings.fit import Fit, chance, changed, seat_pairs
from ratings.results import Floats

SUSPICIOUS, LEAST_MATCHES = 4.0, 50


def is_suspicious(z: float, matches: int) -> bool:
    return z > SUSPICIOUS and matches >= LEAST_MATCHES


class Pair(NamedTuple):
    """What one gains against each third party, as a share of the legs, when the other is at the table.
    A match is one observation; `z` is the gain in standard errors."""

    one: int
    other: int
    matches: int
    gain: float
    z: float

    @property
    def is_suspicious(self) -> bool:
        return is_suspicious(self.z, self.matches)


def pairs(fit: Fit, watched: Mapping[int, int]) -> list[Pair]:
    """All ordered pairs that have sat at a table with a third party, the most remarkable first. `watched`
    says of every entity what it is watched as: its owner, or the bot that it is a version of."""
    whose = np.array([watched[entity] for entity in fit.entities.tolist()], np.int64)[fit.places]
    strength = fit.strength[fit.places]
    expected = chance(strength[:, :, None] - strength[:, None, :])
    surplus = fit.results.halves / (2 * fit.results.legs) - expected
    seen = [np.zeros((0, 4))]
    for one, other in zip(*seat_pairs(fit.results.players), strict=True):
        third = (whose != whose[:, [one]]) & (whose != whose[:, [other]])
        there = third.any(axis=1) & (whose[:, one] != whose[:, other])
        gain = (surplus[:, one] * third).sum(axis=1)[there] / third.sum(axis=1)[there]
        match = np.flatnonzero(there)
        seen.append(np.column_stack([whose[there, one], whose[there, other], match, gain]))
    return added_up(np.concatenate(seen))


def added_up(seen: Floats) -> list[Pair]:
    """The pairs of rows (one, other, match, gain); who sits on several seats of a table is seen once."""
    seen = seen[np.lexsort(seen.T[2::-1])]
    one, other, match, gain = seen.T
    new_pair = changed(one) | changed(other)
    starts = np.flatnonzero(new_pair | changed(match))
    gain = np.add.reduceat(gain, starts) / np.diff(starts, append=len(seen))
    firsts = np.searchsorted(starts, np.flatnonzero(new_pair))
    found = zip(
        *(names[starts[firsts]].astype(np.int64).tolist() for names in (one, other)),
        np.diff(firsts, append=len(starts)).tolist(),
        np.add.reduceat(gain, firsts).tolist(),
        np.add.reduceat(gain**2, firsts).tolist(),
        strict=True,
    )
    pairs = [
        Pair(one, other, matches, total / matches, total / math.sqrt(squares) if squares else 0.0)
        for one, other, matches, total, squares in found
    ]
    return sorted(pairs, key=lambda pair: (-pair.z, pair.one, pair.other))
