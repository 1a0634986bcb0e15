"""Which mode this machine can have: kept only if the second leg of a spy finds nothing of its first."""

import io
import json
import secrets
import tarfile
from pathlib import Path
from typing import Any, NamedTuple

from games.player import Fault, Limits
from sandbox.bot import Bot
from sandbox.box import InfrastructureFault, Program
from sandbox.engine import Engine
from sandbox.kept import KeptBox
from sandbox.settings import BoxSettings

SPY = Path(__file__).parent / "launcher" / "spy.py"
PATIENCE = Limits(start_ms=20000, wall_ms=20000, line_bytes=1 << 20)
# What must hold in a leg, as lines of the status of its first process.
WANTED = {"Seccomp:\t2", "NoNewPrivs:\t1", "CapEff:\t0000000000000000", "CapBnd:\t0000000000000000"}


class Verdict(NamedTuple):
    """The best mode, and why not a better one."""

    mode: str
    reasons: list[str]


def best_mode(engine: Engine, how: BoxSettings) -> Verdict:
    """An engine that makes no boxes at all is an InfrastructureFault, when the first fresh one is wanted."""
    try:
        reasons = leaks(engine, how)
    except (InfrastructureFault, Fault, ValueError, OSError) as error:
        reasons = [f"a kept box does not work here: {error}"]
    return Verdict("fresh", reasons) if reasons else Verdict("kept", [])


def leaks(engine: Engine, how: BoxSettings) -> list[str]:
    """Everything that is not as it has to be, in words."""
    box = KeptBox(engine, how, spy())
    try:
        first, second = Interview(box), None
        before = first.ask("look")
        word = secrets.token_hex(16)
        got_out = first.ask(f"act {word}")
        said = first.bot.close()
        if not box.usable:
            return ["a leg could not be ended"]
        second = Interview(box)
        found = wrong(before, second.ask("look"), got_out)
        if word.encode() not in said:
            found.append("debug output got lost")
        if second.ask(f"find {word[::-1]}"):
            found.append("the memory of an earlier leg can be read")
        second.bot.close()
        return found
    finally:
        box.close()


def spy() -> Program:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as tar:
        for name, content in (("main.py", SPY.read_bytes()), ("data", b"x" * 100)):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return Program(raw.getvalue(), "spy", ("python3", "main.py"))


class Interview:
    """A leg in which the spy is asked."""

    def __init__(self, box: KeptBox) -> None:
        self.bot = Bot(box.leg(lambda _: None))

    def ask(self, question: str) -> Any:
        try:
            return json.loads(self.bot.start(question.encode() + b"\n", PATIENCE).line)
        except Fault as fault:
            raise ValueError(f"{fault.kind} {self.bot.close()[-300:]!r}") from fault


def wrong(before: dict[str, Any], after: dict[str, Any], got_out: dict[str, Any]) -> list[str]:
    found = [
        f"{name} was {before.get(name)}, is {after.get(name)} in the next leg"
        for name in sorted(before.keys() | after.keys())
        if before.get(name) != after.get(name)
    ]
    found += [
        f"{name} is possible" for name, answer in got_out.items() if not isinstance(answer, str)
    ]
    found += [f"{name} can be read" for name, answer in after.items() if answer == "read"]
    missing = WANTED - set(after["/proc/1/status"])
    found += [f"a leg runs without {line!r}" for line in sorted(missing)]
    if after["pid"] != 1 or after["processes"] != ["1"]:
        found.append("a leg sees other processes")
    if after["descriptors"] != [0, 1, 2]:
        found.append(f"a leg has the descriptors {after['descriptors']}")
    return found
