"""Is the new version better than the old one? A sequential test that stops as soon as the answer is clear.

A unit is one deal played twice, the two versions exchanging seats, so that luck with the cards, the seat and
the neighbours is the same for both. The test weighs "20 points better" against "no better".
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from games.words import Sentence, say
from ratings.scale import ELO, WIDTH, expected

GAIN = 20  # what counts as better, in points
NO_BETTER, BETTER = 0.5, expected(GAIN, 0)
CLEAR = math.log(0.95 / 0.05)  # 1 in 20 wrong, either way
LEAST_UNITS = 16
MOST_GAMES = 4000
GAMES = 2  # of a unit


class Verdict(StrEnum):
    BETTER = "better"
    NO_GAIN = "no gain"
    TOO_CLOSE = "too close"


class Unit(NamedTuple):
    """One deal played twice: the half-points of the new version over the old one, of 4, and by how many
    points it led in both games together."""

    halves: int
    margin: int


def unit_of(ranks: Sequence[tuple[int, int]], scores: Sequence[tuple[int, int]]) -> Unit:
    """What two games say, each as (new, old)."""
    halves = sum((new < old) + (new <= old) for new, old in ranks)
    return Unit(halves, sum(new - old for new, old in scores))


class Estimate(NamedTuple):
    """A number, and half the width of its 95 % interval."""

    value: float
    plus_minus: float


@dataclass(frozen=True)
class Comparison:
    """What has been played so far; sums of whole numbers, so exact."""

    most_games: int = MOST_GAMES
    units: int = 0
    halves: int = 0
    halves_squared: int = 0
    margin: int = 0
    margin_squared: int = 0

    def plus(self, unit: Unit) -> "Comparison":
        return replace(
            self,
            units=self.units + 1,
            halves=self.halves + unit.halves,
            halves_squared=self.halves_squared + unit.halves**2,
            margin=self.margin + unit.margin,
            margin_squared=self.margin_squared + unit.margin**2,
        )

    @property
    def games(self) -> int:
        return GAMES * self.units

    @property
    def share(self) -> float:
        """How often the new one finished ahead of the old one, a tie being half."""
        return self.halves / (4 * self.units)

    @property
    def variance(self) -> float:
        """That of a unit's share. Half a unit more keeps versions that rarely differ from being judged
        by a few deals on which they did not."""
        return self.halves_squared / (16 * self.units) - self.share**2 + 0.5 / self.units

    @property
    def evidence(self) -> float:
        """The logarithm of how much likelier the results are if the new one is 20 points better."""
        if not self.units:
            return 0.0
        middle = 2 * self.share - NO_BETTER - BETTER
        return self.units * (BETTER - NO_BETTER) * middle / (2 * self.variance)

    @property
    def verdict(self) -> Verdict | None:
        """The answer; None as long as more games may give one."""
        if self.units >= LEAST_UNITS and self.evidence >= CLEAR:
            return Verdict.BETTER
        if self.units >= LEAST_UNITS and self.evidence <= -CLEAR:
            return Verdict.NO_GAIN
        return Verdict.TOO_CLOSE if self.games >= self.most_games else None

    @property
    def gain(self) -> Estimate:
        """By how many rating points the new one is ahead, as far as one can tell."""
        least = 1 / (8 * self.units)  # nobody is infinitely strong
        share = min(max(self.share, least), 1 - least)
        error = math.sqrt(self.variance / self.units)
        slope = ELO / (share * (1 - share))
        return Estimate(ELO * math.log(share / (1 - share)), WIDTH * error * slope)

    @property
    def lead(self) -> Estimate:
        """By how many points of the game the new one is ahead in one game. It is not rated."""
        mean = self.margin / self.games
        variance = self.margin_squared / (GAMES**2 * self.units) - mean**2
        return Estimate(mean, WIDTH * math.sqrt(max(variance, 0.0) / self.units))

    def words(self) -> Sentence:
        """The answer in words, with what is known so far."""
        known = {
            "games": self.games,
            "points": round(self.gain.value),
            "margin": math.ceil(self.gain.plus_minus),
        }
        match self.verdict:
            case Verdict.BETTER:
                return say(
                    "The new one is better: {points} ±{margin} Elo after {games} games.", **known
                )
            case Verdict.NO_GAIN:
                return say("No gain of 20 Elo: {points} ±{margin} after {games} games.", **known)
            case Verdict.TOO_CLOSE:
                return say(
                    "Too close to tell after {games} games: {points} ±{margin} Elo.", **known
                )
            case None:
                return say("Not clear yet: {points} ±{margin} Elo after {games} games.", **known)
