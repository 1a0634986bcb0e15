"""Makes rated matches: as many as the workers can eat, at tables drawn as `ratings.draw` has it."""

import secrets
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import Switches
from bots.models import Version
from jobs.models import State
from ladders.models import Entry, Ladder, Rating
from ratings import draw
from ratings.claims import PROVISIONAL_MATCHES
from ratings.draw import Entrant
from tournaments.models import Match
from tournaments.services import make_rated

LEAST_WAITING = 4
EATEN_IN_S = 10.0  # as many matches may wait as were played in that time
ENOUGH_MATCHES = 200  # then a ladder plays on at its leisure
LEISURE_S = 60.0
UNKNOWN = 1000.0  # points to each side, of a version before its first match

Row = dict[str, Any]

chance = secrets.SystemRandom()


def make_matches() -> int:
    """Makes as many rated matches as the workers can eat, ladder by ladder; how many it made."""
    if not Switches.now().matchmaking:
        return 0
    now = timezone.now()
    depth = max(LEAST_WAITING, eaten_lately(now))
    return sum(fill_up(newcomers, depth, now) for newcomers in (True, False))


def eaten_lately(now: datetime) -> int:
    since = now - timedelta(seconds=EATEN_IN_S)
    return Match.objects.filter(state=State.FINISHED, finished_at__gt=since).count()


def fill_up(newcomers: bool, depth: int, now: datetime) -> int:
    """Goes round the ladders, the one that has waited longest first, until enough is waiting."""
    waiting = Match.objects.filter(state=State.WAITING, is_newcomers=newcomers).count()
    hungry = deque(lobbies(now) if waiting < depth else [])
    made = 0
    while hungry and waiting + made < depth:
        lobby = hungry.popleft()
        if make_one(lobby, newcomers):
            made += 1
            hungry.append(lobby)
    return made


def lobbies(now: datetime) -> Iterator["Lobby"]:
    ladders = Ladder.objects.open(now).select_related("anchor")
    for ladder in ladders.order_by(F("matched_at").asc(nulls_first=True), "id"):
        yield Lobby(ladder, now)


@transaction.atomic
def make_one(lobby: "Lobby", newcomers: bool) -> Match | None:
    """One match on this ladder, if it wants one."""
    held = Ladder.objects.select_for_update(skip_locked=True).filter(pk=lobby.ladder.pk).first()
    if held is None:
        return None  # another scheduler is at it
    table = draw.table(lobby.entrants, held.players, chance, lobby.due(newcomers))
    if table is None:
        return None
    match = make_rated(ladder=held, table=lobby.seated(table), is_newcomers=newcomers)
    Ladder.objects.filter(pk=held.pk).update(matched_at=timezone.now())
    lobby.send_off(table)
    return match


class Lobby:
    """Those who may be drawn on a ladder, while matches are made."""

    def __init__(self, ladder: Ladder, now: datetime) -> None:
        self.ladder = ladder
        self.is_rested = (
            ladder.matched_at is None or (now - ladder.matched_at).total_seconds() > LEISURE_S
        )
        self.entrants = entrants_of(ladder)

    def due(self, newcomers: bool) -> Callable[[Entrant], bool]:
        """For whom tables are drawn: newcomers apart, and the others until they have played a lot."""

        def is_due(entrant: Entrant) -> bool:
            if is_newcomer(entrant) or newcomers:
                return is_newcomer(entrant) and newcomers
            return entrant.matches < ENOUGH_MATCHES or self.is_rested

        return is_due

    def seated(self, table: list[Entrant]) -> list[tuple[Version, Entry]]:
        """The entries at a table, each with the version that plays."""
        entries = (
            Entry.objects.filter(pk__in={entrant.id for entrant in table})
            .select_related("bot__active_version", "ladder__anchor__bot")
            .in_bulk()
        )
        return [(entries[entrant.id].plays, entries[entrant.id]) for entrant in table]

    def send_off(self, table: list[Entrant]) -> None:
        """They have one match more, and a house bot was there or not."""
        ids, house = {entrant.id for entrant in table}, any(entrant.is_house for entrant in table)
        self.is_rested = False
        self.entrants = [
            replace(
                entrant,
                matches=entrant.matches + 1,
                since_house=0 if house else entrant.since_house + 1,
            )
            if entrant.id in ids
            else entrant
            for entrant in self.entrants
        ]


def is_newcomer(entrant: Entrant) -> bool:
    return not entrant.is_house and entrant.matches < PROVISIONAL_MATCHES


# -- Who may be drawn -----------------------------------------------------------------------------

DRAWN = (
    *("pk", "version", "matches_made", "since_house", "rating", "rank"),
    *("bot", "bot__is_house", "bot__owner", "bot__active_version", "bot__active_version__archive"),
)


def entrants_of(ladder: Ladder) -> list[Entrant]:
    """Read as plain values: there may be thousands, and this is done again and again."""
    rated = Rating.objects.filter(entry__ladder=ladder, plus_minus__isnull=False)
    known: dict[tuple[int, int], Row] = {
        (row["entry"], row["version"]): dict(row)
        for row in rated.values("entry", "version", "rating", "plus_minus", "often_met")
    }
    rows = Entry.objects.playing().filter(ladder=ladder).order_by("pk").values(*DRAWN)
    return [entrant_of(row, known, ladder.anchor) for row in rows]


def entrant_of(row: Row, known: dict[tuple[int, int], Row], anchor: Version | None) -> Entrant:
    is_anchor = anchor is not None and row["bot"] == anchor.bot_id
    version = anchor.pk if anchor and is_anchor else row["bot__active_version"]
    program = anchor.archive_id if anchor and is_anchor else row["bot__active_version__archive"]
    standing = known.get((row["pk"], version))
    return Entrant(
        id=row["pk"],
        owner=str(-row["bot"] if row["bot__is_house"] else row["bot__owner"]),
        program=program,
        rating=standing["rating"] if standing else row["rating"],
        plus_minus=standing["plus_minus"] if standing else UNKNOWN,
        matches=row["matches_made"],
        is_provisional=row["rank"] is None or version != row["version"],
        is_house=row["bot__is_house"],
        is_anchor=is_anchor,
        since_house=row["since_house"],
        met=standing["often_met"] if standing else {},
    )
