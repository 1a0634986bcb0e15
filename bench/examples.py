"""How strong the example bots are: good against simple, simple against random.

    python -m bench.examples
    python -m bench.examples sticheln --players 6 --option rules=misery --matches 20

At a table sit two kinds of bots, half of each. Counted is every pair of different kinds in every
leg: how often the stronger one is ahead (a tie is half), and by how many points. All legs of a match
have the same deals, so a match is one observation; the intervals (95 %) come from the matches.
"""

import argparse
import random
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from itertools import product
from pathlib import Path
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple

from games import GAMES, game_named
from games.base import Game
from games.player import Limits
from workers.inside import Choose, Inside, choose_of
from workers.referee import PlayedLeg, play_match

EXAMPLES = Path(__file__).parents[1] / "examples"
PAIRS = (("good", "simple"), ("simple", "random"))
PLAYERS = 4
MATCHES = {"sticheln": 10, "stop-it": 50, "color-stock": 40}  # together under a minute


class Estimate(NamedTuple):
    mean: float
    margin: float

    @classmethod
    def of(cls, observations: list[float]) -> "Estimate":
        number = len(observations)
        return cls(fmean(observations), _width(number - 1) * stdev(observations) / number**0.5)


def _width(freedom: int) -> float:
    """Student's 97.5 % point by its series around the normal one; 2 % too small for 4, exact for many."""
    z = NormalDist().inv_cdf(0.975)
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


class Duel(NamedTuple):
    """How often the first kind is ahead of the second, and by how much."""

    ahead: Estimate
    points: Estimate


def duel(
    game: type[Game], kinds: tuple[str, str], players: int, matches: int, options: dict[str, object]
) -> Duel:
    folder = EXAMPLES / game.name / "python"
    choosers = [choose_of(folder / f"{kind}_bot.py") for kind in kinds]
    results = [_match(game, choosers, players, number, options) for number in range(matches)]
    ahead, points = zip(*results, strict=True)
    return Duel(Estimate.of(list(ahead)), Estimate.of(list(points)))


def _match(
    game: type[Game], choosers: list[Choose], players: int, number: int, options: dict[str, object]
) -> tuple[float, float]:
    table = _table(players, number)
    bots = [partial(Inside, choosers[kind]) for kind in table]
    seed = sha256(f"examples/{number}".encode()).digest()
    legs = play_match(game, options, bots, seed, limits=Limits())
    leads = [lead for leg in legs for lead in _leads(leg, table)]
    return fmean((lead > 0) + (lead == 0) / 2 for lead in leads), fmean(leads)


def _table(players: int, number: int) -> list[int]:
    """The kind of each bot: half of each, in an order that changes from match to match, for it matters
    who is whose neighbour. The next match has the kinds exchanged."""
    table = [bot % 2 for bot in range(players)]
    random.Random(number // 2).shuffle(table)
    return [(kind + number) % 2 for kind in table]


def _leads(played: PlayedLeg, table: list[int]) -> Iterator[int]:
    if played.leg.faults:
        raise RuntimeError(f"an example faulted: {played.leg.faults}")
    seats = [(table[bot], played.leg.scores[seat]) for seat, bot in enumerate(played.seating)]
    for (kind, score), (other_kind, other_score) in product(seats, seats):
        if kind < other_kind:
            yield score - other_score


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the strength of the example bots.")
    parser.add_argument("games", nargs="*", metavar="game", help=f"of {', '.join(GAMES)}")
    parser.add_argument("--players", type=int, default=PLAYERS)
    parser.add_argument("--matches", type=int, help="how many for each line of the table")
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
    arguments = parser.parse_args()
    options = dict(_option(text) for text in arguments.option)
    print("| game | | matches | ahead | points |\n|---|---|---|---|---|")
    for name, kinds in product(arguments.games or GAMES, PAIRS):
        matches = arguments.matches or MATCHES[name]
        ahead, points = duel(game_named(name), kinds, arguments.players, matches, options)
        print(
            f"| {name} | {' against '.join(kinds)} | {matches} "
            f"| {ahead.mean:.1%} ± {ahead.margin:.1%} "
            f"| {points.mean:+.1f} ± {points.margin:.1f} |",
            flush=True,
        )


def _option(text: str) -> tuple[str, object]:
    key, _, value = text.partition("=")
    return key, int(value) if value.isdigit() else value


if __name__ == "__main__":
    main()
