"""A leg knows nothing of the legs before it, and the probes would see it if it did."""

import json
from pathlib import Path

from sandbox import probes
from sandbox.bot import Bot
from sandbox.kept import KeptBox
from tests.sandbox.bots import PATIENT, program

REMEMBERS = """
import ctypes, json, os, sys
def child():
    pid = os.fork()
    if pid == 0: os._exit(0)
    os.waitpid(pid, 0)
    return pid
seen = [sorted(os.listdir(".")), child(), os.stat(".").st_ino, os.listdir("/proc")]
for number in range(50):
    child()
    open("mark%d" % number, "w").write("mark")
print(json.dumps(seen), flush=True)
input()
"""


def test_kept_boxes_can_be_used_on_this_machine(engine, how):
    verdict = probes.best_mode(engine, how)
    assert verdict.reasons == []
    assert verdict.mode == "kept"


def test_without_an_image_there_is_a_reason_against_kept(engine, how):
    verdict = probes.best_mode(engine, type(how)("kibitz-box:nothing"))
    assert verdict.mode == "fresh"
    assert "does not work here" in verdict.reasons[0]


def test_every_leg_sees_the_same(kept):
    bot = program(REMEMBERS)
    seen = []
    for _ in range(3):
        player = kept.open(bot)
        seen.append(json.loads(player.start(b"start\n", PATIENT).line))
        player.close()
    assert seen[0] == seen[1] == seen[2]
    assert seen[0][:2] == [[], 2]


def test_the_spy_finds_a_word_that_is_there(engine, how):
    """Otherwise it would say nothing that it does not find one of an earlier leg."""
    box = KeptBox(engine, how, probes.spy())
    try:
        leg = probes.Interview(box)
        leg.ask("act 0123456789abcdef")
        assert leg.ask("find " + "0123456789abcdef"[::-1]) is True
        assert leg.ask("find " + "never-written-anywhere"[::-1]) is False
    finally:
        box.close()


def test_any_difference_is_a_reason(engine, how):
    box = KeptBox(engine, how, probes.spy())
    try:
        seen = probes.Interview(box).ask("look")
    finally:
        box.close()
    assert probes.wrong(seen, seen, {}) == []
    assert probes.wrong(seen, seen | {"pid of a child": 9}, {})
    assert probes.wrong(seen, seen | {"counter /proc/stat": "read"}, {"touch /w": None})
    assert probes.wrong(seen, seen | {"/proc/1/status": ["Seccomp:\t0"]}, {})
    assert probes.wrong(seen, seen | {"descriptors": [0, 1, 2, 3]}, {})


COUNTS = """
import array, ctypes, sys, threading
for _ in range(int(sys.stdin.readline())):
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()
print("ready", flush=True)
number, pieces = int(sys.stdin.readline()), []
for line in open("/proc/self/maps"):
    span, rights = line.split()[:2]
    if rights.startswith("rw"):
        begin, end = (int(number, 16) for number in span.split("-"))
        pieces.append(ctypes.string_at(begin, end - begin))
print(sum(array.array("I", piece).count(number) for piece in pieces), flush=True)
input()
"""


def test_no_process_id_of_an_earlier_leg_is_in_memory(engine, how):
    """The process ids of a box count the forks and threads of all its legs, so a leg must not learn one of another."""
    used, new = (KeptBox(engine, how, program(COUNTS)) for _ in range(2))
    try:
        ended(begun(used, threads=20000))
        second = begun(used)
        number = outer_pid(engine, used)
        ended(second)
        third, first = begun(used), begun(new)
        assert number > 20000
        question = b"%d\n" % number
        assert third.ask(question, PATIENT).line == first.ask(question, PATIENT).line
    finally:
        used.close()
        new.close()


def begun(box, threads=0):
    leg = Bot(box.leg(lambda _: None))
    leg.start(b"%d\n" % threads, PATIENT)
    return leg


def ended(leg):
    leg.close()


def outer_pid(engine, box):
    """The process id that a leg's first process has in its box."""
    launcher = engine.inspect(box.name)["State"]["Pid"]
    for pid in Path(f"/proc/{launcher}/task/{launcher}/children").read_text().split():
        status = Path(f"/proc/{pid}/status").read_text()
        numbers = next(line for line in status.splitlines() if line.startswith("NSpid")).split()
        if numbers[-1] == "1":
            return int(numbers[-2])
    raise AssertionError("no leg is running")
