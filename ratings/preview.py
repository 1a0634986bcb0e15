"""The instant preview: the n-player Elo formula, shown until the next fit and kept beside it as a check.

Every pair at a table is a duel, and what counts is the mean over the legs.
"""

from collections.abc import Sequence

from ratings.scale import expected

MOST_K, LEAST_K, HALVED_AFTER = 160.0, 8.0, 5


def k_factor(matches: int) -> float:
    """How much a match counts: much for a newcomer, little for one that has played a lot."""
    return max(LEAST_K, MOST_K / (1 + matches / HALVED_AFTER))


def ahead(ranks: Sequence[Sequence[int]]) -> list[list[float]]:
    """How often each bot finished ahead of each other, a tie being half; `ranks` by leg and bot."""
    bots = range(len(ranks[0]))
    return [[sum(_duel(leg[i], leg[j]) for leg in ranks) / len(ranks) for j in bots] for i in bots]


def _duel(own: int, other: int) -> float:
    return 1.0 if own < other else 0.5 if own == other else 0.0


def changes(
    shares: Sequence[Sequence[float]],
    ratings: Sequence[float],
    matches: Sequence[int],
    players: Sequence[int],
) -> list[float]:
    """What each rating gains. `players` says who is who: a bot on several seats is no rival of itself."""
    return [
        k_factor(matches[i])
        * _mean(
            [
                shares[i][j] - expected(ratings[i], ratings[j])
                for j in range(len(ratings))
                if players[j] != players[i]
            ]
        )
        for i in range(len(ratings))
    ]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
