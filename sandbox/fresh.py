"""A fresh box: one program for one leg, or one build, over the engine's own connection to its streams.

It works with every engine and needs nothing of the host. The frames are told in launcher/fresh.py.
"""

import base64
import json
import select
import socket
import struct
import time
from collections.abc import Callable
from contextlib import suppress

from games.player import Fault
from sandbox import seccomp, settings
from sandbox.box import BoxLimits, InfrastructureFault, Program
from sandbox.cgroup import Cgroup, Counters, Freezer, Turns
from sandbox.engine import Engine

READY_S = 30.0
LOAD_S = 60.0
SILENT_S = 1.0
HALFWAY_S = 0.5
READ_BYTES = 65536
PIECE_BYTES = 16384
FRAME = struct.Struct(">cI")
STREAM = struct.Struct(">cxxxL")  # how the engine frames what a box writes: which stream, how much
STDOUT = b"\x01"


class Unframed:
    """Takes frames out of a stream of bytes as they become complete."""

    def __init__(self, head: struct.Struct) -> None:
        self.head = head
        self.came = bytearray()

    def add(self, data: bytes) -> list[tuple[bytes, bytes]]:
        self.came += data
        found = []
        at = 0
        while len(self.came) >= at + self.head.size:
            kind, length = self.head.unpack_from(self.came, at)
            end = at + self.head.size + length
            if len(self.came) < end:
                break
            found.append((kind, bytes(self.came[at + self.head.size : end])))
            at = end
        del self.came[:at]
        return found


class FreshBox:
    """One container, started ahead of its use."""

    def __init__(
        self, engine: Engine, how: settings.BoxSettings, limits: BoxLimits, mode: str = "fresh"
    ) -> None:
        self.engine = engine
        self.how = how
        self.limits = limits
        self.name = ""
        self.born_s = time.monotonic()
        self.counters = Counters()
        self.freezer = Freezer(None)
        self.stream, self.frames = Unframed(STREAM), Unframed(FRAME)
        self.came: list[tuple[bytes, bytes]] = []
        self.ended = False
        self.sock: socket.socket | None = None
        try:
            self.name = settings.create(engine, how, mode, limits)
            self.sock = engine.attach(self.name)
            engine.start(self.name)
            self.expect(b"R", READY_S)
            self.watch()
        except BaseException:
            self.close()
            raise

    def watch(self) -> None:
        """Finds the counters where the host shows them."""
        cgroup = Cgroup(int(self.engine.inspect(self.name)["State"]["Pid"]))
        self.counters, self.freezer = cgroup.counters(), cgroup.freezer()

    def load(self, order: dict[str, object], files: bytes) -> None:
        """Gives the box its program; it starts at once."""
        architecture = self.how.architecture
        order["strict"] = base64.b64encode(seccomp.program(architecture, tight=False)).decode()
        self.send(frame(b"P", json.dumps(order).encode()) + frame(b"A", files))
        if why := self.expect(b"L", LOAD_S).decode():
            raise Fault("startup", why=why)

    def leg(self, program: Program, done: Callable[["FreshBox"], None]) -> "FreshWire":
        tight = program.limits.calls == "tight"
        own = base64.b64encode(seccomp.program(self.how.architecture, tight)).decode()
        self.load({"command": program.command, "filter": own}, program.files)
        return FreshWire(self, done)

    # -- Frames -----------------------------------------------------------------------------------------

    def send(self, data: bytes) -> None:
        """All of it, for a launcher that is known to read."""
        assert self.sock
        try:
            self.sock.settimeout(LOAD_S)
            self.sock.sendall(data)
        except OSError as error:
            raise InfrastructureFault(f"a box does not read: {error}") from error

    def expect(self, kind: bytes, wait_s: float) -> bytes:
        """The next frame of this kind; everything before it is dropped."""
        deadline = time.monotonic() + wait_s
        while True:
            while self.came:
                found, content = self.came.pop(0)
                if found == kind:
                    return content
            if self.ended or not self.ready(deadline - time.monotonic()):
                raise InfrastructureFault("a box has ended or does not answer")
            self.receive()

    def ready(self, wait_s: float) -> bool:
        assert self.sock
        poll = select.poll()
        poll.register(self.sock, select.POLLIN)
        return bool(poll.poll(max(0, wait_s) * 1000))

    def receive(self) -> bool:
        """Takes in what is there, without waiting; whether there was anything."""
        assert self.sock
        self.sock.setblocking(False)
        try:
            data = self.sock.recv(READ_BYTES)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        self.ended = not data
        for stream, piece in self.stream.add(data):
            if stream == STDOUT:
                self.came += self.frames.add(piece)
        return bool(data)

    @property
    def halfway(self) -> bool:
        return bool(self.stream.came or self.frames.came)

    def receive_frame(self) -> None:
        """Takes in all of the next frame if some of it is there: the rest is on its way."""
        while not self.came and not self.ended:
            halfway = self.halfway
            if not self.receive() and not (halfway and self.ready(HALFWAY_S)):
                return

    def hang_up(self) -> None:
        """The connection goes first: with a flooding bot and nobody reading, the engine's calls would hang on it."""
        if self.sock:
            self.sock.close()
        self.counters.close()

    def close(self) -> None:
        self.hang_up()
        if self.name:
            with suppress(InfrastructureFault):
                self.engine.kill(self.name)
            with suppress(InfrastructureFault):
                self.engine.remove(self.name)


class FreshWire:
    """The connection to a program for its one leg."""

    def __init__(self, box: FreshBox, done: Callable[[FreshBox], None]) -> None:
        assert box.sock
        self.box = box
        self.done = done
        self.sock = box.sock
        self.sock.setblocking(False)
        self.input_fd = self.output_fd = self.sock.fileno()
        self.kills_before = box.counters.memory_kills()
        self.began_s = time.time()
        self.unsent = bytearray()  # of a frame that the engine has taken a part of
        self.unsent_of = 0
        self.input_closed = self.output_ended = self.closed = self.starved = False
        self.turns = Turns(box.counters, box.freezer)

    def write(self, data: bytes) -> int:
        """Frame by frame; one that went only in part is finished first, and counts then."""
        taken = self.flush()
        while len(data) > taken and not self.unsent:
            piece = data[taken : taken + PIECE_BYTES]
            self.unsent += frame(b"I", piece)
            self.unsent_of = len(piece)
            taken += self.flush()
        return taken

    def flush(self) -> int:
        """How many bytes for the bot are gone now that were not before."""
        try:
            while self.unsent:
                del self.unsent[: self.sock.send(self.unsent)]
        except BlockingIOError:
            return 0
        except OSError:
            self.unsent.clear()
        gone, self.unsent_of = self.unsent_of, 0
        return gone

    @property
    def waiting(self) -> bool:
        return bool(self.box.came) or self.box.halfway or self.output_ended

    def read(self) -> bytes | None:
        if not self.output_ended:
            self.box.receive_frame()
        chunk = b""
        while self.box.came and not self.output_ended:
            kind, content = self.box.came.pop(0)
            chunk += content if kind == b"O" else b""
            self.output_ended = kind == b"X"
        if chunk:
            return chunk
        if self.output_ended:
            return b""
        if self.box.ended:
            self.judge_end()
            return b""
        return None

    def judge_end(self) -> None:
        """The whole box has ended. A bot can do that only by using up the memory."""
        self.starved = self.box.engine.killed_for_memory(self.box.name, self.began_s - 1)
        if not self.starved:
            raise InfrastructureFault("a box ended in the middle of a leg")

    def begin_turn(self) -> int | None:
        return self.turns.begin()

    def end_turn(self) -> int | None:
        return self.turns.end()

    def confirm_stall(self) -> None:
        """All that the bot says comes through the engine: one that hangs is no fault of the bot's."""
        self.box.engine.info()

    def out_of_memory(self) -> bool:
        if self.starved or self.box.counters.memory_kills() > self.kills_before:
            return True
        return self.box.counters.memory_fd < 0 and self.box.engine.killed_for_memory(
            self.box.name, self.began_s - 1
        )

    def close_input(self) -> None:
        self.box.freezer.thaw()  # so that it can leave
        if not self.input_closed and not self.unsent:
            self.input_closed = True
            self.unsent += frame(b"C")
            self.flush()

    def close(self) -> bytes:
        if self.closed:
            return b""
        self.closed = True
        self.box.freezer.thaw()
        debug = b""
        with suppress(InfrastructureFault, OSError):
            self.sock.settimeout(SILENT_S)
            self.sock.sendall(bytes(self.unsent) + frame(b"E"))
            debug = self.box.expect(b"D", SILENT_S)
        self.done(self.box)
        return debug


def frame(kind: bytes, content: bytes = b"") -> bytes:
    return FRAME.pack(kind, len(content)) + content
