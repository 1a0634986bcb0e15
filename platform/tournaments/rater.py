"""Rates ladders: writes their logs, fits all results together, and publishes what comes of it.

Nobody waits for it: records touch none of the rows that it writes. It keeps the results in memory, so that a fit
reads only what is new, and rests after each fit for a while, so that large ladders leave the machine to others.
"""

import logging
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import pairwise

from django.db import DatabaseError, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from bots.models import Version
from games.seating import seatings
from jobs.models import State
from ladders.models import Ladder
from ladders.publishing import publish
from ratings.fit import fit
from ratings.results import Match as Result
from ratings.results import Results
from ratings.uncertainty import Uncertainty, uncertainty
from tournaments import log, tallies
from tournaments.models import LogLine, Match
from tournaments.pairs import watch_pairs

logger = logging.getLogger("kibitz.ratings")

READ_AT_ONCE = 20_000
REST = 4.0  # times as long as the fit took
LEAST_REST_S, FAILED_REST_S = 0.5, 30.0
WATCH_EVERY_S = 600.0  # looking at all pairs takes ten times as long as a fit


def due() -> QuerySet[Ladder]:
    """The ladders on which something has happened since their last fit."""
    waiting = Match.objects.filter(
        ladder=OuterRef("pk"), state=State.FINISHED, is_rated=True, is_logged=False
    )
    return Ladder.objects.filter(
        Q(is_stale=True) | Q(counted_lines__gt=F("fitted_lines")) | Exists(waiting),
        anchor__isnull=False,
    ).order_by("pk")


class Rater:
    """Rates whatever is due, ladder by ladder."""

    def __init__(self) -> None:
        self.boards: dict[int, Board] = {}

    def rate_due(self) -> int:
        """Rates the ladders that are due and rested; returns how many."""
        return sum(self.rate(ladder) for ladder in due())

    def watch_due(self) -> int:
        """Looks for helpers where something has happened since it last did; returns on how many ladders."""
        return sum(self.watch(pk, board) for pk, board in self.boards.items())

    def watch(self, ladder_id: int, board: "Board") -> bool:
        if board.known is None or time.monotonic() < board.watched_until:
            return False
        watch_pairs(ladder_id=ladder_id, fit=board.known.fit)
        board.known, board.watched_until = None, time.monotonic() + WATCH_EVERY_S
        return True

    def rate(self, ladder: Ladder) -> bool:
        board = self.boards.setdefault(ladder.pk, Board(ladder))
        if time.monotonic() < board.rests_until:
            return False
        began = time.monotonic()
        try:
            rate_now(ladder, board)
        except Exception as error:
            self.begin_anew(ladder)
            if isinstance(error, DatabaseError):
                raise
            logger.exception("%s cannot be rated; next try in %.0f s", ladder, FAILED_REST_S)
            return False
        took_s = time.monotonic() - began
        board.rests_until = time.monotonic() + max(LEAST_REST_S, REST * took_s)
        return True

    def begin_anew(self, ladder: Ladder) -> None:
        """What was read may be half of it; what is due stays due, and other ladders do not wait."""
        self.boards[ladder.pk] = Board(ladder)
        self.boards[ladder.pk].rests_until = time.monotonic() + FAILED_REST_S
        with suppress(DatabaseError):
            Ladder.objects.filter(pk=ladder.pk).update(is_stale=True)


class Board:
    """The results of a ladder up to a line of its log."""

    def __init__(self, ladder: Ladder) -> None:
        self.players = ladder.players
        self.legs = len(seatings(ladder.players))
        self.results = self.results_of([])
        self.number = 0
        self.last_hash = ladder.last_hash
        self.start: dict[int, float] = {}
        self.rests_until = 0.0
        self.known: Uncertainty | None = None  # the last fit, until its pairs have been looked at
        self.watched_until = 0.0

    def read_on(self, ladder: Ladder) -> None:
        """Reads what has been added to the log."""
        while lines := log.lines_after(ladder, self.number, READ_AT_ONCE):
            found = list(log.parsed(lines))
            played = [
                Result(line["match"], [place["version"] for place in line["lineup"]], line["ranks"])
                for line in found
                if "match" in line
            ]
            removed = [line["remove"] for line in found if "remove" in line]
            self.results = self.results.plus(self.results_of(played)).without(removed)
            self.number, self.last_hash = lines[-1].number, lines[-1].hash

    def results_of(self, played: list[Result]) -> Results:
        return Results.of(played, players=self.players, legs=self.legs)


def rate_now(ladder: Ladder, board: Board) -> None:
    """The whole way from new records to new standings."""
    Ladder.objects.filter(pk=ladder.pk).update(is_stale=False)
    while log.log_new(ladder):
        pass
    while count_new(ladder):
        pass
    board.read_on(ladder)
    known, previous = fitted(ladder, board.results, board.start)
    board.start, board.known = known.fit.by_entity(), known
    publish(
        ladder=ladder, known=known, previous=previous, lines=board.number, last_hash=board.last_hash
    )


def fitted(
    ladder: Ladder, results: Results, start: Mapping[int, float]
) -> tuple[Uncertainty, dict[int, int]]:
    """All results of a ladder together, and which version was taken to come before which."""
    assert ladder.anchor_id is not None
    previous = chain_of({ladder.anchor_id, *results.lineups.ravel().tolist()})
    found = fit(results, anchor=ladder.anchor_id, previous=previous, start=start)
    return uncertainty(found), previous


def chain_of(versions: set[int]) -> dict[int, int]:
    """Of each later version of a bot the one before it, among those that have played."""
    numbers: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for pk, bot, number in versions_in(versions):
        numbers[bot].append((number, pk))
    return {
        later: earlier
        for chain in numbers.values()
        for (_, earlier), (_, later) in pairwise(sorted(chain))
    }


def versions_in(versions: set[int]) -> Iterator[tuple[int, int, int]]:
    """Asked for in pieces: a database takes only so many values at once."""
    found = sorted(versions)
    for begin in range(0, len(found), log.AT_ONCE):
        rows = Version.objects.filter(pk__in=found[begin : begin + log.AT_ONCE])
        yield from rows.values_list("pk", "bot", "number")


# -- Counting -------------------------------------------------------------------------------------


@transaction.atomic
def count_new(ladder: Ladder) -> int:
    """Counts what has been added to the log, as much as fits into one go; returns how many lines."""
    log.hold(ladder)
    counted = Ladder.objects.values_list("counted_lines", flat=True).get(pk=ladder.pk)
    lines = log.lines_after(ladder, counted)
    if lines:
        tallies.count(ladder, with_signs(lines))
        Ladder.objects.filter(pk=ladder.pk).update(counted_lines=lines[-1].number)
    return len(lines)


def with_signs(lines: list[LogLine]) -> Iterator[tuple[tallies.Line, int]]:
    """Each match with a plus; a removal is the match that it takes off, with a minus."""
    for row, line in zip(lines, log.parsed(lines), strict=True):
        if "match" in line:
            yield line, 1
        else:
            own = LogLine.objects.filter(ladder=row.ladder_id, match=row.match_id)
            yield next(log.parsed(own.order_by("number")[:1])), -1
