"""What followers cost: a thousand open pages of one ladder, each asking for it again whenever it changes, against a
server that does nothing but write the same lines to as many.

It needs nothing but what `make run` needs; site, broker and bare server are processes of this machine.
"""

import asyncio
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from resource import RLIMIT_NOFILE, getrlimit, setrlimit
from typing import Any

from deploy import broker, commands
from deploy.broker import Broker

ROOT = Path(__file__).resolve().parent.parent
FOLLOWERS, AT_ONCE = 1000, 50
CHANGES_EVERY_S, CHANGES = 2.5, 8
SPREAD_S = 0.6  # as js/live.js has it
BOUND = 0.2  # of a core
START_S = 60.0
LADDER = "sticheln"
TICK = os.sysconf("SC_CLK_TCK")


def main() -> None:
    setrlimit(RLIMIT_NOFILE, (getrlimit(RLIMIT_NOFILE)[1],) * 2)
    with tempfile.TemporaryDirectory(prefix="kz") as folder, running_site(Path(folder)) as site:
        idle, busy = site.share(0), site.share(FOLLOWERS)
    with running_bare() as bare:
        written = bare.share(FOLLOWERS)
    print(
        f"{FOLLOWERS:,} followers of a ladder that changes every {CHANGES_EVERY_S:g} s, shares of a core:"
    )
    print(f"  {busy - idle:.1%} beyond the site's idle of {idle:.1%}, bound {BOUND:.0%}")
    print(f"  {written:.1%} for a server that only writes; ratio {(busy - idle) / written:.1f}")


class Server:
    """A process that is followed, and what it takes of a core."""

    def __init__(
        self,
        process: "subprocess.Popen[bytes]",
        port: int,
        stream: str,
        page: str,
        change: Callable[[], None],
    ) -> None:
        self.process = process
        self.port = port
        self.stream, self.page = stream, page
        self.change = change

    def share(self, followers: int) -> float:
        return asyncio.run(self.followed_by(followers))

    async def followed_by(self, followers: int) -> float:
        """The CPU time a second while there are changes, once all follow."""
        everybody = []
        for _ in range(0, followers, AT_ONCE):
            everybody += [Follower(self) for _ in range(AT_ONCE)]
            await asyncio.gather(*(one.begin() for one in everybody[-AT_ONCE:]))
        following = [asyncio.create_task(one.follow()) for one in everybody]
        began, before = time.monotonic(), self.cpu_s()
        for _ in range(CHANGES):
            self.change()
            await asyncio.sleep(CHANGES_EVERY_S)
        share = (self.cpu_s() - before) / (time.monotonic() - began)
        for task in following:
            task.cancel()
        await asyncio.gather(*following, return_exceptions=True)
        heard = sum(one.heard for one in everybody)
        assert heard >= followers * (CHANGES - 1), f"only {heard} changes were heard"
        return share

    def cpu_s(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICK


class Follower:
    """An open page: a stream, and a connection to ask for the page again."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.heard = 0

    async def begin(self) -> None:
        self.lines = await self.connection()
        if self.server.page:
            self.asking = await self.connection()
        await self.ask(self.lines, self.server.stream)
        await self.lines[0].readuntil(b"\r\n\r\n")

    async def connection(self) -> Any:
        return await asyncio.open_connection("127.0.0.1", self.server.port)

    async def ask(self, connection: Any, address: str) -> None:
        connection[1].write(
            f"GET {address} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n".encode()
        )
        await connection[1].drain()

    async def follow(self) -> None:
        while line := await self.lines[0].readline():
            if line.startswith(b"data:"):
                self.heard += 1
                if self.server.page:
                    await asyncio.sleep(random.random() * SPREAD_S)
                    await self.fetch()

    async def fetch(self) -> None:
        await self.ask(self.asking, self.server.page)
        head = await self.asking[0].readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        length = head.lower().partition(b"content-length:")[2].split()[0]
        await self.asking[0].readexactly(int(length))


# -- The site -------------------------------------------------------------------------------------


@contextmanager
def running_site(folder: Path) -> Iterator[Server]:
    """A site as `make run` has it, on a database with its house bots."""
    data, port = folder / "broker", free_port()
    data.mkdir()
    queue = Broker(data, folder / "socket")
    with running(queue.command(broker.server()), os.environ):
        until(queue.answers)
        environment = site_environment(folder, queue.address)
        for command in (
            commands.migrate(),
            commands.collect_static(),
            commands.prepare(f"{folder}/token"),
        ):
            subprocess.run(
                command, env=environment, cwd=ROOT, check=True, stdout=subprocess.DEVNULL
            )
        with running(commands.site("127.0.0.1", port), environment) as process:
            until(lambda: answers(port))
            yield followed_site(process, port, environment)


def followed_site(
    process: "subprocess.Popen[bytes]", port: int, environment: Mapping[str, str]
) -> Server:
    sys.path[:0] = [str(ROOT), str(ROOT / "platform")]
    os.environ |= environment
    import django

    django.setup()
    from config.live import PAGES, publish, stream_of
    from ladders.models import Ladder

    topic = Ladder.objects.get(slug=LADDER).topic
    page = f"{PAGES}en/ladders/{LADDER}/"
    return Server(process, port, stream_of(topic), page, lambda: publish((topic,)))


def site_environment(folder: Path, address: str) -> dict[str, str]:
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "KIBITZ_BROKER": address,
        "KIBITZ_DATA": str(folder),
        "KIBITZ_DEBUG": "0",
        "KIBITZ_HOSTS": "localhost",
        "KIBITZ_SECRET_KEY": "for-this-measurement-only",
    }


# -- A server that only writes --------------------------------------------------------------------


@contextmanager
def running_bare() -> Iterator[Server]:
    port = free_port()
    with running([sys.executable, "-m", "bench.live", str(port)], os.environ) as process:
        until(lambda: answers(port))
        yield Server(process, port, "/", "", lambda: None)


async def write_only(port: int) -> None:
    """Tells everybody who has connected that something has changed, as often as the site does."""
    writers: list[asyncio.StreamWriter] = []

    async def welcome(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        writers.append(writer)

    async with await asyncio.start_server(welcome, "127.0.0.1", port, backlog=FOLLOWERS):
        while True:
            await asyncio.sleep(CHANGES_EVERY_S)
            for writer in writers:
                writer.write(b"data: ladder/1\n\n")


# -- Processes ------------------------------------------------------------------------------------


@contextmanager
def running(
    command: list[str], environment: Mapping[str, str]
) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(command, env=environment, cwd=ROOT)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def answers(port: int) -> bool:
    with socket.socket() as attempt:
        return attempt.connect_ex(("127.0.0.1", port)) == 0


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + START_S
    while not condition():
        assert time.monotonic() < deadline, "it does not start"
        time.sleep(0.05)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        setrlimit(RLIMIT_NOFILE, (getrlimit(RLIMIT_NOFILE)[1],) * 2)
        asyncio.run(write_only(int(sys.argv[1])))
    else:
        main()
