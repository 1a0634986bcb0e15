"""Who stands where on a ladder: in pages by key, and the leaders of many ladders at once."""

import math
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from config.paging import SIZE
from ladders.models import PROVISIONAL_MATCHES, Entry, EntryQuerySet, Ladder

Row = dict[str, Any]

SHOWN = (
    "pk",
    "rating",
    "matches",
    "faults",
    "bot__name",
    "bot__state",
    "bot__is_house",
    "bot__owner",
    "bot__owner__username",
    "version__number",
    "version__language",
)


@dataclass(frozen=True)
class Standings:
    """Some rows of a ladder's standings, best first, from rank `first` on; `following` is the key
    after which the next ones begin, "" at the end."""

    rows: list[Row]
    first: int
    following: str

    @property
    def is_first(self) -> bool:
        return self.first == 1


def ranked(ladder: Ladder) -> EntryQuerySet:
    return Entry.objects.present().filter(ladder=ladder, matches__gte=PROVISIONAL_MATCHES)


def provisional(ladder: Ladder) -> EntryQuerySet:
    """Those that have played too little to be ranked."""
    return Entry.objects.present().filter(ladder=ladder, matches__lt=PROVISIONAL_MATCHES)


def standings(entries: EntryQuerySet, after: str, size: int = SIZE) -> Standings:
    """The entries that stand behind the key, or the best ones."""
    first = 1
    if key := read_key(after):
        rating, pk = key
        first = 1 + entries.filter(Q(rating__gt=rating) | Q(rating=rating, pk__lte=pk)).count()
        # The first condition adds nothing; by it the database finds the place in its index.
        behind = Q(rating__lt=rating) | Q(rating=rating, pk__gt=pk)
        entries = entries.filter(behind, rating__lte=rating)
    rows = list(entries.values(*SHOWN).order_by("-rating", "pk")[: size + 1])
    following = key_of(rows[size - 1]) if len(rows) > size else ""
    return Standings(rows[:size], first, following)


def key_of(row: Row) -> str:
    return f"{row['rating']!r}_{row['pk']}"


def read_key(text: str) -> tuple[float, int] | None:
    rating, _, pk = text.partition("_")
    try:
        key = float(rating), int(pk)
    except ValueError:
        return None
    return key if math.isfinite(key[0]) and 0 <= key[1] < 2**63 else None


# -- Many ladders ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Summary:
    """A ladder with its leaders and how many bots are on it."""

    ladder: Ladder
    leaders: list[Entry]
    bots: int


PLACES = ("first", "second", "third")


def summaries(ladders: QuerySet[Ladder]) -> list[Summary]:
    """Two questions to the database, however many ladders there are."""
    there = Entry.objects.present().filter(ladder=OuterRef("pk"))
    best = there.filter(matches__gte=PROVISIONAL_MATCHES).order_by("-rating", "pk").values("pk")
    counted = there.order_by().values("ladder").annotate(bots=Count("pk")).values("bots")
    found = list(
        ladders.annotate(
            bots=Coalesce(Subquery(counted), 0),
            **{place: Subquery(best[at : at + 1]) for at, place in enumerate(PLACES)},
        )
    )
    leading = {ladder.pk: [getattr(ladder, place) for place in PLACES] for ladder in found}
    known = Entry.objects.select_related("bot", "version").in_bulk(
        [pk for pks in leading.values() for pk in pks if pk]
    )
    return [
        Summary(ladder, [known[pk] for pk in leading[ladder.pk] if pk], ladder.bots)
        for ladder in found
    ]
