"""Sticheln by its rules: every cell of the table of rule sets, every ruling, every worked example."""

from collections import Counter
from itertools import pairwise

import pytest

from games.base import Refusal, ranks
from games.cards import colour, value
from games.sticheln import Sticheln, score_of

SEED = bytes(range(32))
RAINBOW = ["red", "yellow", "green", "blue", "purple"]
MISERY_COLOURS = ["green", "brown", "red", "blue", "yellow"]
JILLIAN, ANDREW, SHERI, CONNOR = range(4)
AXEL = 0
PLAYERS_OF = {"stick-em": range(3, 7), "misery": range(3, 8), "sticheln": range(3, 9)}
EVERY_TABLE = [(rules, players) for rules, counts in PLAYERS_OF.items() for players in counts]
EVERY_RULE_SET = list(PLAYERS_OF)
VIEW_KEYS = {
    "seat", "round", "phase", "hand", "hand_sizes", "scores", "totals",
    "rounds", "leader", "undealt", "pain", "trick", "tricks", "taken",
}  # fmt: skip


def dealt(rules, players, seed=SEED):
    return Sticheln.deal(players, {"rules": rules}, seed)


def deck_colours(rules, players):
    deck = Sticheln.deck(players, Sticheln.complete({"rules": rules}))
    return list(dict.fromkeys(colour(card) for card in deck))


def in_play(pain, hands, *, leader=0, left_over=(), **options):
    """Round 1 when the pain cards lie on the table and these hands are left."""
    with_pain = [[card, *hand] for card, hand in zip(pain, hands, strict=True)]
    position = Sticheln.set_up(with_pain, options, leader=leader, left_over=left_over)
    position.play(pain)
    return position


def after_trick(cards, *, leader=0, **options):
    """One trick in order of play, and what its last card led to. Everybody has one card left."""
    players = len(cards)
    hands = [[cards[(seat - leader) % players], "green-3"] for seat in range(players)]
    position = in_play(["green-1"] * players, hands, leader=leader, **options)
    events = [position.play([card]) for card in cards]
    return position, events[-1]


def taker_of(*cards, leader=0, **options):
    _, (_, taken) = after_trick(cards, leader=leader, **options)
    return taken["seat"]


def played_out(position, choose=lambda legal: legal[0]):
    """All events of a game played to its end."""
    events = position.opening()
    while position.asked:
        events += position.play([choose(position.legal(seat)) for seat in position.asked])
    return events


def round_scores(pain, tricks, *, leader=0, **options):
    """The scores of a round of these tricks, each given by seat."""
    hands = [list(cards) for cards in zip(*tricks, strict=True)]
    position = in_play(pain, hands, leader=leader, **options)
    for trick in tricks:
        for _ in trick:
            events = position.play([trick[position.asked[0]]])
    return next(event["scores"] for event in events if event["event"] == "scored")


# -- Players ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "players"), EVERY_TABLE)
def test_stick_em_is_for_3_to_6_players_misery_for_3_to_7_sticheln_for_3_to_8(rules, players):
    assert dealt(rules, players).players == players


@pytest.mark.parametrize(
    ("rules", "players", "span"),
    [
        ("stick-em", 2, "3 to 6"),
        ("stick-em", 7, "3 to 6"),
        ("misery", 2, "3 to 7"),
        ("misery", 8, "3 to 7"),
        ("sticheln", 2, "3 to 8"),
        ("sticheln", 9, "3 to 8"),
    ],
)
def test_other_player_counts_are_refused_and_the_right_ones_named(rules, players, span):
    with pytest.raises(Refusal, match=f"{span} players, not {players}"):
        dealt(rules, players)


# -- The deck --------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize(
    ("rules", "colours"),
    [("stick-em", RAINBOW), ("misery", MISERY_COLOURS), ("sticheln", RAINBOW)],
)
def test_there_are_five_colours_with_3_to_5_players(rules, colours, players):
    assert deck_colours(rules, players) == colours


@pytest.mark.parametrize(
    ("rules", "players", "sixth"),
    [
        ("stick-em", 6, "gray"),
        ("misery", 6, "violet"),
        ("misery", 7, "violet"),
        ("sticheln", 6, "gray"),
        ("sticheln", 7, "gray"),
        ("sticheln", 8, "gray"),
    ],
)
def test_there_is_a_sixth_colour_from_6_players(rules, players, sixth):
    five = MISERY_COLOURS if rules == "misery" else RAINBOW
    assert deck_colours(rules, players) == [*five, sixth]


@pytest.mark.parametrize(
    ("rules", "players", "highest"),
    [
        ("stick-em", 3, 8), ("stick-em", 4, 11), ("stick-em", 5, 14), ("stick-em", 6, 14),
        ("misery", 3, 8), ("misery", 4, 11), ("misery", 5, 14), ("misery", 6, 14),
        ("misery", 7, 17),
        ("sticheln", 3, 8), ("sticheln", 4, 11), ("sticheln", 5, 14), ("sticheln", 6, 14),
        ("sticheln", 7, 17), ("sticheln", 8, 18),
    ],
)  # fmt: skip
def test_every_colour_runs_from_zero_to_the_highest_card(rules, players, highest):
    deck = Sticheln.deck(players, Sticheln.complete({"rules": rules}))
    colours = deck_colours(rules, players)
    assert list(deck) == [f"{name}-{v}" for name in colours for v in range(highest + 1)]


def test_no_deck_needs_more_than_114_cards():
    sizes = [len(Sticheln.deck(n, Sticheln.complete({"rules": r}))) for r, n in EVERY_TABLE]
    assert max(sizes) == 114


# -- The deal --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "players"), [table for table in EVERY_TABLE if table[1] < 8])
def test_15_cards_are_dealt_to_each(rules, players):
    assert dealt(rules, players).view(0)["hand_sizes"] == [15] * players


def test_with_8_players_14_cards_are_dealt_to_each():
    assert dealt("sticheln", 8).view(0)["hand_sizes"] == [14] * 8


@pytest.mark.parametrize(("rules", "players"), [table for table in EVERY_TABLE if table[1] < 7])
def test_up_to_6_players_no_card_is_undealt(rules, players):
    assert dealt(rules, players).view(0)["undealt"] == []


@pytest.mark.parametrize(
    ("rules", "players", "undealt"), [("misery", 7, 3), ("sticheln", 7, 3), ("sticheln", 8, 2)]
)
def test_undealt_are_3_cards_with_7_players_and_2_with_8(rules, players, undealt):
    assert len(dealt(rules, players).view(0)["undealt"]) == undealt


@pytest.mark.parametrize("seat", range(7))
def test_the_undealt_cards_are_shown_to_all_before_the_pain_cards_are_chosen(seat):
    position = dealt("misery", 7)
    view = position.view(seat)
    hands = [card for hand in position.hands for card in hand]
    deck = Sticheln.deck(7, position.options)
    assert (view["phase"], sorted(view["undealt"])) == ("pain", sorted(set(deck) - set(hands)))


def test_the_undealt_cards_are_an_event_after_the_hands():
    position = dealt("sticheln", 8)
    events = position.opening()
    assert [event["event"] for event in events] == ["round", *["dealt"] * 8, "undealt"]
    assert events[-1] == {"event": "undealt", "cards": position.undealt}


def test_without_undealt_cards_there_is_no_such_event():
    events = dealt("sticheln", 3).opening()
    assert [event["event"] for event in events] == ["round", "dealt", "dealt", "dealt"]


def test_the_undealt_cards_stand_in_the_order_of_the_deal():
    position = dealt("sticheln", 7)
    assert position.undealt == position.chance.deal(1, Sticheln.deck(7, position.options))[-3:]


# -- Rounds, and who leads them --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "players"), [table for table in EVERY_TABLE if table[0] != "misery"]
)
def test_stick_em_and_sticheln_have_as_many_rounds_as_players(rules, players):
    position = dealt(rules, players)
    played_out(position)
    assert len(position.scores) == position.view(0)["rounds"] == players


@pytest.mark.parametrize("players", PLAYERS_OF["misery"])
def test_misery_has_5_rounds(players):
    position = dealt("misery", players)
    played_out(position)
    assert len(position.scores) == position.view(0)["rounds"] == 5


@pytest.mark.parametrize("rules", ["stick-em", "sticheln"])
def test_seat_0_leads_round_1(rules):
    position = dealt(rules, 4)
    position.play([position.legal(seat)[0] for seat in position.asked])
    assert position.asked == (0,)


@pytest.mark.parametrize("rules", ["stick-em", "sticheln"])
def test_seat_r_minus_1_leads_round_r(rules):
    events = played_out(dealt(rules, 5))
    leaders = [event["leader"] for event in events if event["event"] == "round"]
    assert leaders == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("rules", EVERY_RULE_SET)
def test_the_leader_of_a_round_plays_its_first_card(rules):
    events = played_out(dealt(rules, 3))
    leaders = [event["leader"] for event in events if event["event"] == "round"]
    first = [after["seat"] for before, after in pairwise(events) if before["event"] == "pain"]
    assert first == leaders


def test_in_misery_the_dealer_leads_round_1():
    position = dealt("misery", 5)
    assert position.opening()[0]["leader"] == position.drawn_dealer == position.leader


def test_miserys_first_dealer_is_drawn_evenly_from_the_seed():
    seeds = [number.to_bytes(32, "big") for number in range(400)]
    dealers = Counter(dealt("misery", 4, seed).leader for seed in seeds)
    assert sorted(dealers) == [0, 1, 2, 3]
    assert all(75 <= count <= 125 for count in dealers.values())


@pytest.mark.parametrize("rules", ["stick-em", "sticheln"])
def test_only_misery_draws_a_dealer(rules):
    assert dealt(rules, 4).drawn_dealer is None


def dealer_after(*scores, first_dealer=0):
    position = dealt("misery", len(scores[0]))
    position.starter = first_dealer
    for round_scores in scores:
        events = position.finish_round(round_scores)
    return next(event["leader"] for event in events if event["event"] == "round")


def test_miserys_next_dealer_has_the_lowest_total():
    assert dealer_after([3, 4, -2, 0]) == 2


def test_the_lowest_total_is_with_the_round_just_played_included():
    assert dealer_after([-5, 0, 0, 0], [1, -7, 0, 0]) == 1


def test_the_lowest_total_counts_before_the_score_of_the_round_just_played():
    assert dealer_after([-9, 0, 0, 0], [1, -7, 0, 0]) == 0


def test_tied_for_the_lowest_total_the_lowest_score_in_the_round_just_played_deals():
    assert dealer_after([0, 5, -9, -1], [-10, 0, 50, -9]) == 0


def test_still_tied_the_first_clockwise_starting_on_the_current_dealers_left_deals():
    assert dealer_after([-1, 5, -9, -1], [-9, 0, 50, -9]) == 3


def test_clockwise_goes_round_the_table():
    assert dealer_after([0, 0, 9, 9], first_dealer=2) == 0


def test_still_tied_the_current_dealer_is_last():
    assert dealer_after([9, 0, 0, 9], first_dealer=1) == 2


def test_with_all_tied_the_player_on_the_dealers_left_deals():
    assert dealer_after([4, 4, 4], first_dealer=2) == 0


def test_the_new_dealer_leads_the_first_trick():
    position = dealt("misery", 4)
    position.finish_round([3, 4, -2, 0])
    position.play([position.legal(seat)[0] for seat in position.asked])
    assert position.asked == (2,)


# -- A trick of zeros only -------------------------------------------------------------------------

ZEROS = ["red-0", "blue-0", "green-0", "yellow-0"]


def test_the_default_rule_set_is_sticheln():
    assert Sticheln.complete({})["rules"] == "sticheln"


@pytest.mark.parametrize(
    ("rules", "default"), [("stick-em", "nobody"), ("misery", "first"), ("sticheln", "first")]
)
def test_all_zero_trick_has_a_default_in_each_rule_set(rules, default):
    complete = Sticheln.complete({"rules": rules})
    assert complete == {"rules": rules, "all_zero_trick": default}


def test_the_default_of_all_zero_trick_without_a_rule_set_is_first():
    assert Sticheln.complete({})["all_zero_trick"] == "first"


@pytest.mark.parametrize("rules", EVERY_RULE_SET)
def test_first_a_trick_of_zeros_only_goes_to_its_leader(rules):
    assert taker_of(*ZEROS, leader=2, rules=rules, all_zero_trick="first") == 2


@pytest.mark.parametrize("rules", EVERY_RULE_SET)
def test_nobody_a_trick_of_zeros_only_is_taken_by_nobody(rules):
    assert taker_of(*ZEROS, leader=2, rules=rules, all_zero_trick="nobody") is None


def test_nobody_the_cards_are_out_of_the_round():
    position, _ = after_trick(ZEROS, all_zero_trick="nobody")
    assert position.view(0)["taken"] == [[], [], [], []]


def test_nobody_the_cards_count_for_nobody():
    scores = round_scores(["red-2", "red-3", "red-4", "red-5"], [ZEROS], all_zero_trick="nobody")
    assert scores == [-2, -3, -4, -5]


def test_nobody_the_same_player_leads_again():
    position, _ = after_trick(ZEROS, leader=3, all_zero_trick="nobody")
    assert (position.asked, position.view(0)["leader"]) == ((3,), 3)


def test_nobody_the_round_ends_if_no_cards_are_left():
    position = in_play(["red-1"] * 4, [[card] for card in ZEROS], all_zero_trick="nobody")
    events = [position.play([card]) for card in ZEROS][-1]
    assert [event["event"] for event in events[:3]] == ["played", "taken", "scored"]


def test_nobody_the_event_says_null_and_the_cards():
    _, (_, taken) = after_trick(ZEROS, all_zero_trick="nobody")
    assert taken == {"event": "taken", "seat": None, "cards": ZEROS}


def test_nobody_the_view_says_null():
    position, _ = after_trick(ZEROS, all_zero_trick="nobody")
    assert position.view(1)["tricks"] == [{"leader": 0, "cards": ZEROS, "taker": None}]


def test_first_the_taker_scores_the_zeros():
    scores = round_scores(["red-2", "red-3", "red-4", "red-5"], [ZEROS], all_zero_trick="first")
    assert scores == [-2 + 3, -3, -4, -5]


@pytest.mark.parametrize("option", ["first", "nobody"])
def test_a_trick_with_one_card_that_is_no_zero_is_no_trick_of_zeros(option):
    assert taker_of("red-0", "blue-0", "green-1", "yellow-0", all_zero_trick=option) == 2


@pytest.mark.parametrize(("rules", "players"), [("misery", 7), ("sticheln", 7), ("sticheln", 8)])
def test_with_7_or_8_players_it_cannot_happen_there_are_six_zeros(rules, players):
    deck = Sticheln.deck(players, Sticheln.complete({"rules": rules}))
    assert sum(value(card) == 0 for card in deck) == 6 < players


# -- The pain card ---------------------------------------------------------------------------------


def test_the_pain_card_is_one_simultaneous_decision_of_all():
    assert dealt("sticheln", 5).asked == (0, 1, 2, 3, 4)


@pytest.mark.parametrize("seat", range(3))
def test_the_pain_card_is_any_card_of_the_hand_a_zero_too(seat):
    position = dealt("sticheln", 3)
    assert position.legal(seat) == position.hands[seat]


def test_a_zero_may_be_the_pain_card():
    position = in_play(["red-0", "blue-0", "blue-2"], [["red-1"], ["red-2"], ["red-3"]])
    assert position.view(0)["pain"] == ["red-0", "blue-0", "blue-2"]


def test_several_players_may_choose_the_same_pain_colour():
    position = in_play(["blue-1", "blue-0", "blue-2"], [["red-1"], ["red-2"], ["red-3"]])
    assert position.phase == "play"


def test_the_choice_is_secret_until_all_have_chosen():
    position = dealt("sticheln", 4)
    assert [position.view(seat)["pain"] for seat in range(4)] == [[None] * 4] * 4


def test_the_leader_of_the_round_is_known_before_the_pain_card_is_chosen():
    position = dealt("misery", 4)
    leader = position.opening()[0]["leader"]
    assert [position.view(seat)["leader"] for seat in range(4)] == [leader] * 4


@pytest.mark.parametrize("seat", range(3))
def test_then_all_pain_cards_are_shown(seat):
    position = dealt("sticheln", 3)
    chosen = [position.legal(seat)[5] for seat in range(3)]
    events = position.play(chosen)
    assert events == [{"event": "pain", "cards": chosen}]
    assert position.view(seat)["pain"] == chosen


def test_the_pain_card_leaves_the_hand():
    position = dealt("sticheln", 3)
    chosen = [position.legal(seat)[5] for seat in range(3)]
    position.play(chosen)
    assert position.view(0)["hand_sizes"] == [14, 14, 14]
    assert all(card not in hand for card, hand in zip(chosen, position.hands, strict=True))


def test_the_pain_card_is_never_played():
    events = played_out(dealt("sticheln", 3))
    first_round = events[: [event["event"] for event in events].index("scored")]
    pain = next(event["cards"] for event in first_round if event["event"] == "pain")
    played = [event["card"] for event in first_round if event["event"] == "played"]
    assert len(played) == 42
    assert not set(pain) & set(played)


def test_the_pain_card_counts_at_scoring():
    scores = round_scores(["red-8", "blue-7", "green-0"], [["red-1", "red-2", "blue-1"]])
    assert scores == [-8, -7, 3]


def test_in_the_example_jillian_has_yellow_andrew_red_and_sheri_and_connor_both_blue():
    pain = ["yellow-2", "red-0", "blue-1", "blue-6"]
    position = in_play(pain, [["red-1"], ["red-2"], ["red-3"], ["red-4"]], rules="stick-em")
    colours = [colour(card) for card in position.view(JILLIAN)["pain"]]
    assert colours == ["yellow", "red", "blue", "blue"]


# -- Playing a trick -------------------------------------------------------------------------------


def test_any_card_may_be_played_there_is_no_duty_to_follow():
    position = in_play(
        ["red-1"] * 3, [["red-5", "blue-2"], ["red-2", "blue-3"], ["red-3", "blue-4"]]
    )
    position.play(["red-5"])
    assert position.legal(1) == ["red-2", "blue-3"]


def test_any_card_may_be_led():
    position = in_play(["red-1"] * 3, [["red-0", "blue-2"], ["red-2"], ["red-3"]])
    assert position.legal(0) == ["red-0", "blue-2"]


def test_the_players_follow_clockwise():
    position = in_play(["red-1"] * 4, [["red-2", "red-3"]] * 4, leader=2)
    seats = []
    for _ in range(4):
        seats += position.asked
        position.play(["red-2"])
    assert seats == [2, 3, 0, 1]


def test_the_lead_colour_is_the_first_cards():
    assert taker_of("red-9", "blue-1", "red-10") == 1


def test_the_lead_colour_is_the_first_cards_even_if_that_is_a_zero():
    assert taker_of("red-0", "red-9", "blue-1") == 2


def test_a_led_zero_leaves_the_trick_to_the_highest_of_its_colour():
    assert taker_of("red-0", "red-4", "red-9") == 2


def test_zeros_are_neutral_a_zero_of_another_colour_takes_nothing():
    assert taker_of("red-1", "blue-0", "green-0") == 0


def test_zeros_are_neutral_a_zero_of_the_lead_colour_takes_nothing():
    assert taker_of("red-0", "red-0", "red-1") == 2


def test_the_highest_of_those_not_of_the_lead_colour_takes_the_trick():
    assert taker_of("red-11", "blue-3", "green-5", "yellow-4") == 2


def test_the_earliest_takes_the_trick_on_a_tie():
    assert taker_of("red-11", "blue-3", "green-5", "yellow-5") == 2


def test_else_the_highest_of_the_lead_colour_takes_the_trick():
    assert taker_of("red-3", "red-11", "red-7") == 1


def test_the_place_in_the_trick_is_counted_from_its_leader():
    assert taker_of("red-3", "red-11", "red-7", leader=2) == 0


def test_the_taker_leads_the_next_trick():
    position, _ = after_trick(["red-3", "red-11", "red-7"], leader=0)
    assert (position.asked, position.view(0)["leader"]) == ((1,), 1)


def test_the_taker_has_all_cards_of_the_trick_in_order_of_play():
    position, _ = after_trick(["red-3", "red-11", "red-7"], leader=2)
    assert position.view(0)["taken"] == [["red-3", "red-11", "red-7"], [], []]


def test_a_round_goes_on_until_all_cards_are_played():
    events = played_out(dealt("sticheln", 8))
    names = [event["event"] for event in events]
    assert names[: names.index("scored")].count("taken") == 13


# -- The score -------------------------------------------------------------------------------------


def test_minus_its_value_for_the_pain_card():
    assert score_of("red-8", []) == -8


def test_minus_its_value_for_every_card_taken_of_the_own_pain_colour():
    assert score_of("red-0", ["red-5", "red-6"]) == -11


def test_a_zero_as_pain_card_costs_nothing():
    assert score_of("red-0", []) == 0


def test_a_zero_taken_of_the_own_pain_colour_is_worth_0():
    assert score_of("red-1", ["red-0"]) == -1


def test_plus_1_for_every_card_taken_that_is_not_of_the_own_pain_colour():
    assert score_of("red-0", ["blue-9", "green-1"]) == 2


def test_plus_1_for_zeros_taken_that_are_not_of_the_own_pain_colour():
    assert score_of("red-0", ["blue-0"]) == 1


def test_the_pain_colours_of_the_others_do_not_matter():
    scores = round_scores(["red-0", "yellow-0", "green-0"], [["red-1", "blue-3", "green-2"]])
    assert scores == [0, 3, 0]


def test_the_highest_total_wins():
    position = dealt("sticheln", 3)
    played_out(position)
    best = position.totals.index(max(position.totals))
    assert ranks(position.totals, {})[best] == 1


def test_the_least_negative_total_wins_if_all_are_negative():
    assert ranks([-7, -3, -12], {}) == [2, 1, 3]


def test_the_totals_are_the_sums_of_all_rounds():
    position = dealt("misery", 4)
    played_out(position)
    assert position.totals == [sum(column) for column in zip(*position.scores, strict=True)]


# -- The worked examples of stick-em ---------------------------------------------------------------


def test_example_andrews_blue_10_takes_the_trick_since_the_yellow_0_is_neutral():
    cards = ["blue-3", "blue-10", "yellow-0", "blue-7"]
    assert taker_of(*cards, leader=JILLIAN, rules="stick-em") == ANDREW


def test_example_connors_red_6_is_the_highest_not_of_the_lead_colour():
    cards = ["yellow-9", "green-5", "red-6", "blue-4"]
    assert taker_of(*cards, leader=ANDREW, rules="stick-em") == CONNOR


def test_example_jillians_red_5_came_before_andrews_yellow_5():
    cards = ["green-11", "red-5", "yellow-5", "green-8"]
    assert taker_of(*cards, leader=CONNOR, rules="stick-em") == JILLIAN


def test_example_the_three_tricks_follow_each_other():
    pain = ["yellow-2", "red-0", "blue-1", "blue-2"]
    hands = [
        ["red-5", "blue-3", "blue-4", "purple-1"],
        ["yellow-5", "yellow-9", "blue-10", "purple-2"],
        ["yellow-0", "green-5", "green-8", "purple-3"],
        ["red-6", "green-11", "blue-7", "purple-4"],
    ]
    position = in_play(pain, hands, leader=JILLIAN, rules="stick-em")
    tricks = [
        ["blue-3", "blue-10", "yellow-0", "blue-7"],
        ["yellow-9", "green-5", "red-6", "blue-4"],
        ["green-11", "red-5", "yellow-5", "green-8"],
    ]
    for trick in tricks:
        for card in trick:
            position.play([card])
    assert position.view(0)["tricks"] == [
        {"leader": JILLIAN, "cards": tricks[0], "taker": ANDREW},
        {"leader": ANDREW, "cards": tricks[1], "taker": CONNOR},
        {"leader": CONNOR, "cards": tricks[2], "taker": JILLIAN},
    ]


def test_example_if_all_play_a_zero_no_one_wins_and_the_same_player_leads_again():
    position, (_, taken) = after_trick(ZEROS, leader=SHERI, rules="stick-em")
    assert (taken["seat"], position.asked) == (None, (SHERI,))


def test_example_jillian_scores_minus_5():
    """Pain card Yellow 2, taken Yellow 5, Yellow 4 and six other cards: 6 - (2 + 5 + 4)."""
    scores = round_scores(
        ["yellow-2", "red-1", "red-2", "red-3"],
        [
            ["green-7", "blue-3", "red-4", "yellow-4"],
            ["yellow-5", "red-0", "blue-0", "green-0"],
        ],
        leader=SHERI,
        rules="stick-em",
    )
    assert scores[JILLIAN] == -5


def test_example_andrew_scores_plus_2():
    """Pain card Red 0, taken Red 2, Red 4, Red 1 and nine other cards: 9 - (0 + 2 + 4 + 1)."""
    scores = round_scores(
        ["green-1", "red-0", "green-2", "green-3"],
        [
            ["yellow-4", "blue-6", "yellow-3", "red-2"],
            ["green-0", "red-4", "red-1", "yellow-0"],
            ["blue-1", "blue-9", "blue-2", "blue-3"],
        ],
        leader=SHERI,
        rules="stick-em",
    )
    assert scores[ANDREW] == 2


# -- The worked examples of misery -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("trick", "best"),
    [
        pytest.param("red-7 red-2 red-11 red-0", "red-11", id="no trump"),
        pytest.param(
            "blue-8 blue-12 green-0 yellow-0", "blue-12", id="an off-colour 0 is no trump"
        ),
        pytest.param("brown-13 brown-15 red-2 yellow-0", "red-2", id="trump beats the lead colour"),
        pytest.param("green-14 red-3 blue-9 brown-9", "blue-9", id="tied trumps: the first played"),
        pytest.param("red-0 blue-0 green-0 yellow-0", "red-0", id="all zeros: the first 0"),
    ],
)
def test_example_of_trick_resolution(trick, best):
    cards = trick.split()
    assert taker_of(*cards, rules="misery") == cards.index(best)


def test_example_axel_scores_3():
    """Pain card Red 4, taken Red 2, Red 5 and 14 other cards: 14 - 4 - 2 - 5."""
    scores = round_scores(
        ["red-4", "violet-1", "violet-2", "violet-3"],
        [
            ["blue-9", "green-3", "red-2", "green-4"],
            ["green-11", "green-1", "green-2", "green-5"],
            ["red-5", "green-0", "brown-0", "blue-0"],
            ["brown-9", "brown-1", "brown-2", "brown-3"],
        ],
        leader=1,
        rules="misery",
    )
    assert scores[AXEL] == 3


# -- What a player knows ---------------------------------------------------------------------------


def test_a_view_has_exactly_its_keys():
    assert set(dealt("sticheln", 4).view(0)) == VIEW_KEYS


def test_a_view_in_play_has_exactly_the_same_keys():
    position, _ = after_trick(["red-3", "red-11", "red-7"])
    assert set(position.view(0)) == VIEW_KEYS


def test_a_player_knows_the_own_hand():
    position = dealt("sticheln", 3)
    assert [position.view(seat)["hand"] for seat in range(3)] == position.hands


def test_a_player_does_not_know_the_other_hands():
    position = dealt("sticheln", 3)
    swapped = [position.hands[0], position.hands[2], position.hands[1]]
    assert Sticheln.set_up(swapped, {}).view(0) == position.view(0)


def test_a_player_knows_every_card_played_in_the_trick_and_by_whom():
    position = in_play(["red-1"] * 3, [["red-2"], ["red-3"], ["red-4"]], leader=2)
    position.play(["red-4"])
    position.play(["red-2"])
    assert position.view(1)["trick"] == [
        {"seat": 2, "card": "red-4"},
        {"seat": 0, "card": "red-2"},
    ]


def test_a_player_knows_every_finished_trick_of_the_round_and_who_took_it():
    position, _ = after_trick(["red-3", "red-11", "red-7"], leader=1)
    assert position.view(0)["tricks"] == [
        {"leader": 1, "cards": ["red-3", "red-11", "red-7"], "taker": 2}
    ]


def test_the_trick_is_empty_when_it_is_finished():
    position, _ = after_trick(["red-3", "red-11", "red-7"])
    assert position.view(0)["trick"] == []


def test_the_cards_taken_stand_trick_by_trick():
    position = in_play(
        ["red-1"] * 3, [["red-2", "blue-2", "blue-9"], ["red-9", "blue-3", "blue-8"], ["red-4"] * 3]
    )
    for card in ["red-2", "red-9", "red-4", "blue-3", "red-4", "blue-2"]:
        position.play([card])
    assert position.view(0)["taken"] == [
        [], ["red-2", "red-9", "red-4"], ["blue-3", "red-4", "blue-2"],
    ]  # fmt: skip


def test_a_player_knows_the_size_of_each_hand():
    position = in_play(["red-1"] * 3, [["red-2"], ["red-3"], ["red-4"]])
    position.play(["red-2"])
    assert position.view(2)["hand_sizes"] == [0, 1, 1]


def test_a_player_knows_the_undealt_cards_in_play_too():
    position = dealt("sticheln", 7)
    undealt = position.undealt
    position.play([position.legal(seat)[0] for seat in position.asked])
    assert position.view(6)["undealt"] == undealt


def test_a_player_knows_all_scores_and_totals():
    position = dealt("sticheln", 3)
    position.finish_round([1, 2, 3])
    position.finish_round([-1, 5, 0])
    view = position.view(1)
    assert (view["scores"], view["totals"]) == ([[1, 2, 3], [-1, 5, 0]], [0, 7, 3])


def test_totals_are_of_finished_rounds_only():
    position, _ = after_trick(["red-3", "red-11", "red-7"])
    view = position.view(0)
    assert (view["scores"], view["totals"]) == ([], [0, 0, 0])


def test_a_new_round_shows_nothing_of_the_tricks_before():
    position = in_play(["red-1"] * 3, [["red-2"], ["red-3"], ["red-4"]])
    for card in ["red-2", "red-3", "red-4"]:
        position.play([card])
    view = position.view(0)
    assert (view["round"], view["phase"], view["pain"], view["trick"]) == (
        2,
        "pain",
        [None] * 3,
        [],
    )
    assert (view["tricks"], view["taken"]) == ([], [[], [], []])


# -- Events ----------------------------------------------------------------------------------------


def test_a_round_opens_with_its_leader_and_every_hand_from_seat_0_on():
    position = dealt("sticheln", 3)
    assert position.opening() == [
        {"event": "round", "round": 1, "leader": 0},
        *({"event": "dealt", "seat": seat, "hand": position.hands[seat]} for seat in range(3)),
    ]


def test_hands_are_dealt_from_seat_0_on_whoever_leads():
    position = dealt("sticheln", 4)
    events = position.finish_round([0, 0, 0, 0])
    assert [event["seat"] for event in events if event["event"] == "dealt"] == [0, 1, 2, 3]


def test_a_card_in_a_trick_is_one_event():
    position = in_play(["red-1"] * 3, [["red-2"], ["red-3"], ["red-4"]])
    assert position.play(["red-2"]) == [{"event": "played", "seat": 0, "card": "red-2"}]


def test_the_last_card_of_a_trick_is_played_then_the_trick_taken():
    _, events = after_trick(["red-3", "red-11", "red-7"])
    assert events == [
        {"event": "played", "seat": 2, "card": "red-7"},
        {"event": "taken", "seat": 1, "cards": ["red-3", "red-11", "red-7"]},
    ]


def test_the_last_card_of_a_round_leads_to_the_scores_and_the_next_deal():
    position = in_play(["red-1"] * 3, [["blue-2"], ["blue-3"], ["blue-4"]])
    for card in ["blue-2", "blue-3"]:
        position.play([card])
    assert position.play(["blue-4"]) == [
        {"event": "played", "seat": 2, "card": "blue-4"},
        {"event": "taken", "seat": 2, "cards": ["blue-2", "blue-3", "blue-4"]},
        {"event": "scored", "round": 1, "scores": [-1, -1, 2], "totals": [-1, -1, 2]},
        *position.opening(),
    ]


def test_the_next_deals_undealt_cards_belong_to_the_decision_that_ended_the_round():
    position = dealt("sticheln", 7)
    events = position.finish_round([0] * 7)
    assert [event["event"] for event in events] == ["scored", "round", *["dealt"] * 7, "undealt"]


def test_the_last_event_of_the_game_is_the_last_score():
    events = played_out(dealt("sticheln", 3))
    assert (events[-1]["event"], events[-1]["round"]) == ("scored", 3)


def test_legal_cards_are_sorted_by_colour_then_value():
    position = dealt("misery", 6)
    place = {card: i for i, card in enumerate(Sticheln.deck(6, position.options))}
    assert all(
        position.legal(seat) == sorted(position.legal(seat), key=place.get) for seat in range(6)
    )
