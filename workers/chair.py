"""A person's chair: the log in Redis through which a person is asked and answers; both sides read it here.

A worker writes down what the player of the seat is told, line by line, and the site what the person says to it. It
only ever grows, so a page that is loaded again, a second one and another worker read the same.
"""

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import msgspec
from redis import Redis

KEPT_S = 24 * 3600
MOST_READ = 10_000  # of entries; the longest leg has some hundreds
BEGINNING = "0-0"
LEAVE = b'{"leave":true}'  # what a person says who plays no further

Kind = Literal["told", "said", "gone"]


class Entry(NamedTuple):
    """One thing in the log: what was told, what was said, or that nobody listens any more."""

    at: str
    kind: Kind
    line: bytes

    @property
    def ms(self) -> int:
        """When, by the clock of Redis."""
        return int(self.at.partition("-")[0])

    @property
    def message(self) -> dict[str, Any]:
        message: dict[str, Any] = msgspec.json.decode(self.line)
        return message


class Chair:
    """The log of one seat, under a name that nobody can guess."""

    def __init__(self, redis: Redis, name: str) -> None:
        self.redis = redis
        self.key = f"kibitz:chair:{name}"

    def add(self, kind: Kind, line: bytes) -> Entry:
        with self.redis.pipeline() as pipe:
            pipe.xadd(self.key, {kind: line})
            pipe.expire(self.key, KEPT_S)
            at, _ = pipe.execute()
        return Entry(at.decode(), kind, line)

    def entries(self, after: str = BEGINNING) -> list[Entry]:
        found = self.redis.xrange(self.key, f"({after}", count=MOST_READ)
        return list(read(found))

    def awaited(self, after: str, wait_ms: int) -> list[Entry]:
        """The same, as soon as there are any, or none after so long."""
        found: Any = self.redis.xread({self.key: after}, block=max(1, wait_ms))
        return [entry for _, entries in found for entry in read(entries)]

    @property
    def last(self) -> str:
        """Where the log ends at present."""
        found: Any = self.redis.xrevrange(self.key, count=1)
        return found[0][0].decode() if found else BEGINNING

    @property
    def length(self) -> int:
        return int(self.redis.xlen(self.key))

    def clear(self) -> None:
        self.redis.delete(self.key)


def read(found: Any) -> Iterator[Entry]:
    for at, fields in found:
        for kind, line in fields.items():
            yield Entry(at.decode(), kind.decode(), line)


def opened(broker: str) -> Redis:
    """The Redis of the queue, whose address may be that of a socket."""
    address = broker.replace("redis+socket://", "unix://", 1)
    return Redis.from_url(address, socket_connect_timeout=2, socket_timeout=10, protocol=2)
