"""Replays are written, read back and found right, whatever the match was like."""

import copy
import json
from collections import Counter

import pytest

from games import GAMES, replay
from games.chance import Chance
from games.seating import seatings
from workers.referee import Limits

TABLES = [
    (name, players, options)
    for name, game in GAMES.items()
    for options in (
        [{"rules": r, "all_zero_trick": z} for r in game.choices["rules"] for z in ("first", "nobody")]
        if name == "sticheln"
        else [{key: value} for key, values in game.choices.items() for value in values]
    )
    for players in game.player_counts(game.complete(options))
]  # fmt: skip


def table_name(table):
    name, players, options = table
    return f"{name}-{players}-{'-'.join(map(str, options.values()))}"


def verify_written(match):
    replay.verify(replay.read(replay.write(match)))


@pytest.mark.parametrize("table", TABLES, ids=table_name)
def test_a_right_replay_of_every_table_is_found_right(replay_with, table):
    match = replay_with(*table, rate=0.01)
    verify_written(match)


@pytest.mark.parametrize("table", [t for t in TABLES if t[1] == 3], ids=table_name)
@pytest.mark.parametrize("rate", [0, 0.5], ids=["no fault", "many faults"])
def test_a_right_replay_is_found_right_however_many_bots_fault(replay_with, table, rate):
    match = replay_with(*table, rate=rate)
    assert bool(match["legs"][0]["faults"]) == bool(rate)
    verify_written(match)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_right_replay_of_all_legs_is_found_right(replay_with, players):
    match = replay_with("color-stock", players, rate=0.05, legs=None)
    assert len(match["legs"]) == len(seatings(players))
    verify_written(match)


@pytest.mark.parametrize("game", ["sticheln", "stop-it"])
def test_a_right_replay_of_all_legs_with_faults_is_found_right(replay_with, game):
    verify_written(replay_with(game, 4, rate=0.005, legs=None))


@pytest.mark.parametrize("kind", replay.FAULT_KINDS)
@pytest.mark.parametrize("game", GAMES)
def test_a_replay_with_a_fault_of_any_kind_is_right(replay_with, game, kind):
    question = 0 if kind == "startup" else 3
    match = replay_with(game, 3, faults={1: {question: kind}})
    (fault,) = match["legs"][0]["faults"]
    assert fault["kind"] == kind
    assert (fault["decision"] == -1) == (kind == "startup")
    verify_written(match)


def test_all_bots_may_fail_to_start(replay_with):
    match = replay_with("sticheln", 3, faults={bot: {0: "startup"} for bot in range(3)})
    (leg,) = match["legs"]
    assert [fault["seat"] for fault in leg["faults"]] == [0, 1, 2]
    assert [event["event"] for event in leg["events"][:4]] == ["faulted"] * 3 + ["round"]
    assert leg["ranks"] == [1, 1, 1]
    verify_written(match)


def test_several_bots_may_fault_at_the_choice_of_pain_cards(replay_with):
    match = replay_with("sticheln", 5, faults={0: {1: "illegal"}, 2: {1: "time"}})
    (leg,) = match["legs"]
    names = [event["event"] for event in leg["events"]]
    assert names[names.index("pain") - 2 : names.index("pain")] == ["faulted", "faulted"]
    assert {fault["decision"] for fault in leg["faults"]} == {0}
    verify_written(match)


def test_several_bots_may_fault_in_one_window(replay_with):
    match = replay_with("stop-it", 4, faults={bot: {2: "illegal"} for bot in range(4)})
    (leg,) = match["legs"]
    together = Counter(fault["decision"] for fault in leg["faults"])
    decision, seats = together.most_common(1)[0]
    assert seats > 1
    assert set(leg["decisions"][decision]["moves"]) <= {"claim", "pass"}
    verify_written(match)


def test_house_moves_have_no_times_and_all_others_have(replay_with):
    match = replay_with("sticheln", 3, faults={1: {4: "crashed"}})
    (leg,) = match["legs"]
    seat, since = leg["faults"][0]["seat"], leg["faults"][0]["decision"]
    for index, decision in enumerate(leg["decisions"]):
        for place, asked in enumerate(decision["seats"]):
            by_house = asked == seat and index >= since
            assert (decision["wall_ms"][place] is None) == by_house


def test_a_cpu_time_may_use_up_the_whole_bank(replay_with):
    match = replay_with("color-stock", 2, {"rounds": 1}, limits=Limits(bank_ms=100))
    first = match["legs"][0]["decisions"][0]
    first["cpu_ms"] = [100]
    third = match["legs"][0]["decisions"][2]
    third["cpu_ms"] = [50.0]
    verify_written(match)


def test_increments_are_saved_without_a_cap(replay_with):
    match = replay_with("color-stock", 2, {"rounds": 1})
    match["limits"] |= {"bank_ms": 0, "increment_ms": 40}
    decisions = match["legs"][0]["decisions"]
    for decision in decisions[:4]:
        decision["cpu_ms"] = [0]
    decisions[4]["cpu_ms"] = [80]
    for decision in decisions[5:]:
        decision["cpu_ms"] = [None]
    verify_written(match)
    decisions[4]["cpu_ms"] = [80.001]
    with pytest.raises(replay.Difference, match=r"decisions\[4\].cpu_ms\[0\] is 80.001"):
        verify_written(match)


@pytest.mark.parametrize("huge", [10**307 * 9, 9e307])
def test_limits_as_large_as_a_double_can_be_are_counted_with(replay_with, huge):
    match = replay_with("color-stock", 2)
    match["limits"] |= {"bank_ms": huge, "increment_ms": huge}
    for decision in match["legs"][0]["decisions"]:
        decision["cpu_ms"] = [0.5]
    verify_written(match)


# -- What is free ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def right(replay_with):
    return replay_with("color-stock", 3, faults={1: {2: "illegal"}}, legs=None)


@pytest.fixture
def match(right):
    return copy.deepcopy(right)


def backwards(value):
    """The same value with the keys of every object in the opposite order."""
    if isinstance(value, dict):
        return {key: backwards(value[key]) for key in reversed(value)}
    return [backwards(item) for item in value] if isinstance(value, list) else value


def test_what_was_written_is_read_back_the_same(match):
    assert replay.read(replay.write(match)) == match


def test_a_replay_is_one_line_of_utf_8(match):
    match["bots"][0]["name"] = "Żółw 🐢"
    written = replay.write(match)
    assert written.count(b"\n") == 1
    assert "Żółw 🐢" in written.decode("utf-8")


def test_the_order_of_keys_is_free(match):
    turned = json.dumps(backwards(match)).encode()
    assert turned.startswith(b'{"legs"')
    replay.verify(replay.read(turned))


def test_spacing_is_free(match):
    replay.verify(replay.read(json.dumps(match, indent="\t").replace("\n", "\r\n").encode()))


def test_escapes_are_free(match):
    escaped = replay.write(match).replace(b"red", rb"\u0072\u0065d").replace(b"+", rb"\u002b")
    assert escaped != replay.write(match)
    replay.verify(replay.read(escaped))


@pytest.mark.parametrize(
    "private",
    [None, 0, "text", [], {"notes": [{"decision": 0, "note": "why"}], "replay": 7}, [[[[{}]]]]],
    ids=str,
)
def test_private_is_accepted_unread(match, private):
    match["private"] = private
    verify_written(match)


def test_debug_output_under_private_may_hold_any_text_and_nesting(match):
    match["private"] = "HERE"
    deep = b"[" * 100 + rb'"\u0000 \ud800 \u001b"' + b"]" * 100
    replay.verify(replay.read(replay.write(match).replace(b'"HERE"', deep)))


@pytest.mark.parametrize(
    "moment",
    [
        "2024-02-29T00:00:00Z",
        "2026-11-18t12:00:00z",
        "2026-11-18T12:00:00.123456789+05:30",
        "2026-06-30T23:59:60Z",
        "0000-12-31T23:59:59-23:59",
    ],
)
def test_every_moment_of_rfc_3339_is_accepted(match, moment):
    match["played_at"] = moment
    verify_written(match)


def test_any_balanced_seating_is_accepted(match):
    assert [leg["seating"] for leg in match["legs"]] == seatings(3)
    swapped = {0: 2, 1: 1, 2: 0}
    for leg in match["legs"]:
        leg["seating"] = [swapped[bot] for bot in leg["seating"]]
    verify_written(match)


def test_a_file_of_one_leg_may_have_any_seating(replay_with):
    match = replay_with("color-stock", 3)
    match["legs"][0]["seating"] = [2, 0, 1]
    verify_written(match)


def test_the_same_bot_may_sit_down_twice(match):
    match["bots"][1] = match["bots"][0]
    verify_written(match)


def test_all_legs_of_a_match_have_the_same_deals(right):
    deals = [
        [event for event in leg["events"] if event["event"] == "dealt"] for leg in right["legs"]
    ]
    assert all(deal == deals[0] for deal in deals)


# -- Examples worked out by hand ------------------------------------------------------------------


def test_the_number_below_m_is_the_next_word_that_is_not_too_large():
    stream = Chance(bytes(32), "stop-it", 3, {"target": 50}).stream("dealer")
    stream._words = iter([2**64 - 1, 2**64 - 2, 7])
    assert stream.below(3) == (2**64 - 2) % 3


def test_the_label_names_game_players_and_all_options():
    options = GAMES["sticheln"].complete({})
    chance = Chance(bytes(32), "sticheln", 4, options)
    assert chance.prefix == "sticheln/4/all_zero_trick=first,rules=sticheln"


# -- What is just in time -------------------------------------------------------------------------


def timed(replay_with, cpu_ms):
    """One leg of Color Stock in which the answers of seat 0 took these CPU times, one after the other."""
    match = replay_with("color-stock", 2, rate=0)
    times = iter(cpu_ms)
    for decision in match["legs"][0]["decisions"]:
        if decision["seats"] == [0]:
            decision["cpu_ms"] = [next(times, 0.0)]
    return match


def test_an_answer_may_use_up_the_bank_to_the_last_thousandth(replay_with):
    limits = replay_with("color-stock", 2, rate=0)["limits"]
    bank, increment = limits["bank_ms"], limits["increment_ms"]
    verify_written(timed(replay_with, [bank, increment, increment]))
    with pytest.raises(replay.Difference, match="what is in the bank"):
        verify_written(timed(replay_with, [bank, increment, increment + 0.001]))


def test_an_answer_may_take_all_of_the_wall_clock(replay_with):
    match = replay_with("color-stock", 2, rate=0)
    match["legs"][0]["decisions"][0]["wall_ms"] = [match["limits"]["wall_ms"]]
    verify_written(match)


@pytest.mark.parametrize("day", ["2026-12-31", "2024-02-29", "2026-04-30", "2026-10-01"])
def test_the_last_day_of_a_month_is_a_day(replay_with, day):
    verify_written(replay_with("color-stock", 2, rate=0) | {"played_at": f"{day}T23:59:60Z"})


def test_two_players_must_change_seats_between_two_legs(replay_with):
    match = replay_with("color-stock", 2, rate=0, legs=None)
    first, second = match["legs"]
    assert first["seating"] != second["seating"]
    second["seating"] = first["seating"]
    with pytest.raises(replay.Difference, match="not balanced"):
        verify_written(match)
