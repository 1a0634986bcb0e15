"""The public log of a ladder: every rated match in the order in which they were recorded, each line with the
hash of the one before it.

Lines are added by whoever rates, not by whoever records: a chain has one end, and records would wait for it.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Max, Prefetch, QuerySet

from jobs.models import State
from ladders.models import Ladder
from ratings.log import BEFORE_THE_FIRST, canonical, chained
from tournaments.models import LogLine, Match, Seat

AT_ONCE = 500
SEATS = Prefetch("seats", Seat.objects.select_related("bot", "version").order_by("index"))

Line = dict[str, Any]


def unlogged(ladder: Ladder) -> QuerySet[Match]:
    return Match.objects.filter(
        ladder=ladder, state=State.FINISHED, is_rated=True, is_logged=False
    ).order_by("finished_at", "pk")


@transaction.atomic
def log_new(ladder: Ladder) -> int:
    """Adds the matches that are not in the log yet, as many as fit into one go; returns how many."""
    hold(ladder)
    matches = list(unlogged(ladder).prefetch_related(SEATS)[:AT_ONCE])
    append(ladder, [(match, line_of(match)) for match in matches])
    Match.objects.filter(pk__in=[match.pk for match in matches]).update(is_logged=True)
    return len(matches)


def log_removal(match: Match, reason: str) -> None:
    """Says that a match counts no more; its own line stays."""
    assert match.ladder is not None
    hold(match.ladder)
    while not Match.objects.get(pk=match.pk).is_logged:
        log_new(match.ladder)
    append(match.ladder, [(match, {"remove": match.pk, "reason": reason})])


def hold(ladder: Ladder) -> None:
    """Only one at a time adds to a log; who makes matches on the ladder does not wait."""
    Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)


def append(ladder: Ladder, found: Sequence[tuple[Match, Line]]) -> None:
    last = ladder.log.order_by("-number").first()
    number, previous = (last.number, last.hash) if last else (0, BEFORE_THE_FIRST)
    lines = []
    for number, (match, line) in enumerate(found, number + 1):  # noqa: B020
        linked = chained(line, previous)
        previous = linked["hash"]
        text = canonical(linked).decode()
        lines.append(LogLine(ladder=ladder, number=number, match=match, line=text, hash=previous))
    LogLine.objects.bulk_create(lines)


def line_of(match: Match) -> Line:
    """A match as the log has it: numbers and hashes, no name."""
    seats = list(match.seats.all())
    legs = range(len(seats[0].ranks))
    return {
        "match": match.pk,
        "seed": match.seed,
        "lineup": [
            {
                "bot": seat.bot_id,
                "version": seat.version_id,
                "sha256": seat.version and seat.version.archive_id,
                "owner": seat.bot and seat.bot.owner_id,
            }
            for seat in seats
        ],
        "ranks": [[seat.ranks[leg] for seat in seats] for leg in legs],
        "scores": [[seat.scores[leg] for seat in seats] for leg in legs],
        "faults": [
            {"leg": leg, "place": seat.index, "kind": seat.kinds[leg]}
            for leg in legs
            for seat in seats
            if seat.kinds[leg]
        ],
    }


def lines_after(ladder: Ladder, number: int, most: int = AT_ONCE) -> list[LogLine]:
    return list(ladder.log.filter(number__gt=number).order_by("number")[:most])


def length(ladder: Ladder) -> int:
    return ladder.log.aggregate(last=Max("number"))["last"] or 0


def parsed(lines: Iterable[LogLine]) -> Iterator[Line]:
    return (json.loads(line.line) for line in lines)
