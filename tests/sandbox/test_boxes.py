"""Boxes come, stay as long as they are wanted, and go without leaving anything."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sandbox.box import BoxLimits, InfrastructureFault
from sandbox.docker import DockerSandbox
from sandbox.reaper import is_dead, reap
from sandbox.settings import WORKER, BoxSettings, create, started, this_worker
from tests.sandbox.bots import (
    PATIENT,
    READY,
    all_boxes,
    eventually,
    program,
    tarred,
    unavailable,
)

ROOT = Path(__file__).parents[2]
BOT = READY + "for line in sys.stdin: print(line, end='', flush=True)"


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def played(sandbox: DockerSandbox, bot) -> None:
    player = sandbox.open(bot)
    player.start(b"start\n", PATIENT)
    player.close()


def test_a_hundred_legs_leave_no_descriptor_open(kept):
    bot = program(BOT)
    played(kept, bot)
    before = descriptors()
    for _ in range(100):
        played(kept, bot)
    assert eventually(lambda: descriptors() <= before, 5)


def test_fresh_legs_leave_no_descriptor_and_no_box(engine, how):
    worker = f"{this_worker()}/fresh"
    sandbox = DockerSandbox(BoxSettings(how.image, worker=worker), "fresh", engine, ahead=0)
    bot = program(BOT)
    before = descriptors()
    for _ in range(5):
        played(sandbox, bot)
    sandbox.close()
    assert eventually(lambda: descriptors() <= before, 5)
    assert eventually(lambda: not engine.boxes(f"{WORKER}={worker}"), 5)


def test_fresh_boxes_are_started_ahead_and_used_once(engine, how):
    worker = f"{this_worker()}/ahead"
    sandbox = DockerSandbox(BoxSettings(how.image, worker=worker), "fresh", engine, ahead=2)
    try:
        played(sandbox, program(BOT))
        ready = sandbox.fresh.ready[program(BOT).limits]
        assert eventually(lambda: len(ready) == 2, 30)
        first = ready[0]
        player = sandbox.open(program(BOT))
        assert player.wire.box is first
        player.close()
        assert first not in ready
    finally:
        sandbox.close()
    assert eventually(lambda: not engine.boxes(f"{WORKER}={worker}"), 5)


def test_a_box_is_used_again_for_the_same_program_only(kept):
    names = []
    for source in (BOT, BOT, BOT + "#other"):
        player = kept.open(program(source))
        names.append(player.wire.box.name)
        player.close()
    assert names[0] == names[1] != names[2]


def test_a_version_on_two_seats_has_two_boxes(kept):
    with ThreadPoolExecutor(3) as seats:
        players = list(seats.map(lambda _: kept.open(program(BOT)), range(3)))
    assert len({player.wire.box.name for player in players}) == 3
    for player in players:
        assert player.start(b"start\n", PATIENT).line == b"ready"
        player.close()


def test_the_box_used_longest_ago_makes_room(engine, how):
    worker = f"{this_worker()}/few"
    sandbox = DockerSandbox(BoxSettings(how.image, worker=worker), "kept", engine, most=2)
    try:
        for number in range(3):
            played(sandbox, program(f"{BOT}#{number}"))
        assert len(sandbox.kept.idle) == 2
        assert eventually(lambda: len(engine.boxes(f"{WORKER}={worker}")) == 2, 5)
    finally:
        sandbox.close()
    assert eventually(lambda: not engine.boxes(f"{WORKER}={worker}"), 5)


def test_a_waiting_box_that_has_gone_is_replaced(kept, engine):
    bot = program(BOT + "#gone")
    player = kept.open(bot)
    box = player.wire.box
    player.close()
    engine.kill(box.name)
    assert eventually(lambda: box.said(0) == b"", 5)
    player = kept.open(bot)
    assert player.wire.box is not box
    assert player.start(b"start\n", PATIENT).line == b"ready"
    player.close()


def test_a_box_killed_from_outside_is_nobody_s_fault(sandbox, engine):
    player = sandbox.open(program(BOT + "#killed"))
    player.start(b"start\n", PATIENT)
    engine.kill(player.wire.box.name)
    with pytest.raises(InfrastructureFault):
        player.ask(b"question\n", PATIENT)
    player.close()


def test_a_stopped_launcher_costs_a_second_and_its_box(kept, engine):
    player = kept.open(program(BOT + "#stopped"))
    player.start(b"start\n", PATIENT)
    box = player.wire.box
    pid = engine.inspect(box.name)["State"]["Pid"]
    os.kill(pid, signal.SIGSTOP)
    began = time.monotonic()
    assert player.close() == b""
    assert time.monotonic() - began < 3
    assert not box.usable
    assert eventually(lambda: not Path(f"/proc/{pid}").exists(), 5)


WORKER_PROGRAM = """
import sys, time
sys.path.insert(0, {root!r})
from sandbox.docker import DockerSandbox
from sandbox.settings import BoxSettings
from tests.sandbox.bots import *
sandbox = DockerSandbox(BoxSettings({image!r}, lifetime_s={lifetime}), {mode!r}, ahead=1)
player = sandbox.open(program("print(1, flush=True)\\nwhile True: pass"))
player.start(b"start\\n", PATIENT)
print(this_worker(), flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("mode", ["kept", "fresh"])
def test_boxes_go_with_a_worker_that_is_killed(mode, engine, how):
    text = WORKER_PROGRAM.format(root=str(ROOT), image=how.image, mode=mode, lifetime=600)
    with subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE) as worker:
        name = worker.stdout.readline().decode().strip()
        assert engine.boxes(f"{WORKER}={name}")
        worker.kill()
    # One that was just being made for later has never run: it cannot end, and is the reaper's.
    assert eventually(lambda: not running(engine, name), 5)
    reap(engine)
    assert eventually(lambda: not engine.boxes(f"{WORKER}={name}"), 5)


def running(engine, worker):
    return [box for box in engine.boxes(f"{WORKER}={worker}") if box["State"] != "created"]


@pytest.mark.parametrize("mode", ["kept", "fresh"])
def test_a_box_ends_after_its_lifetime(mode, engine, how):
    worker = f"{this_worker()}/short-{mode}"
    settings = BoxSettings(how.image, worker=worker, lifetime_s=3)
    sandbox = DockerSandbox(settings, mode, engine, ahead=0)
    player = sandbox.open(program("while True: pass"))
    assert eventually(lambda: not engine.boxes(f"{WORKER}={worker}"), 10)
    player.close()
    sandbox.close()


def test_the_reaper_takes_the_boxes_of_the_dead_and_the_late_only(engine, how):
    boot, namespace, pid, start = this_worker().split("/")
    dead = f"{boot}/{namespace}/{pid}/{int(start) + 1}"
    made = {
        "dead": create(engine, BoxSettings(how.image, worker=dead), "fresh", BoxLimits()),
        "late": create(engine, BoxSettings(how.image, lifetime_s=-100), "fresh", BoxLimits()),
        "ours": create(engine, how, "fresh", BoxLimits()),
        "elsewhere": create(engine, BoxSettings(how.image, worker="a/b/c/d"), "fresh", BoxLimits()),
    }
    try:
        reap(engine)
        # Another reaper may have been there first, and may still be at it.
        assert eventually(lambda: not all_boxes(engine) & {made["dead"], made["late"]}, 10)
        assert {made["ours"], made["elsewhere"]} <= all_boxes(engine)
    finally:
        for box in made.values():
            engine.remove(box)


@pytest.fixture
def mortal():
    """A process that boxes can be made for, and that can die: nobody may reap them before."""
    with subprocess.Popen(["sleep", "600"]) as process:
        yield process
        process.kill()


def test_a_frozen_box_of_a_dead_worker_can_be_reaped(engine, how, mortal):
    boot, namespace, _, _ = this_worker().split("/")
    worker = f"{boot}/{namespace}/{mortal.pid}/{started(mortal.pid)}"
    sandbox = DockerSandbox(BoxSettings(how.image, worker=worker), "kept", engine)
    player = sandbox.open(program(BOT))
    box = player.wire.box
    if box.freezer.file is None:
        unavailable("this machine does not let us stop a box")
    box.freezer.freeze()
    box.sock.close()
    reap(engine)
    assert box.name in all_boxes(engine)
    mortal.kill()
    mortal.wait()
    reap(engine)
    assert eventually(lambda: not engine.boxes(f"{WORKER}={worker}"), 10)
    player.close()
    sandbox.close()


def test_a_worker_is_dead_only_if_that_is_certain():
    assert not is_dead(this_worker())
    assert not is_dead("")
    assert not is_dead("another-boot/1/2/3")
    assert is_dead(this_worker().rsplit("/", 1)[0] + "/1")


def test_a_build_gives_a_log_and_the_folder(kept):
    built = kept.build(
        tarred({"a.txt": "one"}),
        [["sh", "-c", "tr a-z A-Z < a.txt > b.txt; echo fine"]],
        BoxLimits(calls="strict"),
    )
    assert built.log == "$ sh -c tr a-z A-Z < a.txt > b.txt; echo fine\nfine\n"
    again = kept.build(built.files, [["cat", "{bot}/b.txt"]], BoxLimits())
    assert again.log.endswith("ONE")


def test_a_build_that_fails_says_so(kept):
    built = kept.build(
        tarred({"a": ""}), [["sh", "-c", "echo broken >&2; exit 3"], ["echo", "never"]], BoxLimits()
    )
    assert built.files is None
    assert "broken" in built.log
    assert "never" not in built.log
    missing = kept.build(tarred({"a": ""}), [["no-such-compiler"]], BoxLimits())
    assert missing.files is None


def test_a_build_has_no_network_and_an_end(kept, monkeypatch):
    monkeypatch.setattr("sandbox.docker.BUILD_S", 1)
    source = "import socket, time\ntry: socket.socket()\nexcept OSError as e: print(e, flush=True)\ntime.sleep(60)"
    built = kept.build(tarred({"b.py": source}), [["python3", "b.py"]], BoxLimits())
    assert built.files is None
    assert "Operation not permitted" in built.log
    assert "not done after 1 s" in built.log


def test_what_was_built_can_be_played(sandbox):
    built = sandbox.build(
        tarred({"main.py": "x"}),
        [["sh", "-c", "echo 'print(7, flush=True); input()' > main.py"]],
        BoxLimits(),
    )
    player = sandbox.open(type(program(BOT))(built.files, "built", ("python3", "main.py")))
    assert player.start(b"start\n", PATIENT).line == b"7"
    player.close()


def test_links_out_of_the_folder_are_not_followed(sandbox):
    import io
    import tarfile

    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as tar:
        for name, target in (("out", "/w"), ("up", "../.."), ("in", "data")):
            link = tarfile.TarInfo(name)
            link.type, link.linkname = tarfile.SYMTYPE, target
            tar.addfile(link)
        source = b"import os\nprint(sorted(os.listdir('/w/bot')), sorted(os.listdir('/w')), flush=True)\ninput()"
        for name, text in (
            ("main.py", source),
            ("data", b"x"),
            ("out/evil", b"x"),
            ("../evil", b"x"),
            ("/abs", b"x"),
        ):
            member = tarfile.TarInfo(name)
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text))
    player = sandbox.open(type(program(BOT))(raw.getvalue(), "links", ("python3", "main.py")))
    seen = player.start(b"start\n", PATIENT).line.decode()
    player.close()
    assert "'in'" in seen
    assert "'up'" not in seen
    outside = seen.split("] [")[1]
    assert "evil" not in outside


def test_wanting_too_little_is_an_infrastructure_fault(engine, how):
    with pytest.raises(InfrastructureFault, match="no image"):
        DockerSandbox(BoxSettings("kibitz-box:nothing"), "kept", engine)
    with pytest.raises(InfrastructureFault):
        DockerSandbox(BoxSettings(how.image, runtime="no-such-runtime"), "kept", engine).open(
            program(BOT)
        )
