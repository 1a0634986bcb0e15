"""Who may sit down: what a player is asked and told, and the ways in which one can fail."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

# In order of precedence: of several that fit at one moment, the first one counts.
FAULT_KINDS = (
    "startup",
    "memory",
    "crashed",
    "stalled",
    "too-long",
    "time",
    "unreadable",
    "out-of-turn",
    "illegal",
)


@dataclass(frozen=True)
class Limits:
    """What a bot is told of its clocks and of the length of a line."""

    start_ms: int = 5000
    bank_ms: int = 5000
    increment_ms: int = 50
    wall_ms: int = 10000
    line_bytes: int = 65536


class Fault(Exception):
    """What a player did wrong: its kind, the bytes that came, and why they will not do."""

    def __init__(self, kind: str, came: bytes = b"", why: str = "") -> None:
        super().__init__(kind, why)
        self.kind = kind
        self.came = came
        self.why = why


class Reply(NamedTuple):
    """A line without its end, with the time it took, rounded to 0.001 ms by whoever measured it;
    `cpu_ms` None: no CPU clock to read."""

    line: bytes
    cpu_ms: float | None
    wall_ms: float


class Player(Protocol):
    """Whoever sits on a seat for one leg. Where no line comes, `start` and `ask` raise the Fault."""

    def start(self, line: bytes, limits: Limits) -> Reply:
        """Says the start line and waits for the first line, which may be there already."""

    def ask(self, line: bytes, limits: Limits) -> Reply:
        """Asks a question and waits for one line; what came unasked is a Fault before it."""

    def end(self, line: bytes) -> None:
        """Says the last line; there is no answer to it."""

    def close(self) -> bytes:
        """The leg is over, or the player is out of it; gives its debug output."""


OpenPlayer = Callable[[], Player]
