"""The log of a match: complete, narrow enough, and plain where no colour is wanted."""

import os
import re
import subprocess
import sys
from functools import cache
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from rich.console import Console

from games import GAMES
from games.leg import Answer, Leg
from games.seating import seatings
from games.stop_it import CLAIM, PASS
from kit.table import LETTERS, TerminalTable, short

ROOT = Path(__file__).resolve().parents[2]
BOTS = ["ann", "ben", "cas", "dan", "eve", "fay", "gus", "a-bot-whose-name-has-32-letters!"]
SETTINGS = [
    *(("sticheln", players) for players in range(3, 9)),
    *(("stop-it", players) for players in range(3, 6)),
    *(("color-stock", players) for players in range(2, 5)),
]
every_game = pytest.mark.parametrize(("game", "players"), SETTINGS)


def bots_of(players):
    return BOTS[-players:]


def played_leg(game, players, number=0, faults=None, seed=1):
    """A leg by dice, and the events of each of its decisions. `faults`: decision by seat."""
    dice = Random(seed)
    faults = faults or {}
    position = GAMES[game].deal(players, {}, dice.randbytes(32))
    leg = Leg(position, number, {seat: "startup" for seat in faults if faults[seat] < 0})
    decisions = [list(leg.events)]
    while position.asked:
        now = len(leg.decisions)
        out = {seat: "illegal" for seat in leg.to_answer if faults.get(seat, now + 1) <= now}
        answers = {
            seat: Answer(answer(position, seat, dice), None, 0.0)
            for seat in leg.to_answer
            if seat not in out
        }
        decisions.append(leg.decide(answers, out))
    return leg, decisions


def answer(position, seat, dice):
    if position.phase == "window":
        return CLAIM if dice.random() < 0.1 else PASS
    return dice.choice(position.legal(seat))


def watched(game, decisions, bots, number=0, **console):
    output = StringIO()
    settings = {"width": 80, "color_system": "truecolor", **console}
    table = TerminalTable(GAMES[game], {}, bots, Console(file=output, **settings))
    for events in decisions:
        table.watch(number, events)
    return output.getvalue()


@cache
def log_of(game, players, **console):
    _, decisions = played_leg(game, players)
    return watched(game, decisions, bots_of(players), **console)


# -- Plain and narrow --------------------------------------------------------------------------


@every_game
def test_a_piped_log_has_no_escape_code(game, players):
    assert "\x1b" not in log_of(game, players)


def test_a_terminal_without_colour_gets_no_escape_code():
    assert "\x1b" not in log_of("sticheln", 4, force_terminal=True, no_color=True)


def test_the_environment_can_ask_for_no_colour():
    program = "from kit.table import TerminalTable as T; from games import GAMES\n"
    program += "g = GAMES['color-stock']; p = g.deal(2, {}, bytes(32))\n"
    program += "T(g, {}, ['ann', 'ben']).watch(0, p.opening())"
    for no_color, has_codes in (("1", False), ("", True)):
        environment = os.environ | {"NO_COLOR": no_color, "FORCE_COLOR": "1", "TERM": "xterm"}
        shown = subprocess.run(
            [sys.executable, "-c", program],
            env=environment,
            cwd=ROOT,
            capture_output=True,
            check=True,
        )
        assert (b"\x1b" in shown.stdout) == has_codes


def test_a_terminal_gets_colour():
    assert "\x1b[" in log_of("sticheln", 4, force_terminal=True)


@every_game
def test_the_words_are_the_same_with_and_without_colour(game, players):
    coloured = re.sub(r"\x1b\[[\d;]*m", "", log_of(game, players, force_terminal=True))
    plain = log_of(game, players)
    assert [line.rstrip() for line in coloured.splitlines()] == plain.splitlines()


@every_game
@pytest.mark.parametrize(("terminal", "widest"), [(80, 80), (300, 100)])
def test_no_line_is_wider_than_the_terminal_or_100_columns(game, players, terminal, widest):
    assert max(map(len, log_of(game, players, width=terminal).splitlines())) <= widest


@every_game
def test_where_only_ascii_can_be_written_only_ascii_is(game, players):
    _, decisions = played_leg(game, players)

    class AsciiFile(StringIO):
        encoding = "ascii"

    file = AsciiFile()
    table = TerminalTable(GAMES[game], {}, ["änn", *bots_of(players)[1:]], Console(file=file))
    for events in decisions:
        table.watch(0, events)
    assert file.getvalue().isascii()


def test_a_name_cannot_write_escape_codes():
    _, decisions = played_leg("sticheln", 3)
    log = watched("sticheln", decisions, ["a\x1b[31mnn", "b\nen", "cas"])
    assert "\x1b" not in log
    assert "b?en" in log


def test_every_colour_of_every_game_has_a_letter_of_its_own():
    for game in GAMES.values():
        for rules in (
            ({"rules": "misery"}, {"rules": "sticheln"}) if "rules" in game.choices else [{}]
        ):
            options = game.complete(rules)
            players = game.player_counts(options)[-1]
            colours = {card.split("-")[0] for card in game.deck(players, options)}
            assert len({LETTERS[colour] for colour in colours}) == len(colours)


# -- Complete ----------------------------------------------------------------------------------


@every_game
def test_every_round_shows_all_hands_and_all_scores(game, players):
    leg, decisions = played_leg(game, players)
    log = watched(game, decisions, bots_of(players))
    rounds = len(leg.position.scores)
    assert log.count("── Round ") == rounds
    assert log.count("   Score") == rounds
    for seat, bot in enumerate(seatings(players)[0]):
        name = bots_of(players)[bot][:8]
        rows = re.findall(rf"^ {seat} {re.escape(name)}", log, re.MULTILINE)
        assert len(rows) >= 2 * rounds


@every_game
def test_every_card_played_is_shown(game, players):
    _, decisions = played_leg(game, players)
    log = watched(game, decisions, bots_of(players))
    for number, events in enumerate(rounds_of(decisions)):
        section = log.split("── Round ")[number + 1]
        for event in events:
            if event["event"] in ("pain", "played", "put", "turned_up", "undealt"):
                cards = event.get("cards") or [event["card"]]
                assert all(re.search(rf"\b{short(card)}\b", section) for card in cards), event


def rounds_of(decisions):
    rounds = []
    for event in (event for events in decisions for event in events):
        if event["event"] == "round":
            rounds.append([])
        rounds[-1].append(event)
    return rounds


@pytest.mark.parametrize("players", range(3, 9))
def test_a_trick_takes_two_lines_with_its_taker_marked_and_the_reason_below(players):
    leg, decisions = played_leg("sticheln", players)
    lines = watched("sticheln", decisions, bots_of(players)).splitlines()
    taken = [event for event in leg.events if event["event"] == "taken"]
    rows = [place for place, line in enumerate(lines) if re.match(r" {2,3}\d+ .*◄", line)]
    assert len(rows) == len(taken)
    for place, event in zip(rows, taken, strict=True):
        assert all(short(card) in lines[place] for card in event["cards"])
        assert lines[place].count("▸") == 1
        assert " takes the trick: " in lines[place + 1]
        assert lines[place + 1].endswith(".")
        assert not lines[place + 2].startswith("     ") or "▸" in lines[place + 2]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_sequence_of_stop_it_ends_with_its_reason(players):
    leg, decisions = played_leg("stop-it", players)
    lines = watched("stop-it", decisions, bots_of(players), width=100).splitlines()
    leads = [e for e in leg.events if e["event"] == "played" and not e["forced"]]
    rows = [place for place, line in enumerate(lines) if re.match(r" [ \d]\d[ !] \d ", line)]
    assert len(rows) == len(leads)
    reasons = re.compile("The sequence ends: |takes a Stop It card|has no card left")
    assert all(reasons.search(lines[place + 1]) for place in rows)


def test_a_lead_with_a_stop_it_card_is_marked():
    leg, decisions = played_leg("stop-it", 4)
    log = watched("stop-it", decisions, bots_of(4))
    stopped = sum(event["event"] == "stopped" for event in leg.events)
    assert len(re.findall(r"^ [ \d]\d! \d ", log, re.MULTILINE)) == stopped > 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_turn_of_color_stock_shows_the_stacks_as_bars(players):
    leg, decisions = played_leg("color-stock", players)
    log = watched("color-stock", decisions, bots_of(players))
    turns = [event for event in leg.events if event["event"] in ("put", "turned_up")]
    bars = [line for line in log.splitlines() if re.search(r"R [█·]{6} \d", line)]
    assert len(bars) == len(turns)


# -- Legs, standings and faults ----------------------------------------------------------------


@every_game
def test_the_standings_show_the_ranks_and_totals_of_the_leg(game, players):
    leg, decisions = played_leg(game, players, faults={1: 7})
    log = watched(game, decisions, bots_of(players))
    standings = log.split("Standings of leg 1")[1].splitlines()[1 : players + 1]
    shown = sorted((int(line.split()[0]), line) for line in standings)
    assert [rank for rank, _ in shown] == sorted(leg.ranks)
    for seat, bot in enumerate(seatings(players)[0]):
        [line] = [line for line in standings if bots_of(players)[bot][:8] in line]
        assert int(line.split()[0]) == leg.ranks[seat]
        assert f" {leg.scores[seat]} ".replace("-", "−") in line
        assert ("faulted" in line) == (seat in leg.out)


@every_game
def test_every_fault_is_told_when_it_happens(game, players):
    _, decisions = played_leg(game, players, faults={0: -1, 1: 3})
    log = watched(game, decisions, bots_of(players))
    assert log.count("faulted: from now on the house plays.") == 2
    assert log.index("✗ The bot of") < log.index("── Round 1")


def test_bots_that_fault_one_decision_after_the_other_do_not_share_a_rank():
    leg, decisions = played_leg("stop-it", 3, faults={0: 1, 1: 2, 2: 2})
    standings = watched("stop-it", decisions, ["ann", "ben", "cas"]).split("Standings")[1]
    assert sorted(int(rank) for rank in re.findall(r"^ +(\d)  ", standings, re.M)) == sorted(
        leg.ranks
    )


def test_in_every_leg_the_bots_stand_on_their_seats():
    log = ""
    for number in range(6):
        _, decisions = played_leg("sticheln", 3, number)
        log = watched("sticheln", decisions, ["ann", "ben", "cas"], number)
        assert f"Leg {number + 1}: Sticheln" in log
        seated = re.findall(r"^ \d (ann|ben|cas) ", log, re.MULTILINE)[:3]
        assert seated == [["ann", "ben", "cas"][bot] for bot in seatings(3)[number]]


def test_one_table_shows_one_leg_after_the_other():
    output = StringIO()
    table = TerminalTable(GAMES["color-stock"], {}, ["ann", "ben"], Console(file=output))
    for number in range(2):
        for events in played_leg("color-stock", 2, number)[1]:
            table.watch(number, events)
    assert re.findall(r"Standings of leg (\d)", output.getvalue()) == ["1", "2"]
