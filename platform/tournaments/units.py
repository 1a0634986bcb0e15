"""Takes the record of a unit of a comparison: proved by the rules, then counted in its turn."""

from collections.abc import Sequence

from django.db import transaction

from bots.models import Version
from games import game_named, replay
from games.replay import Difference
from games.seating import exchanged, lineup_of, seatings
from jobs.models import Worker
from jobs.services import Overtaken, current, finish, refuse_record
from ratings.comparison import unit_of
from tournaments.comparisons import judge
from tournaments.models import Comparison, Unit
from tournaments.records import Refused
from tournaments.replays import bot_entry
from workers.contract import LegRecord, UnitRecord, as_json, cut

FAULT_LETTERS = 500


def take(*, record: UnitRecord, worker: Worker) -> Unit:
    """Writes down what a unit says, once. A record that the rules do not give is refused, and the unit
    is played again."""
    unit = under_way(record, worker)
    try:
        prove(unit, record)
    except Difference as difference:
        refuse_record(kind=Unit, name=record.job, worker=worker, why=str(difference))
        raise Refused(str(difference)) from None
    return write_down(unit=unit, record=record, worker=worker)


@transaction.atomic
def under_way(record: UnitRecord, worker: Worker) -> Unit:
    """The unit, if it is this worker's now; held no longer, for proving takes too long."""
    unit = current(Unit, record.job, worker)
    unit.comparison = Comparison.objects.select_related("ladder", "new", "old").get(
        pk=unit.comparison_id
    )
    return unit


def prove(unit: Unit, record: UnitRecord) -> None:
    """Deals and plays both games again, each as a replay of one leg, and compares everything."""
    ladder = unit.comparison.ladder
    if record.limits != ladder.clocks:
        raise Difference("the limits are not those of the ticket")
    versions = Version.objects.select_related("bot__owner").in_bulk(unit.table)
    for table, leg in zip(tables_of(unit), record.legs, strict=True):
        if leg.seating != seatings(ladder.players)[0]:
            raise Difference("the seating is not that of the unit")
        lineup = [versions[pk] for pk in lineup_of(table)]
        played = replay.replay_of(
            game_named(ladder.game),
            ladder.options,
            bytes.fromhex(unit.seed),
            match=str(unit.pk),
            played_at=record.played_at,
            limits=as_json(ladder.clocks),
            bots=[bot_entry(version.bot, version) for version in lineup],
            legs=[leg.entry],
        )
        replay.verify(played)


def tables_of(unit: Unit) -> tuple[list[int], list[int]]:
    """The versions by seat, in both games."""
    return unit.table, exchanged(unit.table, *unit.pair)


@transaction.atomic
def write_down(*, unit: Unit, record: UnitRecord, worker: Worker) -> Unit:
    comparison = hold(unit.comparison_id)
    held = current(Unit, record.job, worker)
    finish(held)
    read_off(held, unit, record.legs)
    held.save()
    judge(comparison)
    return held


def hold(comparison_id: int) -> Comparison:
    """Its row, until the end of the transaction; it may be gone, and its units with it."""
    rows = Comparison.objects.select_for_update(of=("self",)).filter(pk=comparison_id)
    comparison = rows.first()
    if comparison is None:
        raise Overtaken
    return comparison


def read_off(unit: Unit, about: Unit, legs: Sequence[LegRecord]) -> None:
    """What the two games say about the two versions."""
    new, old = about.pair
    games = [(new, old, legs[0]), (old, new, legs[1])]
    unit.halves, unit.margin = unit_of(
        [(leg.ranks[new], leg.ranks[old]) for new, old, leg in games],
        [(leg.scores[new], leg.scores[old]) for new, old, leg in games],
    )
    unit.new_faults = sum(has_faulted(new, leg) for new, _, leg in games)
    unit.old_faults = sum(has_faulted(old, leg) for _, old, leg in games)
    numbers = about.comparison.new.number, about.comparison.old.number
    shown = [
        f"v{number} faulted: {fault.kind}, {fault.why}"
        for *seats, leg in games
        for seat, number in zip(seats, numbers, strict=True)
        for fault in leg.private.faults
        if fault.seat == seat
    ]
    unit.fault = cut(shown[0], FAULT_LETTERS) if shown else ""


def has_faulted(seat: int, leg: LegRecord) -> bool:
    return any(fault.seat == seat for fault in leg.faults)
