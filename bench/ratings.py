"""How fast the fit is, how many games a ladder needs until its order is right, and whether what it says is true.

    python -m bench.ratings
    python -m bench.ratings speed order truth real

`speed` compares the fit with scipy's minimiser on the same likelihood; `order` compares it with Elo and openskill
on the same results of synthetic bots; `truth` lets synthetic ladders play by the rules of the site; `real` does so
with the example bots, made worse by random moves, in real games.
"""

import argparse
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from openskill.models import PlackettLuce
from scipy.optimize import minimize

from bench.synthetic import Field, random_tables
from games import GAMES
from games.base import Game
from games.player import Limits
from games.seating import seatings
from ratings import preview
from ratings.comparison import Comparison, unit_of
from ratings.draw import Entrant, table
from ratings.fit import Duels, Fit, chance, climb, fit
from ratings.results import Floats, Ints, Match, Results
from ratings.scale import ELO, FIRST, WIDTH
from ratings.uncertainty import Uncertainty, uncertainty
from workers.inside import Choose, Inside, choose_of
from workers.referee import play_match

EXAMPLES = Path(__file__).parents[1] / "examples"
Ranks = NDArray[np.int16]
System = Callable[[Ints, Ranks], list[Floats]]

PLAYERS = 4
LEGS = len(seatings(PLAYERS))


def timed(work: Callable[[], object], times: int = 3) -> float:
    """CPU seconds, the median of a few."""
    spent = []
    for _ in range(times):
        began = time.process_time()
        work()
        spent.append(time.process_time() - began)
    return median(spent)


# -- Speed ----------------------------------------------------------------------------------------


def speed() -> None:
    print("\nThe fit of bots with 100 matches each, CPU ms; scipy: L-BFGS on the same sums")
    print(
        f"{'bots':>8}{'sums':>9}{'cold':>9}{'warm':>9}{'errors':>9}{'scipy':>9}{'ratio':>7}{'differ':>9}"
    )
    for bots in (300, 1000, 10_000):
        dice = np.random.default_rng(bots)
        field = Field.of(bots, dice)
        measure(field.play(random_tables(bots, 100, PLAYERS, dice), dice), dice)


def measure(results: Results, dice: np.random.Generator) -> None:
    known = fit(results, anchor=0)
    duels = known.duels
    near = duels.held(known.top + dice.normal(0.0, 1 / ELO, duels.size))
    cold = timed(lambda: climb(duels, duels.odds()))
    warm = timed(lambda: climb(duels, near))
    sums = timed(lambda: fit(results, anchor=0)) - cold
    errors = timed(lambda: uncertainty(known), 1)
    plain = timed(lambda: by_scipy(duels), 1)
    shown = [f"{1000 * seconds:>9.1f}" for seconds in (sums, cold, warm, errors, plain)]
    differ = np.max(np.abs(by_scipy(duels) - known.top)) * ELO
    print(f"{len(known.entities):>8}{''.join(shown)}{plain / cold:>7.1f}{differ:>9.1g}", flush=True)


def by_scipy(duels: Duels) -> Floats:
    """The same likelihood, each pair once, given to a minimiser that knows nothing of it."""
    once = duels.row < duels.column
    one, two = duels.row[once], duels.column[once]
    won, games, bond = duels.halves[once] / 2, duels.games[once], duels.bond[once]

    def unlikely(strength: Floats) -> tuple[float, Floats]:
        strength = duels.held(strength.copy())
        lead = strength[one] - strength[two]
        value = float(np.sum(games * np.logaddexp(0.0, -lead) + (games - won) * lead))
        surplus = won - games * chance(lead) - bond * lead
        slope = np.bincount(one, surplus, duels.size) - np.bincount(two, surplus, duels.size)
        value += float(duels.pull @ strength**2 + bond @ lead**2) / 2
        return value, duels.held(duels.pull * strength - slope)

    found = minimize(
        unlikely,
        np.zeros(duels.size),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 10_000, "maxfun": 10_000, "ftol": 0.0, "gtol": 1e-7},
    )
    answer: Floats = found.x
    return answer


# -- Order ----------------------------------------------------------------------------------------

LADDER, MATCHES, EVERY, REPEATS = 20, 1600, 5, 24
WANTED = 0.95
SPACING = 0.26  # in units of score; some 40 points


def order() -> None:
    """Games until the order of 20 bots, some 40 points apart, has tau 0.95 to the true one."""
    systems: dict[str, System] = {
        "batch fit": batch,
        "Elo K 160 to 8 a match (preview)": partial(elo, None),
        "Elo K = 32 a match": partial(elo, 32.0),
        "Elo K = 16 a match": partial(elo, 16.0),
        "Elo K = 32 a leg": elo_by_leg,
        "openskill PlackettLuce, a leg": openskill,
    }
    print(f"\nGames until tau {WANTED}: {LADDER} synthetic bots, random tables, {REPEATS} ladders")
    print(f"{'':34}{'games':>8}{'to Elo 32':>11}{'plateau':>9}")
    paths: dict[str, list[Floats]] = {name: [] for name in systems}
    for seed in range(REPEATS):
        dice = np.random.default_rng([20, seed])
        field = spaced(Field.of(LADDER, dice), dice)
        truth = field.truth(dice)
        tables = random_tables(LADDER, MATCHES * PLAYERS // LADDER, PLAYERS, dice)
        ranks = field.ranks(tables, dice)
        for name, system in systems.items():
            if system is not openskill or seed < REPEATS // 3:
                orders = system(tables, ranks)
                paths[name].append(np.array([tau(truth, ratings) for ratings in orders]))
    games = {name: until(np.mean(found, axis=0)) for name, found in paths.items()}
    for name, found in paths.items():
        plateau = float(np.mean([path[-40:] for path in found]))
        ratio = games[name] / games["Elo K = 32 a match"]
        print(f"{name:34}{games[name]:>8.0f}{ratio:>11.2f}{plateau:>9.3f}", flush=True)


def spaced(field: Field, dice: np.random.Generator) -> Field:
    """The same field with skills that can be told apart: 760 points from the best to the worst."""
    steps = dice.permutation(LADDER) + dice.uniform(-0.35, 0.35, LADDER)
    return replace(field, skill=SPACING * (steps - steps[0]))


def until(path: Floats) -> float:
    """The games after which the mean tau stays where it is wanted; infinite if it never does."""
    below = np.flatnonzero(path < WANTED)
    at = below[-1] + 1 if len(below) else 0
    return float((at + 1) * EVERY * LEGS) if at < len(path) else float("inf")


def tau(truth: Floats, found: Floats) -> float:
    one, two = np.triu_indices(len(truth), 1)
    agree = np.sign(truth[one] - truth[two]) * np.sign(found[one] - found[two])
    return float(np.mean(agree))


def batch(tables: Ints, ranks: Ranks) -> list[Floats]:
    results = Results.of_arrays(np.arange(len(tables)), tables, ranks)
    orders: list[Floats] = []
    start: dict[int, float] = {}
    for number in range(EVERY, len(tables) + 1, EVERY):
        found = fit(results.chosen(np.arange(number)), anchor=0, start=start)
        start = found.by_entity()
        orders.append(np.array([start.get(bot, FIRST) for bot in range(LADDER)]))
    return orders


def elo(k: float | None, tables: Ints, ranks: Ranks) -> list[Floats]:
    """The n-player formula after every match, with a constant K or with the preview's."""
    ratings, played, orders = np.full(LADDER, FIRST), np.zeros(LADDER, int), []
    for number, (lineup, legs) in enumerate(zip(tables, ranks, strict=True), 1):
        seated = ratings[lineup].tolist()
        changes = preview.changes(
            preview.ahead(legs.tolist()), seated, played[lineup].tolist(), lineup.tolist()
        )
        factors = [k / preview.k_factor(m) if k else 1.0 for m in played[lineup].tolist()]
        ratings[lineup] += np.array(changes) * factors
        played[lineup] += 1
        if not number % EVERY:
            orders.append(ratings.copy())
    return orders


def elo_by_leg(tables: Ints, ranks: Ranks) -> list[Floats]:
    """The formula after every single leg, K = 32."""
    ratings, orders = np.full(LADDER, FIRST), []
    for number, (lineup, legs) in enumerate(zip(tables, ranks, strict=True), 1):
        for leg in legs:
            seated = ratings[lineup]
            won = (leg[:, None] < leg[None, :]) + (leg[:, None] == leg[None, :]) / 2
            surplus = won - chance((seated[:, None] - seated[None, :]) / ELO)
            ratings[lineup] += 32 / (PLAYERS - 1) * surplus.sum(axis=1)
        if not number % EVERY:
            orders.append(ratings.copy())
    return orders


def openskill(tables: Ints, ranks: Ranks) -> list[Floats]:
    model = PlackettLuce()
    ratings, orders = [model.rating() for _ in range(LADDER)], []
    for number, (lineup, legs) in enumerate(zip(tables.tolist(), ranks.tolist(), strict=True), 1):
        for leg in legs:
            teams = model.rate([[ratings[bot]] for bot in lineup], ranks=leg)
            for bot, [rating] in zip(lineup, teams, strict=True):
                ratings[bot] = rating
        if not number % EVERY:
            orders.append(np.array([rating.mu for rating in ratings]))
    return orders


# -- Truth ----------------------------------------------------------------------------------------


def truth() -> None:
    """Ladders that play by the site's rules, with house bots: do the intervals hold the truth?"""
    print(
        "\nSynthetic ladders of 60 bots of 40 owners and 3 house bots, tables drawn as on the site"
    )
    print(f"{'matches':>8}{'±':>6}{'ratings':>10}{'leads':>8}{'said and true':>46}")
    for matches in (10, 30, 90):
        statements = [ladder_statements(matches, seed) for seed in range(30)]
        ratings, leads, sure, so, width = map(np.concatenate, zip(*statements, strict=True))
        said = []
        for low, high in ((0.75, 0.9), (0.9, 0.95), (0.95, 1.01)):
            there = (sure >= low) & (sure < high)
            said.append(f"{np.mean(sure[there]):.3f} {np.mean(so[there]):.3f}")
        print(
            f"{matches:>8}{np.mean(width):>6.0f}{np.mean(ratings):>10.1%}{np.mean(leads):>8.1%}"
            f"{' | '.join(said):>46}",
            flush=True,
        )


class Statements(NamedTuple):
    """Whether the interval of each rating holds the truth, and that of each lead over the next; how sure
    each lead was said to be, and whether it was there; the widths."""

    ratings: NDArray[np.bool_]
    leads: NDArray[np.bool_]
    sure: Floats
    so: NDArray[np.bool_]
    widths: Ints


def ladder_statements(matches: int, seed: int) -> Statements:
    dice, draw = np.random.default_rng([matches, seed]), random.Random(seed)
    field = Field.of(63, dice)
    tables = drawn_tables(63, matches, draw)
    # The truth is that of tables drawn in the same way, many times over.
    many = np.concatenate([tables] * (60_000 // len(tables)))
    right = fit(field.play(many, dice), anchor=0).ratings
    known = uncertainty(fit(field.play(tables, dice), anchor=0))
    return checked(known, right)


def checked(known: Uncertainty, right: Floats) -> Statements:
    found, standing = known.fit.ratings, np.argsort(-known.fit.ratings)
    one, two = standing[:-1], standing[1:]
    lead = found[one] - found[two] - (right[one] - right[two])
    return Statements(
        np.abs(found - right)[1:] <= WIDTH * known.errors[1:],
        np.abs(lead) <= WIDTH * known.error_between(one, two),
        known.superiority(one, two),
        right[one] > right[two],
        known.plus_minus[1:],
    )


def drawn_tables(bots: int, matches: int, draw: random.Random) -> Ints:
    """The tables of a ladder until everybody has played so often; 0 is the anchor, 1 and 2 house bots."""
    entrants = {
        bot: Entrant(
            bot,
            owner=f"house {bot}" if bot < 3 else f"owner {bot % 40}",
            program=str(bot),
            rating=FIRST,
            plus_minus=0.0,
            matches=0,
            is_provisional=True,
            is_house=bot < 3,
            is_anchor=bot == 0,
        )
        for bot in range(bots)
    }
    tables = []
    while min(entrant.matches for entrant in entrants.values()) < matches:
        drawn = table(list(entrants.values()), PLAYERS, draw)
        assert drawn is not None  # there are forty owners
        tables.append([entrant.id for entrant in drawn])
        house = any(entrant.is_house for entrant in drawn)
        for entrant in drawn:
            met = Counter(entrant.met)
            met.update(other.owner for other in drawn if other is not entrant)
            since = 0 if house else entrant.since_house + 1
            entrants[entrant.id] = replace(
                entrant, matches=entrant.matches + 1, met=met, since_house=since
            )
    return np.array(tables)


# -- Real games -----------------------------------------------------------------------------------

GRADES = [("good", 0.0), ("good", 0.05), ("good", 0.15), ("good", 0.4), ("simple", 0.0), ("simple", 0.1),
          ("simple", 0.25), ("simple", 0.5), ("random", 0.0), ("good", 0.1), ("simple", 0.05), ("good", 0.25)]  # fmt: skip
ROUNDS = {
    "sticheln": 36,
    "stop-it": 90,
    "color-stock": 90,
}  # matches of every bot; some two minutes


def real() -> None:
    """Real games of graded example bots: two halves of the matches must agree as far as they say."""
    print(
        f"\nReal games of {len(GRADES)} graded example bots; z: half of the matches against the rest"
    )
    print(
        f"{'':14}{'matches':>8}{'±':>5}{'spread':>8}{'|z| < 1.96':>12}{'mean z²':>9}{'preview tau':>13}"
    )
    for name, rounds in ROUNDS.items():
        game = GAMES[name]
        results = real_results(game, rounds)
        whole = fit(results, anchor=4)
        known, scores = uncertainty(whole), [*halves_agree(results)]
        z = np.concatenate(scores)
        print(
            f"{name:14}{len(results):>8}{np.mean(known.plus_minus):>5.0f}{np.ptp(whole.ratings):>8.0f}"
            f"{np.mean(np.abs(z) < WIDTH):>12.1%}{np.mean(z**2):>9.2f}"
            f"{tau(whole.ratings, previewed(results, whole)):>13.3f}",
            flush=True,
        )
    print("\nkibitz compare's test on real games: good against itself, and against its graded self")
    for blunders in (0.0, 0.1, 0.3):
        found = real_comparison(GAMES["stop-it"], blunders)
        print(
            f"good against good with {blunders:.0%} random moves: {found.words().text([])}",
            flush=True,
        )


def graded(choose: Choose, blunders: float) -> Choose:
    """The same bot, with a random move now and then."""

    def pick(view: dict[str, object], legal: list[str], dice: random.Random) -> str:
        return dice.choice(legal) if dice.random() < blunders else choose(view, legal, dice)

    return pick


def grades(game: type[Game]) -> list[Choose]:
    folder = EXAMPLES / game.name / "python"
    return [graded(choose_of(folder / f"{kind}_bot.py"), share) for kind, share in GRADES]


def real_results(game: type[Game], rounds: int) -> Results:
    bots, matches = grades(game), []
    for number, lineup in enumerate(
        random_tables(len(bots), rounds, PLAYERS, np.random.default_rng(7)).tolist()
    ):
        seed = sha256(f"ratings/{number}".encode()).digest()
        openers = [partial(Inside, bots[bot]) for bot in lineup]
        played = play_match(game, {}, openers, seed, limits=Limits())
        ranks = [[leg.leg.ranks[leg.seating.index(at)] for at in range(PLAYERS)] for leg in played]
        matches.append(Match(number, lineup, ranks))
    return Results.of(matches, players=PLAYERS, legs=LEGS)


def halves_agree(results: Results) -> list[Floats]:
    """By how many standard errors two halves of the matches differ, for many ways to halve them."""
    scores = []
    for seed in range(40):
        half = np.random.default_rng(seed).permutation(len(results)) % 2 == 0
        one, two = (uncertainty(fit(results.chosen(part), anchor=4)) for part in (half, ~half))
        error = np.hypot(one.errors, two.errors)
        there = error > 0
        scores.append((one.fit.ratings - two.fit.ratings)[there] / error[there])
    return scores


def previewed(results: Results, whole: Fit) -> Floats:
    """The order of the instant preview at the end."""
    ratings, played = [FIRST] * len(whole.entities), [0] * len(whole.entities)
    for lineup, halves in zip(results.lineups.tolist(), results.halves, strict=True):
        shares = (halves / (2 * results.legs)).tolist()
        seated = [ratings[bot] for bot in lineup]
        changes = preview.changes(shares, seated, [played[bot] for bot in lineup], lineup)
        for bot, change in zip(lineup, changes, strict=True):
            ratings[bot] += change
            played[bot] += 1
    return np.array(ratings)


def real_comparison(game: type[Game], blunders: float) -> Comparison:
    good = choose_of(EXAMPLES / game.name / "python" / "good_bot.py")
    pair = [partial(Inside, good), partial(Inside, graded(good, blunders))]
    comparison, others, seats = Comparison(), [partial(Inside, good)] * 2, seatings(PLAYERS)[0]
    while comparison.verdict is None:
        seed = sha256(f"compare/{comparison.units}".encode()).digest()
        legs = [
            play_match(game, {}, [*two, *others], seed, limits=Limits(), legs=1)[0].leg
            for two in (pair, pair[::-1])
        ]
        at = [(seats.index(0), seats.index(1)), (seats.index(1), seats.index(0))]
        comparison = comparison.plus(
            unit_of(
                [
                    (leg.ranks[new], leg.ranks[old])
                    for leg, (new, old) in zip(legs, at, strict=True)
                ],
                [
                    (leg.scores[new], leg.scores[old])
                    for leg, (new, old) in zip(legs, at, strict=True)
                ],
            )
        )
    return comparison


PARTS: dict[str, Callable[[], None]] = {
    "speed": speed,
    "order": order,
    "truth": truth,
    "real": real,
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the ratings.")
    parser.add_argument("parts", nargs="*", metavar="part", help=f"of {', '.join(PARTS)}")
    for part in parser.parse_args().parts or PARTS:
        PARTS[part]()


if __name__ == "__main__":
    main()
