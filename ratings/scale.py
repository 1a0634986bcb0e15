"""The scale of ratings: what a point is worth, where it begins, and how wide a statement is."""

import math

FIRST = 1500.0  # the anchor's rating, and where everybody is expected before the first match
ELO = 400 / math.log(10)  # points in one unit of log-odds, in which everything is computed
WIDTH = 1.96  # standard errors on each side of a 95 % interval


def expected(own: float, other: float) -> float:
    """How often one finishes ahead of the other, if the ratings are right."""
    return 1 / (1 + 10 ** ((other - own) / 400))
