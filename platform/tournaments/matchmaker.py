"""Draws tables: at random, those with the fewest matches first, never two bots of one owner at one."""

import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from accounts.models import Switches
from bots.models import Version
from jobs.models import State
from ladders.models import PROVISIONAL_MATCHES, Entry, Ladder
from tournaments.models import Match
from tournaments.services import make_rated

LEAST_WAITING = 4
EATEN_IN_S = 10.0  # as many matches may wait as were played in that time
ENOUGH_MATCHES = 200  # then a ladder plays on at its leisure
LEISURE_S = 60.0

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
    made, hungry = 0, True
    while hungry and waiting + made < depth:
        hungry = False
        for ladder in Ladder.objects.open(now).order_by(
            F("matched_at").asc(nulls_first=True), "id"
        ):
            if waiting + made < depth and make_one(ladder, newcomers, now):
                made, hungry = made + 1, True
    return made


@transaction.atomic
def make_one(ladder: Ladder, newcomers: bool, now: datetime) -> Match | None:
    """One match on this ladder, if it wants one."""
    held = Ladder.objects.select_for_update(skip_locked=True).filter(pk=ladder.pk).first()
    if held is None:
        return None  # another scheduler is at it
    first = first_at_table(held, newcomers, now)
    if first is None:
        return None
    table = table_with(first, held)
    if len(table) < held.players or len({entry.pk for entry in table}) < 2:
        return None
    match = make_rated(
        ladder=held,
        table=[(version_of(entry), entry) for entry in table],
        is_newcomers=newcomers,
    )
    Ladder.objects.filter(pk=held.pk).update(matched_at=timezone.now())
    return match


def first_at_table(ladder: Ladder, newcomers: bool, now: datetime) -> Entry | None:
    """Who has the fewest matches; ties are drawn."""
    entries = Entry.objects.playing().filter(ladder=ladder).select_related("bot__active_version")
    is_newcomer = Q(bot__is_house=False, matches_made__lt=PROVISIONAL_MATCHES)
    entries = entries.filter(is_newcomer) if newcomers else entries.exclude(is_newcomer)
    fewest = entries.order_by("matches_made", "?").first()
    if fewest is None or newcomers or fewest.matches_made < ENOUGH_MATCHES:
        return fewest
    rested = ladder.matched_at is None or (now - ladder.matched_at).total_seconds() > LEISURE_S
    return fewest if rested else None


def table_with(first: Entry, ladder: Ladder) -> list[Entry]:
    """The others at the table: one bot an owner, then house bots, who may sit there several times."""
    others = list(
        Entry.objects.playing()
        .filter(ladder=ladder)
        .exclude(pk=first.pk)
        .select_related("bot__active_version")
        .order_by("?")[: 8 * ladder.players]
    )
    table, owners = [first], {owner_of(first)}
    for entry in others:
        if len(table) < ladder.players and owner_of(entry) not in owners:
            table.append(entry)
            owners.add(owner_of(entry))
    fill_with_house(table, ladder)
    chance.shuffle(table)
    return table


def fill_with_house(table: list[Entry], ladder: Ladder) -> None:
    house = list(
        Entry.objects.playing()
        .filter(ladder=ladder, bot__is_house=True)
        .select_related("bot__active_version")
    )
    while house and len(table) < ladder.players:
        chance.shuffle(house)
        table.extend(house[: ladder.players - len(table)])


def version_of(entry: Entry) -> Version:
    version = entry.bot.active_version
    assert version is not None  # or it would not be playing
    return version


def owner_of(entry: Entry) -> tuple[str, int]:
    """Each house bot counts as an owner of its own."""
    return ("house", entry.bot_id) if entry.bot.is_house else ("person", entry.bot.owner_id)
