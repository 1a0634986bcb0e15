"""How the errors of ratings belong together: H⁻¹ (Σ gₘ gₘᵀ + P) H⁻¹, in log-odds.

H is the curvature of the likelihood at its top, gₘ the slope that match m alone has there: a match is one
observation, for its legs share the deals and the table. P is what was believed before any match, so that one who
has not played is as unsure as it was then.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ratings.fit import Curvature, Duels, Fit, chance, changed, seat_pairs
from ratings.results import Floats, Places, Results

WHOLE_MOST = 1000  # up to so many entities every covariance is worked out
LANCZOS_STEPS = 20
COHERENT = 0.3  # a way in which many err together, if more of an error than this is passed on


class Covariance(Protocol):
    @property
    def variances(self) -> Floats: ...

    def between(self, one: Places, two: Places) -> Floats:
        """The covariances of pairs of different entities; the arrays are broadcast."""


def covariance(fit: Fit) -> Covariance:
    """That of the errors of all entities; the level of the field is worked out with them and left off."""
    _, curvature = fit.duels.at(fit.top)
    slopes = match_slopes(fit.results, fit.places, fit.strength)
    method = whole if len(fit.entities) <= WHOLE_MOST else sketch
    return method(curvature, fit.places, slopes)


def match_slopes(results: Results, places: Places, strength: Floats) -> Floats:
    """What each seat of each match adds to the slope of whoever has it."""
    at_table = strength[places]
    lead = at_table[:, :, None] - at_table[:, None, :]
    surplus = results.halves / 2 - results.legs * chance(lead)
    surplus[places[:, :, None] == places[:, None, :]] = 0.0
    total: Floats = surplus.sum(axis=2)
    return total


# -- All of it ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Whole:
    """Every covariance there is."""

    matrix: Floats

    @property
    def variances(self) -> Floats:
        return np.maximum(np.diagonal(self.matrix), 0.0)

    def between(self, one: Places, two: Places) -> Floats:
        covariances: Floats = self.matrix[one, two]
        return covariances


def whole(curvature: Curvature, places: Places, slopes: Floats) -> Covariance:
    duels, size = curvature.duels, curvature.duels.size
    scatter = np.diag(duels.pull + duels.sums(duels.bond))
    scatter[duels.row, duels.column] -= duels.bond
    pairs = places[:, :, None].astype(np.int64) * size + places[:, None, :]
    products = slopes[:, :, None] * slopes[:, None, :]
    scatter += np.bincount(pairs.ravel(), products.ravel(), size**2).reshape(size, size)
    bent = np.diag(curvature.stiffness)
    bent[duels.row, duels.column] -= curvature.weight
    bent[duels.anchor, :] = bent[:, duels.anchor] = 0.0
    bent[duels.anchor, duels.anchor] = 1.0
    inverse = np.linalg.inv(bent)
    inverse[duels.anchor, duels.anchor] = 0.0
    return Whole((inverse @ scatter @ inverse)[:-1, :-1])


# -- What matters of it ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Sketch:
    """The variances, and of the covariances those that many have in common, because a whole group hangs
    on a few matches with the rest: `gives[i] @ takes[j] + takes[i] @ gives[j]`. What two share by having
    met each other is left out; it is some 1 % of the error of their difference."""

    variances: Floats
    gives: Floats
    takes: Floats

    def between(self, one: Places, two: Places) -> Floats:
        return rows(self.gives[one], self.takes[two]) + rows(self.takes[one], self.gives[two])


def rows(one: Floats, two: Floats) -> Floats:
    """The product of each row with the one beside it."""
    each: Floats = np.einsum("...k,...k", one, two)
    return each


def sketch(curvature: Curvature, places: Places, slopes: Floats) -> Covariance:
    """With the diagonal D of H taken out on both sides, H becomes 1 − S, and its inverse
    1 + S + S² + …: an error passed on once, twice, and so on. S is small but for the few ways Y in which
    many err together. Those are summed up to the end, Y λ/(1−λ) Yᵀ, and of the rest, R = S − Y λ Yᵀ, the first
    two powers are enough."""
    duels = curvature.duels
    scale = duels.held(1 / np.sqrt(curvature.stiffness))
    both = scale[duels.row] * scale[duels.column]
    passed = curvature.weight * both
    own, shared = scatter_of(duels, places, slopes)
    own, shared = own * scale**2, shared * both
    factors, ways = common_ways(duels, passed, np.sqrt(curvature.stiffness))
    met = own[:, None] * ways + products(duels, shared, ways)
    # The diagonals of R², R B and R B R, where B is the scatter.
    twice = duels.sums(passed**2) - ways**2 @ factors**2
    once = duels.sums(passed * shared) - (ways * met) @ factors
    around = duels.times(passed**2, own) - ways**2 @ (factors**2 * (own @ ways**2))
    alone = (1 + twice) ** 2 * own + 2 * (1 + twice) * once + np.maximum(around, 0.0)
    takes = ways * (factors / (1 - factors))
    rest = products(duels, passed, met) - (ways * factors) @ (ways.T @ met)
    gives = (1 + twice)[:, None] * met + rest + takes @ (ways.T @ met) / 2
    variances = np.maximum(alone + 2 * rows(gives, takes), 0.0) * scale**2
    return Sketch(variances[:-1], (gives * scale[:, None])[:-1], (takes * scale[:, None])[:-1])


def scatter_of(duels: Duels, places: Places, slopes: Floats) -> tuple[Floats, Floats]:
    """Σ gₘ gₘᵀ + P: its diagonal, and its entries where two have met."""
    one, two = seat_pairs(places.shape[1])
    first, second = places[:, one].ravel(), places[:, two].ravel()
    products = (slopes[:, one] * slopes[:, two]).ravel()
    own = np.bincount(places.ravel(), (slopes**2).ravel(), minlength=duels.size)
    same = first == second
    own = own + np.bincount(first[same], products[same], minlength=duels.size)
    order = np.lexsort((second, first))
    order = order[~same[order]]
    first, second = first[order], second[order]
    starts = np.flatnonzero(changed(first) | changed(second))
    shared = -duels.bond
    shared[duels.games > 0] += np.add.reduceat(products[order], starts)
    return own + duels.pull + duels.sums(duels.bond), shared


def common_ways(duels: Duels, passed: Floats, start: Floats) -> tuple[Floats, Floats]:
    """The ways in which many err together, and how much of each is passed on: Lanczos' method."""
    found, images = np.zeros((0, duels.size)), np.zeros((0, duels.size))
    way = duels.held(start * np.random.default_rng(0).uniform(0.5, 1.5, duels.size))
    length = float(np.linalg.norm(way))
    while len(found) < LANCZOS_STEPS and length > 1e-9:
        found = np.vstack([found, way / length])
        images = np.vstack([images, duels.times(passed, found[-1])])
        way = images[-1]
        for _ in range(2):  # once leaves too much rounding
            way = way - found.T @ (found @ way)
        length = float(np.linalg.norm(way))
    factors, mixtures = np.linalg.eigh(found @ images.T)
    kept = factors > COHERENT
    return factors[kept], found.T @ mixtures[:, kept]


def products(duels: Duels, values: Floats, vectors: Floats) -> Floats:
    """The products of a matrix with several vectors, the columns."""
    each = [duels.times(values, vector) for vector in vectors.T]
    return np.array(each).reshape(-1, duels.size).T
