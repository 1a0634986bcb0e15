"""A bot over its standard streams: a Player that writes lines, reads lines and keeps the clocks.

What the streams are (pipes into a box, a socket of the engine, a process) is the wire's affair. A bot may
write at any moment, not read, close either stream, or end; none of that ever holds us longer than a limit.
"""

import select
import time
from collections.abc import Callable
from typing import Protocol

from games.player import Fault, Limits, Reply

LEAVE_MS = 1000  # how long a bot may take to leave after its last message
MOST_WAITING = 2**20  # bytes; what an ended bot has left behind is less, and a flood has no end
NS_PER_MS = 1_000_000


class Wire(Protocol):
    """The near ends of a bot's streams, non-blocking, and what can be read of its box."""

    input_fd: int
    output_fd: int

    @property
    def waiting(self) -> bool:
        """Whether there is more to read though nothing more may come in: it is here already, if only in part."""

    def write(self, data: bytes) -> int:
        """How many bytes the bot takes now; all of them if its input is closed and nobody reads."""

    def read(self) -> bytes | None:
        """What has come since; b"" if the bot has ended or closed its output; None: nothing yet."""

    def begin_turn(self) -> int | None:
        """CPU time of the box so far, in ns; None where there is no counter to read."""

    def end_turn(self) -> int | None:
        """The same at the end of a turn; from here on the bot is not to think."""

    def confirm_stall(self) -> None:
        """Makes sure that it is the bot that is silent, and not something between it and us."""

    def out_of_memory(self) -> bool:
        """Whether the memory limit has killed a process of this leg."""

    def close_input(self) -> None:
        """Tells the bot that nothing more will come."""

    def close(self) -> bytes:
        """Ends the bot with all it has started, and gives its debug output."""


class Bot:
    """The Player behind a wire."""

    def __init__(self, wire: Wire, clock_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self.wire = wire
        self.clock_ns = clock_ns
        self.came = bytearray()
        self.unsent = b""
        self.ended = False
        self.leave_by = 0
        self.poll = select.poll()  # for the usual case, in which all is sent
        self.poll.register(wire.output_fd, select.POLLIN)

    def start(self, line: bytes, limits: Limits) -> Reply:
        # The ready line may be here before anything was said, so nothing is out of turn yet.
        return self.converse(line, limits.start_ms, limits.line_bytes)

    def ask(self, line: bytes, limits: Limits) -> Reply:
        if self.came or self.wire.waiting or self.poll.poll(0):
            while not self.ended and len(self.came) <= MOST_WAITING and self.look():
                pass  # an end behind what was written counts first
        if self.ended:
            raise self.gone()
        if self.came:
            raise Fault("out-of-turn", bytes(self.came), "written before the question was asked")
        return self.converse(line, limits.wall_ms, limits.line_bytes)

    def end(self, line: bytes) -> None:
        """Says the last line. The bot has a moment to leave, which runs for all at the table at the
        same time: close() waits for what is left of it."""
        self.leave_by = self.clock_ns() + LEAVE_MS * NS_PER_MS
        self.unsent = self.send(line)
        if not self.unsent:
            self.wire.close_input()

    def close(self) -> bytes:
        while self.leave_by and not self.ended and self.clock_ns() < self.leave_by:
            self.unsent = self.exchange(self.unsent, self.leave_by)
            if not self.unsent:
                self.wire.close_input()
            self.came.clear()
        return self.wire.close()

    # -- One question ---------------------------------------------------------------------------

    def converse(self, line: bytes, wall_ms: int, line_bytes: int) -> Reply:
        """Writes a line and reads one, however slowly the bot does either."""
        began_ns, cpu_before = self.clock_ns(), self.wire.begin_turn()
        deadline, unsent = began_ns + wall_ms * NS_PER_MS, line
        while True:
            unsent = self.exchange(unsent, deadline)
            if (reply := self.first_line(line_bytes)) is not None:
                break
            if self.ended:
                raise self.gone()
            if self.clock_ns() >= deadline:
                self.wire.confirm_stall()
                raise Fault("stalled", bytes(self.came), f"no complete line within {wall_ms} ms")
        cpu_after, spent_ns = self.wire.end_turn(), self.clock_ns() - began_ns
        # What was read late, for our own sake, was written in time.
        return Reply(reply, cpu_ms(cpu_before, cpu_after), min(ms(spent_ns), wall_ms))

    def first_line(self, line_bytes: int) -> bytes | None:
        """The first complete line of what came, taken out of it."""
        end = self.came.find(b"\n", 0, line_bytes + 1)
        if end < 0:
            if len(self.came) > line_bytes:
                raise Fault("too-long", bytes(self.came), f"more than {line_bytes} bytes in a line")
            return None
        line = bytes(self.came[:end])
        del self.came[: end + 1]
        return line

    def exchange(self, unsent: bytes, deadline: int) -> bytes:
        """Waits until the bot writes, reads or the time is over; gives what is still to be sent."""
        unsent = self.send(unsent)
        poll = self.poll_both() if unsent else self.poll
        left_ns = 0 if self.wire.waiting else max(0, deadline - self.clock_ns())
        poll.poll(left_ns / NS_PER_MS)
        self.look()
        return unsent

    def poll_both(self) -> select.poll:
        poll, output, input_ = select.poll(), self.wire.output_fd, self.wire.input_fd
        poll.register(output, select.POLLIN)
        # Both streams of a fresh box are one descriptor.
        poll.register(input_, select.POLLOUT | (select.POLLIN if input_ == output else 0))
        return poll

    def send(self, unsent: bytes) -> bytes:
        return unsent[self.wire.write(unsent) :] if unsent else unsent

    def look(self) -> bool:
        """Takes in what the bot has written, without waiting; whether there was anything."""
        chunk = self.wire.read()
        if chunk is None:
            return False
        self.came += chunk
        self.ended = not chunk
        return True

    def gone(self) -> Fault:
        kind = "memory" if self.wire.out_of_memory() else "crashed"
        return Fault(kind, bytes(self.came), "the program has ended or closed its output")


def ms(ns: int) -> float:
    return round(ns / NS_PER_MS, 3)


def cpu_ms(before: int | None, after: int | None) -> float | None:
    return None if before is None or after is None else ms(after - before)
