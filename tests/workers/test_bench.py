"""The bench of a worker: the sandbox that its setting asks for, and nothing less safe instead."""

import os
import threading

import pytest

from games import GAMES
from games.player import Limits
from sandbox.box import InfrastructureFault
from sandbox.choice import engine_answers
from tests.sandbox.bots import eventually, unavailable
from workers.bench import open_bench, own_cores
from workers.contract import CheckTicket
from workers.jobs import NoProgram
from workers.referee import play_match


def upkeep():
    return {thread for thread in threading.enumerate() if thread.name == "upkeep"}


def test_in_boxes_a_match_is_played_and_the_boxes_are_kept_up_meanwhile(site, tmp_path):
    if not engine_answers():
        unavailable("no Docker engine answers")
    before = upkeep()
    bench = open_bench("docker", tmp_path)
    try:
        assert bench.sandbox.mode == "kept"
        assert bench.languages["python"].startswith("Python 3.")
        assert upkeep() > before
        program = bench.program(site.quick_bot, "bot.py")
        bots = [lambda: bench.sandbox.open(program)] * 2
        limits = Limits(start_ms=30_000, wall_ms=30_000)
        [leg] = play_match(
            GAMES["color-stock"], {"rounds": 1}, bots, b"s" * 32, limits=limits, legs=1
        )
        assert leg.faults == []
        assert leg.leg.decisions[0]["cpu_ms"][0] is not None
    finally:
        bench.close()
    assert eventually(lambda: upkeep() <= before, 60)


def test_boxes_have_the_runtime_of_the_setting(tmp_path, caplog):
    if not engine_answers():
        unavailable("no Docker engine answers")
    before = upkeep()
    bench = open_bench("docker", tmp_path, "no-such-runtime")
    try:
        assert bench.sandbox.mode == "fresh"
        assert "no-such-runtime" in caplog.text
    finally:
        bench.close()
    assert eventually(lambda: upkeep() <= before, 60)


def test_boxes_run_on_the_cores_of_their_worker():
    all_of_them = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {max(all_of_them)})
        assert own_cores() == ("" if os.cpu_count() == 1 else str(max(all_of_them)))
    finally:
        os.sched_setaffinity(0, all_of_them)


def test_local_processes_need_no_upkeep(tmp_path):
    before = upkeep()
    bench = open_bench("local", tmp_path)
    assert bench.sandbox.mode in ("bubblewrap", "plain")
    assert upkeep() <= before
    bench.close()


@pytest.mark.parametrize("choice", ["auto", "docker"])
def test_an_engine_that_is_down_is_not_passed_over(choice, tmp_path, monkeypatch):
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    with pytest.raises(InfrastructureFault):
        open_bench(choice, tmp_path)


def test_a_bot_that_will_not_build_is_no_fault_of_the_sandbox(tmp_path):
    bench = open_bench("local", tmp_path)
    with pytest.raises(NoProgram, match="cannot be built here"):
        bench.program(b"nothing", "notes.txt")
    bench.close()


def test_a_language_that_is_not_here_is_no_fault_of_the_bot(site, tmp_path):
    bench = open_bench("local", tmp_path)
    bench.languages = {"python": "Python 3"}
    source = b"int main() { return 0; }"
    site.add_check("c1", source, "bot.c")
    ticket = CheckTicket(id="c1", attempt=1, lease_s=30.0, **site.jobs["check", "c1"].ticket)
    try:
        with pytest.raises(NoProgram, match="there is no C here yet, only Python"):
            bench.check(ticket, source, lambda line: None)
    finally:
        bench.close()
