"""Looks for helpers on a ladder and keeps what it found for the operators: pairs of bots of which one does
better against third parties whenever the other is at the table."""

from django.db import transaction
from django.utils import timezone

from bots.models import Version
from ladders.models import Ladder
from ratings import monitor
from ratings.fit import Fit
from tournaments.log import AT_ONCE
from tournaments.models import WatchedPair

SHOWN = 20  # of a ladder, so that one sees what is usual, too


def watch_pairs(*, ladder_id: int, fit: Fit) -> int:
    """Writes down the most remarkable pairs of a ladder; how many are suspicious."""
    found = monitor.pairs(fit, bots_of(fit.entities.tolist()))
    often = [pair for pair in found if pair.matches >= monitor.LEAST_MATCHES]
    keep(ladder_id, often[:SHOWN])
    return sum(pair.is_suspicious for pair in often)


def bots_of(versions: list[int]) -> dict[int, int]:
    """Asked for in pieces: a database takes only so many values at once."""
    found: dict[int, int] = {}
    for begin in range(0, len(versions), AT_ONCE):
        rows = Version.objects.filter(pk__in=versions[begin : begin + AT_ONCE])
        found |= dict(rows.values_list("pk", "bot"))
    return found


@transaction.atomic
def keep(ladder_id: int, found: list[monitor.Pair]) -> None:
    """In the place of what was found before; a pair that is still there keeps its address."""
    Ladder.objects.select_for_update(no_key=True).get(pk=ladder_id)
    now = timezone.now()
    WatchedPair.objects.bulk_create(
        (
            WatchedPair(
                ladder_id=ladder_id,
                one_id=pair.one,
                other_id=pair.other,
                matches=pair.matches,
                gain=pair.gain,
                z=pair.z,
                found_at=now,
            )
            for pair in found
        ),
        update_conflicts=True,
        unique_fields=["ladder", "one", "other"],
        update_fields=["matches", "gain", "z", "found_at"],
    )
    WatchedPair.objects.filter(ladder=ladder_id).exclude(found_at=now).delete()
