"""How sure the ratings are, and what may be said of who is ahead of whom."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from games.words import Sentence
from ratings.claims import is_clear, words_for
from ratings.covariance import Covariance, covariance
from ratings.fit import Fit
from ratings.results import Floats, Ints, Places
from ratings.scale import ELO, WIDTH

FEW = 2.5  # a variance estimated from m matches is too small by a factor of about 1 + 2.5/m

BAND_AT_ONCE = 2**22  # pairs


@dataclass(frozen=True)
class Uncertainty:
    """The errors of a fit; `matches` are those that each entity has played."""

    fit: Fit
    covariance: Covariance
    matches: Ints

    @cached_property
    def inflation(self) -> Floats:
        """What makes up for the error being estimated from few matches itself."""
        return np.where(self.matches > 0, np.sqrt(1 + FEW / np.maximum(self.matches, 1)), 1.0)

    @cached_property
    def errors(self) -> Floats:
        """The standard error of each rating, in points."""
        return ELO * self.inflation * np.sqrt(self.covariance.variances)

    @cached_property
    def plus_minus(self) -> Ints:
        """Half the width of each 95 % interval, as it is published: rounded up."""
        return np.ceil(WIDTH * self.errors).astype(np.int64)

    def error_between(self, one: Places, two: Places) -> Floats:
        """The standard error of the difference of two ratings, in points; `one` and `two` are places
        in the arrays of the fit, and are broadcast."""
        common = self.covariance.between(one, two) * self.inflation[one] * self.inflation[two]
        variance = self.errors[one] ** 2 + self.errors[two] ** 2 - 2 * ELO**2 * common
        error: Floats = np.sqrt(np.maximum(variance, 0.0))
        return error

    def superiority(self, one: Places, two: Places) -> Floats:
        """How likely it is that the first of two is the stronger one."""
        lead = ELO * (self.fit.strength[one] - self.fit.strength[two])
        error = self.error_between(one, two)
        odds = [
            NormalDist(0, sd).cdf(x) if sd else x > 0 for x, sd in zip(lead, error, strict=True)
        ]
        return np.array(odds, np.float64)

    def by_entity(self) -> dict[int, int]:
        """What to publish beside each rating."""
        entities, plus_minus = self.fit.entities.tolist(), self.plus_minus.tolist()
        return dict(zip(entities, plus_minus, strict=True))


def uncertainty(fit: Fit) -> Uncertainty:
    return Uncertainty(fit, covariance(fit), matches_of(fit))


def matches_of(fit: Fit) -> Ints:
    """How many matches each has played; who sits on several seats of a table plays one."""
    seated = np.sort(fit.places, axis=1)
    new = np.ones(seated.shape, bool)
    new[:, 1:] = seated[:, 1:] != seated[:, :-1]
    return np.bincount(seated[new], minlength=len(fit.entities))


# -- Standings ------------------------------------------------------------------------------------


class Standing(NamedTuple):
    """One line of the standings: a rank, the ranks that cannot be ruled out, and for all but the last
    how likely it is that it is ahead of the next one, and whether that is clear."""

    entity: int
    rank: int
    best: int
    worst: int
    ahead: float | None = None
    is_clear: bool = False

    @property
    def words(self) -> Sentence | None:
        """What is said of the lead over the next one."""
        if self.ahead is None:
            return None
        return words_for(self.ahead, self.rank + 1, clear=self.is_clear)


def standings(known: Uncertainty, listed: Sequence[int]) -> list[Standing]:
    """The lines of those that have a rank, best first; of equal ones the older entity."""
    places = np.searchsorted(known.fit.entities, np.array(listed, np.int64))
    places = places[np.lexsort((places, -known.fit.ratings[places]))]
    best, worst = bands(known, places)
    lines = [
        Standing(int(known.fit.entities[place]), at + 1, int(best[at]), int(worst[at]))
        for at, place in enumerate(places)
    ]
    ahead = known.superiority(places[:-1], places[1:])
    fewest = np.minimum(known.matches[places[:-1]], known.matches[places[1:]])
    for at, (share, matches) in enumerate(zip(ahead.tolist(), fewest.tolist(), strict=True)):
        lines[at] = lines[at]._replace(ahead=share, is_clear=is_clear(share, matches))
    return lines


def bands(known: Uncertainty, places: Places) -> tuple[Ints, Ints]:
    """The best and the worst rank of each that can be told from its own with 97.5 %."""
    number = len(places)
    best, worst = np.ones(number, np.int64), np.full(number, number)
    rows = max(1, BAND_AT_ONCE // max(1, number))
    for begin in range(0, number, rows):
        some = places[begin : begin + rows]
        lead = ELO * (known.fit.strength[some][:, None] - known.fit.strength[places][None, :])
        sure = WIDTH * known.error_between(some[:, None], places[None, :])
        sure[np.arange(len(some)), begin + np.arange(len(some))] = math.inf
        best[begin : begin + rows] += np.count_nonzero(lead <= -sure, axis=1)
        worst[begin : begin + rows] -= np.count_nonzero(lead >= sure, axis=1)
    return best, worst
