"""Works a ladder's ratings out anew from the stored results, and says whether anything came out differently."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django.db import transaction

from accounts.models import User
from accounts.services import note_act
from ladders.models import Ladder, Meeting, Rating
from ratings.log import BEFORE_THE_FIRST, hash_of
from tournaments import log, tallies
from tournaments.models import LogLine, Match
from tournaments.rater import Board, count_new, rate_now

Numbers = Mapping[Any, Any]
COUNTED = ("rating", "plus_minus", "previous", *tallies.COUNTED)
SUMS = ("matches", "thousandths", "squares")


class Rerated(NamedTuple):
    """What a rerating has found: how many lines, versions and pairs there are, and every difference."""

    lines: int
    versions: int
    pairs: int
    differences: list[str]


def rerate(*, ladder: Ladder, who: User | None = None) -> Rerated:
    """First brings the ratings up to date; then checks the log against the matches, and counts and fits
    everything from nothing."""
    rate_now(ladder, Board(ladder))
    differences = list(broken_lines(ladder))
    before = ratings_of(ladder), meetings_of(ladder)
    forget(ladder)
    while count_new(ladder):
        pass
    rate_now(ladder, Board(ladder))
    after = ratings_of(ladder), meetings_of(ladder)
    for was, now in zip(before, after, strict=True):
        differences += changes(was, now)
    found = Rerated(log.length(ladder), len(after[0]), len(after[1]), differences)
    detail = "; ".join(differences)[:1000] or "nothing changed"
    note_act(who=who, verb="re-rated", what=f"ladder {ladder}", detail=detail)
    return found


@transaction.atomic
def forget(ladder: Ladder) -> None:
    log.hold(ladder)
    tallies.forget(ladder)
    Ladder.objects.filter(pk=ladder.pk).update(counted_lines=0)


def broken_lines(ladder: Ladder) -> Iterator[str]:
    """Lines that do not follow the one before them, or are not what the stored match gives."""
    previous, number = BEFORE_THE_FIRST, 0
    while lines := log.lines_after(ladder, number):
        matches = Match.objects.prefetch_related(log.SEATS).in_bulk([row.match_id for row in lines])
        for row in lines:
            if what := wrong_with(row, previous, matches[row.match_id]):
                yield f"line {row.number} of the log {what}"
            previous, number = row.hash, row.number


def wrong_with(row: LogLine, previous: str, match: Match) -> str:
    line = json.loads(row.line)
    if line["previous"] != previous:
        return "does not follow the line before it"
    if hash_of(line) != line["hash"] or line["hash"] != row.hash:
        return "is not what was hashed"
    if "match" in line and any(line.get(key) != value for key, value in log.line_of(match).items()):
        return f"is not what match {match.pk} was"
    return ""


def ratings_of(ladder: Ladder) -> Numbers:
    rows = Rating.objects.filter(entry__ladder=ladder).values("version", *COUNTED)
    return {f"version {row['version']}": row for row in rows}


def meetings_of(ladder: Ladder) -> Numbers:
    rows = Meeting.objects.filter(rated__entry__ladder=ladder, matches__gt=0)
    return {
        f"version {row['rated__version']} against {row['other__version']}": row
        for row in rows.values("rated__version", "other__version", *SUMS)
    }


def changes(before: Numbers, after: Numbers) -> Iterator[str]:
    for name in sorted({*before, *after}):
        was, now = before.get(name, {}), after.get(name, {})
        for key in sorted({*was, *now}):
            if was.get(key) != now.get(key):
                yield f"{name}: {key} was {was.get(key)}, is {now.get(key)}"
