"""Publishes a fit: the rating of every version that has played, its history, and the standings."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from config.live import HOME, tell_followers
from ladders.models import Entry, Ladder, Rating, RatingPoint, owner_number
from ratings.claims import PROVISIONAL_MATCHES, is_provisional
from ratings.uncertainty import Uncertainty, standings

AT_ONCE = 200
TREND = 30
GROWN = 1.05  # history gets a point whenever a version has played that much more
DAY = timedelta(days=1)

PUBLISHED = ["previous", "rating", "plus_minus", "noted_matches", "noted_at"]
STANDING = [
    *("version", "challenger", "rating", "plus_minus", "matches", "faults", "owners_met"),
    *("places", "rank", "best", "worst", "ahead", "is_clear", "trend"),
]
COMPARED = ["version_id", "challenger_id", *STANDING[2:]]


@transaction.atomic
def publish(
    *,
    ladder: Ladder,
    known: Uncertainty,
    previous: Mapping[int, int],
    lines: int,
    last_hash: str,
) -> None:
    """Makes a fit of so many lines of the log what everybody sees, unless a later one is there."""
    held = Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)
    if held.counted_lines != lines:
        return  # somebody else has gone on, and will publish that
    rows = {row.version_id: row for row in rows_of(held)}
    now = timezone.now()
    ratings = rated(held, rows, known, previous)
    history(ratings, now)
    Rating.objects.bulk_update(ratings, PUBLISHED, AT_ONCE)
    stand(held, rows, known, now)
    Ladder.objects.filter(pk=held.pk).update(
        fits=F("fits") + 1, fitted_at=now, fitted_lines=lines, last_hash=last_hash
    )
    tell_followers(HOME, held.topic)


def rows_of(ladder: Ladder) -> Iterable[Rating]:
    """All that have played; the anchor has a row before it does."""
    assert ladder.anchor is not None
    entry = Entry.objects.filter(ladder=ladder, bot=ladder.anchor.bot_id).first()
    if entry is not None:
        Rating.objects.get_or_create(entry=entry, version=ladder.anchor)
    return Rating.objects.filter(entry__ladder=ladder).order_by("pk")


def rated(
    ladder: Ladder, rows: Mapping[int, Rating], known: Uncertainty, previous: Mapping[int, int]
) -> list[Rating]:
    """The rows whose numbers are others than before; all of whose matches were removed has none."""
    ratings, widths = known.fit.by_entity(), known.by_entity()
    changed = []
    for version, row in rows.items():
        before = (row.previous_id, row.rating, row.plus_minus)
        row.previous_id = previous.get(version)
        row.rating = ratings.get(version, known.fit.level)
        row.plus_minus = widths.get(version)
        if before != (row.previous_id, row.rating, row.plus_minus) or is_grown(row):
            changed.append(row)
    return changed


# -- History --------------------------------------------------------------------------------------


def history(ratings: Iterable[Rating], now: datetime) -> None:
    """Notes down ratings as they are now: often at first, then ever more rarely, but every day on
    which something was played."""
    points = []
    for row in ratings:
        if row.plus_minus is not None and is_notable(row, now):
            row.noted_matches, row.noted_at = row.matches, now
            points.append(
                RatingPoint(
                    rated=row,
                    at=now,
                    rating=row.rating,
                    plus_minus=row.plus_minus,
                    matches=row.matches,
                )
            )
    RatingPoint.objects.bulk_create(points, AT_ONCE)


def is_notable(row: Rating, now: datetime) -> bool:
    if is_grown(row):
        return True
    return (
        row.noted_at is not None and row.noted_matches != row.matches and now > row.noted_at + DAY
    )


def is_grown(row: Rating) -> bool:
    noted = row.noted_matches
    return row.matches > 0 and (noted is None or row.matches >= math.ceil(GROWN * noted + 0.5))


# -- Standings ------------------------------------------------------------------------------------


def stand(ladder: Ladder, rows: Mapping[int, Rating], known: Uncertainty, now: datetime) -> None:
    """Gives every entry its standing."""
    played = played_by_entry(rows.values())
    entries = list(Entry.objects.filter(ladder=ladder).select_related("bot").order_by("pk"))
    before = [standing_of(entry) for entry in entries]
    present = [entry for entry in entries if entry.left_at is None]
    owners = {owner_number(entry.bot) for entry in present}
    for entry in present:
        promote(entry, rows)
        show(entry, standing_row(entry, played[entry.pk], known.fit.level), now)
    for entry in entries:
        entry.rank = entry.best = entry.worst = entry.ahead = None
        entry.is_clear = False
    ranked = [entry for entry in present if has_rank(entry, len(owners))]
    give_ranks(ranked, known)
    changed = [
        entry for entry, was in zip(entries, before, strict=True) if standing_of(entry) != was
    ]
    Entry.objects.bulk_update(changed, STANDING, AT_ONCE)


def standing_of(entry: Entry) -> Sequence[object]:
    return [copy(getattr(entry, name)) for name in COMPARED]


def promote(entry: Entry, rows: Mapping[int, Rating]) -> None:
    """A challenger that has played enough takes the place, better or worse: the latest, never the best."""
    challenger = rows.get(entry.challenger_id or 0)
    if challenger is not None and challenger.matches >= PROVISIONAL_MATCHES:
        entry.version_id, entry.challenger_id = challenger.version_id, None


def played_by_entry(rows: Iterable[Rating]) -> dict[int, list[Rating]]:
    """Of each entry the versions that have a rating, the oldest first."""
    found: dict[int, list[Rating]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: row.version_id):
        if row.plus_minus is not None:
            found[row.entry_id].append(row)
    return found


def standing_row(entry: Entry, played: Sequence[Rating], level: float) -> Rating:
    """That of the version that stands there. Before its first match it is expected near the one before
    it, and a first one where first ones are."""
    earlier = [row for row in played if row.version_id <= (entry.version_id or 0)]
    if earlier and earlier[-1].version_id == entry.version_id:
        return earlier[-1]
    return Rating(rating=earlier[-1].rating if earlier else level)


def show(entry: Entry, row: Rating, now: datetime) -> None:
    entry.rating, entry.plus_minus = row.rating, row.plus_minus
    entry.matches, entry.faults, entry.owners_met = row.matches, row.faults, row.owners_met
    entry.places = row.places
    if row.noted_at == now:
        entry.trend = [*entry.trend, row.rating][-TREND:]


def has_rank(entry: Entry, owners: int) -> bool:
    return entry.plus_minus is not None and not is_provisional(
        matches=entry.matches,
        plus_minus=entry.plus_minus,
        owners_met=entry.owners_met,
        owners_there=owners - 1,
    )


def give_ranks(ranked: Sequence[Entry], known: Uncertainty) -> None:
    by_version = {entry.version_id: entry for entry in ranked}
    for line in standings(known, [version for version in by_version if version is not None]):
        entry = by_version[line.entity]
        entry.rank, entry.best, entry.worst = line.rank, line.best, line.worst
        entry.ahead, entry.is_clear = line.ahead, line.is_clear
