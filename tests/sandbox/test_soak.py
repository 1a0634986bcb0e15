"""Thousands of legs in the same boxes: nothing grows, neither in them nor in us. For `make chaos`."""

from pathlib import Path

import pytest

from games import GAMES
from sandbox.cgroup import Cgroup
from sandbox.docker import DockerSandbox
from sandbox.runtimes.python import PYTHON
from sandbox.settings import BoxSettings, this_worker
from tests.sandbox.bots import PATIENT, program
from workers.referee import play_match

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(3600)]

LEGS = 3000
FIRST_LEGS = 200  # until caches are full
MOST_GROWTH_BYTES = 2 << 20
# As it is; loud; wasteful; with a child that would outlive it.
HABITS = (
    "",
    "sys.stderr.write('x' * 100000)",
    "open('file', 'wb').write(bytes(1 << 20)); hoard = bytearray(30 << 20)",
    "import os, time; os.fork() or time.sleep(600)",
)


def bot(habit):
    [source] = PYTHON.self_test.values()
    return program({"main.py": f"import sys\n{habit}\n{source}"}, "python3", "{bot}/main.py")


def play(sandbox, number):
    bots = [lambda habit=habit: sandbox.open(bot(habit)) for habit in HABITS]
    seed = number.to_bytes(32, "big")
    options = {"rounds": 1}
    [leg] = play_match(GAMES["color-stock"], options, bots, seed, limits=PATIENT, legs=1)
    assert leg.faults == []


def sizes(sandbox):
    """What is in use by each box, and by us: bytes, processes, descriptors."""
    pids = [sandbox.engine.inspect(box.name)["State"]["Pid"] for box in sandbox.kept.idle]
    used = [Cgroup(pid).file("memory", "memory.usage_in_bytes", "memory.current") for pid in pids]
    processes = [Cgroup(pid).file("pids", "pids.current", "pids.current") for pid in pids]
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return {
        "bytes": [pages * 4096, *(int(file.read_text()) for file in used)],
        "processes": [int(file.read_text()) for file in processes],
        "descriptors": len(list(Path("/proc/self/fd").iterdir())),
    }


def test_nothing_grows_however_many_legs_are_played(engine, how):
    worker = f"{this_worker()}/soak"
    sandbox = DockerSandbox(BoxSettings(how.image, worker=worker), "kept", engine)
    try:
        for number in range(FIRST_LEGS):
            play(sandbox, number)
        before = sizes(sandbox)
        for number in range(LEGS):
            play(sandbox, number)
        after = sizes(sandbox)
    finally:
        sandbox.close()
    grown = [now - then for now, then in zip(after.pop("bytes"), before.pop("bytes"), strict=True)]
    assert max(grown) < MOST_GROWTH_BYTES
    assert after == before
