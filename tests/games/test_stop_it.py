"""Stop It! by its rules: the deal, the windows, claims, forced cards, the score, what is known."""

from collections import Counter

import pytest

from games.base import Refusal, ranks
from games.cards import value
from games.chance import Chance
from games.stop_it import StopIt

SEED = bytes(range(32))
BOB, MARY, THIRD = range(3)
VIEW_KEYS = {
    "seat", "round", "phase", "hand", "hand_sizes", "scores", "totals",
    "target", "leader", "last", "played", "stop_it", "stop_it_left",
}  # fmt: skip

# Three hands whose cards follow each other from hand to hand; nobody goes out early.
HANDS = [
    ["red-1", "red-8", "yellow-1", "blue-4", "blue-9"],
    ["red-2", "red-9", "yellow-2", "blue-1", "blue-5"],
    ["red-3", "red-10", "yellow-3", "green-1", "green-6"],
]


def dealt(players, seed=SEED, **options):
    return StopIt.deal(players, options, seed)


def at_table(hands=HANDS, *, leader=0, seed=SEED):
    return StopIt.set_up(hands, {}, leader=leader, seed=seed)


def led(card, hands=HANDS, *, leader=0, seed=SEED):
    """A position in the first window of the round."""
    position = at_table(hands, leader=leader, seed=seed)
    position.play([card])
    return position


def all_pass(position):
    return position.play(["pass"] * len(position.asked))


def claims(position, *claimants):
    """Closes a window in which these seats claim."""
    return position.play(["claim" if seat in claimants else "pass" for seat in position.asked])


def names(events):
    return [event["event"] for event in events]


def without_stop_it_cards(hands=HANDS):
    """Seat 0 has just taken the last Stop It card, and leads."""
    more = [hands[0], [*hands[1], "black-10"], [*hands[2], "black-8"]]
    position = led("black-10", more, leader=1)
    claims(position, 2)
    position.play(["black-8"])
    claims(position, 0)
    return position


# -- Players, deck, deal ---------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4, 5])
def test_3_to_5_players(players):
    assert dealt(players).players == players


@pytest.mark.parametrize("players", [0, 1, 2, 6])
def test_other_player_counts_are_refused(players):
    with pytest.raises(Refusal, match=f"3 to 5 players, not {players}"):
        dealt(players)


def test_the_target_is_50_by_default():
    assert StopIt.complete({}) == {"target": 50}


@pytest.mark.parametrize("target", [50, 75, 100])
def test_the_target_may_be_50_75_or_100(target):
    assert StopIt.complete({"target": target}) == {"target": target}


@pytest.mark.parametrize("target", [0, 49, 51, 60, "50", 50.0, True, None])
def test_another_target_is_refused(target):
    with pytest.raises(Refusal, match="one of 50, 75, 100"):
        StopIt.complete({"target": target})


@pytest.mark.parametrize("players", [4, 5])
def test_there_are_five_suits_1_to_10(players):
    suits = ["red", "yellow", "green", "blue", "black"]
    deck = StopIt.deck(players, {"target": 50})
    assert list(deck) == [f"{suit}-{number}" for suit in suits for number in range(1, 11)]


def test_with_3_players_there_is_no_black():
    suits = ["red", "yellow", "green", "blue"]
    deck = StopIt.deck(3, {"target": 50})
    assert list(deck) == [f"{suit}-{number}" for suit in suits for number in range(1, 11)]


@pytest.mark.parametrize(("players", "cards"), [(3, 2), (4, 3), (5, 4)])
def test_stop_it_cards_are_players_minus_1(players, cards):
    assert dealt(players).view(0)["stop_it_left"] == cards


@pytest.mark.parametrize("players", [3, 4, 5])
def test_round_r_is_led_by_seat_r_minus_1_mod_n(players):
    position = dealt(players)
    leaders = [position.asked[0]]
    for _ in range(players + 1):
        position.finish_round([0] * players)
        leaders += position.asked
    assert leaders == [number % players for number in range(players + 2)]


@pytest.mark.parametrize(
    ("players", "sizes"), [(3, [14, 13, 13]), (4, [13, 13, 12, 12]), (5, [10] * 5)]
)
def test_cards_are_dealt_until_none_is_left(players, sizes):
    assert dealt(players).view(0)["hand_sizes"] == sizes


def test_with_3_players_the_leader_has_14_the_others_13():
    position = dealt(3)
    position.finish_round([0, 0, 0])
    assert position.view(0)["hand_sizes"] == [13, 14, 13]


def test_with_4_players_the_leader_and_the_seat_on_its_left_have_13_the_others_12():
    position = dealt(4)
    for _ in range(3):
        position.finish_round([0, 0, 0, 0])
    assert position.view(0)["hand_sizes"] == [13, 12, 12, 13]


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_cards_are_dealt_one_by_one_starting_with_the_leader(number):
    position = dealt(4)
    hands, _ = position.deal_of(number)
    shuffled = position.chance.deal(number, StopIt.deck(4, position.options))
    leader = (number - 1) % 4
    owners = [next(s for s in range(4) if card in hands[s]) for card in shuffled]
    assert owners == [(leader + place) % 4 for place in range(50)]


# -- The first card --------------------------------------------------------------------------------


def test_no_window_before_the_first_card_of_a_round():
    position = at_table()
    assert (position.phase, position.asked) == ("lead", (0,))


def test_the_leader_of_the_round_plays_any_card():
    assert at_table(leader=2).legal(2) == HANDS[2]


def test_a_led_card_is_one_event():
    assert at_table().play(["red-8"]) == [
        {"event": "played", "seat": 0, "card": "red-8", "forced": False}
    ]


# -- The window ------------------------------------------------------------------------------------


def test_after_a_card_every_player_who_has_taken_none_is_asked_at_the_same_time():
    assert led("red-1").asked == (0, 1, 2)


def test_the_one_who_just_played_is_asked_too():
    assert 2 in led("green-1", leader=2).asked


@pytest.mark.parametrize("seat", range(3))
def test_in_a_window_one_may_claim_or_pass(seat):
    assert led("red-1").legal(seat) == ["claim", "pass"]


def test_who_has_taken_a_stop_it_card_is_not_asked_again_this_round():
    position = led("red-1")
    claims(position, 1)
    position.play(["red-9"])
    assert position.asked == (0, 2)


def test_there_is_a_window_after_a_ten_too():
    position = led("red-10", leader=2)
    assert (position.phase, position.asked) == ("window", (0, 1, 2))


def test_a_window_lasts_as_long_as_a_stop_it_card_is_left():
    position = without_stop_it_cards()
    position.play(["blue-9"])
    assert position.phase == "lead"


def test_with_the_last_stop_it_card_left_all_others_are_still_asked():
    position = led("red-1")
    claims(position, 0)
    position.play(["blue-9"])
    assert (position.stop_it_left, position.asked) == (1, (1, 2))


def test_in_the_next_round_everybody_may_claim_again():
    position = without_stop_it_cards()
    position.finish_round([0, 0, 0])
    position.play([position.legal(1)[0]])
    assert (position.asked, position.stop_it_left) == ((0, 1, 2), 2)


# -- A claim ---------------------------------------------------------------------------------------


def test_the_claimant_takes_a_stop_it_card():
    position = led("red-1")
    events = claims(position, 2)
    assert events == [{"event": "stopped", "seat": 2}]
    assert (position.stop_it, position.stop_it_left) == ([False, False, True], 1)


def test_the_claimant_plays_any_card():
    position = led("red-1")
    claims(position, 2)
    assert (position.phase, position.asked, position.legal(2)) == ("lead", (2,), HANDS[2])


def test_the_player_who_just_played_may_claim_and_play_any_card():
    position = led("red-1")
    claims(position, 0)
    assert (position.asked, position.legal(0)) == ((0,), HANDS[0][1:])


def test_on_a_claim_the_next_card_is_not_played():
    position = led("red-1")
    claims(position, 2)
    assert "red-2" in position.hands[1]


def test_on_a_claim_the_old_sequence_is_over():
    position = led("red-1")
    claims(position, 2)
    position.play(["green-6"])
    assert all_pass(position) == []
    assert position.asked == (2,)


def test_the_claimants_card_begins_a_new_sequence():
    position = led("red-1")
    claims(position, 0)
    position.play(["blue-4"])
    assert [event["card"] for event in all_pass(position)] == ["blue-5"]


def test_the_claimant_may_go_on_with_the_old_sequence():
    position = led("red-1")
    claims(position, 1)
    assert position.play(["red-2"])[0]["forced"] is False


def test_after_the_claimants_card_there_is_a_window_again():
    position = led("red-1")
    claims(position, 2)
    position.play(["green-6"])
    assert (position.phase, position.asked) == ("window", (0, 1))


# -- Without a claim -------------------------------------------------------------------------------


def test_without_a_claim_the_next_higher_card_of_the_suit_is_played_by_its_holder_unasked():
    assert all_pass(led("red-1")) == [
        {"event": "played", "seat": 1, "card": "red-2", "forced": True}
    ]


def test_example_after_blue_4_blue_5_is_played_by_whoever_has_it():
    position = led("blue-4")
    assert all_pass(position) == [{"event": "played", "seat": 1, "card": "blue-5", "forced": True}]


def test_the_holder_may_be_the_one_who_just_played():
    position = led("red-8", [["red-8", "red-9", "blue-1"], ["blue-3"] * 2, ["blue-7"] * 2])
    assert all_pass(position)[0]["seat"] == 0


def test_after_the_forced_card_there_is_a_window_again():
    position = led("red-1")
    all_pass(position)
    assert (position.phase, position.asked) == ("window", (0, 1, 2))


def test_the_forced_card_leaves_the_hand():
    position = led("red-1")
    all_pass(position)
    assert position.hands[1] == HANDS[1][1:]


def test_the_sequence_goes_on_card_by_card():
    position = led("red-1")
    cards = [event["card"] for _ in range(2) for event in all_pass(position)]
    assert cards == ["red-2", "red-3"]


def test_else_the_player_who_played_last_plays_any_card():
    position = led("red-1")
    all_pass(position)
    all_pass(position)
    assert all_pass(position) == []
    assert (position.phase, position.asked, position.legal(2)) == ("lead", (2,), HANDS[2][1:])


def test_a_ten_is_always_a_stop():
    position = led("red-10", leader=2)
    assert all_pass(position) == []
    assert position.asked == (2,)


def test_a_card_whose_next_was_played_before_is_a_stop():
    hands = [["blue-3", "blue-4", "red-8"], ["red-9", "red-1"], ["green-1", "green-3"]]
    position = led("blue-4", hands)
    all_pass(position)
    position.play(["blue-3"])
    assert all_pass(position) == []


def test_example_blue_3_stops_since_blue_4_was_played_and_bob_leads_red_8_then_red_9_follows():
    hands = [["red-8", "blue-3", "blue-4", "green-9"], ["red-9", "red-1"], ["green-1", "green-3"]]
    position = led("blue-4", hands, leader=BOB)
    all_pass(position)
    position.play(["blue-3"])
    all_pass(position)
    position.play(["red-8"])
    assert all_pass(position) == [
        {"event": "played", "seat": MARY, "card": "red-9", "forced": True}
    ]


def test_after_the_new_card_there_is_a_window_again():
    position = led("red-10", leader=2)
    all_pass(position)
    position.play(["green-1"])
    assert (position.phase, position.asked) == ("window", (0, 1, 2))


def test_without_stop_it_cards_forced_cards_belong_to_the_decision_before_them():
    position = without_stop_it_cards()
    assert position.play(["red-1"]) == [
        {"event": "played", "seat": 0, "card": "red-1", "forced": False},
        {"event": "played", "seat": 1, "card": "red-2", "forced": True},
        {"event": "played", "seat": 2, "card": "red-3", "forced": True},
    ]
    assert position.asked == (2,)


def test_without_stop_it_cards_forced_cards_may_end_the_round_in_the_decision_before_them():
    hands = [["red-1", "red-3"], ["red-2", "blue-2"], ["green-1"]]
    events = without_stop_it_cards(hands).play(["red-1"])
    assert names(events)[:6] == ["played", "played", "played", "out", "left", "scored"]


def test_with_the_last_stop_it_card_taken_the_claimants_sequence_runs_on_without_a_window():
    position = led("red-1")
    claims(position, 2)
    position.play(["green-6"])
    claims(position, 1)
    events = position.play(["yellow-2"])
    assert [event["card"] for event in events] == ["yellow-2", "yellow-3"]


# -- Several claimants -----------------------------------------------------------------------------


def seed_of(number):
    return number.to_bytes(32, "big")


def test_of_several_claimants_one_is_drawn_evenly_from_the_seed():
    takers = Counter(
        claims(led("red-1", seed=seed_of(number)), 0, 1, 2)[0]["seat"] for number in range(300)
    )
    assert sorted(takers) == [0, 1, 2]
    assert all(75 <= count <= 125 for count in takers.values())


@pytest.mark.parametrize("claimants", [(0, 1), (0, 2), (1, 2), (0, 1, 2)])
def test_the_draw_among_claimants_is_the_seeds(claimants):
    chance = Chance(SEED, "stop-it", 3, {"target": 50})
    taker = claims(led("red-1"), *claimants)[0]["seat"]
    assert taker == chance.claimant(1, 0, claimants)


def test_only_claimants_are_drawn():
    takers = {claims(led("red-1", seed=seed_of(n)), 0, 2)[0]["seat"] for n in range(30)}
    assert takers == {0, 2}


def test_the_draw_depends_on_the_number_of_windows_so_far():
    def taker(number, windows):
        position = led("red-1", seed=seed_of(number))
        for _ in range(windows):
            all_pass(position)
        return claims(position, 0, 1, 2)[0]["seat"]

    assert [taker(n, 0) for n in range(20)] != [taker(n, 1) for n in range(20)]


def test_the_draw_depends_on_nothing_else_that_was_played():
    first = [claims(led("red-1", seed=seed_of(n)), 0, 1, 2) for n in range(20)]
    second = [claims(led("blue-9", seed=seed_of(n)), 0, 1, 2) for n in range(20)]
    assert first == second


def test_the_windows_are_counted_anew_in_each_round():
    position = led("red-1")
    all_pass(position)
    position.finish_round([0, 0, 0])
    position.play([position.legal(1)[0]])
    taker = claims(position, 0, 1, 2)[0]["seat"]
    assert taker == Chance(SEED, "stop-it", 3, {"target": 50}).claimant(2, 0, [0, 1, 2])


def test_the_others_keep_their_right():
    position = led("red-1")
    taker = claims(position, 0, 1, 2)[0]["seat"]
    position.play([position.legal(taker)[0]])
    assert position.asked == tuple(seat for seat in range(3) if seat != taker)


def alone_or_among_others():
    """The same seat takes the card, once as the only claimant."""
    among = led("red-1")
    events = claims(among, 0, 1, 2)
    alone = led("red-1")
    return (among, events), (alone, claims(alone, events[0]["seat"]))


def test_everybody_learns_who_took_the_card_and_no_event_says_who_else_claimed():
    (_, among), (_, alone) = alone_or_among_others()
    assert among == alone


@pytest.mark.parametrize("seat", range(3))
def test_no_view_says_who_else_claimed_or_passed(seat):
    (among, _), (alone, _) = alone_or_among_others()
    assert among.view(seat) == alone.view(seat)


# -- The end of the round --------------------------------------------------------------------------


def ended(hands, first, leader=BOB):
    """Bob leads his only card and is out."""
    events = at_table(hands, leader=leader).play([first])
    return {event["event"]: event for event in events}, events


def scores_of(*hands):
    return ended(hands, hands[0][0])[0]["scored"]["scores"]


def test_the_round_ends_at_once_when_a_hand_is_empty():
    position = at_table([["red-1"], ["red-2", "red-4"], ["blue-1"]])
    events = position.play(["red-1"])
    assert names(events)[:4] == ["played", "out", "left", "scored"]
    assert position.round == 2


def test_a_forced_card_can_empty_a_hand():
    position = led("red-1", [["red-1", "blue-9"], ["red-2"], ["blue-1", "blue-3"]])
    events = all_pass(position)
    assert names(events)[:2] == ["played", "out"]
    assert events[1] == {"event": "out", "seat": 1}


def test_the_player_going_out_scores_10():
    assert scores_of(["red-1"], [], [])[BOB] == 10


def test_plus_1_for_every_card_left_in_the_other_hands_that_is_no_five():
    assert scores_of(["red-1"], ["red-4", "blue-6"], ["blue-10"])[BOB] == 10 + 3


def test_plus_5_for_every_five_left():
    assert scores_of(["red-1"], ["red-5"], ["blue-5"])[BOB] == 10 + 5 + 5


def test_example_bob_goes_out_and_scores_10_for_marys_two_fives():
    fives = scores_of(["red-1"], ["red-5", "blue-5"], [])[BOB]
    assert fives - scores_of(["red-1"], [], [])[BOB] == 10


def test_marys_fives_left_score_nothing_for_mary():
    assert scores_of(["red-1"], ["red-5", "blue-5"], ["blue-1", "blue-2"])[MARY] == 0


def test_every_player_scores_5_for_each_five_in_the_own_pile():
    hands = [["red-5", "blue-4", "green-1"], ["blue-5", "red-6"], ["red-1", "red-3"]]
    position = led("red-5", hands)
    all_pass(position)
    claims(position, 0)
    position.play(["blue-4"])
    events = all_pass(position)
    assert names(events)[:2] == ["played", "out"]
    scored = next(event for event in events if event["event"] == "scored")
    assert scored["scores"] == [5 + 5, 10 + 3 + 5, 0]


def test_the_player_going_out_scores_for_the_own_fives_too():
    assert scores_of(["red-5"], [], [])[BOB] == 10 + 5


def test_several_fives_in_the_own_pile_score_5_each():
    position = led("red-5", [["red-5", "blue-5"], ["red-1"] * 2, ["red-3"] * 2])
    all_pass(position)
    events = position.play(["blue-5"])
    scored = next(event for event in events if event["event"] == "scored")
    assert scored["scores"][BOB] == 10 + 4 + 10


def test_of_the_other_players_the_one_with_the_fewest_cards_left_scores_5():
    assert scores_of(["red-1"], ["red-3", "red-4"], ["blue-3"])[1:] == [0, 5]


def test_nobody_scores_5_if_tied_for_the_fewest_cards_left():
    assert scores_of(["red-1"], ["red-3"], ["blue-3"])[1:] == [0, 0]


def test_a_tie_for_more_than_the_fewest_cards_does_not_matter():
    assert scores_of(["red-1"], ["red-3"], ["blue-3", "blue-4"], ["green-3", "green-4"])[1:] == [
        5, 0, 0,
    ]  # fmt: skip


def test_the_player_going_out_has_no_part_in_the_fewest_cards_left():
    position = led("red-1", [["red-1", "blue-9"], ["red-2"], ["blue-1", "blue-3"]])
    scored = next(event for event in all_pass(position) if event["event"] == "scored")
    assert scored["scores"] == [5, 10 + 3, 0]


def test_hands_left_are_then_shown():
    last, _ = ended([["red-1"], ["red-5", "blue-5"], ["blue-1"]], "red-1")
    assert last["left"] == {"event": "left", "hands": [[], ["red-5", "blue-5"], ["blue-1"]]}


def test_the_events_of_going_out_stand_in_order_with_the_next_deal():
    position = at_table([["red-1"], ["red-5"], ["blue-1"]])
    assert position.play(["red-1"]) == [
        {"event": "played", "seat": 0, "card": "red-1", "forced": False},
        {"event": "out", "seat": 0},
        {"event": "left", "hands": [[], ["red-5"], ["blue-1"]]},
        {"event": "scored", "round": 1, "scores": [16, 0, 0], "totals": [16, 0, 0]},
        *position.opening(),
    ]


# -- The end of the game ---------------------------------------------------------------------------


@pytest.mark.parametrize("target", [50, 75, 100])
def test_the_game_ends_after_the_round_in_which_any_total_is_at_least_the_target(target):
    position = dealt(3, target=target)
    assert names(position.finish_round([0, target, 0])) == ["scored"]
    assert position.over


@pytest.mark.parametrize("target", [50, 75, 100])
def test_the_game_goes_on_while_all_totals_are_below_the_target(target):
    position = dealt(3, target=target)
    position.finish_round([target - 1] * 3)
    assert not position.over


def test_totals_over_several_rounds_reach_the_target():
    position = dealt(3)
    position.finish_round([30, 0, 0])
    position.finish_round([21, 0, 0])
    assert position.over


def test_a_whole_game_ends_only_when_the_target_is_reached():
    position = dealt(4)
    while position.asked:
        position.play([position.legal(seat)[-1] for seat in position.asked])
    before = [sum(column) for column in zip(*position.scores[:-1], strict=True)]
    assert max(before) < 50 <= max(position.totals)


def test_the_highest_total_wins():
    assert ranks([51, 60, 12], {}) == [2, 1, 3]


# -- What a player knows ---------------------------------------------------------------------------


@pytest.mark.parametrize("position", [at_table(), led("red-1")], ids=["lead", "window"])
def test_a_view_has_exactly_its_keys(position):
    assert set(position.view(0)) == VIEW_KEYS


def test_a_player_knows_the_own_hand():
    position = at_table()
    assert [position.view(seat)["hand"] for seat in range(3)] == HANDS


def test_the_holder_of_the_next_card_is_not_shown():
    swapped = [HANDS[0], ["red-3", *HANDS[1][1:]], ["red-2", *HANDS[2][1:]]]
    assert led("red-1").view(0) == led("red-1", swapped).view(0)


def test_a_player_knows_every_card_played_this_round_and_by_whom():
    position = led("red-1")
    all_pass(position)
    assert position.view(2)["played"] == [
        {"seat": 0, "card": "red-1", "forced": False},
        {"seat": 1, "card": "red-2", "forced": True},
    ]


def test_a_player_knows_the_size_of_each_hand():
    assert led("red-1").view(2)["hand_sizes"] == [4, 5, 5]


def test_a_player_knows_who_has_taken_a_stop_it_card():
    position = led("red-1")
    claims(position, 1)
    view = position.view(0)
    assert (view["stop_it"], view["stop_it_left"]) == ([False, True, False], 1)


def test_a_player_knows_all_scores():
    position = dealt(3)
    position.finish_round([1, 2, 3])
    view = position.view(2)
    assert (view["scores"], view["totals"], view["round"]) == ([[1, 2, 3]], [1, 2, 3], 2)


@pytest.mark.parametrize("target", [50, 75, 100])
def test_a_player_knows_the_target(target):
    assert dealt(3, target=target).view(0)["target"] == target


def test_the_leader_is_who_leads_the_round_before_the_first_card():
    assert at_table(leader=2).view(0)["leader"] == 2


def test_the_leader_is_who_played_last():
    position = led("red-1")
    all_pass(position)
    assert position.view(0)["leader"] == 1


def test_the_leader_is_who_took_a_stop_it_card_and_has_not_played_yet():
    position = led("red-1")
    claims(position, 2)
    assert position.view(0)["leader"] == 2


def test_the_leader_after_the_claimants_card_is_who_played_last():
    position = led("red-1")
    claims(position, 2)
    position.play(["red-3"])
    assert position.view(0)["leader"] == 2


def test_last_is_null_before_the_first_card():
    assert at_table().view(0)["last"] is None


def test_last_is_the_card_played_last():
    position = led("red-1")
    all_pass(position)
    assert position.view(0)["last"] == "red-2"


def test_last_is_still_there_when_its_sequence_is_over():
    position = led("red-1")
    claims(position, 2)
    assert position.view(0)["last"] == "red-1"


def test_last_is_null_again_in_a_new_round():
    position = led("red-1")
    position.finish_round([0, 0, 0])
    view = position.view(0)
    assert (view["last"], view["played"], view["stop_it"]) == (None, [], [False] * 3)


@pytest.mark.parametrize(
    ("position", "phase"), [(at_table(), "lead"), (led("red-1"), "window")], ids=["lead", "window"]
)
def test_the_phase_is_lead_or_window(position, phase):
    assert position.view(1)["phase"] == phase


def test_hands_are_dealt_in_the_events_from_seat_0_on_whoever_leads():
    position = dealt(4)
    position.finish_round([0] * 4)
    opening = position.opening()
    assert opening[0] == {"event": "round", "round": 2, "leader": 1}
    assert opening[1:] == [
        {"event": "dealt", "seat": seat, "hand": position.hands[seat]} for seat in range(4)
    ]


# -- The house -------------------------------------------------------------------------------------


def test_in_a_window_the_house_passes():
    assert {led("red-1", seed=seed_of(n)).house_move(0, 1, 2) for n in range(20)} == {"pass"}


def test_a_lead_by_the_house_is_not_forced():
    position = at_table()
    played = position.play([position.house_move(0, 0, 0)])[0]
    assert played["forced"] is False


def test_the_fives_are_the_cards_of_value_5():
    deck = StopIt.deck(5, {"target": 50})
    assert sum(value(card) == 5 for card in deck) == 5
