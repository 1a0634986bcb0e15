"""One leg: what answers and faults lead to, and what a replay keeps of them."""

import pytest

from games import GAMES, game_named
from games.chance import Stream
from games.leg import Answer, Leg

SEED = bytes(range(32))
PLAYERS = 3
EVERY_GAME = pytest.mark.parametrize("game", GAMES)
NOBODY = {}


def leg_of(game, at_startup=NOBODY, *, number=0, players=PLAYERS):
    return Leg(game_named(game).deal(players, {}, SEED), number, at_startup)


def answers(leg):
    """The first legal move of every seat that must be asked."""
    return {seat: Answer(leg.position.legal(seat)[0], 0.5, 1.5) for seat in leg.to_answer}


def decide(leg, *faulting):
    """One decision in which these seats fault and all others answer."""
    good = {seat: answer for seat, answer in answers(leg).items() if seat not in faulting}
    return leg.decide(good, dict.fromkeys(faulting, "illegal"))


def finish(leg):
    while leg.position.asked:
        decide(leg)
    return leg


def faulted(events):
    return [event for event in events if event["event"] == "faulted"]


# -- A leg without faults --------------------------------------------------------------------------


@EVERY_GAME
def test_a_leg_begins_with_the_opening_of_round_1(game):
    leg = leg_of(game)
    assert leg.events == leg.position.opening()


@EVERY_GAME
def test_a_decision_gives_the_events_that_it_adds(game):
    leg = leg_of(game)
    before = list(leg.events)
    assert leg.events == before + decide(leg)


def test_a_decision_is_kept_with_seats_moves_and_times():
    leg = leg_of("color-stock")
    leg.decide({0: Answer("red+red", 0.25, 3.0)}, {})
    assert leg.decisions == [
        {"seats": [0], "moves": ["red+red"], "cpu_ms": [0.25], "wall_ms": [3.0]}
    ]


def test_a_move_without_a_cpu_clock_has_null_for_it():
    leg = leg_of("color-stock")
    leg.decide({0: Answer("red+red", None, 3.0)}, {})
    assert (leg.decisions[0]["cpu_ms"], leg.decisions[0]["wall_ms"]) == ([None], [3.0])


def test_a_simultaneous_decision_is_one_decision_of_ascending_seats():
    leg = leg_of("sticheln")
    moves = {seat: leg.position.legal(seat)[seat] for seat in range(3)}
    leg.decide({seat: Answer(moves[seat], None, 0) for seat in (2, 0, 1)}, {})
    assert leg.decisions[0]["seats"] == [0, 1, 2]
    assert leg.decisions[0]["moves"] == [moves[0], moves[1], moves[2]]


@EVERY_GAME
def test_the_scores_are_the_totals(game):
    leg = finish(leg_of(game))
    assert leg.scores == leg.position.totals


@EVERY_GAME
def test_without_faults_the_ranks_follow_the_totals(game):
    leg = finish(leg_of(game))
    assert leg.ranks == [1 + sum(other > own for other in leg.scores) for own in leg.scores]


@EVERY_GAME
def test_without_faults_there_is_no_fault_to_show(game):
    leg = finish(leg_of(game))
    assert (leg.faults, faulted(leg.events)) == ([], [])


# -- The house plays on ----------------------------------------------------------------------------


@EVERY_GAME
def test_from_a_fault_on_the_bot_is_not_asked_again(game):
    leg = leg_of(game)
    decide(leg, 0)
    while leg.position.asked:
        assert 0 not in leg.to_answer
        decide(leg)


@EVERY_GAME
def test_the_leg_is_played_to_its_end_by_the_house_alone(game):
    leg = leg_of(game, dict.fromkeys(range(PLAYERS), "startup"))
    while leg.position.asked:
        assert leg.to_answer == []
        leg.decide({}, {})
    assert leg.position.over


def test_the_house_plays_the_faulty_move_itself():
    leg = leg_of("color-stock", number=2)
    legal = leg.position.legal(0)
    index = leg.position.chance.house(2, 0, 0, len(legal))
    leg.decide({}, {0: "illegal"})
    assert leg.decisions[0]["moves"] == [legal[index]]


def test_the_house_plays_every_later_move_with_a_draw_of_its_own():
    leg = leg_of("color-stock", {0: "startup"})
    expected, moves = [], []
    for decision in range(12):
        (seat,) = leg.position.asked
        legal = leg.position.legal(seat)
        decide(leg)
        if seat == 0:
            expected.append(legal[leg.position.chance.house(0, decision, 0, len(legal))])
            moves += leg.decisions[-1]["moves"]
    assert moves == expected


def test_house_moves_differ_from_leg_to_leg():
    def moves(number):
        leg = leg_of("color-stock", {0: "startup"}, number=number)
        decide(leg)
        return leg.decisions[0]["moves"]

    assert len({tuple(moves(number)) for number in range(6)}) > 1


def test_in_a_window_the_house_passes():
    leg = leg_of("stop-it", {1: "startup"})
    decide(leg)
    leg.decide({0: Answer("pass", 0, 0), 2: Answer("pass", 0, 0)}, {})
    assert leg.decisions[1]["moves"] == ["pass", "pass", "pass"]


def test_in_a_window_the_house_passes_for_a_faulty_answer():
    leg = leg_of("stop-it")
    decide(leg)
    leg.decide({0: Answer("pass", 0, 0), 2: Answer("pass", 0, 0)}, {1: "crashed"})
    assert leg.decisions[1]["moves"][1] == "pass"


def test_a_lead_by_the_house_is_not_forced():
    leg = leg_of("stop-it", {0: "startup"})
    (played,) = leg.decide({}, {})
    assert played["forced"] is False


def test_a_house_move_has_null_times():
    leg = leg_of("sticheln")
    good = {seat: answer for seat, answer in answers(leg).items() if seat != 1}
    leg.decide(good, {1: "time"})
    assert leg.decisions[0]["cpu_ms"] == [0.5, None, 0.5]
    assert leg.decisions[0]["wall_ms"] == [1.5, None, 1.5]


def test_the_answers_of_the_others_count_at_a_decision_with_a_fault():
    leg = leg_of("sticheln")
    chosen = [leg.position.legal(seat)[4] for seat in range(3)]
    leg.decide({0: Answer(chosen[0], 0, 0), 2: Answer(chosen[2], 0, 0)}, {1: "time"})
    assert leg.decisions[0]["moves"][::2] == chosen[::2]


def test_the_others_are_still_asked():
    leg = leg_of("sticheln")
    decide(leg, 1)
    asked = []
    while len(leg.decisions) < 4:
        asked += leg.to_answer
        decide(leg)
    assert asked == [0, 2]


# -- What is said of a fault -----------------------------------------------------------------------


def test_faulted_of_a_pain_choice_stands_directly_before_pain():
    leg = leg_of("sticheln")
    events = decide(leg, 1)
    assert [event["event"] for event in events] == ["faulted", "pain"]
    assert events[0] == {"event": "faulted", "seat": 1}


def test_several_stand_in_order_of_seats():
    leg = leg_of("sticheln")
    events = leg.decide({0: answers(leg)[0]}, {2: "time", 1: "illegal"})
    assert [event.get("seat") for event in events[:2]] == [1, 2]


def test_faulted_at_start_up_stands_before_the_first_round():
    leg = leg_of("sticheln", {2: "startup", 0: "startup"})
    assert leg.events[:3] == [
        {"event": "faulted", "seat": 0},
        {"event": "faulted", "seat": 2},
        {"event": "round", "round": 1, "leader": 0},
    ]


def test_faulted_in_a_window_stands_before_its_events():
    leg = leg_of("stop-it")
    decide(leg)
    events = leg.decide({0: Answer("pass", 0, 0), 2: Answer("claim", 0, 0)}, {1: "stalled"})
    assert events == [{"event": "faulted", "seat": 1}, {"event": "stopped", "seat": 2}]


def test_a_bot_faults_once():
    leg = leg_of("color-stock", {0: "startup"})
    finish(leg)
    assert faulted(leg.events) == [{"event": "faulted", "seat": 0}]


def test_a_fault_is_kept_with_decision_seat_and_kind():
    leg = leg_of("color-stock")
    decide(leg)
    leg.decide({}, {1: "too-long"})
    assert leg.faults == [{"decision": 1, "seat": 1, "kind": "too-long"}]


def test_a_fault_at_start_up_has_decision_minus_1():
    leg = leg_of("color-stock", {1: "startup"})
    assert leg.faults == [{"decision": -1, "seat": 1, "kind": "startup"}]


def test_faults_stand_in_order_of_decision_then_seat():
    leg = leg_of("sticheln", {2: "startup"})
    leg.decide({}, {1: "time", 0: "illegal"})
    assert [(fault["decision"], fault["seat"]) for fault in leg.faults] == [(-1, 2), (0, 0), (0, 1)]


# -- Ranks with faults -----------------------------------------------------------------------------


@EVERY_GAME
def test_a_faulted_bot_ranks_behind_all_who_did_not_fault(game):
    leg = leg_of(game)
    decide(leg, 0)
    assert finish(leg).ranks[0] == PLAYERS


def test_of_several_the_one_that_faulted_earlier_ranks_lower():
    leg = leg_of("color-stock")
    decide(leg, 0)
    decide(leg, 1)
    assert finish(leg).ranks == [3, 2, 1]


def test_at_the_same_decision_they_are_equal():
    leg = leg_of("sticheln")
    decide(leg, 0, 2)
    assert finish(leg).ranks == [2, 1, 2]


def test_if_all_fault_at_the_same_decision_all_are_first():
    leg = leg_of("sticheln")
    decide(leg, 0, 1, 2)
    assert finish(leg).ranks == [1, 1, 1]


def test_if_all_fail_at_start_up_all_are_first():
    leg = leg_of("sticheln", dict.fromkeys(range(3), "startup"))
    assert finish(leg).ranks == [1, 1, 1]


def test_if_all_fault_one_after_the_other_the_last_is_first():
    leg = leg_of("color-stock")
    for seat in range(3):
        decide(leg, seat)
    assert finish(leg).ranks == [3, 2, 1]


def test_a_fault_at_start_up_is_earlier_than_one_at_the_first_decision():
    leg = leg_of("color-stock", {2: "startup"})
    decide(leg, 0)
    assert finish(leg).ranks == [2, 1, 3]


def test_a_fault_at_the_last_decision_counts_too():
    leg = leg_of("sticheln")
    rounds, decisions_a_round = 3, 1 + 14 * 3
    for _ in range(rounds * decisions_a_round - 1):
        decide(leg)
    (seat,) = leg.position.asked
    decide(leg, seat)
    assert leg.position.over
    assert leg.ranks[seat] == 3


def test_the_scores_are_as_played_whoever_played():
    leg = leg_of("color-stock")
    decide(leg, 0)
    finish(leg)
    assert leg.scores == [sum(column) for column in zip(*leg.position.scores, strict=True)]


@pytest.mark.parametrize("game", list(GAMES.values()), ids=list(GAMES))
def test_the_house_draws_by_leg_decision_and_seat_in_every_game(game):
    position = game.deal(game.player_counts(game.complete({}))[0], {}, bytes(range(32)))
    [seat, *_] = position.asked
    legal = position.legal(seat)
    for leg, decision in [(0, 0), (0, 7), (5, 0), (3, 11)]:
        label = f"{position.chance.prefix}/house/{leg}/{decision}/{seat}"
        place = Stream(bytes(range(32)), label).below(len(legal))
        assert position.house_move(leg, decision, seat) == legal[place]
