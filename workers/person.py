"""The Player who is a person: asked and heard through the log of a chair.

The log keeps every answer, and a game goes the same way as long as its bots do. So a worker that takes up what
another one has left finds its own questions in the log with the answers to them, and nobody is asked twice.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import NoReturn, TypeVar

import msgspec
from redis import RedisError

from games.player import Fault, Limits, Reply
from workers.chair import BEGINNING, LEAVE, Chair, Entry, Kind
from workers.desk import Unreachable

LOOK_MS = 1000  # how often somebody who waits looks whether there is still something to wait for
AWAY_S = 60.0
PAUSE_S = 0.5

Outcome = TypeVar("Outcome")


class Person:
    """Whoever sits on a chair. `look_up` raises what ends the waiting."""

    def __init__(self, chair: Chair, look_up: Callable[[], None]) -> None:
        self.chair = chair
        self.look_up = look_up
        self.log: list[Entry] = []
        self.heard = 0  # how much of the log belongs to what was played so far
        self.has_left = False

    def start(self, line: bytes, limits: Limits) -> Reply:
        self.read()
        self.tell(line)
        return Reply(b'{"type":"ready"}', None, 0.0)

    def ask(self, line: bytes, limits: Limits) -> Reply:
        """Waits for the answer to this question; one to another question is none. Time in which
        nothing could be said does not count."""
        asked, number, left_ms = self.tell(line), msgspec.json.decode(line)["id"], limits.wall_ms
        while True:
            for entry in self.news():
                self.hear(entry)
                if entry.kind == "said" and entry.message.get("id") == number:
                    spent_ms = max(0, min(entry.ms - asked.ms, limits.wall_ms))
                    return Reply(entry.line, None, float(spent_ms))
            if self.has_left:
                self.give_up("crashed", "the person has left the table")
            if left_ms <= 0:
                self.give_up("stalled", f"no answer within {limits.wall_ms} ms")
            left_ms -= self.wait(min(LOOK_MS, left_ms))

    def end(self, line: bytes) -> None:
        self.tell(line)

    def close(self) -> bytes:
        return b""

    # -- What is told and heard -----------------------------------------------------------------

    def tell(self, line: bytes) -> Entry:
        """Writes a line down, unless it was next in the log already."""
        for entry in self.news():
            if entry.line == line:
                return entry
            if entry.kind == "told":
                self.heard -= 1
                self.write_anew()
                break
            self.hear(entry)
        self.add("told", line)
        return self.tell(line)

    def hear(self, entry: Entry) -> None:
        if entry.kind == "gone":
            raise Fault(entry.line.decode(), why="as it was when this was played before")
        self.has_left |= entry.kind == "said" and entry.line == LEAVE

    def give_up(self, kind: str, why: str) -> NoReturn:
        self.add("gone", kind.encode())
        raise Fault(kind, why=why)

    # -- The log ----------------------------------------------------------------------------------

    def news(self) -> Iterator[Entry]:
        while self.heard < len(self.log):
            self.heard += 1
            yield self.log[self.heard - 1]

    @property
    def last(self) -> str:
        return self.log[-1].at if self.log else BEGINNING

    def add(self, kind: Kind, line: bytes) -> None:
        self.tried(lambda: self.chair.add(kind, line))
        self.read()

    def read(self) -> None:
        self.log += self.tried(lambda: self.chair.entries(self.last))

    def wait(self, most_ms: int) -> int:
        """Waits a moment for news; how many ms of it count."""
        self.look_up()
        began = time.monotonic()
        self.log += self.tried(lambda: self.chair.awaited(self.last, most_ms))
        if self.tried(lambda: self.chair.length) < len(self.log):
            self.write_anew()  # what Redis had not written down when it was ended
        return min(most_ms, round((time.monotonic() - began) * 1000))

    def write_anew(self) -> None:
        """The log as this game has gone so far; what stood in it beyond that was another one's."""
        played, self.log, self.heard = self.log[: self.heard], [], 0
        self.tried(self.chair.clear)
        for entry in played:
            self.tried(partial(self.chair.add, entry.kind, entry.line))
        self.read()
        self.heard = len(played)

    def tried(self, call: Callable[[], Outcome]) -> Outcome:
        """Tries for a while, should Redis be away."""
        give_up_at = time.monotonic() + AWAY_S
        while True:
            try:
                return call()
            except RedisError as error:
                if time.monotonic() > give_up_at:
                    raise Unreachable(f"nobody can sit on the chair: {error}") from None
                self.look_up()
                time.sleep(PAUSE_S)
