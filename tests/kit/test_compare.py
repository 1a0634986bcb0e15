"""`kibitz compare`: the same deals for both, a verdict in words, and the code that says it."""

import json
import os
import pty
import signal
import subprocess
import sys
import uuid
from pathlib import Path

import pytest
from click.testing import CliRunner

from games import GAMES
from games.seating import exchanged
from kit import cli, compare, local
from tests.ctrl_c import heeded
from tests.deploy.watching import mentioning, until

KIBITZ = Path(sys.executable).with_name("kibitz")
SEED = "5eed" * 16
RANDOM_BOT = local.EXAMPLES / "color-stock" / "python" / "random_bot.py"


def plan(*bots, players=4):
    chosen = GAMES["color-stock"].complete({"rounds": 1})
    return compare.Plan("color-stock", chosen, players, bots, "local", bytes.fromhex(SEED))


def run(*words):
    result = CliRunner().invoke(cli.main, ["compare", *map(str, words), "--seed", SEED])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def said(*words):
    result = run(*words, "--json")
    return result.exit_code, json.loads(result.stdout)


FAST = ("--game", "color-stock", "--option", "rounds=1")


# -- The verdict ----------------------------------------------------------------------------------


def test_a_better_bot_is_found_better_and_the_code_is_0():
    result = run("simple", "random", *FAST, "--players", 2)
    verdict, ahead, points = result.stdout.splitlines()
    assert result.exit_code == 0
    assert verdict.startswith("The new one is better: +")
    assert ahead.startswith("simple finished ahead of random in ")
    assert points.startswith("Points, not rated: +")


def test_a_worse_bot_brings_no_gain_and_the_code_is_1():
    code, report = said("random", "simple", *FAST, "--players", 2)
    assert (code, report["verdict"]) == (1, "no gain")
    assert report["share"] < 0.5
    assert report["elo"]["value"] < 0
    assert report["points_not_rated"]["value"] < 0
    assert report["games"] >= 32


def test_without_an_answer_it_gives_up_after_the_games_it_may_play():
    code, report = said("simple", "random", *FAST, "--games", 8)
    assert (code, report["verdict"], report["games"]) == (3, "too close", 8)


def test_the_same_bot_is_no_gain_and_every_pair_of_games_ends_even():
    code, report = said("simple", "simple", *FAST)
    assert (code, report["verdict"], report["share"]) == (1, "no gain", 0.5)
    assert report["points_not_rated"] == {"value": 0.0, "plus_minus": 0.0}
    assert (report["new"], report["old"]) == ("simple 1", "simple 2")


def test_the_report_says_what_was_compared():
    _, report = said("simple", "random", *FAST, "--games", 2, "--against", "good")
    assert report["against"] == ["good"]
    assert (report["game"], report["players"]) == ("color-stock", 4)
    assert (report["options"], report["seed"]) == ({"rounds": 1}, SEED)
    assert report["faults"] == {}


# -- The units ------------------------------------------------------------------------------------


def test_new_and_old_exchange_seats_and_nobody_else_moves():
    wanted = plan("simple", "random", "good", "simple")
    tables = [compare.table_of(wanted, number) for number in range(40)]
    for table in tables:
        other = exchanged(table, table.index(compare.NEW), table.index(compare.OLD))
        assert sorted(table)[:2] == [compare.NEW, compare.OLD]
        assert table.index(compare.NEW) == other.index(compare.OLD)
        assert [bot for bot in table if bot >= 2] == [bot for bot in other if bot >= 2]
    assert {table.index(compare.NEW) for table in tables} == set(range(4))
    assert {bot for table in tables for bot in table} == {0, 1, 2, 3}


def test_the_deals_of_two_units_differ():
    wanted = plan("simple", "random", players=2)
    bots = [local.example(GAMES["color-stock"], name) for name in wanted.bots]
    units = {compare.play_unit(wanted, bots, number).unit for number in range(6)}
    assert len(units) > 1


@pytest.mark.parametrize("cores", [1, 3])
def test_the_verdict_does_not_depend_on_the_number_of_cores(cores):
    *_, last = compare.compare(plan("simple", "random", "good"), 40, cores, print)
    bots = [local.example(GAMES["color-stock"], name) for name in ("simple", "random", "good")]
    alone = compare.NOTHING.comparison
    for number in range(last.comparison.units):
        alone = alone.plus(compare.play_unit(plan("simple", "random", "good"), bots, number).unit)
    assert last.comparison.evidence == alone.evidence
    assert last.comparison.margin == alone.margin


# -- Bots of one's own ----------------------------------------------------------------------------


def test_bots_of_ones_own_play_in_a_sandbox(tmp_path):
    new = tmp_path / "new_bot.py"
    new.write_text(RANDOM_BOT.read_text(encoding="utf-8"), encoding="utf-8")
    words = (new, "random", *FAST, "--players", 2, "--sandbox", "local", "--games", 4)
    code, report = said(*words)
    assert (code, report["games"], report["faults"]) == (3, 4, {})
    assert report["share"] == 0.5


def test_faults_are_counted_and_explained(tmp_path):
    new = tmp_path / "new_bot.py"
    new.write_text("raise SystemExit(3)", encoding="utf-8")
    result = run(new, "random", *FAST, "--players", 2, "--sandbox", "local")
    assert result.exit_code == 1
    games = result.stdout.splitlines()[0].split()[-2]
    assert f"{new} faulted in {games} of {games} games." in result.stdout
    assert "startup at the start" in result.stderr


def test_the_path_may_say_which_game_it_is():
    result = run(
        RANDOM_BOT, "random", "--players", 2, "-o", "rounds=1", "--games", 2, "--sandbox", "local"
    )
    assert result.exit_code == 3


# -- What is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("good", "simple"), "--game"),
        (("good", "simple", "--game", "chess"), "no game 'chess'"),
        (("good", "deep", *FAST), "no file 'deep'"),
        (("good", "simple", *FAST, "--against", "deep"), "no file 'deep'"),
        (("good", "simple", *FAST, "--players", 5), "2 to 4 players"),
        (("good", "simple", *FAST, "--games", 1), "--games"),
        (("good",), "Missing argument 'OLD'"),
    ],
)
def test_it_says_what_is_wrong_with_its_words(words, says):
    result = run(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr


def test_a_machine_that_fails_is_no_verdict(monkeypatch):
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    result = run(RANDOM_BOT, "random", *FAST, "--sandbox", "docker")
    assert result.exit_code == cli.BROKEN
    assert "Nobody has lost; try again." in result.stderr


@pytest.mark.parametrize(
    ("game", "options", "players"),
    [("color-stock", {}, 4), ("stop-it", {}, 4), ("sticheln", {}, 4)],
)
def test_usually_four_sit_at_a_table(game, options, players):
    assert compare.usual_players(GAMES[game], GAMES[game].complete(options)) == players


# -- Interrupted ----------------------------------------------------------------------------------


def interrupting(monkeypatch, name, after=0):
    """Ctrl-C in the middle of what the crew does, when it has done so often."""
    done, whole = [], getattr(compare.Crew, name)

    def interrupted(crew, *more):
        done.append(name)
        if len(done) > after:
            monkeypatch.setattr(compare.Crew, name, whole)
            raise KeyboardInterrupt
        return whole(crew, *more)

    monkeypatch.setattr(compare.Crew, name, interrupted)


@pytest.mark.parametrize("doing", ["hire", "heard", "in_order", "dismiss"])
def test_an_interruption_before_the_first_result_is_no_verdict(monkeypatch, doing):
    if doing == "dismiss":
        interrupting(monkeypatch, "hire")
    interrupting(monkeypatch, doing)
    result = run("good", "simple", *FAST)
    assert (result.exit_code, result.stdout) == (cli.INTERRUPTED, "")
    assert "Interrupted." in result.stderr


@pytest.mark.parametrize("words", [(), ("--json",)])
def test_an_interruption_leaves_what_is_known_so_far(monkeypatch, words):
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    interrupting(monkeypatch, "heard", after=3)  # one of them said that it is ready
    result = run("good", "simple", *FAST, *words)
    assert result.exit_code == cli.INTERRUPTED
    if words:
        report = json.loads(result.stdout)
        assert (report["verdict"], report["games"]) == (None, 4)
    else:
        assert result.stdout.startswith("Not clear yet: ")
        assert " after 4 games." in result.stdout


def test_who_interrupts_while_all_go_home_is_told_what_is_known(monkeypatch):
    interrupting(monkeypatch, "dismiss")
    result = run("simple", "random", *FAST, "--games", 2)
    assert result.exit_code == cli.INTERRUPTED
    assert result.stdout.startswith("Too close to tell after 2 games")


def test_an_interruption_while_they_start_leaves_nobody_behind():
    mark = uuid.uuid4().hex
    with subprocess.Popen(
        [KIBITZ, "compare", "good", "good", "--game", "sticheln"],
        env=os.environ | {"KIBITZ_MARK": mark},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=heeded,
        text=True,
    ) as process:
        until(
            lambda: len(mentioning(mark)) > 2, 60
        )  # beside it who watches what is shared, and one of the crew
        os.killpg(process.pid, signal.SIGINT)
        printed, said = process.communicate(timeout=60)
    assert (process.returncode, printed) == (cli.INTERRUPTED, "")
    assert said == "\nInterrupted.\n"
    until(lambda: not mentioning(mark))


# -- In a terminal --------------------------------------------------------------------------------


def test_a_terminal_shows_the_progress_and_an_interruption_what_is_known_so_far():
    here, there = pty.openpty()
    words = ["compare", "good", "good", "--game", "sticheln"]  # the slowest there is
    with subprocess.Popen(
        [KIBITZ, *words],
        env=os.environ | {"TERM": "xterm"},
        stdout=subprocess.PIPE,
        stderr=there,
        start_new_session=True,
        preexec_fn=heeded,
        text=True,
    ) as process:
        os.close(there)
        shown = b""
        while b" games: " not in shown:
            shown += os.read(here, 4096)
        os.killpg(process.pid, signal.SIGINT)
        printed, _ = process.communicate(timeout=60)
        os.close(here)
    assert b"evidence" in shown
    assert process.returncode == 130
    assert printed.startswith("Not clear yet: ")
