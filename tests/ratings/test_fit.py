"""The fit: the ratings that make all results likeliest, whatever order they came in."""

import math
import random
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.synthetic import Field, random_tables
from games.seating import seatings
from ratings.fit import fit
from ratings.results import Match, Results

ANCHOR = 1
WON, LOST, LEVEL = [[1, 2], [1, 2]], [[2, 1], [2, 1]], [[1, 1], [1, 1]]


def duels(*matches):
    """Matches of two players and two legs."""
    numbered = [Match(number, *match) for number, match in enumerate(matches)]
    return Results.of(numbered, players=2, legs=2)


def rated(*matches, **more):
    return fit(duels(*matches), anchor=ANCHOR, **more).by_entity()


def slopes(matches, ratings, previous):
    """The derivative of the likelihood after each rating, written down as in the documentation."""
    slope = dict.fromkeys(ratings, 0.0)
    for match in matches:
        for leg in match.ranks:
            for (i, rank_i), (j, rank_j) in combinations(zip(match.lineup, leg, strict=True), 2):
                if i != j:
                    score = 1.0 if rank_i < rank_j else 0.5 if rank_i == rank_j else 0.0
                    surplus = score - 1 / (1 + 10 ** ((ratings[j] - ratings[i]) / 400))
                    slope[i] += surplus * math.log(10) / 400
                    slope[j] -= surplus * math.log(10) / 400
    first = [rating for entity, rating in ratings.items() if entity not in previous]
    level = (1500 + sum(first)) / (1 + len(first))
    for entity, rating in ratings.items():
        if entity in previous:
            pull = (rating - ratings[previous[entity]]) / 100**2
            slope[previous[entity]] += pull
        else:
            pull = (rating - level) / 350**2
        slope[entity] -= pull
    del slope[ANCHOR]
    return slope


@st.composite
def logs(draw):
    """A few matches of a ladder of three players and six legs, house bots on several seats included."""
    lineup = st.lists(st.integers(1, 6), min_size=3, max_size=3)
    leg = st.lists(st.integers(1, 3), min_size=3, max_size=3)
    match = st.tuples(lineup, st.lists(leg, min_size=6, max_size=6))
    return [
        Match(number, *found) for number, found in enumerate(draw(st.lists(match, max_size=12)))
    ]


chains = st.sampled_from([{}, {4: 2}, {4: 2, 5: 4}, {3: 1}, {9: 8, 8: 2}])


# -- What the numbers are -------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(logs(), chains)
def test_no_other_ratings_make_the_results_likelier(matches, previous):
    results = Results.of(matches, players=3, legs=6)
    found = fit(results, anchor=ANCHOR, previous=previous)
    exact = 1500 + found.strength * 400 / math.log(10)
    ratings = dict(zip(found.entities.tolist(), exact.tolist(), strict=True))
    assert ratings[ANCHOR] == 1500
    for slope in slopes(matches, ratings, previous).values():
        assert abs(slope) < 1e-10
    assert np.array_equal(found.ratings, np.round(exact, 1))


def test_a_hundred_points_more_are_64_percent_of_the_games():
    results = duels(*[((1, 2), WON)] * 360, *[((1, 2), LOST)] * 640)
    assert fit(results, anchor=1).by_entity()[2] == pytest.approx(1600, abs=0.5)


def test_two_who_have_never_met_are_compared_through_others():
    ahead = [((1, 2), LOST), ((1, 2), LOST), ((1, 2), WON)] * 30
    further = [((2, 3), LOST), ((2, 3), LOST), ((2, 3), WON)] * 30
    ratings = rated(*ahead, *further)
    assert ratings[3] - ratings[2] == pytest.approx(ratings[2] - ratings[1], abs=8)
    assert ratings[2] - ratings[1] == pytest.approx(400 * math.log10(2), abs=5)


def test_who_sits_on_several_seats_is_no_rival_of_itself():
    ranks = [[1, 2, 3, 4], [4, 3, 2, 1], [2, 1, 4, 3], [3, 4, 1, 2]]
    crowded = Results.of([Match(1, [5, 5, 5, 1], ranks)], players=4, legs=4)
    # Each of its three seats has met the anchor in four legs: two won, two lost.
    assert fit(crowded, anchor=1).by_entity() == {1: 1500.0, 5: 1500.0}
    assert sum(fit(crowded, anchor=1).duels.games) == 2 * 12


# -- Order, start and anchor ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def ladder():
    """A synthetic ladder of 24 bots, eight of them later versions, with 300 matches."""
    chance = np.random.default_rng(8)
    field = Field.of(24, chance)
    results = field.play(random_tables(24, 50, 4, chance), chance)
    return results, {later: later - 8 for later in range(16, 24)}


def test_a_shuffled_log_gives_the_same_ratings_to_the_bit(ladder):
    results, previous = ladder
    known = fit(results, anchor=0, previous=previous)
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(len(results))
        again = fit(
            results.chosen(order).in_order(),
            anchor=0,
            previous=dict(random.Random(seed).sample(sorted(previous.items()), len(previous))),
        )
        assert again.strength.tobytes() == known.strength.tobytes()


@settings(max_examples=50, deadline=None)
@given(logs(), chains, st.randoms(use_true_random=False))
def test_matches_may_come_in_any_order(matches, previous, dice):
    shuffled = dice.sample(matches, len(matches))
    one, other = (
        fit(Results.of(log, players=3, legs=6), anchor=ANCHOR, previous=previous)
        for log in (matches, shuffled)
    )
    assert one.strength.tobytes() == other.strength.tobytes()


def test_results_that_came_in_pieces_are_the_same(ladder):
    results, previous = ladder
    pieces = results.chosen(np.arange(0, 300, 2)).plus(results.chosen(np.arange(1, 300, 2)))
    whole, joined = (fit(log, anchor=0, previous=previous) for log in (results, pieces))
    assert joined.strength.tobytes() == whole.strength.tobytes()


def test_without_a_match_the_ratings_are_those_of_the_other_matches(ladder):
    results, previous = ladder
    left = results.without([17])
    fresh = results.chosen(results.ids != 17)
    known = fit(results, anchor=0, previous=previous)
    found = fit(left, anchor=0, previous=previous, start=known.by_entity())
    assert found.by_entity() == fit(fresh, anchor=0, previous=previous).by_entity()
    assert found.by_entity() != known.by_entity()


@pytest.mark.parametrize("shift", [0.03, 55.0, -900.0, 1e6])
def test_where_the_search_begins_changes_no_digit(ladder, shift):
    results, previous = ladder
    known = fit(results, anchor=0, previous=previous)
    start = {entity: rating + shift for entity, rating in known.by_entity().items()}
    again = fit(results, anchor=0, previous=previous, start=start)
    assert again.by_entity() == known.by_entity()
    assert np.max(np.abs(again.strength - known.strength)) < 1e-10


def test_a_warm_start_takes_fewer_steps(ladder):
    results, previous = ladder
    known = fit(results.without([299]), anchor=0, previous=previous)
    warm = fit(results, anchor=0, previous=previous, start=known.by_entity())
    assert warm.steps < fit(results, anchor=0, previous=previous).steps


def test_the_anchor_is_1500_whatever_happens(ladder):
    results, previous = ladder
    for anchor in (0, 5, 23):
        found = fit(results, anchor=anchor, previous=previous, start={anchor: 2000.0})
        assert found.by_entity()[anchor] == 1500.0


def test_another_anchor_moves_all_alike(ladder):
    results, _ = ladder
    one, other = (fit(results, anchor=anchor).ratings for anchor in (0, 1))
    moved = (other - one)[2:]
    assert np.ptp(moved) < 3  # not quite alike: the level of the field is still expected near 1500
    assert abs(np.mean(moved)) > 20


# -- Odd ladders ----------------------------------------------------------------------------------


def test_nobody_has_played_yet():
    nothing = Results.of([], players=4, legs=4)
    assert fit(nothing, anchor=7).by_entity() == {7: 1500.0}
    assert fit(nothing, anchor=7, previous={3: 2}).by_entity() == {2: 1500.0, 3: 1500.0, 7: 1500.0}


def test_one_match_only():
    ratings = rated(((1, 2), WON))
    assert ratings[1] == 1500.0
    assert 1100 < ratings[2] < 1400


def test_who_has_won_everything_stays_finite():
    after = [rated(*[((1, 2), LOST)] * matches)[2] for matches in (1, 20, 2000)]
    assert 1550 < after[0] < after[1] < after[2] < 4000


def test_only_ties_leave_everybody_level():
    ranks = [[1, 1, 1, 1]] * 4
    results = Results.of([Match(at, [1, 2, 3, 4], ranks) for at in range(9)], players=4, legs=4)
    assert set(fit(results, anchor=1).by_entity().values()) == {1500.0}


def test_a_tie_of_all_changes_nobody_among_equals():
    before = [((1, 2), WON), ((1, 2), LOST), ((2, 3), WON), ((2, 3), LOST)] * 5
    assert rated(*before) == rated(*before, ((1, 2), LEVEL), ((2, 3), LEVEL))


def test_huge_gaps_do_not_overflow():
    steps = [((entity, entity + 1), LOST) for entity in range(1, 40) for _ in range(50)]
    ratings = rated(*steps, start={2: 1e4, 3: -1e4})
    assert list(ratings) == sorted(ratings, key=ratings.__getitem__)
    assert ratings[40] > 4000


def test_a_newcomer_without_matches_changes_nobody(ladder):
    results, previous = ladder
    known = fit(results, anchor=0, previous=previous).by_entity()
    found = fit(results, anchor=0, previous={**previous, 99: 23}).by_entity()
    assert found.pop(99) == known[23]
    assert found == known


def test_a_group_that_has_never_met_the_others_stands_around_the_level_of_the_field():
    ours = [((1, 2), WON), ((1, 2), WON), ((1, 2), LOST)] * 10
    theirs = [((8, 9), WON)] * 10
    apart = fit(duels(*ours), anchor=ANCHOR)
    together = fit(duels(*ours, *theirs), anchor=ANCHOR)
    assert together.by_entity()[2] == pytest.approx(apart.by_entity()[2], abs=0.5)
    high, low = together.by_entity()[8], together.by_entity()[9]
    assert (high + low) / 2 == pytest.approx(together.level, abs=0.1)
    assert high > low + 200


def test_the_level_of_the_field_is_the_mean_of_first_versions_and_1500():
    found = fit(duels(((1, 2), LOST), ((1, 3), LOST), ((2, 4), WON)), anchor=1, previous={4: 3})
    first = [found.by_entity()[entity] for entity in (1, 2, 3)]
    assert found.level == pytest.approx((1500 + sum(first)) / 4, abs=0.1)


def test_a_field_far_from_the_anchor_is_not_drawn_to_it():
    """Thirty equals that five of them show to be 400 points above the anchor."""
    equals = [((a, b), LEVEL) for a in range(2, 32) for b in range(2, a)]
    bridge = [((1, bot), won) for bot in range(2, 7) for won in [LOST] * 10 + [WON]]
    ratings = rated(*equals, *bridge)
    assert np.mean([ratings[bot] for bot in range(2, 32)]) == pytest.approx(1900, abs=25)


@pytest.mark.parametrize("players", range(2, 9))
def test_tables_of_every_size(players):
    chance = np.random.default_rng(players)
    field = Field.of(12, chance, effects=0.0)
    results = field.play(random_tables(12, 60, players, chance), chance)
    found = fit(results, anchor=0)
    assert results.legs == len(seatings(players))
    assert np.corrcoef(found.ratings, field.skill)[0, 1] > 0.9


# -- What is believed before ----------------------------------------------------------------------


def test_a_new_version_begins_where_the_one_before_it_stands():
    known = [((1, 2), LOST), ((1, 2), LOST), ((1, 2), WON)] * 20
    ratings = rated(*known, previous={3: 2, 4: 3})
    assert ratings[3] == ratings[4] == ratings[2] > 1560


def test_a_later_version_is_held_less_far_from_the_one_before_than_a_first_one_from_1500():
    known = [((1, 2), WON), ((1, 2), LOST)] * 50
    new = [((1, 3), LOST)] * 3
    first, later = rated(*known, *new)[3], rated(*known, *new, previous={3: 2})[3]
    assert 1500 < later < first


def test_after_20_matches_the_version_before_weighs_little():
    chance = np.random.default_rng(4)
    field = Field.of(12, chance, effects=0.0)
    settled = field.play(random_tables(12, 200, 4, chance), chance)
    tables = np.array([[11, *chance.choice(11, 3, replace=False)] for _ in range(20)])
    games = field.play(tables, chance, first_id=10_000)
    newcomer = np.where(games.lineups == 11, 99, games.lineups)
    log = settled.plus(Results(games.legs, games.ids, newcomer, games.halves))
    alone = fit(log, anchor=0).by_entity()[99]
    far = fit(log, anchor=0, previous={99: min(range(1, 11), key=lambda bot: field.skill[bot])})
    distance = alone - far.by_entity()[int(np.argmin(field.skill[1:11])) + 1]
    assert 0.02 < (alone - far.by_entity()[99]) / distance < 0.12


def test_the_version_before_learns_from_the_later_one():
    known = [((1, 2), WON), ((1, 2), LOST)] * 2
    new = [((1, 3), LOST)] * 40
    assert rated(*known, *new, previous={3: 2})[2] > rated(*known, *new)[2]


def test_a_later_version_of_the_anchor_is_drawn_to_1500():
    assert rated(*[((2, 3), WON)] * 5, previous={3: 1})[3] < 1500


# -- Faults ---------------------------------------------------------------------------------------


def test_who_faults_gains_against_nobody():
    before = [((1, 2), WON), ((1, 2), LOST)] * 10
    for others in (before, []):
        calm = rated(*others, ((1, 2), [[1, 2], [2, 1]]))
        faulted = rated(*others, ((1, 2), [[1, 2], [1, 2]]))  # last in that leg, whatever it scored
        assert faulted[2] < calm[2]
