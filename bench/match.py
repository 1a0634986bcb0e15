"""How fast matches are: legs per second in boxes, against processes and `docker run`, in one run.

Four trivial Python bots play Sticheln, 240 decisions a leg, with full views on both sides. Every way has two
workers, each on a core of its own; slices of all ways take turns, so that a busy machine slows them alike. CPU is
that of the worker and of the bots' processes, with all that starts them; how much of it was the bots' own, in their
turns, only boxes tell. That of the engine, and of what bubblewrap hides, is not in it.
"""

import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from hashlib import sha256
from math import nan
from pathlib import Path
from statistics import median
from typing import NamedTuple, cast
from weakref import WeakKeyDictionary

from games import GAMES
from games.player import Limits, OpenPlayer
from sandbox import image
from sandbox.bot import Bot
from sandbox.box import Sandbox
from sandbox.cgroup import Cgroup
from sandbox.choice import engine_answers
from sandbox.docker import DockerSandbox
from sandbox.fresh import FreshBox
from sandbox.kept import KeptBox
from sandbox.local import LocalSandbox, bubblewrap_works
from sandbox.pipes import Pipes
from sandbox.runtimes.python import PYTHON
from sandbox.settings import BoxSettings
from workers.programs import Programs
from workers.referee import play_match

SLICE_SECONDS = 4.0
SLICES = 5
REST_SECONDS = 2.0  # boxes that were started ahead or have ended are no load of the next slice
WORKERS = 2
SEATS = 4
[SOURCE] = PYTHON.self_test.values()
LIMITS = Limits(start_ms=60000, wall_ms=60000)

Prepare = Callable[[str], OpenPlayer]  # a bot of this text, ready to be opened for a leg


class BareProcess(Pipes):
    """A process over two pipes and nothing else."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        streams = (self.process.stdin, self.process.stdout)
        super().__init__(*(os.dup(stream.fileno()) for stream in streams if stream))
        for stream in streams:
            if stream:
                stream.close()

    def begin_turn(self) -> int | None:
        return None

    def end_turn(self) -> int | None:
        return None

    def out_of_memory(self) -> bool:
        return False

    def close(self) -> bytes:
        self.close_streams()
        self.process.kill()
        self.process.wait()
        return b""


class Meter:
    """The CPU time of boxes, from one moment at which they are at hand to the next."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.counted_ns: WeakKeyDictionary[KeptBox | FreshBox, int] = WeakKeyDictionary()

    def read(self, box: KeptBox | FreshBox) -> None:
        now_ns = box.counters.cpu_ns() or 0
        self.seconds += (now_ns - self.counted_ns.get(box, 0)) / 1e9
        self.counted_ns[box] = now_ns


class Metered:
    """A bot in a box whose CPU time is read before and after its leg."""

    def __init__(self, bot: Bot, meter: Meter) -> None:
        self.bot = bot
        self.start, self.ask, self.end = bot.start, bot.ask, bot.end
        self.read = partial(meter.read, bot.wire.box)  # type: ignore[attr-defined]
        self.read()

    def close(self) -> bytes:
        self.read()
        return self.bot.close()


@contextmanager
def bare_processes(core: str, meter: Meter) -> Iterator[Prepare]:
    with tempfile.TemporaryDirectory() as folder:

        def prepare(source: str) -> OpenPlayer:
            path = Path(folder) / f"{sha256(source.encode()).hexdigest()}.py"
            path.write_text(source, encoding="utf-8")
            return lambda: Bot(BareProcess([sys.executable, str(path)]))

        yield prepare


@contextmanager
def docker_run(core: str, meter: Meter) -> Iterator[Prepare]:
    name = image.ensure("python")
    front = ["docker", "run", "--rm", "-i", "--network", "none", "--cpuset-cpus", core, name]
    yield lambda source: lambda: Bot(BareProcess([*front, "python3", "-c", source]))


@contextmanager
def boxes(mode: str, core: str, meter: Meter) -> Iterator[Prepare]:
    # Few boxes, so that strangers pay for the end of boxes as well as for their beginning.
    how = BoxSettings(image.ensure("python"), core=core)
    with prepared_in(DockerSandbox(how, mode, most=2 * SEATS)) as prepare:
        yield lambda source: metered(prepare(source), meter)


def metered(open_bot: OpenPlayer, meter: Meter) -> OpenPlayer:
    return lambda: Metered(cast("Bot", open_bot()), meter)


@contextmanager
def local(mode: str, core: str, meter: Meter) -> Iterator[Prepare]:
    sandbox = LocalSandbox()
    sandbox.mode = mode
    with prepared_in(sandbox) as prepare:
        yield prepare


@contextmanager
def prepared_in(sandbox: Sandbox) -> Iterator[Prepare]:
    """Programs are made as a worker makes them: once for a match, not for every leg."""
    with tempfile.TemporaryDirectory() as folder:
        programs = Programs(sandbox, Path(folder), sandbox.mode)

        def prepare(source: str) -> OpenPlayer:
            return partial(sandbox.open, programs.program(source.encode(), "bot.py"))

        try:
            yield prepare
        finally:
            sandbox.close()


class Way(NamedTuple):
    """A way to play a leg; `strangers`: every leg has bots that nobody has seen."""

    name: str
    enter: Callable[[str, Meter], AbstractContextManager[Prepare]]
    strangers: bool = False


WAYS = [
    Way("fresh subprocesses over pipes", bare_processes),
    Way("kibitz play, plain processes", partial(local, "plain")),
    *([Way("kibitz play, bubblewrap", partial(local, "bubblewrap"))] if bubblewrap_works() else []),
    Way("docker run per bot", docker_run),
    Way("fresh boxes", partial(boxes, "fresh")),
    Way("kept boxes", partial(boxes, "kept")),
    Way("kept boxes, bots never met before", partial(boxes, "kept"), strangers=True),
]


class Tally(NamedTuple):
    """What one worker did in a slice: legs, and the CPU seconds of the bots in their turns, where that is
    measured; in how many seconds, of which CPU of its own, and of boxes or processes."""

    legs: int
    turns_cpu: float
    seconds: float
    worker_cpu: float
    theirs_cpu: float


def work(way: Way, core: int, turns: "multiprocessing.connection.Connection") -> None:
    """A worker: plays for a slice whenever it is told to."""
    os.sched_setaffinity(0, {core})
    meter = Meter()
    with way.enter(str(core), meter) as prepare:
        acquaintances = lineup(prepare, "")
        play_leg(acquaintances)  # nobody pays for the first box
        turns.send("ready")
        met = 0
        while turns.recv() == "play":
            legs, turns_cpu, began = 0, 0.0, clocks(meter)
            while clocks(meter)[0] - began[0] < SLICE_SECONDS:
                legs, met = legs + 1, met + 1
                bots = lineup(prepare, f"{core} {met}") if way.strangers else acquaintances
                turns_cpu += play_leg(bots)
            spent = [now - then for now, then in zip(clocks(meter), began, strict=True)]
            turns.send(Tally(legs, turns_cpu, *spent))


def clocks(meter: Meter) -> tuple[float, float, float]:
    """Seconds that have passed, of our own CPU, of the CPU of others for us."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    theirs = meter.seconds + children.ru_utime + children.ru_stime
    return time.perf_counter(), time.process_time(), theirs


def lineup(prepare: Prepare, mark: str) -> list[OpenPlayer]:
    return [prepare(f"# {mark} {seat}\n{SOURCE}") for seat in range(SEATS)]


def play_leg(bots: list[OpenPlayer]) -> float:
    """Plays one leg; gives the CPU seconds of the bots in their turns."""
    [leg] = play_match(GAMES["sticheln"], {}, bots, os.urandom(32), limits=LIMITS, legs=1)
    if leg.faults:
        raise RuntimeError(leg.faults[0])
    times: list[float] = [
        ms for decision in leg.leg.decisions for ms in decision["cpu_ms"] if ms is not None
    ]
    return sum(times) / 1000


class Crew:
    """The workers of one way."""

    def __init__(self, way: Way) -> None:
        self.way = way
        self.turns = []
        context = multiprocessing.get_context("spawn")
        for core in range(WORKERS):
            near, far = context.Pipe()
            context.Process(target=work, args=(way, core, far), daemon=True).start()
            self.turns.append(near)
        for turn in self.turns:
            turn.recv()
        self.slices: list[list[Tally]] = []

    def play(self) -> None:
        for turn in self.turns:
            turn.send("play")
        self.slices.append([turn.recv() for turn in self.turns])

    def stop(self) -> None:
        for turn in self.turns:
            turn.send("stop")

    def rates(self) -> list[float]:
        return [sum(tally.legs / tally.seconds for tally in tallies) for tallies in self.slices]

    def per_leg_ms(self, what: str) -> float:
        """CPU of a leg in the slice that took least: whatever else ran only ever adds to it."""
        slices: list[float] = [
            sum(getattr(tally, what) for tally in tallies) / sum(tally.legs for tally in tallies)
            for tallies in self.slices
        ]
        return 1000 * min(slices)


# -- Memory -------------------------------------------------------------------------------------


def memory_per_box(mode: str) -> tuple[float, float]:
    """MB of a box that waits, and of the engine's process that watches over it."""
    sandbox = DockerSandbox(BoxSettings(image.ensure("python")), mode)
    with prepared_in(sandbox) as prepare:
        play_leg(lineup(prepare, ""))
        found = [*sandbox.kept.idle] if mode == "kept" else waiting_fresh(sandbox)
        pids = [int(sandbox.engine.inspect(box.name)["State"]["Pid"]) for box in found]
        return median(map(box_mb, pids)), median(map(shim_mb, pids))


def waiting_fresh(sandbox: DockerSandbox) -> list[FreshBox]:
    sandbox.fresh.hands.shutdown(wait=True)  # until those that are coming have come
    return [box for boxes in sandbox.fresh.ready.values() for box in boxes]


def box_mb(pid: int) -> float:
    usage = Cgroup(pid).file("memory", "memory.usage_in_bytes", "memory.current")
    return int(usage.read_text()) / 2**20 if usage else nan


def shim_mb(pid: int) -> float:
    """Its share of the memory that it has together with others is counted, no more."""
    parent = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    lines = Path(f"/proc/{parent}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


# -- The report ---------------------------------------------------------------------------------


def main() -> None:
    if not engine_answers():
        print("No Docker engine answers, so there is nothing to measure boxes against; start one.")
        return
    print(f"{SEATS} bots, {WORKERS} workers, {SLICES} slices of {SLICE_SECONDS:.0f} s", flush=True)
    crews = [Crew(way) for way in WAYS]
    for _ in range(SLICES):
        for crew in crews:
            crew.play()
            time.sleep(REST_SECONDS)
    for crew in crews:
        crew.stop()
    report(crews)
    for mode in ("kept", "fresh"):
        box, shim = memory_per_box(mode)
        print(f"A waiting {mode} box: {box:.1f} MB, and {shim:.1f} MB of the engine for it")


def report(crews: list[Crew]) -> None:
    by_name = {crew.way.name: crew for crew in crews}
    pipes, run = by_name["fresh subprocesses over pipes"], by_name["docker run per bot"]
    print(f"{'':62}{'CPU of a leg in ms':>30}")
    print(
        f"{'':36}{'legs/s':>8}{'to pipes':>10}{'to run':>8}"
        f"{'worker':>10}{'processes':>11}{'in turns':>10}{'outside':>9}"
    )
    for crew in crews:
        against = [against_median(crew, other) for other in (pipes, run)]
        worker, theirs, turns = cpu_of_a_leg(crew)
        in_turns = f"{turns:.1f}" if turns else "-"
        outside = f"{(worker + theirs - turns) / turns:.1f}x" if turns else "-"
        print(
            f"{crew.way.name:36}{median(crew.rates()):>8.1f}{against[0]:>9.2f}x{against[1]:>7.1f}x"
            f"{worker:>10.1f}{theirs:>11.1f}{in_turns:>10}{outside:>9}"
        )
    spent = [sum(cpu_of_a_leg(crew)[:2]) for crew in (pipes, by_name["kept boxes"])]
    print(
        f"By CPU, kept boxes are {spent[0] / spent[1]:.2f} times as fast as processes over pipes."
    )


def cpu_of_a_leg(crew: Crew) -> tuple[float, float, float]:
    return (
        crew.per_leg_ms("worker_cpu"),
        crew.per_leg_ms("theirs_cpu"),
        crew.per_leg_ms("turns_cpu"),
    )


def against_median(crew: Crew, other: Crew) -> float:
    return median(a / b for a, b in zip(crew.rates(), other.rates(), strict=True))


if __name__ == "__main__":
    main()
