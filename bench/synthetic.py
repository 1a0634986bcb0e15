"""Bots of known strength that play no cards: results with all that makes ratings hard, by the thousand.

What a bot scores depends on its skill, on the company (some profit from strong tables, styles beat each other in
a circle), on the neighbour before it (who may be spiteful), on the cards of its seat, which are the same in all legs
of a match, and on luck. The fit knows nothing of this but who finished ahead of whom.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.seating import seatings
from ratings.fit import fit
from ratings.results import Floats, Ints, Results

CARDS, LUCK = 0.5, 1.0
POINTS = 5  # to a unit of score: few enough that some legs end level


@dataclass(frozen=True)
class Field:
    """The bots; the first of them is the anchor."""

    skill: Floats
    company: Floats  # what a bot gains for each unit of skill at the rest of the table
    spite: Floats  # what it costs the next seat
    style: Floats  # an angle: a quarter turn before another is best

    @classmethod
    def of(cls, bots: int, chance: np.random.Generator, *, effects: float = 1.0) -> "Field":
        skill = chance.normal(0.0, 0.9, bots)
        return cls(
            skill - skill[0],
            effects * chance.normal(0.0, 0.15, bots),
            effects * np.abs(chance.normal(0.0, 0.25, bots)),
            effects * chance.uniform(0.0, 2 * np.pi, bots),
        )

    def ranks(self, lineups: Ints, chance: np.random.Generator) -> NDArray[np.int16]:
        """The ranks of matches between these bots, by leg and place in the lineup."""
        matches, players = lineups.shape
        cards = chance.normal(0.0, CARDS, (matches, players))
        legs = [self.leg(lineups, seating, cards, chance) for seating in seatings(players)]
        return np.stack(legs, axis=1)

    def leg(
        self, lineups: Ints, seating: Sequence[int], cards: Floats, chance: np.random.Generator
    ) -> NDArray[np.int16]:
        seated = lineups[:, seating]
        skill = self.skill[seated]
        others = (skill.sum(axis=1, keepdims=True) - skill) / (seated.shape[1] - 1)
        style = self.style[seated]
        circle = np.sin(style[:, None, :] - style[:, :, None]).mean(axis=2)
        score = skill + self.company[seated] * others + 0.3 * circle
        score -= np.roll(self.spite[seated], 1, axis=1)
        score += cards + chance.normal(0.0, LUCK, score.shape)
        points = np.round(score * POINTS)
        ranks = np.empty(points.shape, np.int16)
        ranks[:, seating] = 1 + (points[:, None, :] > points[:, :, None]).sum(axis=2)
        return ranks

    def play(self, lineups: Ints, chance: np.random.Generator, first_id: int = 0) -> Results:
        ids = np.arange(first_id, first_id + len(lineups))
        return Results.of_arrays(ids, lineups, self.ranks(lineups, chance))

    def truth(self, chance: np.random.Generator, players: int = 4, matches: int = 60_000) -> Floats:
        """The ratings that ever more matches at random tables lead to."""
        rounds = players * matches // len(self.skill)
        return fit(
            self.play(random_tables(len(self.skill), rounds, players, chance), chance), anchor=0
        ).ratings


def random_tables(bots: int, rounds: int, players: int, chance: np.random.Generator) -> Ints:
    """In every round every bot sits at one table, but for some if they do not fill one."""
    order = np.argsort(chance.random((rounds, bots)), axis=1)
    return order[:, : bots - bots % players].reshape(-1, players)
