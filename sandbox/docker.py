"""The sandbox of Docker boxes, kept or fresh."""

import dataclasses
import time

from games.player import Fault
from sandbox.bot import Bot
from sandbox.box import BoxLimits, Built, InfrastructureFault, Program
from sandbox.engine import Engine
from sandbox.fresh import FreshBox, frame
from sandbox.pool import FreshPool, KeptPool, Undertaker
from sandbox.reaper import reap
from sandbox.settings import BoxSettings

BUILD_S = 120.0
BUILT_BYTES = 64 << 20
ARCHITECTURES = {"amd64": "x86_64", "arm64": "aarch64"}


class DockerSandbox:
    """Boxes of one engine in one mode, `kept` or `fresh`. What was left by dead workers is removed first."""

    def __init__(
        self,
        how: BoxSettings,
        mode: str,
        engine: Engine | None = None,
        most: int = 64,
        ahead: int = 4,
    ) -> None:
        self.engine = engine or Engine()
        self.how = checked(self.engine, how)
        self.mode = mode
        reap(self.engine)
        self.undertaker = Undertaker()
        self.kept = KeptPool(self.engine, self.how, most, self.undertaker)
        self.fresh = FreshPool(self.engine, self.how, ahead, self.undertaker)

    def open(self, program: Program) -> Bot:
        if self.mode == "kept":
            return self.open_kept(program)
        box = self.fresh.take(program.limits)
        try:
            return Bot(box.leg(program, self.fresh.give_back))
        except BaseException:
            self.fresh.give_back(box)
            raise

    def open_kept(self, program: Program) -> Bot:
        while True:
            box = self.kept.take(program)
            try:
                return Bot(box.leg(self.kept.give_back))
            except InfrastructureFault:
                # It had been waiting and is gone; a new one that is gone as well is the engine's fault.
                was_new = time.monotonic() - box.born_s < 1
                box.hang_up()
                self.kept.give_back(box)
                if was_new:
                    raise

    def build(self, files: bytes, commands: list[list[str]], limits: BoxLimits) -> Built:
        box = FreshBox(self.engine, self.how, limits, "build")
        try:
            return build(box, files, commands)
        finally:
            self.undertaker.bury(box)

    def close(self) -> None:
        self.fresh.close()
        self.kept.close()
        self.undertaker.close()


def checked(engine: Engine, how: BoxSettings) -> BoxSettings:
    """The settings for the machine the engine runs on; or what is missing there."""
    machine = str(engine.info().get("Architecture", how.architecture))
    if not engine.has_image(how.image):
        raise InfrastructureFault(f"the engine has no image {how.image}")
    return dataclasses.replace(how, architecture=ARCHITECTURES.get(machine, machine))


def build(box: FreshBox, files: bytes, commands: list[list[str]]) -> Built:
    try:
        box.load({"commands": commands}, files)
    except Fault as fault:
        return Built(f"{fault.why}\n", None)
    status, late = b"", ""
    try:
        status = box.expect(b"X", BUILD_S)
    except InfrastructureFault:
        if box.ended:
            raise
        late = f"not done after {BUILD_S:.0f} s\n"
    built = folder(box) if status == b"0" else None
    box.send(frame(b"E"))
    log = box.expect(b"D", 10).decode("utf-8", "replace")
    if status == b"0" and built is None:
        late = f"more than {BUILT_BYTES >> 20} MB were built\n"
    return Built(log + late, built)


def folder(box: FreshBox) -> bytes | None:
    """The tarred folder of a build, None if it is too large."""
    box.send(frame(b"T"))
    pieces, size = [], 0
    while piece := box.expect(b"T", 10):
        size += len(piece)
        if size <= BUILT_BYTES:
            pieces.append(piece)
    return b"".join(pieces) if size <= BUILT_BYTES else None
