"""Whether what is said is true: synthetic bots whose strength is known, with effects that the fit is not told of.

All chance is seeded. The bounds are those that the site promises; how far inside them we are is measured on a
larger scale in bench/ratings.py.
"""

import numpy as np
import pytest

from bench.synthetic import Field, random_tables
from ratings.comparison import CLEAR, LEAST_UNITS, MOST_GAMES, Comparison, Unit, Verdict
from ratings.fit import fit
from ratings.results import Results
from ratings.uncertainty import WIDTH, uncertainty

BOTS, FIELDS, RUNS = 20, 12, 25


def statements(matches):
    """Of many ladders after so many matches for each bot: whether each interval holds the truth, that of
    a rating and that of the lead of a true neighbour, and how sure it was said that one is ahead of the
    next, with whether it was so."""
    ratings, leads, sure, so = [], [], [], []
    for seed in range(FIELDS):
        chance = np.random.default_rng([matches, seed])
        field = Field.of(BOTS, chance)
        truth = field.truth(chance)
        order = np.argsort(-truth)
        for _ in range(RUNS):
            tables = random_tables(BOTS, matches, 4, chance)
            known = uncertainty(fit(field.play(tables, chance), anchor=0))
            found = known.fit.ratings
            ratings.append(np.abs(found - truth)[1:] <= WIDTH * known.errors[1:])
            lead = found[order[:-1]] - found[order[1:]] - (truth[order[:-1]] - truth[order[1:]])
            leads.append(np.abs(lead) <= WIDTH * known.error_between(order[:-1], order[1:]))
            standing = np.argsort(-found)
            sure.append(known.superiority(standing[:-1], standing[1:]))
            so.append(truth[standing[:-1]] > truth[standing[1:]])
    return np.mean(ratings), np.mean(leads), np.concatenate(sure), np.concatenate(so)


@pytest.mark.parametrize("matches", [30, 90])
def test_95_percent_intervals_hold_the_truth_95_times_in_100(matches):
    ratings, leads, sure, so = statements(matches)
    assert 0.93 <= ratings <= 0.97
    assert 0.93 <= leads <= 0.97
    probably = (sure >= 0.75) & (sure < 0.95)
    assert np.mean(so[probably]) >= np.mean(sure[probably]) - 0.03
    assert np.mean(so[sure >= 0.95]) >= 0.95


def test_after_ten_matches_the_bars_are_still_honest():
    ratings, leads, _, _ = statements(10)
    assert 0.93 <= ratings <= 0.97
    assert 0.93 <= leads <= 0.97


# -- Drift ----------------------------------------------------------------------------------------

ANCHOR, CANARIES, LIVE, EPOCH = 0, range(1, 5), 30, 30


def churned(seed, matches):
    """The results of a ladder whose field gets better: every 30 matches the worst one leaves and a
    better one comes, 350 points better in the end; the anchor and four canaries stay. Who finishes ahead
    of whom follows the skills exactly as the fit believes: what is left is drift."""
    chance = np.random.default_rng(seed)
    epochs = matches // EPOCH
    skill = chance.normal(0.0, 1.0, LIVE + epochs)
    skill[LIVE:] += np.linspace(0.0, 2.0, epochs)
    skill[ANCHOR], skill[list(CANARIES)] = 0.0, (-0.8, -0.2, 0.4, 1.0)
    live, lineups = np.arange(LIVE), []
    for epoch in range(epochs):
        order = np.argsort(chance.random((EPOCH, LIVE)), axis=1)[:, :4]
        lineups.append(live[order])
        staying = np.isin(live, [ANCHOR, *CANARIES])
        live[np.argmin(np.where(staying, np.inf, skill[live]))] = LIVE + epoch
    tables = np.concatenate(lineups)
    score = skill[tables][:, None, :] + chance.gumbel(size=(len(tables), 4, 4))
    ranks = 1 + (score[:, :, None, :] > score[:, :, :, None]).sum(axis=3)
    return Results.of_arrays(np.arange(len(tables)), tables, ranks.astype(np.int16))


def test_ratings_do_not_drift_while_bots_come_and_go():
    drift = []
    for seed in range(20):
        results = churned(seed, 5000)
        early = fit(results.chosen(results.ids < 1000), anchor=ANCHOR).by_entity()
        late = fit(results, anchor=ANCHOR).by_entity()
        drift.append([late[canary] - early[canary] for canary in CANARIES])
        assert late[ANCHOR] == 1500.0
    assert abs(np.mean(drift)) <= 5


# -- Comparisons ----------------------------------------------------------------------------------


def verdicts(chances, runs, seed):
    """The verdicts of many comparisons in which a unit has 0 to 4 half-points with these chances, all at
    once: the formula of `Comparison`, which is checked against it on one of them."""
    chance = np.random.default_rng(seed)
    halves = chance.choice(5, (runs, MOST_GAMES // 2), p=chances).astype(np.int64)
    units = np.arange(1, halves.shape[1] + 1)
    share = np.cumsum(halves, axis=1) / (4 * units)
    variance = np.cumsum(halves**2, axis=1) / (16 * units) - share**2 + 0.5 / units
    gain = 1 / (1 + 10 ** (-20 / 400)) - 0.5
    evidence = units * gain * (2 * share - 1 - gain) / (2 * variance)
    evidence[:, : LEAST_UNITS - 1] = 0.0
    over = np.abs(evidence) >= CLEAR
    first = np.where(over.any(axis=1), over.argmax(axis=1), halves.shape[1] - 1)
    found = evidence[np.arange(runs), first]
    one = Comparison()
    for half in halves[0, : first[0] + 1].tolist():
        one = one.plus(Unit(half, 0))
    assert one.evidence == pytest.approx(found[0])
    assert (one.verdict is Verdict.BETTER) == (found[0] >= CLEAR)
    return np.mean(found >= CLEAR), np.mean(found <= -CLEAR), np.mean(2 * (first + 1))


@pytest.mark.parametrize(
    "chances",
    [
        [0.1, 0.1, 0.6, 0.1, 0.1],
        [0.25, 0.0, 0.5, 0.0, 0.25],
        [0.15, 0.2, 0.3, 0.2, 0.15],
        [0.02, 0.0, 0.96, 0.0, 0.02],
        [0.15, 0.0, 0.65, 0.1, 0.1],
    ],
    ids=["alike", "wild", "many ties", "nearly the same", "skewed"],
)
def test_of_two_equals_none_is_found_better_in_more_than_6_of_100_runs(chances):
    assert np.dot(chances, range(5)) == pytest.approx(2)
    better, no_gain, games = verdicts(chances, 1000, seed=9)
    assert better <= 0.06
    assert no_gain >= 0.9
    assert games < 2000


@pytest.mark.parametrize(
    ("chances", "games"),
    [([0.06, 0.08, 0.56, 0.16, 0.14], 800), ([0.0, 0.0, 0.93, 0.0, 0.07], 400)],
    ids=["usual", "rarely different"],
)
def test_a_gain_of_more_than_20_points_is_found(chances, games):
    better, _, mean_games = verdicts(chances, 1000, seed=10)
    assert better >= 0.94
    assert mean_games < games
