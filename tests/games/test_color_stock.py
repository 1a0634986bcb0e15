"""Color Stock by its rules: the deal, turns, the pile, the end of a round, the score."""

from collections import Counter

import pytest

from games.base import Refusal, ranks
from games.color_stock import ColorStock

SEED = bytes(range(32))
FOUR_COLOURS = ["red", "yellow", "green", "blue"]
VIEW_KEYS = {
    "seat", "round", "phase", "hand", "hand_sizes", "scores", "totals",
    "rounds", "starter", "stacks", "put", "turned_up", "pile",
}  # fmt: skip


def dealt(players, **options):
    return ColorStock.deal(players, options, SEED)


def plenty(players):
    """Hands of every colour, large enough for anything a test wants to put down."""
    colours = ColorStock.colours(players)
    return [[colour for colour in colours for _ in range(6)] for _ in range(players)]


def at_table(players=3, *, pile=(), leader=0, hands=None):
    """Round 1; with two players this is the pile, in its order."""
    return ColorStock.set_up(hands or plenty(players), {}, left_over=pile, leader=leader)


def put(position, *moves):
    """Plays these moves; gives the events of the last."""
    for move in moves:
        events = position.play([move])
    return events


def names(events):
    return [event["event"] for event in events]


def event_named(name, events):
    return next(event for event in events if event["event"] == name)


def score_with(stacks, hand):
    """What a hand is worth with these stacks on the table."""
    position = at_table(hands=[hand, [], []])
    position.stacks |= stacks
    return position.round_scores(None)[0]


# -- Players, deck, deal ---------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_2_to_4_players(players):
    assert dealt(players).players == players


@pytest.mark.parametrize("players", [0, 1, 5])
def test_other_player_counts_are_refused(players):
    with pytest.raises(Refusal, match=f"2 to 4 players, not {players}"):
        dealt(players)


@pytest.mark.parametrize("players", [2, 3])
def test_2_or_3_players_have_red_yellow_green_and_blue(players):
    assert list(dealt(players).view(0)["stacks"]) == FOUR_COLOURS


def test_4_players_have_purple_too():
    assert list(dealt(4).view(0)["stacks"]) == [*FOUR_COLOURS, "purple"]


@pytest.mark.parametrize(("players", "colours"), [(2, 4), (3, 4), (4, 5)])
def test_a_suit_is_nine_equal_cards(players, colours):
    deck = Counter(ColorStock.deck(players, {"rounds": 3}))
    assert list(deck.values()) == [9] * colours


@pytest.mark.parametrize(("players", "cards"), [(2, 12), (3, 12), (4, 11)])
def test_2_and_3_players_are_dealt_12_each_and_4_players_11(players, cards):
    assert dealt(players).view(0)["hand_sizes"] == [cards] * players


def test_with_2_players_the_other_12_cards_are_the_pile():
    position = dealt(2)
    deck = ColorStock.deck(2, position.options)
    assert position.view(0)["pile"] == 12
    assert position.pile == position.chance.deal(1, deck)[24:]


def test_with_3_players_all_cards_are_dealt():
    assert Counter(card for hand in dealt(3).hands for card in hand) == Counter(
        ColorStock.deck(3, {"rounds": 3})
    )


def test_with_4_players_the_card_left_over_is_set_aside_unseen():
    position = dealt(4)
    views = [position.view(seat) for seat in range(4)]
    cards = [card for view in views for card in view["hand"]]
    assert (len(cards), len(ColorStock.deck(4, position.options))) == (44, 45)
    assert [(view["pile"], view["turned_up"]) for view in views] == [(0, [])] * 4


def test_no_event_shows_the_card_set_aside():
    assert names(dealt(4).opening()) == ["round", "dealt", "dealt", "dealt", "dealt"]


@pytest.mark.parametrize("players", [2, 3])
def test_no_event_shows_the_pile(players):
    assert names(dealt(players).opening()) == ["round", *["dealt"] * players]


def test_the_order_of_the_pile_is_fixed_at_the_deal():
    position = dealt(2)
    pile = position.pile.copy()
    turned = []
    while position.round == 1:
        for event in position.play([position.legal(position.asked[0])[-1]]):
            turned += event["cards"] if event["event"] == "turned_up" else []
    assert turned == pile[: len(turned)]


# -- Rounds ----------------------------------------------------------------------------------------


def test_3_rounds_by_default():
    assert ColorStock.complete({}) == {"rounds": 3}


@pytest.mark.parametrize("rounds", [1, 3])
def test_the_game_has_as_many_rounds_as_the_option_says(rounds):
    position = dealt(3, rounds=rounds)
    while position.asked:
        position.play([position.legal(position.asked[0])[0]])
    assert len(position.scores) == rounds


@pytest.mark.parametrize("rounds", [0, 2, 4, "3", 3.0, True, None])
def test_another_number_of_rounds_is_refused(rounds):
    with pytest.raises(Refusal, match="one of 3, 1"):
        ColorStock.complete({"rounds": rounds})


@pytest.mark.parametrize(("players", "starters"), [(2, [0, 1, 0]), (3, [0, 1, 2]), (4, [0, 1, 2])])
def test_round_r_is_started_by_seat_r_minus_1_mod_n(players, starters):
    position = dealt(players)
    found = []
    for _ in range(3):
        found.append(position.view(0)["starter"])
        assert position.asked == (found[-1],)
        position.finish_round([0] * players)
    assert found == starters


# -- A turn ----------------------------------------------------------------------------------------


def test_a_turn_is_exactly_two_cards():
    position = at_table()
    assert all(move.count("+") == 1 for move in position.legal(0))


def test_the_two_cards_may_be_of_the_same_or_different_colours():
    position = at_table(hands=[["red", "red", "blue"], [], []])
    assert position.legal(0) == ["red+red", "red+blue"]


def test_two_cards_of_a_colour_need_two_in_the_hand():
    position = at_table(hands=[["red", "blue"], [], []])
    assert position.legal(0) == ["red+blue"]


def test_the_order_of_the_two_has_no_meaning_so_each_pair_stands_once_in_the_order_of_colours():
    position = at_table(hands=[["red", "red", "yellow", "green", "green"], [], []])
    assert position.legal(0) == [
        "red+red", "red+yellow", "red+green", "yellow+green", "green+green",
    ]  # fmt: skip


def test_the_cards_go_onto_the_stacks_of_their_colours():
    position = at_table()
    put(position, "red+blue", "red+red")
    assert position.view(0)["stacks"] == {"red": 3, "yellow": 0, "green": 0, "blue": 1}


def test_the_cards_leave_the_hand():
    position = at_table(hands=[["red", "red", "blue"], ["red"], ["red"]])
    put(position, "red+blue")
    assert position.hands[0] == ["red"]


def test_the_turn_goes_to_the_left():
    position = at_table(leader=1)
    seats = []
    for _ in range(4):
        seats += position.asked
        put(position, ["red+blue", "red+yellow", "green+blue", "green+yellow"][len(seats) - 1])
    assert seats == [1, 2, 0, 1]


def test_a_turn_is_one_event():
    assert put(at_table(), "red+blue") == [{"event": "put", "seat": 0, "cards": ["red", "blue"]}]


# -- The end of the round --------------------------------------------------------------------------


def test_the_round_goes_on_while_no_stack_has_six_cards():
    position = at_table()
    put(position, "red+red", "red+red", "red+blue")
    assert (position.stacks["red"], position.round) == (5, 1)


def test_the_round_is_over_if_a_stack_has_six_cards():
    position = at_table()
    events = put(position, "red+red", "red+red", "red+red")
    assert names(events)[:4] == ["put", "over", "left", "scored"]


def test_the_round_is_over_if_a_stack_has_more_than_six_cards():
    position = at_table()
    events = put(position, "red+red", "red+red", "red+blue", "red+red")
    assert names(events)[1] == "over"


def test_that_player_gets_2_bonus_points():
    position = at_table(hands=[["red"] * 2, ["red"] * 2, ["red"] * 2])
    events = put(position, "red+red", "red+red", "red+red")
    assert event_named("scored", events)["scores"] == [0, 0, 2]


def test_the_bonus_comes_on_top_of_the_cards_in_the_hand():
    position = at_table(hands=[["red"] * 2, ["red"] * 2, ["red", "red", "blue", "blue"]])
    position.stacks |= {"blue": 3}
    events = put(position, "red+red", "red+red", "red+red")
    assert event_named("scored", events)["scores"] == [0, 0, 3 + 3 + 2]


def test_the_bonus_is_given_once_if_two_stacks_are_full():
    position = at_table(hands=[["red", "red", "blue"], ["red", "red", "blue"], ["blue"] * 4])
    position.stacks |= {"red": 5, "blue": 5}
    events = put(position, "red+blue")
    assert event_named("scored", events)["scores"] == [2, 0, 0]


def test_over_says_who_ended_the_round():
    events = put(at_table(), "red+red", "red+red", "red+red")
    assert event_named("over", events) == {"event": "over", "seat": 2}


# -- Two players and the pile ----------------------------------------------------------------------


def test_two_players_after_both_have_had_a_turn_two_cards_are_turned_up():
    position = at_table(2, pile=["red", "blue", "green", "green"])
    assert put(position, "red+blue", "yellow+yellow") == [
        {"event": "put", "seat": 1, "cards": ["yellow", "yellow"]},
        {"event": "turned_up", "cards": ["red", "blue"]},
    ]


def test_no_cards_are_turned_up_after_only_one_has_had_a_turn():
    position = at_table(2, pile=["red", "blue", "green", "green"])
    assert names(put(position, "red+blue")) == ["put"]


def test_cards_are_turned_up_after_every_second_turn_whoever_started():
    position = at_table(2, pile=["red", "blue", "green", "green"], leader=1)
    assert names(put(position, "red+blue", "yellow+yellow")) == ["put", "turned_up"]
    assert names(put(position, "red+blue")) == ["put"]
    assert names(put(position, "yellow+yellow")) == ["put", "turned_up"]


def test_the_cards_turned_up_go_onto_the_stacks():
    position = at_table(2, pile=["red", "blue", "green", "green"])
    put(position, "red+blue", "yellow+yellow")
    assert position.view(0)["stacks"] == {"red": 2, "yellow": 2, "green": 0, "blue": 2}


def test_cards_are_turned_up_only_if_the_round_goes_on():
    position = at_table(2, pile=["green", "green", "blue", "blue", "yellow", "yellow"])
    events = put(position, "red+red", "red+red", "blue+green", "red+red")
    assert names(events)[:3] == ["put", "over", "left"]


def test_both_cards_are_turned_up_before_the_stacks_are_looked_at():
    position = at_table(2, pile=["red", "blue", "green", "green"])
    position.stacks |= {"red": 5}
    events = put(position, "green+blue", "yellow+yellow")
    assert event_named("turned_up", events)["cards"] == ["red", "blue"]


def test_both_cards_turned_up_count_for_the_score():
    hands = [["blue", "blue", "green"], ["yellow", "yellow"]]
    position = at_table(2, pile=["red", "blue"], hands=hands)
    position.stacks |= {"red": 5}
    events = put(position, "blue+green", "yellow+yellow")
    assert event_named("scored", events)["scores"] == [2, 0]


def test_if_turning_up_ends_the_round_nobody_gets_the_bonus():
    position = at_table(2, pile=["red", "red"], hands=[["red", "red"], ["red", "red"]])
    events = put(position, "red+red", "red+red")
    assert event_named("scored", events)["scores"] == [0, 0]


def test_over_says_null_if_the_pile_did_it():
    position = at_table(2, pile=["red", "red"])
    events = put(position, "red+red", "red+red")
    assert names(events)[:5] == ["put", "turned_up", "over", "left", "scored"]
    assert event_named("over", events) == {"event": "over", "seat": None}


@pytest.mark.parametrize("players", [3, 4])
def test_with_3_or_4_players_nothing_is_turned_up(players):
    position = dealt(players)
    events = []
    while position.round == 1:
        events += position.play([position.legal(position.asked[0])[-1]])
    assert "turned_up" not in names(events)


def test_after_the_cards_are_turned_up_the_starter_is_asked_again():
    position = at_table(2, pile=["red", "blue"], leader=1)
    put(position, "red+blue", "yellow+yellow")
    assert position.asked == (1,)


# -- The score -------------------------------------------------------------------------------------


def test_each_card_in_the_hand_is_worth_the_number_of_cards_in_its_colours_stack():
    assert score_with({"red": 5, "yellow": 1}, ["red", "red", "yellow"]) == 5 + 5 + 1


def test_a_card_without_a_stack_is_worth_0():
    assert score_with({"red": 5}, ["blue"]) == 0


@pytest.mark.parametrize("height", [6, 7, 8, 9])
def test_a_card_is_worth_0_with_six_or_more_in_its_stack(height):
    assert score_with({"red": height}, ["red"]) == 0


def test_example_player_as_two_yellow_cards_are_worth_3_each_and_the_red_one_nothing():
    """On the table: 6 red, 2 green, 3 yellow, 4 blue."""
    table = {"red": 6, "green": 2, "yellow": 3, "blue": 4}
    assert score_with(table, ["red", "yellow", "yellow"]) == 3 + 3 + 0


@pytest.mark.parametrize(("card", "points"), [("red", 0), ("green", 2), ("yellow", 3), ("blue", 4)])
def test_example_what_a_card_of_each_colour_is_worth(card, points):
    assert score_with({"red": 6, "green": 2, "yellow": 3, "blue": 4}, [card]) == points


def test_cards_put_down_score_nothing():
    hands = [["blue"] * 2, ["red"] * 2, ["red"] * 2, ["red"] * 2]
    events = put(at_table(4, hands=hands), "blue+blue", "red+red", "red+red", "red+red")
    assert event_named("scored", events)["scores"] == [0, 0, 0, 2]


def test_hands_are_then_shown():
    hands = [["red", "red", "blue"], ["red", "red"], ["red", "red", "green"]]
    events = put(at_table(hands=hands), "red+red", "red+red", "red+red")
    assert event_named("left", events) == {"event": "left", "hands": [["blue"], [], ["green"]]}


def test_the_rest_of_the_pile_is_not_shown():
    position = at_table(2, pile=["red", "red", "yellow", "green"])
    events = put(position, "red+red", "red+red")
    shown = {"put", "turned_up", "over", "left", "scored", "round", "dealt"}
    assert set(names(events)) == shown
    assert [event["cards"] for event in events if event["event"] == "turned_up"] == [["red", "red"]]


def test_the_events_of_the_end_stand_in_order_with_the_next_deal():
    hands = [["red", "red", "blue"], ["red", "red"], ["red", "red", "green"]]
    position = at_table(hands=hands)
    assert put(position, "red+red", "red+red", "red+red") == [
        {"event": "put", "seat": 2, "cards": ["red", "red"]},
        {"event": "over", "seat": 2},
        {"event": "left", "hands": [["blue"], [], ["green"]]},
        {"event": "scored", "round": 1, "scores": [0, 0, 2], "totals": [0, 0, 2]},
        *position.opening(),
    ]


def test_the_last_event_of_the_game_is_the_last_score():
    position = dealt(2, rounds=1)
    while position.asked:
        events = position.play([position.legal(position.asked[0])[0]])
    assert names(events)[-1] == "scored"


def test_the_highest_total_of_all_rounds_wins():
    position = dealt(3)
    for scores in ([9, 0, 5], [0, 8, 5], [0, 0, 5]):
        position.finish_round(scores)
    assert ranks(position.totals, {}) == [2, 3, 1]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_hands_and_pile_cannot_run_out(players):
    """Not even if everybody keeps the stacks as low as possible: all colours full of five cards
    need fewer cards than there are in the hands and the pile."""
    colours = len(ColorStock.colours(players))
    most_on_table = 5 * colours
    turns = most_on_table // 2 + 1
    if players == 2:
        # Of six cards two are the first player's, two the second's, two the pile's.
        per_hand, from_pile = 2 * -(-most_on_table // 6), 2 * -(-most_on_table // 6)
    else:
        per_hand, from_pile = 2 * -(-turns // players), 0
    position = dealt(players)
    assert per_hand <= min(map(len, position.hands))
    assert from_pile <= len(position.pile)


@pytest.mark.parametrize("number", range(20))
def test_hands_do_not_run_out_when_the_stacks_are_kept_low(number):
    position = ColorStock.deal(2 + number % 3, {}, number.to_bytes(32, "big"))

    def height_after(move):
        return max(position.stacks[card] + move.count(card) for card in move.split("+"))

    while position.asked:
        legal = position.legal(position.asked[0])
        assert legal
        position.play([min(legal, key=height_after)])


# -- What a player knows ---------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_view_has_exactly_its_keys(players):
    assert set(dealt(players).view(0)) == VIEW_KEYS


def test_a_player_knows_the_own_hand():
    position = dealt(3)
    assert [position.view(seat)["hand"] for seat in range(3)] == position.hands


def test_a_player_does_not_know_the_other_hands():
    position = dealt(3)
    swapped = [position.hands[0], position.hands[2], position.hands[1]]
    assert at_table(hands=swapped).view(0) == position.view(0)


def test_a_player_does_not_know_the_order_of_the_pile():
    hands = plenty(2)
    one = at_table(2, pile=["red", "blue"], hands=hands).view(0)
    assert one == at_table(2, pile=["blue", "green"], hands=hands).view(0)


def test_a_player_knows_who_put_down_what():
    position = at_table(leader=2)
    put(position, "red+blue", "green+green")
    assert position.view(1)["put"] == [
        {"seat": 2, "cards": ["red", "blue"]},
        {"seat": 0, "cards": ["green", "green"]},
    ]


def test_a_player_knows_the_cards_turned_up_as_pairs():
    position = at_table(2, pile=["red", "blue", "green", "green", "red", "red"])
    put(position, "red+blue", "yellow+yellow", "red+blue", "yellow+yellow")
    assert position.view(0)["turned_up"] == [["red", "blue"], ["green", "green"]]


def test_a_player_knows_the_size_of_each_hand():
    position = dealt(3)
    position.play(position.legal(0)[:1])
    assert position.view(2)["hand_sizes"] == [10, 12, 12]


def test_a_player_knows_the_size_of_the_pile():
    position = at_table(2, pile=["red", "blue", "green", "green"])
    put(position, "red+blue", "yellow+yellow")
    assert position.view(1)["pile"] == 2


def test_a_player_knows_all_scores():
    position = dealt(3)
    position.finish_round([4, 5, 6])
    view = position.view(1)
    assert (view["scores"], view["totals"], view["round"]) == ([[4, 5, 6]], [4, 5, 6], 2)


def test_a_player_knows_the_number_of_rounds():
    assert [dealt(2, rounds=rounds).view(0)["rounds"] for rounds in (1, 3)] == [1, 3]


def test_the_phase_is_put():
    assert dealt(2).view(1)["phase"] == "put"


def test_stacks_name_all_colours_of_the_game_from_the_start():
    assert dealt(3).view(0)["stacks"] == {"red": 0, "yellow": 0, "green": 0, "blue": 0}


def test_a_new_round_begins_with_empty_stacks():
    position = at_table()
    put(position, "red+red", "red+red", "red+red")
    view = position.view(0)
    assert (set(view["stacks"].values()), view["put"], view["turned_up"]) == ({0}, [], [])


def test_the_card_set_aside_is_not_counted_as_a_pile():
    assert dealt(4).view(0)["pile"] == 0
