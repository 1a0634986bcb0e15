"""What the way through the site costs: legs per second through queue, desk and database, against the same
referee, sandbox and bots called directly; in turns on one machine."""

import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from games import GAMES
from games.player import Limits
from games.seating import seatings
from workers.bench import EXAMPLES, open_bench
from workers.referee import play_match

ROOT = Path(__file__).resolve().parent.parent
TURNS, TURN_S = 3, 15.0
WORKERS = 2
GAME, PLAYERS = "sticheln", 4
LINEUP = ("good", "simple", "random", "simple")
START_S = 300.0


def main() -> None:
    sandbox = os.environ.get("KIBITZ_SANDBOX") or "auto"
    with tempfile.TemporaryDirectory() as folder, running_site(Path(folder), sandbox) as site:
        through, direct = [], []
        for _ in range(TURNS):
            through.append(site.legs_a_second(TURN_S))
            direct.append(directly(sandbox, TURN_S))
    ratio = median(a / b for a, b in zip(through, direct, strict=True))
    print(f"{GAME}, {PLAYERS} players, {WORKERS} workers, sandbox {sandbox}")
    print(f"through the site {median(through):6.1f} legs a second, directly {median(direct):6.1f}")
    print(f"  ratio {ratio:.2f}")


# -- Through the site -----------------------------------------------------------------------------


class Site:
    """A site that runs as `make run` runs it, seen through its database."""

    def __init__(self) -> None:
        from accounts.models import Switches
        from jobs.models import State
        from ladders.models import Entry, Ladder
        from tournaments.models import Match

        self.switches = Switches.objects.get_or_create(pk=1)[0]
        self.entries, self.ladders = Entry.objects, Ladder.objects
        self.finished = Match.objects.filter(state=State.FINISHED)
        self.under_way = Match.objects.exclude(state__in=(State.FINISHED, State.VOID))

    def let_only(self, slug: str) -> None:
        self.ladders.exclude(slug=slug).update(is_standard=False)
        self.entries.exclude(ladder__slug=slug).delete()

    def matchmaking(self, on: bool) -> None:
        self.switches.matchmaking = on
        self.switches.save()

    def legs_a_second(self, seconds: float) -> float:
        """While matches are made; afterwards it is quiet again."""
        self.entries.update(matches_made=0)
        self.matchmaking(True)
        time.sleep(3)  # until it runs at its pace
        began, before = time.monotonic(), self.finished.count()
        time.sleep(seconds)
        played = self.finished.count() - before
        took = time.monotonic() - began
        self.matchmaking(False)
        while self.under_way.exists():
            time.sleep(0.2)
        return played * len(seatings(PLAYERS)) / took


@contextmanager
def running_site(folder: Path, sandbox: str) -> Iterator[Site]:
    port = free_port()
    settings = {
        "KIBITZ_DATA": str(folder),
        "KIBITZ_PORT": str(port),
        "KIBITZ_SANDBOX": sandbox,
        "KIBITZ_DATABASE": "",
    }
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "deploy.run"],
            cwd=ROOT,
            env=os.environ | settings,
            stdout=log,
            stderr=log,
        )
    try:
        await_start(process, folder / "log")
        yield seen_from_here(folder)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()


def await_start(process: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + START_S
    while "house bots are playing" not in log.read_text():
        if process.poll() is not None or time.monotonic() > deadline:
            raise SystemExit(f"the site does not start:\n{log.read_text()}")
        time.sleep(0.2)


def seen_from_here(folder: Path) -> Site:
    from django.conf import settings
    from django.db import connection

    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = str(
        folder / "kibitz.sqlite3"
    )
    connection.close()
    site = Site()
    site.matchmaking(False)
    site.let_only(GAME)
    return site


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# -- Directly -------------------------------------------------------------------------------------


def directly(sandbox: str, seconds: float) -> float:
    """Processes that do nothing but play, one a worker."""
    with multiprocessing.get_context("spawn").Pool(WORKERS) as pool:
        rates = pool.starmap(play_on, [(sandbox, seconds)] * WORKERS)
    return sum(rates)


def play_on(sandbox: str, seconds: float) -> float:
    with tempfile.TemporaryDirectory() as folder:
        bench = open_bench(sandbox, Path(folder))
        try:
            programs = [
                bench.program(
                    (EXAMPLES / GAME / "python" / f"{name}_bot.py").read_bytes(), "bot.py"
                )
                for name in LINEUP
            ]
            opens = [lambda program=program: bench.sandbox.open(program) for program in programs]
            play_match(
                GAMES[GAME], {}, opens, os.urandom(32), limits=Limits()
            )  # everything is built and warm
            began, legs = time.monotonic(), 0
            while time.monotonic() - began < seconds:
                legs += len(play_match(GAMES[GAME], {}, opens, os.urandom(32), limits=Limits()))
            return legs / (time.monotonic() - began)
        finally:
            bench.close()
