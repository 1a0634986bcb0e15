"""Seating: every bot on every seat, behind every other bot, equally often."""

from collections import Counter
from itertools import permutations

import pytest

from games.seating import exchanged, lineup_of, seatings, unbalanced

SIZES = pytest.mark.parametrize("players", range(2, 9))


def neighbours(legs, players):
    """How often each ordered pair of bots sits on seats s and s + 1, round the table."""
    found = Counter((leg[s], leg[(s + 1) % players]) for leg in legs for s in range(players))
    return [found[pair] for pair in permutations(range(players), 2)]


def rotations(players):
    return [[(seat + leg) % players for seat in range(players)] for leg in range(players)]


@pytest.mark.parametrize("players", [2, 4, 6, 8])
def test_a_match_has_n_legs_for_even_n(players):
    assert len(seatings(players)) == players


@pytest.mark.parametrize("players", [3, 5, 7])
def test_a_match_has_2n_legs_for_odd_n(players):
    assert len(seatings(players)) == 2 * players


@SIZES
def test_every_bot_sits_once_in_every_leg(players):
    assert all(sorted(leg) == list(range(players)) for leg in seatings(players))


@SIZES
def test_bots_are_named_by_whole_numbers(players):
    assert {type(bot) for leg in seatings(players) for bot in leg} == {int}


@SIZES
def test_every_bot_sits_on_every_seat_equally_often(players):
    legs = seatings(players)
    for seat in range(players):
        counts = Counter(leg[seat] for leg in legs)
        assert counts == dict.fromkeys(range(players), len(legs) // players)


@SIZES
def test_each_ordered_pair_of_neighbours_occurs_equally_often_up_to_one(players):
    counts = neighbours(seatings(players), players)
    assert max(counts) - min(counts) <= 1


@SIZES
def test_leg_g_has_bot_z_plus_g_on_each_seat(players):
    """z = 0, 1, n-1, 2, n-2, …"""
    ups, downs = list(range(1, players)), list(range(players - 1, 0, -1))
    z = [0, *(bot for pair in zip(ups, downs, strict=True) for bot in pair)][:players]
    legs = seatings(players)[:players]
    assert legs == [[(bot + g) % players for bot in z] for g in range(players)]


@pytest.mark.parametrize("players", [3, 5, 7])
def test_for_odd_n_the_same_rows_follow_reversed_in_the_same_order(players):
    legs = seatings(players)
    assert legs[players:] == [leg[::-1] for leg in legs[:players]]


def test_the_rows_for_4_bots():
    assert seatings(4) == [[0, 1, 3, 2], [1, 2, 0, 3], [2, 3, 1, 0], [3, 0, 2, 1]]


def test_the_rows_for_5_bots():
    assert seatings(5) == [
        [0, 1, 4, 2, 3],
        [1, 2, 0, 3, 4],
        [2, 3, 1, 4, 0],
        [3, 4, 2, 0, 1],
        [4, 0, 3, 1, 2],
        [3, 2, 4, 1, 0],
        [4, 3, 0, 2, 1],
        [0, 4, 1, 3, 2],
        [1, 0, 2, 4, 3],
        [2, 1, 3, 0, 4],
    ]


def test_the_first_leg_of_2_bots_has_them_in_order():
    assert seatings(2) == [[0, 1], [1, 0]]


# -- One table -------------------------------------------------------------------------------------


@SIZES
def test_the_lineup_of_a_table_seats_everybody_there_in_the_first_leg(players):
    table = [f"bot {seat}" for seat in range(players)]
    lineup = lineup_of(table)
    assert [lineup[bot] for bot in seatings(players)[0]] == table


def test_two_exchange_seats_and_the_others_stay():
    table = ["a", "b", "c", "d"]
    assert exchanged(table, 3, 1) == ["a", "d", "c", "b"]
    assert table == ["a", "b", "c", "d"]


# -- Whether a file's seating is balanced ----------------------------------------------------------


@SIZES
def test_the_seating_of_a_match_is_balanced(players):
    assert unbalanced(seatings(players), players) is None


@SIZES
def test_the_legs_may_stand_in_any_order(players):
    assert unbalanced(seatings(players)[::-1], players) is None


@SIZES
def test_the_bots_may_be_named_in_any_order(players):
    renamed = [[players - 1 - bot for bot in leg] for leg in seatings(players)]
    assert unbalanced(renamed, players) is None


@pytest.mark.parametrize("players", [4, 6, 8])
def test_rotations_alone_leave_the_neighbours_unbalanced(players):
    assert "sits behind" in unbalanced(rotations(players), players)


@pytest.mark.parametrize("players", [3, 5, 7])
def test_rotations_twice_leave_the_neighbours_unbalanced(players):
    assert "sits behind" in unbalanced(rotations(players) * 2, players)


def test_neighbours_that_differ_by_two_are_unbalanced():
    legs = [[0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]]
    counts = neighbours(legs, 4)
    assert max(counts) - min(counts) == 2
    assert "sits behind" in unbalanced(legs, 4)


def test_neighbours_that_differ_by_one_are_balanced():
    legs = [[0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 1, 0], [3, 2, 0, 1]]
    assert unbalanced(legs, 4) is None


@SIZES
def test_the_same_leg_over_and_over_leaves_the_seats_unbalanced(players):
    legs = seatings(players)
    assert "sits on seat" in unbalanced([legs[0]] * len(legs), players)


@pytest.mark.parametrize("players", range(2, 9))
def test_a_leg_played_twice_in_place_of_another_is_found(players):
    legs = seatings(players)
    assert unbalanced([legs[0], *legs[:-1]], players) is not None


def test_the_first_bot_that_sits_too_often_is_named():
    assert unbalanced([[0, 1], [0, 1]], 2) == "bot 0 sits on seat 0 in 2 of 2 legs"


def test_the_neighbours_too_often_and_too_rarely_are_named():
    wrong = unbalanced(rotations(4), 4)
    assert wrong == "bot 1 sits behind bot 0 4 times, bot 2 behind bot 0 0 times"
