"""One job from its claim to its record, whatever fails on the way; knows no queue.

What fails on our side is given back, and nobody loses. What a bot does wrong stands in the record, and is
never tried again.
"""

import logging
import shutil
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Literal, Protocol, Self

import msgspec

from games import game_named
from games.base import Event, Refusal
from games.player import Limits, OpenPlayer, Player
from games.replay import leg_entry
from sandbox.box import InfrastructureFault, Program, Sandbox
from workers import contract
from workers.check import Say, Verdict
from workers.contract import (
    AnyRecord,
    AnyTicket,
    Archive,
    CheckRecord,
    CheckTicket,
    GiveBack,
    Job,
    LegRecord,
    Malformed,
    MatchRecord,
    MatchTicket,
    Progress,
    UnitRecord,
    UnitTicket,
    cut,
)
from workers.desk import Desk, NoArchive, NotAdmitted, Spool, Unacceptable, Unreachable
from workers.referee import PlayedLeg, play_match, play_pair
from workers.store import Mismatch, Store

log = logging.getLogger("kibitz.worker")

LEAST_FREE_BYTES = 256 * 2**20
REST_S = 5.0
MOST_REST_S = 300.0
BEATS_A_LEASE = 3
SAYING_S = 1.0  # how long the lines of a check wait for each other


class NotNow(Exception):
    """This worker must take no job for a while; another one may."""


class LeaseLost(Exception):
    """The site has given the job to somebody else, or has no use for it any more."""


class NoProgram(Exception):
    """A bot that has passed its check could not be built; others are not concerned."""


class Leaving(Exception):
    """This worker ends, and does not wait for what a person may say."""


class Workbench(Protocol):
    """A sandbox, and what is done with archives in it."""

    sandbox: Sandbox
    languages: dict[str, str]  # with their versions

    def program(self, archive: bytes, file_name: str) -> Program:
        """The bot of an archive that has passed its check; NoProgram if it will not build."""

    def check(self, ticket: CheckTicket, archive: bytes, say: Say) -> Verdict:
        """What comes of the check of a new version; what it says meanwhile, its author may read."""

    def close(self) -> None:
        """Ends what is left."""


# Seats whoever sits on the chair of this name; what is given along raises what ends the waiting.
SeatPerson = Callable[[str, Callable[[], None]], Player]


class Worker:
    """Does jobs, one at a time in each of its threads."""

    def __init__(
        self,
        desk: Desk,
        store: Store,
        spool: Spool,
        open_bench: Callable[[], Workbench],
        seat_person: SeatPerson,
        *,
        cores: int = 1,
        least_free_bytes: int = LEAST_FREE_BYTES,
    ) -> None:
        self.desk = desk
        self.store = store
        self.spool = spool
        self.open_bench = open_bench
        self.seat_person = seat_person
        self.cores = cores
        self.least_free_bytes = least_free_bytes
        self.bench: Workbench | None = None
        self.opening = threading.Lock()
        self.leaving = threading.Event()
        self.rest = Rest()

    def do(self, job: Job) -> None:
        """Claims a job, does it and reports; NotNow if it must be left to others."""
        bench = self.prepared()
        try:
            ticket = self.desk.claim(job, bench.sandbox.mode)  # type: ignore[arg-type]
        except Unreachable as error:
            raise NotNow(str(error)) from None
        except (Malformed, Unacceptable) as error:
            log.error("The ticket of %s cannot be read: %s", job, error)
            self.give_back(job, "ticket", str(error))
            return
        if ticket is None:
            log.info("Nothing to do for %s", job)
            return
        with Heartbeat(self.desk, job, ticket.lease_s) as heart:
            self.attempt(job, ticket, bench, heart)

    def attempt(self, job: Job, ticket: AnyTicket, bench: Workbench, heart: "Heartbeat") -> None:
        try:
            raw = contract.encode(self.recorded(ticket, bench, heart))
        except LeaseLost:
            log.warning("The lease of %s is lost; it is left to others", job)
        except InfrastructureFault as fault:
            self.give_back(job, "sandbox", str(fault))
            self.put_away(bench, fault)
        except (NoArchive, NoProgram, Mismatch, Unreachable) as error:
            self.give_back(job, "archive", str(error))
        except Refusal as refusal:
            self.give_back(job, "ticket", str(refusal))
        except Leaving:
            self.give_back(job, "error", "the worker was stopped")
        except Exception as error:
            log.exception("%s has failed", job)
            self.give_back(job, "error", f"{type(error).__name__}: {error}")
        else:
            self.rest = Rest()
            self.report(job, raw)

    # -- Before a job --------------------------------------------------------------------------

    def prepared(self) -> Workbench:
        """The bench, open; NotNow if this machine cannot do a job at present."""
        self.rest.check()
        free = shutil.disk_usage(self.store.folder).free
        if free < self.least_free_bytes:
            raise NotNow(f"only {free >> 20} MB are left on the disk of {self.store.folder}")
        if self.spool.full:
            raise NotNow(f"too many records wait in {self.spool.folder}")
        with self.opening:
            if self.bench is None:
                try:
                    self.bench = self.open_bench()
                except InfrastructureFault as fault:
                    self.rest = self.rest.longer(str(fault))
                    raise NotNow(str(fault)) from None
            return self.bench

    def put_away(self, bench: Workbench, fault: InfrastructureFault) -> None:
        """After a fault of the machine a new bench is opened, and not at once. Jobs of other threads
        that the old one is taken from are given back, too."""
        log.error("The sandbox has failed: %s", fault)
        self.rest = self.rest.longer(str(fault))
        if self.bench is bench:
            self.close()

    def close(self) -> None:
        bench, self.bench = self.bench, None
        if bench is not None:
            with suppress(InfrastructureFault):
                bench.close()

    # -- The job -------------------------------------------------------------------------------

    def recorded(self, ticket: AnyTicket, bench: Workbench, heart: "Heartbeat") -> AnyRecord:
        if isinstance(ticket, MatchTicket):
            return self.match(ticket, bench, heart)
        if isinstance(ticket, UnitTicket):
            return self.unit(ticket, bench, heart)
        return self.check(ticket, bench, heart)

    def match(self, ticket: MatchTicket, bench: Workbench, heart: "Heartbeat") -> MatchRecord:
        game = game_named(ticket.game)
        bots = [
            self.opener(archive, bench) if archive else self.opener_of_person(ticket, heart)
            for archive in ticket.lineup
        ]
        heart.started()
        played_at = moment()
        played = play_match(
            game,
            ticket.options,
            bots,
            bytes.fromhex(ticket.seed),
            limits=[limits_of(ticket, archive) for archive in ticket.lineup],
            legs=ticket.legs,
            cores=self.cores,
            watch=heart.watch,
        )
        return MatchRecord(
            **self.signature(ticket, bench, played_at),
            limits=ticket.limits,
            legs=leg_records(played),
        )

    def unit(self, ticket: UnitTicket, bench: Workbench, heart: "Heartbeat") -> UnitRecord:
        game = game_named(ticket.game)
        bots = [self.opener(archive, bench) for archive in ticket.table]
        heart.started()
        played_at = moment()
        played = play_pair(
            game,
            ticket.options,
            bots,
            ticket.pair,
            bytes.fromhex(ticket.seed),
            limits=ticket.limits.limits,
            cores=self.cores,
            watch=heart.watch,
        )
        return UnitRecord(
            **self.signature(ticket, bench, played_at),
            limits=ticket.limits,
            legs=leg_records(played),
        )

    def check(self, ticket: CheckTicket, bench: Workbench, heart: "Heartbeat") -> CheckRecord:
        archive = self.fetched(ticket.archive)
        heart.started()
        played_at, lines = moment(), list[str]()

        def say(text: str) -> None:
            heart.check()
            lines.extend(contract.lines_of(text))
            heart.say(contract.lines_of(text))

        verdict = bench.check(ticket, archive, say)
        return CheckRecord(
            **self.signature(ticket, bench, played_at),
            verdict="ready" if verdict.ready else "rejected",
            language=verdict.language,
            sentence=verdict.sentence,
            steps=verdict.steps,
            log=contract.within(lines),
            leg=leg_records([verdict.leg])[0] if verdict.leg else None,
        )

    def signature(self, ticket: AnyTicket, bench: Workbench, played_at: str) -> dict[str, Any]:
        return {
            "id": ticket.id,
            "attempt": ticket.attempt,
            "worker": self.desk.worker,
            "mode": bench.sandbox.mode,
            "languages": bench.languages,
            "played_at": played_at,
        }

    def opener(self, archive: Archive, bench: Workbench) -> OpenPlayer:
        program = bench.program(self.fetched(archive), archive.file_name)
        return lambda: bench.sandbox.open(program)

    def opener_of_person(self, ticket: MatchTicket, heart: "Heartbeat") -> OpenPlayer:
        chair = ticket.chair
        if chair is None:
            raise Refusal("The lineup has a person, and the ticket no chair.")

        def look_up() -> None:
            heart.check()
            if self.leaving.is_set():
                raise Leaving

        return lambda: self.seat_person(chair.name, look_up)

    def fetched(self, archive: Archive) -> bytes:
        return self.store.archive(archive.sha256, lambda: self.desk.archive(archive.address))

    # -- After the job -------------------------------------------------------------------------

    def report(self, job: Job, raw: bytes) -> None:
        """Delivers the record, now or later."""
        try:
            if not self.desk.record(raw):
                log.warning("The record of %s comes too late", job)
        except Unreachable as error:
            log.warning("The record of %s must wait on disk: %s", job, error)
            self.save(job, raw)
        except NotAdmitted:
            self.save(job, raw)
            raise
        except Unacceptable as error:
            log.error("The record of %s is not taken: %s", job, error)

    def save(self, job: Job, raw: bytes) -> None:
        try:
            self.spool.put(job, raw)
        except OSError as error:
            log.error("The record of %s is lost, it will be played again: %s", job, error)

    def give_back(
        self, job: Job, reason: Literal["sandbox", "archive", "ticket", "error"], why: str
    ) -> None:
        log.warning("%s is given back (%s): %s", job, reason, why)
        try:
            self.desk.give_back(GiveBack(job, reason, cut(why), self.desk.worker))
        except (Unreachable, Unacceptable) as error:
            log.warning("%s could not be given back, its lease will end: %s", job, error)


class Rest:
    """A pause after a failure of this machine, twice as long after each."""

    def __init__(self, seconds: float = 0.0, why: str = "") -> None:
        self.seconds = seconds
        self.why = why
        self.until = time.monotonic() + seconds

    def longer(self, why: str) -> "Rest":
        return Rest(min(MOST_REST_S, max(REST_S, 2 * self.seconds)), why)

    def check(self) -> None:
        left = self.until - time.monotonic()
        if left > 0:
            raise NotNow(f"resting for {left:.0f} s more: {self.why}")


class Heartbeat(threading.Thread):
    """Tells the site that a job is being done, and learns from it whether it still should be."""

    def __init__(self, desk: Desk, job: Job, lease_s: float) -> None:
        super().__init__(name="heartbeat", daemon=True)
        self.desk = desk
        self.job = job
        self.beat_s = lease_s / BEATS_A_LEASE
        self.lost = False
        self.unsaid: list[str] = []
        self.over = threading.Event()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.over.set()
        self.join()

    def run(self) -> None:
        due = time.monotonic() + self.beat_s
        while not self.over.wait(min(SAYING_S, max(0.0, due - time.monotonic()))):
            if self.unsaid or time.monotonic() >= due:
                due = time.monotonic() + self.beat_s
                self.beat("alive")

    def started(self) -> None:
        self.beat("started")
        self.check()

    def say(self, lines: Sequence[str]) -> None:
        self.unsaid.extend(lines)

    def watch(self, leg: int, events: list[Event]) -> None:
        self.check()

    def check(self) -> None:
        if self.lost:
            raise LeaseLost

    def beat(self, state: Literal["started", "alive"]) -> None:
        lines = self.unsaid[: contract.PROGRESS_LINES]
        try:
            self.lost |= not self.desk.progress(Progress(self.job, state, lines))
            del self.unsaid[: len(lines)]
        except (Unreachable, Unacceptable, NotAdmitted) as error:
            # Not the end: the record may still find a way.
            log.warning("No progress could be reported on %s: %s", self.job, error)


class Courier(threading.Thread):
    """Delivers what waits in the spool, at the start and ever after."""

    def __init__(self, spool: Spool, desk: Desk, every_s: float = 10.0) -> None:
        super().__init__(name="courier", daemon=True)
        self.spool = spool
        self.desk = desk
        self.every_s = every_s
        self.over = threading.Event()

    def run(self) -> None:
        while True:
            self.deliver()
            if self.over.wait(self.every_s):
                return

    def deliver(self) -> None:
        try:
            delivered = self.spool.deliver(self.desk)
            if delivered:
                log.warning("%d records that had to wait are gone", delivered)
        except (Unreachable, NotAdmitted, OSError) as error:
            log.warning("Records still wait in %s: %s", self.spool.folder, error)

    def stop(self) -> None:
        self.over.set()
        self.join()


def limits_of(ticket: MatchTicket, archive: Archive | None) -> Limits:
    """A bot is held to limits of its own where a person may take minutes."""
    limits = ticket.limits.limits
    if archive is None or ticket.chair is None:
        return limits
    return replace(limits, wall_ms=ticket.chair.bots_wall_ms)


def leg_records(played: Sequence[PlayedLeg]) -> list[LegRecord]:
    seats = sum(len(leg.seating) for leg in played)
    return [leg_record(leg, seats) for leg in played]


def leg_record(played: PlayedLeg, seats: int) -> LegRecord:
    """A leg with its share, among all seats of the record, of what may be private."""
    debug_bytes, notes_bytes = contract.DEBUG_BYTES // seats, contract.NOTES_BYTES // seats
    debug = [played.debug.get(seat, b"") for seat in range(len(played.seating))]
    private = {
        "notes": contract.notes_within(played.notes, notes_bytes),
        "faults": [fault | {"why": cut(fault["why"])} for fault in played.faults],
        "debug": [contract.middle_out(output, debug_bytes) for output in debug],
    }
    whole = leg_entry(played.seating, played.leg) | {"private": private}
    return msgspec.convert(whole, LegRecord)


def moment() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
