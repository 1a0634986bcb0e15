"""Builds a ladder's ratings anew from the stored results, in the order in which they came."""

from django.db import transaction

from accounts.models import User
from accounts.services import note_act
from jobs.models import State
from ladders.models import FIRST_RATING, Entry, Ladder, Rating
from ladders.services import follow_version
from tournaments.models import Match, Seat
from tournaments.records import rate

AT_ONCE = 500


@transaction.atomic
def rerate(*, ladder: Ladder, who: User | None = None) -> int:
    """Forgets the ladder's ratings and counts all its matches again; how many entries changed."""
    entries = {
        entry.pk: entry
        for entry in Entry.objects.select_for_update(of=("self",))
        .filter(ladder=ladder)
        .order_by("pk")
    }
    before = {pk: (entry.rating, entry.matches, entry.faults) for pk, entry in entries.items()}
    Rating.objects.filter(entry__ladder=ladder).delete()
    for entry in entries.values():
        entry.rating, entry.matches, entry.faults = FIRST_RATING, 0, 0
    finished = Match.objects.filter(ladder=ladder, is_rated=True, state=State.FINISHED)
    for match in finished.order_by("finished_at", "id").iterator(AT_ONCE):
        seats = list(match.seats.select_related("version").order_by("index"))
        rate(seats, {seat.entry_id: entries[seat.entry_id] for seat in seats if seat.entry_id})
        Seat.objects.bulk_update(seats, ["rating_before", "rating_after"])
    for entry in Entry.objects.filter(ladder=ladder, bot__active_version__isnull=False):
        follow_version(entry)
    after = Entry.objects.filter(ladder=ladder).values_list("pk", "rating", "matches", "faults")
    changed = sum(before[pk] != tuple(numbers) for pk, *numbers in after)
    note_act(who=who, verb="re-rated", what=f"ladder {ladder}", detail=f"{changed} entries changed")
    return changed
