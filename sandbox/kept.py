"""A kept box: it stays up for one program, and runs leg after leg of it in namespaces of its own.

What process 1 does and why nothing survives a leg is told in launcher/kept.py.
"""

import base64
import json
import os
import select
import socket
import struct
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from games.player import Fault
from sandbox import seccomp, settings
from sandbox.box import InfrastructureFault, Program
from sandbox.cgroup import Cgroup, Counters, Freezer, Turns
from sandbox.engine import Engine
from sandbox.pipes import Pipes

READY_S = 30.0
LOAD_S = 60.0
SILENT_S = 1.0
CONFIRM_S = 0.1  # an ended bot and its box are seen to end in either order
PACKET_BYTES = 131072


class KeptBox:
    """One container with one program. Serves one seat at a time."""

    def __init__(self, engine: Engine, how: settings.BoxSettings, program: Program) -> None:
        self.engine = engine
        self.program = program
        self.name = ""
        self.usable = True
        self.born_s = time.monotonic()
        self.counters = Counters()
        self.freezer = Freezer(None)
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            with tempfile.TemporaryDirectory(prefix="kibitz-box-", dir=how.folder) as folder:
                # Nothing of it is left to find, to link or to fill when the bot comes.
                self.start(how, Path(folder) / "io")
            self.load(how)
        except BaseException as error:
            self.close()
            if isinstance(error, OSError):
                raise InfrastructureFault(f"a box did not start: {error}") from error
            raise

    # -- Getting it up --------------------------------------------------------------------------------

    def start(self, how: settings.BoxSettings, io: Path) -> None:
        # Nobody but us and the engine can pass the folder above; the box's uid sees only what is mounted of it.
        io.mkdir()
        io.chmod(0o755)
        with self.sock as listener:
            listener.bind(f"{io}/s")
            (io / "s").chmod(0o666)
            listener.listen(1)
            self.name = settings.create(self.engine, how, "kept", self.program.limits, io)
            self.engine.start(self.name)
            self.sock = self.accepted(listener)
        self.sock.settimeout(READY_S)
        message, fds, _, _ = socket.recv_fds(self.sock, PACKET_BYTES, 4)
        if len(fds) == 2:
            self.counters = Counters(*fds)
        if message != b"ready":
            raise InfrastructureFault("the launcher of a box ended at once")
        self.freezer = Cgroup(peer(self.sock)).freezer()

    def accepted(self, listener: socket.socket) -> socket.socket:
        deadline = time.monotonic() + READY_S
        listener.settimeout(1)
        while True:
            try:
                return listener.accept()[0]
            except TimeoutError:
                running = self.engine.inspect(self.name)["State"]["Running"]
                if not running or time.monotonic() > deadline:
                    raise InfrastructureFault("the launcher of a box does not answer") from None

    def load(self, how: settings.BoxSettings) -> None:
        limits = self.program.limits
        strict = seccomp.program(how.architecture, tight=False)
        tight = limits.calls == "tight"
        own = seccomp.program(how.architecture, tight)
        order = {
            "command": self.program.command,
            "strict": base64.b64encode(strict).decode(),
            "filter": base64.b64encode(own).decode(),
            "leg_bytes": settings.leg_bytes(limits),
            "leg_inodes": settings.LEG_INODES,
            "own_proc": tight,
        }
        archive = read_only_memory(self.program.files)
        try:
            socket.send_fds(self.sock, [json.dumps(order).encode()], [archive])
        finally:
            os.close(archive)
        self.sock.settimeout(LOAD_S)
        answer = self.sock.recv(PACKET_BYTES).decode()
        if not answer.startswith("loaded "):
            raise InfrastructureFault("a box ended while it was loaded")
        if why := answer.removeprefix("loaded "):
            raise Fault("startup", why=why)

    # -- Legs -------------------------------------------------------------------------------------------

    def leg(self, done: Callable[["KeptBox"], None]) -> "KeptWire":
        """Starts the program; `done` is told when the box is free again, or of no more use."""
        fds: list[int] = []
        try:
            fds += os.pipe()
            fds += os.pipe()
            input_read, input_write, output_read, output_write = fds
            # The bot may open its streams again under /proc, but not the other way round.
            os.fchmod(input_read, 0o444)
            os.fchmod(output_write, 0o222)
            socket.send_fds(self.sock, [b"leg"], [input_read, output_write])
        except OSError as error:
            for fd in fds:
                os.close(fd)
            raise InfrastructureFault(f"a leg did not start: {error}") from error
        os.close(input_read)
        os.close(output_write)
        return KeptWire(self, input_write, output_read, done)

    def said(self, wait_s: float) -> bytes | None:
        """A packet of the launcher; b"" if it is gone, None if it says nothing."""
        poll = select.poll()
        try:
            poll.register(self.sock, select.POLLIN)
            return self.sock.recv(PACKET_BYTES) if poll.poll(wait_s * 1000) else None
        except (OSError, ValueError):
            return b""

    def order_end(self) -> None:
        with suppress(OSError):
            self.sock.send(b"end")

    def hang_up(self) -> None:
        """Process 1 ends when its socket closes."""
        self.usable = False
        self.sock.close()
        self.counters.close()

    def close(self) -> None:
        """Kills it as well, in case it cannot run."""
        self.hang_up()
        if self.name:
            with suppress(InfrastructureFault):
                self.engine.kill(self.name)


class KeptWire(Pipes):
    """The pipes to a program for one leg."""

    def __init__(
        self, box: KeptBox, input_fd: int, output_fd: int, done: Callable[[KeptBox], None]
    ) -> None:
        super().__init__(input_fd, output_fd)
        self.box = box
        self.done = done
        self.closed = False
        self.last_words: bytes | None = None
        self.kills_before = box.counters.memory_kills()
        self.turns = Turns(box.counters, box.freezer)

    def read(self) -> bytes | None:
        chunk = super().read()
        if chunk == b"":
            self.confirm_end()
        return chunk

    def confirm_end(self) -> None:
        """Tells a bot that has ended from a box that has: only the former is the bot's doing."""
        if self.last_words is None:
            self.last_words = self.box.said(CONFIRM_S)
        if self.last_words == b"" and not self.out_of_memory():
            raise InfrastructureFault("a box ended in the middle of a leg")

    def begin_turn(self) -> int | None:
        return self.turns.begin()

    def end_turn(self) -> int | None:
        return self.turns.end()

    def close_input(self) -> None:
        self.box.freezer.thaw()  # so that it can leave
        super().close_input()

    def out_of_memory(self) -> bool:
        return self.box.counters.memory_kills() > self.kills_before

    def close(self) -> bytes:
        if self.closed:
            return b""
        self.closed = True
        self.box.freezer.thaw()
        self.box.order_end()
        words = self.last_words
        if words is None:
            words = self.box.said(SILENT_S)
        self.close_streams()
        head, _, debug = (words or b"").partition(b"\n")
        if not head.startswith(b"ended "):
            self.box.hang_up()
        self.done(self.box)
        return debug


def read_only_memory(data: bytes) -> int:
    """A descriptor that can be read from its beginning, whoever else has read these bytes, and not written."""
    fd = os.memfd_create("archive")
    try:
        with open(fd, "wb", closefd=False) as file:
            file.write(data)
        return os.open(f"/proc/self/fd/{fd}", os.O_RDONLY)
    finally:
        os.close(fd)


def peer(sock: socket.socket) -> int:
    """The process at the other end, as we number processes; 0 if we cannot see it."""
    credentials = sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return int(struct.unpack("3i", credentials)[0])
