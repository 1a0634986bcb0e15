"""Results as arrays: half-points, whatever the order in which matches come."""

import numpy as np

from ratings.results import Match, Results


def test_half_points_are_counted_over_all_legs():
    match = Match(1, [7, 8, 9], [[1, 2, 2], [1, 3, 2]])
    results = Results.of([match], players=3, legs=2)
    assert results.halves.tolist() == [[[2, 4, 4], [0, 2, 1], [0, 3, 2]]]
    assert (len(results), results.players, results.legs) == (1, 3, 2)


def test_matches_stand_in_the_order_of_their_ids():
    matches = [Match(id_, [1, 2], [[1, 2], [2, 1]]) for id_ in (5, 3, 9)]
    assert Results.of(matches, players=2, legs=2).ids.tolist() == [3, 5, 9]


def test_matches_can_be_added_and_taken_away():
    matches = [Match(id_, [id_, 2], [[1, 2], [1, 2]]) for id_ in range(10, 16)]
    whole = Results.of(matches, players=2, legs=2)
    late, early = (Results.of(part, players=2, legs=2) for part in (matches[3:], matches[:3]))
    joined = late.plus(early)
    left = whole.without([11, 14])
    for one, other in (
        (joined, whole),
        (
            left,
            Results.of([match for match in matches if match.id not in (11, 14)], players=2, legs=2),
        ),
    ):
        assert np.array_equal(one.ids, other.ids)
        assert np.array_equal(one.lineups, other.lineups)
        assert np.array_equal(one.halves, other.halves)


def test_there_may_be_no_match_at_all():
    nothing = Results.of([], players=4, legs=4)
    assert (len(nothing), nothing.players, nothing.legs) == (0, 4, 4)
    assert len(nothing.plus(Results.of([], players=4, legs=4))) == 0
