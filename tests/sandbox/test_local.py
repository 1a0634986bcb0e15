"""Bots as processes of this machine: the same player, with what protection there can be."""

import os
import secrets
import shutil
import time
from contextlib import suppress
from pathlib import Path

import pytest

from games.player import Fault, Limits
from sandbox import local
from sandbox.box import BoxLimits
from tests.sandbox.bots import eventually, program, tarred, unavailable

SHORT = Limits(start_ms=10000, wall_ms=1500, line_bytes=1000)
ECHO = """
import os, subprocess, sys, time
sys.stdin.readline()
print("ready", flush=True)
for line in sys.stdin:
    {act}
    print("answer", line.strip(), flush=True)
"""


@pytest.fixture(params=["bubblewrap", "plain"])
def sandbox(request, monkeypatch):
    if request.param == "bubblewrap" and not local.bubblewrap_works():
        unavailable("bubblewrap does not work here")
    monkeypatch.setattr(local, "bubblewrap_works", lambda: request.param == "bubblewrap")
    sandbox = local.LocalSandbox()
    yield sandbox
    sandbox.close()
    assert not sandbox.folder.exists()


def bot(sandbox, act, *command):
    player = sandbox.open(program(ECHO.format(act=act), *(command or ("python3", "{bot}/main.py"))))
    assert player.start(b"hello\n", SHORT).line == b"ready"
    return player


def descriptors():
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_bot_answers_line_by_line_and_only_its_wall_clock_is_read(sandbox):
    player = bot(sandbox, "pass")
    reply = player.ask(b"hello\n", SHORT)
    assert reply.line == b"answer hello"
    assert reply.cpu_ms is None
    assert 0 <= reply.wall_ms <= SHORT.wall_ms
    player.end(b"end\n")
    player.close()


def test_a_bot_leaves_as_soon_as_its_input_ends(sandbox):
    player = bot(sandbox, "pass")
    player.end(b"end\n")
    began = time.monotonic()
    player.close()
    assert time.monotonic() - began < 1


FAULTS = {
    "ends": ("sys.exit(3)", "crashed"),
    "closes its output": ("os.close(1); time.sleep(9)", "crashed"),
    "sleeps": ("time.sleep(9)", "stalled"),
    "writes a long line": ("print('x' * 1001, flush=True)", "too-long"),
    "leaves a child that holds its output": (
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(9)']); os._exit(0)",
        "crashed",
    ),
    "fills its memory": ("print(len(bytearray(500 << 20)))", "crashed"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_bot_faults_when_it(name, sandbox):
    act, kind = FAULTS[name]
    player = bot(sandbox, act)
    with pytest.raises(Fault) as fault:
        player.ask(b"hello\n", SHORT)
    assert fault.value.kind == kind
    player.close()


def test_a_second_line_is_out_of_turn_at_the_next_question(sandbox):
    player = bot(sandbox, "print('first', flush=True)")
    assert player.ask(b"hello\n", SHORT).line == b"first"
    assert eventually(lambda: bool(player.came) or player.look(), 5)
    with pytest.raises(Fault) as fault:
        player.ask(b"hello\n", SHORT)
    assert fault.value.kind == "out-of-turn"
    player.close()


def test_that_a_bot_has_ended_counts_before_however_much_it_wrote(sandbox):
    act = "print('answer', flush=True); print('x' * 60000, flush=True); sys.exit()"
    player = bot(sandbox, act)
    assert player.ask(b"one\n", SHORT).line == b"answer"
    os.waitid(os.P_PID, player.wire.pid, os.WEXITED | os.WNOWAIT)
    with pytest.raises(Fault) as fault:
        player.ask(b"two\n", SHORT)
    assert fault.value.kind == "crashed"
    player.close()


def test_a_bot_that_never_stops_writing_is_out_of_turn(sandbox):
    player = bot(sandbox, "print('answer', flush=True)\n    while True: print('x' * 999)")
    assert player.ask(b"one\n", SHORT).line == b"answer"
    assert eventually(lambda: bool(player.poll.poll(0)), 5)
    with pytest.raises(Fault) as fault:
        player.ask(b"two\n", SHORT)
    assert fault.value.kind == "out-of-turn"
    player.close()


def test_ten_megabytes_of_debug_output_are_no_fault_and_kept_at_both_ends(sandbox):
    act = "sys.stderr.write('first ' + 'x' * (10 << 20) + ' last'); sys.stderr.flush()"
    player = bot(sandbox, act)
    assert player.ask(b"hello\n", SHORT).line == b"answer hello"
    debug = player.close()
    assert debug.startswith(b"first xxx")
    assert debug.endswith(b"xxx last")
    assert len(debug) < 70_000


def test_a_program_that_is_not_there_is_a_fault_at_the_start(sandbox):
    player = sandbox.open(program("", "/no/such/program"))
    with pytest.raises(Fault):
        player.start(b"hello\n", SHORT)
    player.close()


def test_a_bot_gets_nothing_of_our_environment(sandbox, monkeypatch):
    monkeypatch.setenv("KIBITZ_TOKEN", "secret")
    player = bot(sandbox, "line = ' '.join(sorted(os.environ))")
    assert b"KIBITZ_TOKEN" not in player.ask(b"hello\n", SHORT).line
    player.close()


def test_every_leg_begins_in_an_empty_folder(sandbox):
    for _ in range(2):
        player = bot(sandbox, "line = str(os.listdir('.')); open('mark', 'w').close()")
        assert player.ask(b"hello\n", SHORT).line == b"answer []"
        player.close()


def test_no_process_and_no_descriptor_is_left(sandbox):
    bot(sandbox, "pass").close()
    before = descriptors()
    mark = secrets.randbelow(10**9)  # other tests start processes, too
    for _ in range(5):
        player = bot(sandbox, f"subprocess.Popen(['sleep', '97.{mark}'])")
        player.ask(b"hello\n", SHORT)
        player.close()
    assert descriptors() == before
    assert eventually(lambda: not any(b"97.%d" % mark in line for line in processes()), 5)


def processes():
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            yield (process / "cmdline").read_bytes()


def test_bubblewrap_shows_no_network_no_home_and_no_other_process(sandbox, tmp_path):
    if sandbox.mode != "bubblewrap":
        assert "ordinary programs" in local.NOT_PROTECTED[sandbox.mode]
        return
    (tmp_path / "secret").write_text("secret")
    act = (
        "import socket; line = str([os.path.exists('/root/.ssh'), os.path.exists('%s'), "
        "len([p for p in os.listdir('/proc') if p.isdigit()]) < 5, "
        "socket.socket().connect_ex(('127.0.0.1', 9)) != 0])" % (tmp_path / "secret")
    )
    player = bot(sandbox, act)
    assert player.ask(b"hello\n", SHORT).line == b"answer [False, False, True, True]"
    player.close()


def test_a_build_gives_its_log_and_its_folder(sandbox):
    built = sandbox.build(
        tarred({"a.txt": "a"}),
        [["python3", "-c", "print('built'); open('b.txt', 'w').write('b')"]],
        BoxLimits(),
    )
    assert "built" in built.log
    assert built.files


def test_a_build_reaches_no_further_than_a_bot(sandbox, tmp_path):
    (tmp_path / "secret").write_text("secret")
    look = f"import os; print(os.path.exists('{tmp_path}/secret'))"
    built = sandbox.build(tarred({"a.txt": "a"}), [["python3", "-c", look]], BoxLimits())
    assert built.log.endswith("False\n" if sandbox.mode == "bubblewrap" else "True\n")


def test_a_build_that_fails_gives_its_log_and_nothing_else(sandbox):
    built = sandbox.build(tarred({"a.txt": "a"}), [["python3", "-c", "1/0"]], BoxLimits())
    assert "ZeroDivisionError" in built.log
    assert built.files is None


def test_a_compiler_that_is_not_there_is_said_in_the_log(sandbox):
    assert not shutil.which("no-such-compiler")
    built = sandbox.build(tarred({"a.txt": "a"}), [["no-such-compiler"]], BoxLimits())
    assert "no-such-compiler" in built.log
    assert built.files is None
