"""Who stands where on a ladder: in pages by key, and the leaders of many ladders at once."""

import math
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from config.paging import SIZE
from ladders.models import Entry, EntryQuerySet, Ladder, Rating
from ratings.claims import PROVISIONAL_OWNERS, words_for

Row = dict[str, Any]

SHOWN = (
    *("pk", "rating", "plus_minus", "matches", "faults", "owners_met", "places", "trend"),
    *("rank", "best", "worst", "ahead", "is_clear", "challenger__number", "challenged"),
    *("bot__name", "bot__state", "bot__is_house", "bot__owner", "bot__owner__username"),
    *("version", "version__number", "version__language"),
)
MOST_DIGITS = 9
MOST_LETTERS, MOST_WORDS = 80, 5
SPELLINGS = {"c++": "cpp", "js": "javascript", "py": "python", "rs": "rust", "golang": "go"}
COUNTED = 200  # entries among which owners are counted


@dataclass(frozen=True)
class Standings:
    """Some rows of a ladder's standings, best first; `following` is the key after which the next ones
    begin, "" at the end."""

    rows: list[Row]
    following: str
    is_first: bool


def ranked(ladder: Ladder) -> EntryQuerySet:
    return Entry.objects.present().filter(ladder=ladder, rank__isnull=False)


def provisional(ladder: Ladder) -> EntryQuerySet:
    """Those of which too little is known for a rank."""
    return Entry.objects.present().filter(ladder=ladder, rank=None)


def ranked_page(ladder: Ladder, after: str, size: int = SIZE, *, wanted: str = "") -> Standings:
    """Those behind that rank, or the best ones."""
    entries = matching(ranked(ladder), wanted)
    if is_given := after.isascii() and after.isdecimal() and len(after) <= MOST_DIGITS:
        entries = entries.filter(rank__gt=int(after))
    rows = list(rows_of(entries).order_by("rank", "pk")[: size + 1])
    following = str(rows[size - 1]["rank"]) if len(rows) > size else ""
    return Standings(rows[:size], following, not is_given)


def provisional_page(ladder: Ladder, after: str, size: int, *, wanted: str = "") -> Standings:
    """Those that stand behind the key, or those that seem the best."""
    entries = matching(provisional(ladder), wanted)
    if key := read_key(after):
        rating, pk = key
        # The first condition adds nothing; by it the database finds the place in its index.
        behind = Q(rating__lt=rating) | Q(rating=rating, pk__gt=pk)
        entries = entries.filter(behind, rating__lte=rating)
    rows = list(rows_of(entries).order_by("-rating", "pk")[: size + 1])
    following = key_of(rows[size - 1]) if len(rows) > size else ""
    return Standings(rows[:size], following, key is None)


def rows_of(entries: EntryQuerySet) -> Any:
    challenger = Rating.objects.filter(entry=OuterRef("pk"), version=OuterRef("challenger"))
    return entries.annotate(challenged=Subquery(challenger.values("matches"))).values(*SHOWN)


def matching(entries: EntryQuerySet, wanted: str) -> EntryQuerySet:
    """Those whose bot, author or language is asked for: `fox`, `alice`, `lang:rust`."""
    for word in wanted.replace("\0", "")[:MOST_LETTERS].split()[:MOST_WORDS]:
        kind, _, name = word.casefold().partition(":")
        if kind == "lang":
            entries = entries.filter(version__language__iexact=SPELLINGS.get(name, name))
        else:
            by_author = Q(bot__owner__username__icontains=word, bot__is_house=False)
            entries = entries.filter(Q(bot__name__icontains=word) | by_author)
    return entries


@dataclass(frozen=True)
class Company:
    """Whose bots are on a ladder: how many others one can meet there, up to as many as a rank takes, and
    how many people have a bot that plays."""

    to_meet: int
    people: int


def company_on(ladder: Ladder) -> Company:
    there = Entry.objects.present().filter(ladder=ladder).order_by("pk")
    rows = list(there.values_list("bot", "bot__owner", "bot__is_house", "bot__state")[:COUNTED])
    owners = {-bot if is_house else owner for bot, owner, is_house, _ in rows}
    people = {owner for _, owner, is_house, state in rows if not is_house and state == "active"}
    return Company(min(PROVISIONAL_OWNERS, max(len(owners) - 1, 0)), len(people))


def words_of(entry: Entry) -> str | None:
    """What may be said of the lead over the next one."""
    if entry.ahead is None or entry.rank is None:
        return None
    return words_for(entry.ahead, entry.rank + 1, clear=entry.is_clear).text([])


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
    best = there.filter(rank__isnull=False).order_by("rank", "pk").values("pk")
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
