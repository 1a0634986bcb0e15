"""How sure ratings are: errors by match, provisional bots, rank bands and what is said of the next one."""

import math

import numpy as np
import pytest

from bench.synthetic import Field, random_tables
from ratings import covariance
from ratings.claims import is_clear, is_provisional, words_for, words_for_first
from ratings.fit import fit
from ratings.results import Match, Results
from ratings.scale import ELO, WIDTH
from ratings.uncertainty import standings, uncertainty


def known(rounds, *, bots=24, players=4, seed=3, previous=None):
    chance = np.random.default_rng(seed)
    field = Field.of(bots, chance)
    results = field.play(random_tables(bots, rounds, players, chance), chance)
    return uncertainty(fit(results, anchor=0, previous=previous))


@pytest.fixture(scope="module")
def ladder():
    """A ladder of 24 bots after 40 matches each."""
    return known(40)


# -- Errors ---------------------------------------------------------------------------------------


def test_the_errors_are_those_of_the_formula():
    """V = H⁻¹ (Σ gₘ gₘᵀ + P) H⁻¹, worked out match by match, without any array."""
    ranks = [[[1, 2, 3], [3, 1, 2]] * 3, [[2, 1, 3], [1, 3, 2]] * 3, [[1, 1, 3], [3, 2, 1]] * 3]
    lineups = [[1, 2, 3], [1, 3, 4], [2, 3, 4]]
    matches = [Match(at, *match) for at, match in enumerate(zip(lineups, ranks, strict=True))]
    found = uncertainty(fit(Results.of(matches, players=3, legs=6), anchor=1, previous={4: 3}))
    strength = dict(zip([1, 2, 3, 4], found.fit.strength.tolist(), strict=True))
    first, later = ELO**2 / 350**2, ELO**2 / 100**2
    bent = np.array(  # of 2, 3, 4 and the level of the field, to which 1, 2 and 3 are drawn
        [
            [first, 0, 0, -first],
            [0, first + later, -later, -first],
            [0, -later, later, 0],
            [-first, -first, 0, 4 * first],
        ]
    )
    scatter = bent.copy()
    for match in matches:
        slope = np.zeros(6)
        for i in match.lineup:
            for j in match.lineup:
                ahead = 1 / (1 + math.exp(strength[j] - strength[i]))
                at = [match.lineup.index(entity) for entity in (i, j)]
                for leg in match.ranks if i != j else []:
                    slope[i] += (leg[at[0]] < leg[at[1]]) + (leg[at[0]] == leg[at[1]]) / 2 - ahead
                    if i > 1:
                        bent[i - 2, i - 2] += ahead * (1 - ahead)
                    if i > 1 and j > 1:
                        bent[i - 2, j - 2] -= ahead * (1 - ahead)
        scatter += np.outer(slope[2:], slope[2:])
    matrix = np.linalg.inv(bent) @ scatter @ np.linalg.inv(bent)
    inflation = 1 + 2.5 / np.array([2, 3, 2])
    assert found.errors[1:] == pytest.approx(ELO * np.sqrt(np.diagonal(matrix)[:3] * inflation))
    between = matrix[0, 0] * 2.25 + matrix[1, 1] * (1 + 2.5 / 3)
    between -= 2 * matrix[0, 1] * math.sqrt(2.25 * (1 + 2.5 / 3))
    error = found.error_between(np.array([1]), np.array([2]))
    assert error == pytest.approx(ELO * math.sqrt(between))


def test_the_anchor_has_no_error(ladder):
    assert ladder.by_entity()[0] == 0


def test_what_is_published_is_rounded_up(ladder):
    assert np.all(ladder.plus_minus >= WIDTH * ladder.errors)
    assert np.all(ladder.plus_minus < WIDTH * ladder.errors + 1)


def test_four_times_as_many_matches_make_it_twice_as_sure():
    widths = [np.mean(known(matches).plus_minus[1:]) for matches in (20, 80, 320)]
    assert widths[0] / widths[1] == pytest.approx(2, rel=0.2)
    assert widths[1] / widths[2] == pytest.approx(2, rel=0.2)


def test_who_has_not_played_is_as_unsure_as_before():
    nothing = uncertainty(fit(Results.of([], players=4, legs=4), anchor=1, previous={3: 2, 4: 3}))
    assert nothing.matches.tolist() == [0, 0, 0, 0]
    level = 350 / math.sqrt(2)  # 1500 and the anchor are all that is known of it
    spreads = [math.hypot(350, level, *[100] * versions) for versions in range(3)]
    assert nothing.errors == pytest.approx([0.0, *spreads])


def test_a_match_counts_once_however_many_seats_one_has():
    ranks = [[1, 2, 3, 4]] * 4
    results = Results.of([Match(1, [5, 5, 1, 6], ranks)], players=4, legs=4)
    assert uncertainty(fit(results, anchor=1)).matches.tolist() == [1, 1, 1]


def test_legs_of_one_match_are_no_independent_observations():
    """The same results as one match of many legs and as many matches: one says less than many."""
    ranks = [[1, 2], [1, 2], [1, 2], [2, 1]]
    few = Results.of([Match(at, [1, 2], ranks) for at in range(10)], players=2, legs=4)
    many = Results.of(
        [Match(4 * at + leg, [1, 2], [ranks[leg]]) for at in range(10) for leg in range(4)],
        players=2,
        legs=1,
    )
    won = Results.of(
        [Match(at, [1, 2], [[1, 2]] * 4 if at % 4 else [[2, 1]] * 4) for at in range(40)],
        players=2,
        legs=4,
    )
    assert fit(few, anchor=1).by_entity() == fit(many, anchor=1).by_entity()
    assert uncertainty(fit(won, anchor=1)).errors[1] > uncertainty(fit(many, anchor=1)).errors[1]


def test_a_shuffled_log_gives_the_same_errors_to_the_bit(ladder):
    results = ladder.fit.results
    order = np.random.default_rng(1).permutation(len(results))
    again = uncertainty(fit(results.chosen(order).in_order(), anchor=0))
    assert again.errors.tobytes() == ladder.errors.tobytes()


# -- Large ladders --------------------------------------------------------------------------------


@pytest.mark.parametrize("previous", [None, {later: later - 60 for later in range(60, 240)}])
def test_the_sketch_of_a_large_ladder_agrees_with_the_whole(monkeypatch, previous):
    whole = known(30, bots=240, previous=previous)
    monkeypatch.setattr(covariance, "WHOLE_MOST", 0)
    sketch = uncertainty(whole.fit)
    assert isinstance(sketch.covariance, covariance.Sketch)
    assert sketch.errors[1:] == pytest.approx(whole.errors[1:], rel=0.005)
    order = np.argsort(whole.fit.strength)
    one, two = order[1:], order[:-1]
    ratio = sketch.error_between(one, two) / whole.error_between(one, two)
    assert np.mean(ratio) == pytest.approx(1, abs=0.01)
    assert np.all(np.abs(ratio - 1) < 0.12)


def test_the_sketch_knows_that_a_group_hangs_on_few_matches(monkeypatch):
    chance = np.random.default_rng(2)
    field = Field.of(60, chance)
    home = random_tables(30, 40, 4, chance)
    bridge = np.column_stack(
        [random_tables(30, 2, 2, chance)[:5], 30 + random_tables(30, 2, 2, chance)[:5]]
    )
    results = field.play(np.concatenate([home, 30 + home, bridge]), chance)
    whole = uncertainty(fit(results, anchor=0))
    monkeypatch.setattr(covariance, "WHOLE_MOST", 0)
    sketch = uncertainty(whole.fit)
    assert np.mean(whole.errors[30:]) > 1.3 * np.mean(whole.errors[1:30])
    assert sketch.errors[1:] == pytest.approx(whole.errors[1:], rel=0.01)
    there, also_there = np.array([40, 41]), np.array([50, 51])
    expected = whole.error_between(there, also_there)
    assert sketch.error_between(there, also_there) == pytest.approx(expected, rel=0.1)


def test_a_sketch_of_nothing(monkeypatch):
    monkeypatch.setattr(covariance, "WHOLE_MOST", 0)
    nothing = uncertainty(fit(Results.of([], players=4, legs=4), anchor=1, previous={3: 2}))
    assert nothing.errors == pytest.approx([0.0, 428.7, math.hypot(428.7, 100)], rel=0.001)
    assert [line.entity for line in standings(nothing, [2, 3])] == [2, 3]


# -- Provisional ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("matches", "plus_minus", "met", "there", "expected"),
    [
        (20, 70, 8, 30, False),
        (19, 60, 8, 30, True),
        (20, 71, 8, 30, True),
        (20, 70, 7, 30, True),
        (20, 70, 5, 5, False),  # eight, or all there are
        (20, 70, 4, 5, True),
        (0, 686, 0, 0, True),
    ],
)
def test_a_bot_is_provisional_until_enough_is_known(matches, plus_minus, met, there, expected):
    found = is_provisional(
        matches=matches, plus_minus=plus_minus, owners_met=met, owners_there=there
    )
    assert found is expected


# -- Standings ------------------------------------------------------------------------------------


def test_the_standings_are_in_the_order_of_the_ratings(ladder):
    listed = [entity for entity in range(24) if entity % 5]
    lines = standings(ladder, listed)
    ratings = [ladder.fit.by_entity()[line.entity] for line in lines]
    assert sorted(line.entity for line in lines) == listed
    assert ratings == sorted(ratings, reverse=True)
    assert [line.rank for line in lines] == list(range(1, len(listed) + 1))
    assert all(line.best <= line.rank <= line.worst for line in lines)
    assert (lines[-1].ahead, lines[-1].is_clear) == (None, False)


def test_a_band_leaves_out_only_those_who_are_clearly_apart(ladder):
    lines = standings(ladder, range(24))
    places = np.array([line.entity for line in lines])
    for line in lines:
        one = np.full(24, line.entity)
        others = places != line.entity
        ahead = ladder.superiority(one[others], places[others])
        assert line.best == 1 + np.count_nonzero(ahead < 0.025)
        assert line.worst == 24 - np.count_nonzero(ahead > 0.975)


def test_bands_worked_out_in_pieces_are_the_same(ladder, monkeypatch):
    whole = standings(ladder, range(24))
    monkeypatch.setattr("ratings.uncertainty.BAND_AT_ONCE", 50)
    assert standings(ladder, range(24)) == whole


def test_superiority_is_certainty_that_adds_up_to_one(ladder):
    one, two = np.array([3, 7, 9]), np.array([8, 2, 4])
    there, back = ladder.superiority(one, two), ladder.superiority(two, one)
    assert there + back == pytest.approx(np.ones(3))
    leads = ladder.fit.ratings[one] > ladder.fit.ratings[two]
    assert (there > 0.5).tolist() == leads.tolist()


@pytest.mark.parametrize(
    ("superiority", "matches", "said"),
    [
        (0.5, 90, "too close to call with #4"),
        (0.749, 90, "too close to call with #4"),
        (0.75, 90, "probably ahead of #4 (75 %)"),
        (0.878, 90, "probably ahead of #4 (87 %)"),
        (0.9499, 90, "probably ahead of #4 (94 %)"),
        (0.95, 30, "clearly ahead of #4"),
        (0.99, 29, "probably ahead of #4 (94 %)"),
    ],
)
def test_words_claim_no_more_than_is_known(superiority, matches, said):
    clear = is_clear(superiority, matches)
    assert words_for(superiority, 4, clear=clear).text([]) == said


@pytest.mark.parametrize(
    ("alone", "clear", "said"),
    [
        (False, True, "confirmed champion"),
        (False, False, "leader"),
        (True, False, "confirmed champion"),
    ],
)
def test_a_champion_is_confirmed_only_if_clearly_ahead(alone, clear, said):
    assert words_for_first(alone=alone, clear=clear).message == said
