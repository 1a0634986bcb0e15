"""What a box bears without a fault: floods, orphans, killed children, bots that think out of turn."""

import textwrap
import time

from sandbox.cgroup import RESTLESS_NS
from tests.sandbox.bots import PATIENT, READY, eventually, own_boxes, program, unavailable


def bot(source: str) -> str:
    return READY + textwrap.dedent(source)


def test_never_reading_is_no_fault_by_itself(opened):
    """A question that cannot be written waits; an answer may come all the same."""
    player = opened(
        "import time\nprint(0, flush=True)\ntime.sleep(1)\nprint(1, flush=True)\ntime.sleep(60)"
    )
    player.start(b"start\n", PATIENT)
    reply = player.ask(b"x" * 5_000_000 + b"\n", PATIENT)
    assert reply.line == b"1"
    assert reply.wall_ms < PATIENT.wall_ms / 2  # the answer is seen while the question waits


def test_a_killed_child_alone_is_no_fault(opened):
    player = opened(
        bot(
            """
            for _ in sys.stdin:
                if os.fork() == 0:
                    hoard = []
                    while True: hoard.append(bytearray(1 << 20))
                os.wait()
                print("alive", flush=True)
            """
        )
    )
    player.start(b"start\n", PATIENT)
    assert player.ask(b"question\n", PATIENT).line == b"alive"
    assert player.wire.out_of_memory()


def test_of_ten_megabytes_of_debug_output_both_ends_are_kept(opened):
    player = opened(
        bot(
            """
            for _ in sys.stdin:
                sys.stderr.write("first" + "x" * (10 << 20) + "last")
                sys.stderr.flush()
                print("done", flush=True)
            """
        )
    )
    player.start(b"start\n", PATIENT)
    assert player.ask(b"question\n", PATIENT).line == b"done"
    said = player.close()
    assert said.startswith(b"first")
    assert said.endswith(b"last")
    assert 65536 < len(said) < 66000


def test_orphans_are_buried(opened):
    """Two hundred of them, in a box that may have 32 processes."""
    player = opened(
        bot(
            """
            import signal
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)
            for _ in sys.stdin:
                made = 0
                while made < 200:
                    try:
                        pid = os.fork()
                    except BlockingIOError:
                        time.sleep(0.01)
                        continue
                    if pid == 0:
                        try: os.fork()
                        finally: os._exit(0)
                    made += 1
                print(made, flush=True)
            """
        )
    )
    player.start(b"start\n", PATIENT)
    assert player.ask(b"question\n", PATIENT).line == b"200"


def test_a_bot_that_thinks_outside_its_turns_is_stopped_there(opened):
    player = opened(
        bot(
            """
            import threading
            def spin():
                while True: pass
            threading.Thread(target=spin, daemon=True).start()
            for _ in sys.stdin: print(1, flush=True)
            """
        )
    )
    player.start(b"start\n", PATIENT)
    if player.wire.box.freezer.file is None:
        unavailable("this machine does not let us stop a box")
    counter = player.wire.box.counters
    begun = counter.cpu_ns()
    assert eventually(lambda: counter.cpu_ns() - begun > 2 * RESTLESS_NS, 10)
    player.ask(b"question\n", PATIENT)
    time.sleep(0.05)
    before = counter.cpu_ns()
    time.sleep(0.3)
    assert counter.cpu_ns() - before < RESTLESS_NS
    assert player.ask(b"question\n", PATIENT).line == b"1"


def test_an_opponent_that_floods_does_not_disturb(sandbox):
    flood = sandbox.open(program(bot("while True: os.write(2, b'x' * 65536)")))
    quiet = sandbox.open(program(bot("for line in sys.stdin: print(line, end='', flush=True)")))
    flood.start(b"start\n", PATIENT)
    quiet.start(b"start\n", PATIENT)
    for number in range(20):
        assert quiet.ask(b"%d\n" % number, PATIENT).line == b"%d" % number
    flood.close()
    quiet.close()


def test_a_fresh_box_is_gone_soon_after_its_leg(fresh, engine):
    player = fresh.open(program(bot("while True: os.write(1, b'x')")))
    name = player.wire.box.name
    assert name in own_boxes(engine)
    player.start(b"start\n", PATIENT)
    player.close()
    assert eventually(lambda: name not in own_boxes(engine), 5)
