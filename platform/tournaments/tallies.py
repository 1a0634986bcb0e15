"""What versions have done on a ladder, counted up line by line of its log: places, seats, faults, and how each
did against each other one.

All of it is sums of whole numbers, so neither the order of the lines nor how many are counted at once matters, and
a removed match is taken off again.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

from django.db import connection
from django.db.models import Sum

from bots.models import Bot
from games.seating import seatings
from ladders.models import Entry, Ladder, Meeting, Rating, owner_number

Line = Mapping[str, Any]

OFTEN = 8  # an owner is often met who was at one of so many tables
AT_ONCE = 500
SEAT_COUNTS = 4


@dataclass
class Tally:
    """What one version has done in some matches; by seat legs, duels, half-points and points."""

    matches: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    places: Counter[int] = field(default_factory=Counter)
    seats: dict[int, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0, 0, 0]))


@dataclass
class Tallies:
    """What some lines of a log add to the counts; what a removal takes off, with a minus."""

    bots: dict[int, int] = field(default_factory=dict)  # by version
    versions: dict[int, Tally] = field(default_factory=lambda: defaultdict(Tally))
    meetings: dict[tuple[int, int], list[int]] = field(
        default_factory=lambda: defaultdict(lambda: [0, 0, 0])
    )

    def add(self, line: Line, sign: int) -> None:
        lineup = [place["version"] for place in line["lineup"]]
        self.bots |= {place["version"]: place["bot"] for place in line["lineup"]}
        self.add_results(line, lineup, sign)
        self.add_seats(line, lineup, sign)
        self.add_meetings(line["ranks"], lineup, sign)

    def add_results(self, line: Line, lineup: Sequence[int], sign: int) -> None:
        points = [sum(scores) for scores in zip(*line["scores"], strict=True)]
        for version in set(lineup):
            self.versions[version].matches += sign
        for version, own in zip(lineup, points, strict=True):
            self.versions[version].places[sum(other > own for other in points)] += sign
        for fault in line["faults"]:
            self.versions[lineup[fault["place"]]].kinds[fault["kind"]] += sign

    def add_seats(self, line: Line, lineup: Sequence[int], sign: int) -> None:
        legs = zip(seatings(len(lineup)), line["ranks"], line["scores"], strict=True)
        for seating, ranks, scores in legs:
            for seat, place in enumerate(seating):
                others = [at for at, version in enumerate(lineup) if version != lineup[place]]
                halves = sum(half_points(ranks[place], ranks[other]) for other in others)
                counts = self.versions[lineup[place]].seats[seat]
                for at, count in enumerate((1, len(others), halves, scores[place])):
                    counts[at] += sign * count

    def add_meetings(
        self, ranks: Sequence[Sequence[int]], lineup: Sequence[int], sign: int
    ) -> None:
        duels: dict[tuple[int, int], list[int]] = defaultdict(list)
        for one, two in permutations(range(len(lineup)), 2):
            if lineup[one] != lineup[two]:
                duel = duels[lineup[one], lineup[two]]
                duel.extend(half_points(leg[one], leg[two]) for leg in ranks)
        for pair, halves in duels.items():
            share = round(1000 * sum(halves) / (2 * len(halves)))
            for at, count in enumerate((1, share, share**2)):
                self.meetings[pair][at] += sign * count


def half_points(own: int, other: int) -> int:
    return (own <= other) + (own < other)


# -- Writing them down ----------------------------------------------------------------------------


def count(ladder: Ladder, lines: Iterable[tuple[Line, int]]) -> None:
    """Adds lines, or with -1 takes them off; called in the transaction that notes down how far the
    counting has come."""
    tallies = Tallies()
    for line, sign in lines:
        tallies.add(line, sign)
    rated = ratings_of(ladder, tallies.bots)
    for version, tally in tallies.versions.items():
        add_up(rated[version], tally, ladder.players)
    write_meetings(tallies, rated)
    note_owners(rated.values())
    Rating.objects.bulk_update(rated.values(), COUNTED, AT_ONCE)


COUNTED = ["matches", "faults", "kinds", "places", "seats", "owners_met", "often_met"]


def ratings_of(ladder: Ladder, bots: Mapping[int, int]) -> dict[int, Rating]:
    """The row of each version, made if it is not there."""
    entries = dict(
        Entry.objects.filter(ladder=ladder, bot__in=set(bots.values())).values_list("bot", "pk")
    )
    Rating.objects.bulk_create(
        [Rating(entry_id=entries[bot], version_id=version) for version, bot in bots.items()],
        ignore_conflicts=True,
    )
    rows = Rating.objects.filter(entry__ladder=ladder, version__in=bots)
    return {row.version_id: row for row in rows.select_related("entry__bot").order_by("pk")}


def add_up(rating: Rating, tally: Tally, players: int) -> None:
    rating.matches += tally.matches
    kinds = Counter(rating.kinds)
    kinds.update(tally.kinds)
    rating.kinds = {kind: kinds[kind] for kind in sorted(kinds) if kinds[kind]}
    rating.faults = sum(rating.kinds.values())
    rating.places = rating.places or [0] * players
    for place, number in tally.places.items():
        rating.places[place] += number
    rating.seats = rating.seats or [[0] * SEAT_COUNTS for _ in range(players)]
    for seat, counts in tally.seats.items():
        rating.seats[seat] = [a + b for a, b in zip(rating.seats[seat], counts, strict=True)]


def write_meetings(tallies: Tallies, rated: Mapping[int, Rating]) -> None:
    """Added up by the database: there may be millions of rows, and few of them change."""
    table = Meeting._meta.db_table
    with connection.cursor() as cursor:
        cursor.executemany(
            f"INSERT INTO {table} (rated_id, other_id, owner, matches, thousandths, squares)"  # noqa: S608
            " VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT (rated_id, other_id) DO UPDATE SET"
            f" matches = {table}.matches + excluded.matches,"
            f" thousandths = {table}.thousandths + excluded.thousandths,"
            f" squares = {table}.squares + excluded.squares",
            [
                (rated[one].pk, rated[two].pk, owner_number(rated[two].entry.bot), *counts)
                for (one, two), counts in sorted(tallies.meetings.items())
            ],
        )


def note_owners(ratings: Iterable[Rating]) -> None:
    """How many owners each has met, and whom often; the draw needs no more."""
    by_rating = {rating.pk: rating for rating in ratings}
    met: dict[int, dict[int, int]] = defaultdict(dict)
    rows = Meeting.objects.filter(rated__in=by_rating, matches__gt=0)
    for pk, owner, matches in rows.values_list("rated", "owner").annotate(Sum("matches")):
        met[pk][owner] = matches
    for pk, rating in by_rating.items():
        rating.owners_met = len(met[pk])
        rating.often_met = {
            str(owner): matches
            for owner, matches in sorted(met[pk].items())
            if OFTEN * matches >= rating.matches
        }


def forget(ladder: Ladder) -> None:
    """As if nothing had been counted yet; ratings and their history stay."""
    Meeting.objects.filter(rated__entry__ladder=ladder).delete()
    Rating.objects.filter(entry__ladder=ladder).update(
        matches=0, faults=0, kinds={}, places=[], seats=[], owners_met=0, often_met={}
    )


def owners_on(ladder: Ladder) -> set[int]:
    """Everybody who has a bot that plays there."""
    bots = Bot.objects.filter(entries__in=Entry.objects.playing().filter(ladder=ladder))
    return {owner_number(bot) for bot in bots.only("pk", "is_house", "owner_id")}
