"""Hostile bots: each gets the verdict in its first line, harms no opponent, and leaves nothing behind.

The programs are in tests/hostile. What stands above their code:

    # verdict: crashed (kept: none)     what the referee has to say of it, and where something else
    # A sentence about what it tries.
    # modes: kept fresh local           where it runs, local being plain and bubblewrap; if not said, kept fresh plain
    # legs: 2                           looks for what its own first leg has left
    # seats: all                        sits on every seat and looks for the other
    # limits: wall_ms=1000              other clocks than the usual ones
    # box: calls=strict                 another box than the usual one
    # opponent: slow                    the opponent takes its time, so that what comes unasked is there
    # copies: array signal              its own text is in its folder under these names, too
    # notes: differ                     what it notes in one leg is not what it notes in the other, or: same

Whatever a program finds that it must not find it says by an illegal move, so nothing found is no fault.
"""

import ctypes
import os
import re
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path

import pytest

from games import GAMES
from games.player import FAULT_KINDS, Limits
from games.replay import leg_entry, read, replay_of, verify, write
from sandbox.bot import LEAVE_MS, Bot
from sandbox.box import Program, Sandbox
from sandbox.docker import DockerSandbox
from sandbox.engine import Engine
from sandbox.local import LocalSandbox, bubblewrap_works
from sandbox.settings import WORKER, BoxSettings, this_worker
from tests.sandbox.bots import eventually, program
from workers.referee import PlayedLeg, play_match

FOLDER = Path(__file__).resolve().parents[1] / "hostile"
LOCAL = ("plain", "bubblewrap") if bubblewrap_works() else ("plain",)
MODES = ("kept", "fresh", *LOCAL)
# Patient, because other tests run at the same time; who is to run into a clock says so.
LIMITS = Limits(start_ms=8000, wall_ms=8000, bank_ms=1000, increment_ms=0)
COMMANDS = {".py": ("python3", "{bot}/main.py"), ".sh": ("sh", "{bot}/main.sh")}
GAME, OPTIONS = GAMES["color-stock"], {"rounds": 1}
SEED = bytes([184] * 32)  # a long round, four questions for each seat
LAUNCHERS = 2  # processes of a kept box between two legs
GONE_S = 1.0
SLACK_S = 2.0
PR_SET_CHILD_SUBREAPER = 36

OPPONENT = """
import json, sys, time
print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        time.sleep(0)
        print(json.dumps({"id": asked["id"], "move": asked["legal"][-1]}), flush=True)
"""
OPPONENTS = {
    "quick": program({"main.py": OPPONENT}, *COMMANDS[".py"]),
    "slow": program({"main.py": OPPONENT.replace("sleep(0)", "sleep(0.3)")}, *COMMANDS[".py"]),
}


# -- What the files say -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Hostile:
    """A program with what is expected of it."""

    path: Path
    verdict: str
    instead: dict[str, str]
    options: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, path: Path) -> "Hostile":
        first, sentence, *rest = path.read_text().splitlines()
        found = re.fullmatch(r"# verdict: ([a-z-]+)(?: \((.+)\))?", first)
        assert found, f"{path.name} has no verdict in its first line"
        assert sentence.startswith("# "), f"{path.name} does not say what it tries"
        pairs = [re.fullmatch(r"# ([a-z]+): (.+)", line) for line in rest]
        head = pairs[: pairs.index(None)] if None in pairs else pairs
        instead = dict(word.split(": ") for word in (found[2] or "").split(", ") if word)
        return cls(path, found[1], instead, {pair[1]: pair[2] for pair in head if pair})

    @property
    def modes(self) -> list[str]:
        named = self.options.get("modes", "kept fresh plain").replace("local", " ".join(LOCAL))
        return [mode for mode in MODES if mode in named.split()]

    def verdict_in(self, mode: str) -> str:
        kind = "local" if mode in LOCAL else mode
        return self.instead.get(mode, self.instead.get(kind, self.verdict))

    @property
    def legs(self) -> int:
        return int(self.options.get("legs", "1"))

    @property
    def limits(self) -> Limits:
        return replace(LIMITS, **numbers(self.options.get("limits", "")))

    @property
    def program(self) -> Program:
        text, ending = self.path.read_bytes(), self.path.suffix
        copies = self.options.get("copies", "").split()
        files = {f"{name}{ending}": text for name in ["main", *copies]}
        return program(files, *COMMANDS[ending], **numbers(self.options.get("box", "")))


def numbers(words: str) -> dict[str, int | str]:
    pairs = dict(word.split("=") for word in words.split())
    return {name: int(value) if value.isdigit() else value for name, value in pairs.items()}


HOSTILE = [Hostile.of(path) for path in sorted(FOLDER.iterdir()) if path.suffix in COMMANDS]
CASES = [
    pytest.param(hostile, mode, id=f"{hostile.path.stem}-{mode}")
    for hostile in HOSTILE
    for mode in hostile.modes
]


# -- Playing ------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def neighbours(engine: Engine, how: BoxSettings) -> Iterator[DockerSandbox]:
    """Where the opponents of boxes sit; their boxes are up before anything is counted."""
    sandbox = DockerSandbox(how, "kept", engine)
    for opponent in OPPONENTS.values():
        sandbox.open(opponent).close()
    yield sandbox
    sandbox.close()


@pytest.fixture(scope="session")
def local_neighbours() -> Iterator[LocalSandbox]:
    sandbox = LocalSandbox()
    for opponent in OPPONENTS.values():
        sandbox.open(opponent).close()
    yield sandbox
    sandbox.close()


class Seats:
    """Opens a program and remembers which boxes it had."""

    def __init__(self, engine: Engine | None, sandbox: Sandbox, bot: Program) -> None:
        self.engine = engine
        self.sandbox = sandbox
        self.bot = bot
        self.opening_s = 0.0
        self.uids: set[int] = set()
        self.mounts: set[str] = set()

    def open(self) -> Bot:
        began = time.monotonic()
        player = self.sandbox.open(self.bot)
        self.opening_s += time.monotonic() - began
        if self.engine:
            found = self.engine.inspect(player.wire.box.name)
            self.uids.add(int(found["Config"]["User"].partition(":")[0]))
            self.mounts.add(found["GraphDriver"]["Data"]["MergedDir"])
        return player


def play(hostile: Hostile, seats: Seats, neighbours: Sandbox) -> list[PlayedLeg]:
    opponent = partial(neighbours.open, OPPONENTS[hostile.options.get("opponent", "quick")])
    second = seats.open if hostile.options.get("seats") == "all" else opponent
    bots, limits = [seats.open, second], hostile.limits
    began = time.monotonic()
    legs = play_match(GAME, OPTIONS, bots, SEED, limits=limits, legs=hostile.legs)
    took_s = time.monotonic() - began - seats.opening_s
    slowest_s = (limits.start_ms + limits.wall_ms + LEAVE_MS) / 1000 + SLACK_S
    assert took_s < slowest_s * hostile.legs
    return legs


def judge(hostile: Hostile, mode: str, legs: list[PlayedLeg]) -> None:
    wanted = hostile.verdict_in(mode)
    for number, leg in enumerate(legs):
        said = {seat: text[-2000:].decode("utf-8", "replace") for seat, text in leg.debug.items()}
        kinds = {
            fault["seat"]: (fault["kind"], fault["why"], fault["came"]) for fault in leg.faults
        }
        guilty = [seat for seat, bot in enumerate(leg.seating) if bot == 0]
        expected = {} if wanted == "none" else dict.fromkeys(guilty, wanted)
        found = {seat: kind for seat, (kind, _, _) in kinds.items()}
        assert found == expected, (number, kinds, said)


def verify_replay(hostile: Hostile, legs: list[PlayedLeg]) -> None:
    bots = [{"name": name, "author": "", "version": 0, "sha256": "0" * 64} for name in "ab"]
    record = replay_of(
        GAME,
        OPTIONS,
        SEED,
        match="hostile",
        played_at="2026-01-01T00:00:00Z",
        limits=asdict(hostile.limits),
        bots=bots,
        legs=[leg_entry(leg.seating, leg.leg) for leg in legs],
    )
    verify(read(write(record)))


def compare_notes(hostile: Hostile, legs: list[PlayedLeg]) -> None:
    if wanted := hostile.options.get("notes"):
        first, second = ({note["note"] for note in leg.notes} for leg in legs)
        assert first
        assert second
        assert (first == second) == (wanted == "same"), (first, second)


# -- What is left -------------------------------------------------------------------------------------


def processes(of: Callable[[str], bool]) -> list[str]:
    """The status of each process that it holds for."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                status = (folder / "status").read_text()
            except OSError:
                continue
            if of(status):
                found.append(status)
    return found


def of_uids(uids: set[int]) -> list[str]:
    return processes(lambda status: int(status.partition("Uid:\t")[2].split()[0]) in uids)


def children() -> set[int]:
    """Processes of ours; what has ended is buried, as the init of the machine would do it."""
    found = processes(lambda status: f"PPid:\t{os.getpid()}\n" in status)
    pids = {int(status.partition("\nPid:\t")[2].split()[0]) for status in found}
    return {pid for pid in pids if os.waitpid(pid, os.WNOHANG) == (0, 0)}


def descriptors() -> dict[str, str]:
    found = {}
    for link in Path("/proc/self/fd").iterdir():
        try:
            found[link.name] = str(link.readlink())
        except OSError:  # the one that lists them
            continue
    return found


def still_mounted(folders: set[str]) -> list[str]:
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    return [line for line in lines if line.split()[4] in folders]


@dataclass
class Before:
    """What this process had before a match; whatever is more after it was left behind."""

    open: dict[str, str] = field(default_factory=descriptors)
    threads: set[threading.Thread] = field(default_factory=lambda: set(threading.enumerate()))

    def nothing_more(self) -> bool:
        # Fewer there may be: boxes of earlier tests are buried in the background.
        open_now, threads_now = descriptors(), set(threading.enumerate())
        return open_now.items() <= self.open.items() and threads_now <= self.threads


def patience_s() -> float:
    """A second for each program that wants a core, if there are more of them than cores."""
    return GONE_S * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def gone(left: Callable[[], object]) -> None:
    """Nothing is left, at the latest in a moment."""
    assert eventually(lambda: not left(), patience_s()), left()


# -- The tests ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("hostile", "mode"), CASES)
def test_a_hostile_bot_gets_its_verdict_and_leaves_nothing(hostile, mode, request):
    if mode in LOCAL:
        play_locally(hostile, mode, request.getfixturevalue("local_neighbours"))
    else:
        engine, how = request.getfixturevalue("engine"), request.getfixturevalue("how")
        play_in_boxes(hostile, mode, engine, how, request.getfixturevalue("neighbours"))


def play_in_boxes(
    hostile: Hostile, mode: str, engine: Engine, how: BoxSettings, neighbours: DockerSandbox
) -> None:
    before = Before()
    with tempfile.TemporaryDirectory(prefix="kibitz-") as folder:
        own = replace(how, folder=Path(folder), worker=f"{this_worker()}/{folder}")
        boxes = partial(engine.boxes, f"{WORKER}={own.worker}")
        sandbox = DockerSandbox(own, mode, engine, ahead=0)
        seats = Seats(engine, sandbox, hostile.program)
        try:
            legs = play(hostile, seats, neighbours)
            if mode == "kept":
                assert len(of_uids(seats.uids)) <= LAUNCHERS * len(seats.uids)
            else:
                gone(lambda: of_uids(seats.uids))
                gone(boxes)
        finally:
            sandbox.close()
        gone(lambda: of_uids(seats.uids))
        gone(boxes)
        gone(lambda: still_mounted(seats.mounts))
        assert not list(Path(folder).iterdir())
    gone(lambda: not before.nothing_more())
    judge(hostile, mode, legs)
    verify_replay(hostile, legs)
    compare_notes(hostile, legs)


def play_locally(hostile: Hostile, mode: str, neighbours: LocalSandbox) -> None:
    adopt_orphans()
    running, before = children(), Before()
    sandbox = LocalSandbox()
    sandbox.mode = mode
    seats = Seats(None, sandbox, hostile.program)
    try:
        legs = play(hostile, seats, neighbours)
    finally:
        sandbox.close()
    gone(lambda: children() - running)
    gone(lambda: not before.nothing_more())
    assert not sandbox.folder.exists()
    judge(hostile, mode, legs)
    verify_replay(hostile, legs)
    compare_notes(hostile, legs)


def adopt_orphans() -> None:
    """What a bot leaves running becomes a child of ours, so that it is seen."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def test_there_are_many_hostile_bots_and_every_fault_in_several_forms():
    verdicts = [hostile.verdict for hostile in HOSTILE]
    assert len(HOSTILE) >= 50
    assert {kind for kind in FAULT_KINDS if verdicts.count(kind) < 3} == set()
    assert set(verdicts) <= {*FAULT_KINDS, "none"}
