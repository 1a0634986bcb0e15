"""The rules common to all games: seats, ranks, deals, sorted hands, what is refused."""

from collections import Counter

import pytest

from games import GAMES, game_named
from games.base import Refusal, may_know, ranks
from games.color_stock import ColorStock
from games.sticheln import Sticheln
from games.stop_it import StopIt

SEED = bytes(range(32))
EVERY_GAME = pytest.mark.parametrize("game", list(GAMES.values()), ids=list(GAMES))
FEWEST = {"sticheln": 3, "stop-it": 3, "color-stock": 2}


def dealt(game, seed=SEED):
    return game.deal(FEWEST[game.name], {}, seed)


def played_out(position, place):
    """All events of a game in which everybody plays the legal move at that place."""
    events = position.opening()
    while position.asked:
        events += position.play([position.legal(seat)[place] for seat in position.asked])
    return events


def deals_in(events):
    """The hands of each round."""
    rounds = []
    for event in events:
        if event["event"] == "round":
            rounds.append([])
        if event["event"] == "dealt":
            rounds[-1].append(event["hand"])
    return rounds


# -- Seats and rounds ------------------------------------------------------------------------------


@EVERY_GAME
def test_seats_are_numbered_from_0(game):
    dealt_seats = [event["seat"] for event in dealt(game).opening() if event["event"] == "dealt"]
    assert dealt_seats == list(range(FEWEST[game.name]))


@EVERY_GAME
def test_rounds_are_numbered_from_1(game):
    assert dealt(game).opening()[0]["round"] == 1


@EVERY_GAME
def test_the_next_round_has_the_next_number(game):
    position = dealt(game)
    position.finish_round([0] * position.players)
    assert position.view(0)["round"] == position.opening()[0]["round"] == 2


def test_clockwise_means_seat_plus_1_mod_n():
    position = Sticheln.set_up([["red-1", "red-2"]] * 3, {}, leader=2)
    position.play(["red-1"] * 3)
    position.play(["red-2"])
    assert position.asked == (0,)


# -- Ranks -----------------------------------------------------------------------------------------


def test_rank_is_1_plus_the_number_of_players_with_a_higher_total():
    assert ranks([4, 20, -3, 11], {}) == [3, 1, 4, 2]


def test_equal_totals_share_the_better_rank():
    assert ranks([7, 5, 7], {}) == [1, 3, 1]


def test_a_shared_second_leaves_out_the_third():
    assert ranks([5, 9, 5, 1], {}) == [2, 1, 2, 4]


def test_a_shared_first_is_a_draw_of_all_who_share_it():
    assert ranks([2, 2, 2], {}) == [1, 1, 1]


# -- Chance and deals ------------------------------------------------------------------------------


@EVERY_GAME
def test_no_move_ever_changes_a_later_deal(game):
    first = deals_in(played_out(dealt(game), 0))
    second = deals_in(played_out(dealt(game), -1))
    both = min(len(first), len(second))
    assert both > 1
    assert first[:both] == second[:both]


@EVERY_GAME
def test_the_deal_depends_on_the_seed(game):
    assert dealt(game).hands != dealt(game, bytes(32)).hands


@pytest.mark.parametrize(
    ("game", "options"),
    [
        (Sticheln, [{}, {"all_zero_trick": "nobody"}]),
        (Sticheln, [{"all_zero_trick": "nobody"}, {"rules": "stick-em"}]),
        (StopIt, [{"target": 50}, {"target": 75}]),
        (ColorStock, [{"rounds": 1}, {"rounds": 3}]),
    ],
)
def test_the_deal_depends_on_the_games_options(game, options):
    one, other = (game.deal(3, chosen, SEED).hands for chosen in options)
    assert one != other


def test_the_deal_depends_on_the_number_of_players():
    one, other = (game_named("stop-it").deal(players, {}, SEED).chance for players in (4, 5))
    deck = StopIt.deck(5, {"target": 50})
    assert one.deal(1, deck) != other.deal(1, deck)


@EVERY_GAME
def test_the_deal_depends_on_the_round(game):
    position = dealt(game)
    assert position.deal_of(1) != position.deal_of(2)


@EVERY_GAME
def test_options_by_default_and_written_out_give_the_same_deal(game):
    complete = game.complete({})
    assert dealt(game).hands == game.deal(FEWEST[game.name], complete, SEED).hands


@EVERY_GAME
@pytest.mark.parametrize("number", [1, 2, 3])
def test_each_round_is_dealt_anew_from_the_whole_deck(game, number):
    position = dealt(game)
    hands, left_over = position.deal_of(number)
    cards = Counter(card for hand in hands for card in hand) + Counter(left_over)
    assert cards == Counter(game.deck(position.players, position.options))


@EVERY_GAME
def test_hands_are_shown_sorted_and_not_in_the_order_of_dealing(game):
    position = dealt(game)
    place = {card: i for i, card in enumerate(game.deck(position.players, position.options))}
    shown = position.view(1)["hand"]
    assert shown == sorted(shown, key=place.get)


@EVERY_GAME
def test_the_dealt_event_shows_the_hand_sorted(game):
    position = dealt(game)
    dealt_to_1 = position.opening()[2]
    assert dealt_to_1 == {"event": "dealt", "seat": 1, "hand": position.view(1)["hand"]}


@EVERY_GAME
def test_hands_stay_sorted_as_cards_leave_them(game):
    position = dealt(game)
    place = {card: i for i, card in enumerate(game.deck(position.players, position.options))}
    for _ in range(5):
        position.play([position.legal(seat)[-1] for seat in position.asked])
    assert all(hand == sorted(hand, key=place.get) for hand in position.hands)


# -- Decisions -------------------------------------------------------------------------------------


def test_a_player_is_asked_even_when_only_one_card_is_left():
    position = Sticheln.set_up([["red-1", "red-2"]] * 3, {})
    position.play(["red-1"] * 3)
    assert (position.asked, position.legal(0)) == ((0,), ["red-2"])


def test_a_leader_of_stop_it_is_asked_even_when_only_one_card_is_left():
    position = StopIt.set_up([["red-10", "blue-1"], ["red-2"], ["red-3"]], {})
    position.play(["red-10"])
    position.play(["pass"] * 3)
    assert (position.asked, position.legal(0)) == ((0,), ["blue-1"])


def test_two_last_cards_in_color_stock_are_asked_for_too():
    position = ColorStock.set_up([["red", "blue"], [], []], {})
    assert (position.asked, position.legal(0)) == ((0,), ["red+blue"])


def test_the_one_exception_is_the_forced_card_of_stop_it_played_unasked():
    position = StopIt.set_up([["red-1", "blue-1"], ["red-2", "red-4"], ["red-7"]], {})
    position.play(["red-1"])
    (played,) = position.play(["pass"] * 3)
    assert (played["seat"], played["card"], played["forced"]) == (1, "red-2", True)


@EVERY_GAME
def test_asked_seats_ascend(game):
    position = dealt(game)
    while position.asked:
        assert list(position.asked) == sorted(set(position.asked))
        position.play([position.legal(seat)[0] for seat in position.asked])


@EVERY_GAME
def test_nobody_is_asked_when_the_game_is_over(game):
    position = dealt(game)
    played_out(position, 0)
    assert (position.asked, position.over) == ((), True)


# -- What is known ---------------------------------------------------------------------------------


@EVERY_GAME
def test_of_earlier_rounds_players_see_the_scores(game):
    position = dealt(game)
    scores = list(range(position.players))
    position.finish_round(scores)
    assert [position.view(seat)["scores"] for seat in scores] == [[scores]] * position.players


def test_every_event_is_public_but_the_other_seats_hands():
    events = [
        {"event": "round", "round": 1, "leader": 0},
        {"event": "dealt", "seat": 0, "hand": []},
        {"event": "dealt", "seat": 1, "hand": []},
        {"event": "faulted", "seat": 0},
        {"event": "left", "hands": [[], []]},
    ]
    assert [may_know(event, 1) for event in events] == [True, False, True, True, True]


@EVERY_GAME
def test_a_view_names_the_seat_it_is_for(game):
    assert [dealt(game).view(seat)["seat"] for seat in range(2)] == [0, 1]


# -- What is refused -------------------------------------------------------------------------------


@EVERY_GAME
def test_unknown_options_are_refused_and_the_known_ones_named(game):
    known = ", ".join(game.choices)
    with pytest.raises(Refusal, match=f"no option 'jokers'; it has {known}"):
        game.complete({"jokers": 2})


@pytest.mark.parametrize(
    ("game", "options", "named"),
    [
        (Sticheln, {"rules": "skat"}, "sticheln, stick-em, misery, not 'skat'"),
        (Sticheln, {"all_zero_trick": "last"}, "first, nobody, not 'last'"),
        (StopIt, {"target": 60}, "50, 75, 100, not 60"),
        (ColorStock, {"rounds": 2}, "3, 1, not 2"),
    ],
)
def test_option_values_not_named_are_refused_and_the_right_ones_named(game, options, named):
    with pytest.raises(Refusal, match=named):
        game.complete(options)


@EVERY_GAME
@pytest.mark.parametrize("value", [[], {}, None, True, 1.0, "", "1"])
def test_values_of_other_types_are_refused(game, value):
    with pytest.raises(Refusal, match="is one of"):
        game.complete({next(iter(game.choices)): value})


@EVERY_GAME
@pytest.mark.parametrize("players", [-1, 0, 1, 9])
def test_player_counts_out_of_range_are_refused(game, players):
    with pytest.raises(Refusal, match=f"players, not {players}"):
        game.deal(players, {}, SEED)


def test_an_unknown_game_is_refused_and_the_games_named():
    with pytest.raises(
        Refusal, match="no game 'skat'; the games are sticheln, stop-it, color-stock"
    ):
        game_named("skat")


@EVERY_GAME
@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_seed_that_has_not_32_bytes_is_refused(game, length):
    with pytest.raises(ValueError, match="32 bytes"):
        game.deal(3, {}, bytes(length))


# -- Faulted bots and their ranks ------------------------------------------------------------------


def test_a_faulted_bot_ranks_behind_all_who_did_not_fault():
    assert ranks([50, -9, 3], {0: 12}) == [3, 2, 1]


def test_of_several_the_one_that_faulted_earlier_ranks_lower():
    assert ranks([5, 9, 3, 1], {1: 4, 2: 40}) == [1, 4, 3, 2]


def test_at_the_same_decision_equal_whatever_the_totals():
    assert ranks([5, 9, 3, 1], {1: 4, 2: 4}) == [1, 3, 3, 2]


def test_at_the_same_decision_equal_also_if_nobody_is_left_who_did_not_fault():
    assert ranks([5, 9, 3], {0: 4, 1: 4, 2: 4}) == [1, 1, 1]


def test_the_last_to_fault_is_first_if_nobody_is_left():
    assert ranks([5, 9, 3], {0: 6, 1: 0, 2: 7}) == [2, 3, 1]


def test_a_fault_at_start_up_is_earlier_than_all_others():
    assert ranks([5, 9, 3], {0: -1, 1: 0}) == [3, 2, 1]


def test_a_fault_at_start_up_alone_ranks_behind_the_others():
    assert ranks([5, 9, -3], {1: -1}) == [1, 3, 2]


def test_those_who_did_not_fault_are_ranked_by_their_totals():
    assert ranks([1, 7, 7, 100], {3: 2}) == [3, 1, 1, 4]
