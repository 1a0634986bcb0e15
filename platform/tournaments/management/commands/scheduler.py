"""The scheduler: sweeps up, follows new versions, makes matches and units, rates ladders, and goes on whatever happens."""

import logging
import signal
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError, close_old_connections

from ladders.services import follow_versions
from tournaments.comparisons import make_units
from tournaments.matchmaker import make_matches
from tournaments.rater import Rater
from tournaments.services import sweep

log = logging.getLogger("kibitz.scheduler")

TICK_S = 0.5
MOST_PAUSE_S = 30.0


class Command(BaseCommand):
    help = "Sweeps up jobs, makes matches and units, and rates ladders until it is told to stop."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="one round, then stop")

    def handle(self, *args: Any, once: bool, **options: Any) -> None:
        if once:
            tick()
            rate(Rater())
            return
        over = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: over.set())
        # A fit of a large ladder takes seconds, in which matches must go on being made.
        rating = threading.Thread(target=run, args=(partial(rate, Rater()), over), name="rater")
        rating.start()
        run(tick, over)
        rating.join()


def run(do: Callable[[], object], over: threading.Event) -> None:
    pause_s = TICK_S
    while not over.wait(pause_s):
        try:
            close_old_connections()
            do()
            pause_s = TICK_S
        except DatabaseError as error:
            pause_s = min(MOST_PAUSE_S, 2 * pause_s)
            log.error("The database does not answer, next try in %.0f s: %s", pause_s, error)


def tick() -> None:
    sweep()
    follow_versions()
    make_matches()
    make_units()


def rate(rater: Rater) -> None:
    rater.rate_due()
    rater.watch_due()
