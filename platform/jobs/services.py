"""What happens to jobs: they are sent, claimed, kept alive, given back, swept up.

The database decides. Each step holds the row's lock and looks at state and attempt anew, so a message that
comes twice, a worker that comes back from the dead and two sweepers at once change nothing.
"""

import logging
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import TypeVar

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from accounts.services import note_act
from accounts.tokens import WORKER, new_token, token_hash
from config.live import tell_followers
from jobs.models import LEASE_S, MOST_FAILURES, Job, State, Worker
from jobs.queue import send
from workers import contract

log = logging.getLogger("kibitz.jobs")

AnyJob = TypeVar("AnyJob", bound=Job)
SENT_AT_ONCE = 200


class Overtaken(Exception):
    """The job is not, or no longer, this worker's to report on."""


# -- Workers --------------------------------------------------------------------------------------


@transaction.atomic
def make_worker(*, name: str, created_by: User | None, letters: str = "") -> tuple[Worker, str]:
    """A worker and, this once, its token; the letters may be given by whoever made them."""
    letters = letters or new_token(WORKER)
    worker = Worker.objects.create(name=name, sha256=token_hash(letters), created_by=created_by)
    note_act(who=created_by, verb="made worker", what=name)
    return worker, letters


@transaction.atomic
def revoke_worker(*, worker: Worker, who: User | None) -> None:
    """Its token is worth nothing from now on; what it was playing is swept up."""
    Worker.objects.filter(pk=worker.pk, revoked_at=None).update(revoked_at=timezone.now())
    note_act(who=who, verb="revoked worker", what=worker.name)


def seen(*, worker: Worker, mode: str = "", languages: dict[str, str] | None = None) -> None:
    """Notes down a sign of life."""
    about: dict[str, object] = {"last_seen_at": timezone.now()}
    if mode:
        about["mode"] = mode
    if languages is not None:
        about["languages"] = languages
    Worker.objects.filter(pk=worker.pk).update(**about)


# -- Sending --------------------------------------------------------------------------------------


def send_on_commit(*, job: Job) -> None:
    """Sends a job once everything about it can be read by whoever claims it."""
    transaction.on_commit(partial(send_now, job=job))
    tell_followers(*job.topics)


def send_now(*, job: Job) -> None:
    if send(job.name, job.queue):
        type(job)._default_manager.filter(
            pk=job.pk, attempt=job.attempt, state=State.WAITING
        ).update(sent_at=timezone.now())


def send_waiting(*, kind: type[Job]) -> int:
    """Sends what waits and may be unknown to all workers: its message was lost, or never left."""
    waiting = kind.objects.unsent(timezone.now()).order_by("id")[:SENT_AT_ONCE]  # type: ignore[attr-defined]
    for job in waiting:
        send_now(job=job)
    return len(waiting)


# -- Claiming and reporting -----------------------------------------------------------------------


def row_id(job_id: str) -> int:
    """The number that a worker's message names; 0, which no row has, if it names none."""
    return int(job_id) if job_id.isdecimal() and len(job_id) <= 18 else 0


def locked(kind: type[AnyJob], job_id: str) -> AnyJob | None:
    """The row, held until the end of the transaction."""
    rows = kind._default_manager.select_for_update(of=("self",))
    return rows.filter(pk=row_id(job_id)).first()


@transaction.atomic
def claim(*, kind: type[AnyJob], said: contract.Claim, worker: Worker) -> AnyJob | None:
    """The job, leased to this worker; None if it is not to be had. The same claim again is answered
    again: the first answer may have been lost."""
    job = locked(kind, said.job.id)
    if job is None or job.attempt != said.job.attempt or is_elsewheres(job, worker):
        return None
    again = job.state == State.PLAYING and job.claim == said.claim and job.worker == worker
    if job.state != State.WAITING and not again:
        return None
    now = timezone.now()
    job.state, job.claim, job.worker, job.machine = State.PLAYING, said.claim, worker, said.worker
    job.started_at = job.started_at or now
    job.lease_until = now + timedelta(seconds=LEASE_S)
    job.save()
    tell_followers(*job.topics)
    return job


def is_elsewheres(job: Job, worker: Worker) -> bool:
    """Whose record of this job was refused may try again only if nobody else is there."""
    if job.refused_from_id != worker.pk:
        return False
    return Worker.objects.present(timezone.now()).exclude(pk=worker.pk).exists()


def current(kind: type[AnyJob], name: contract.Job, worker: Worker) -> AnyJob:
    """The locked row of a job that this worker is playing; else Overtaken."""
    job = locked(kind, name.id)
    if job is None or job.state != State.PLAYING or job.attempt != name.attempt:
        raise Overtaken
    if job.worker_id != worker.pk:
        raise Overtaken
    return job


@transaction.atomic
def renew(*, kind: type[AnyJob], name: contract.Job, worker: Worker) -> AnyJob:
    """A sign of life gives the worker another lease."""
    job = current(kind, name, worker)
    job.lease_until = timezone.now() + timedelta(seconds=LEASE_S)
    job.save(update_fields=["lease_until"])
    return job


def finish(job: Job) -> None:
    """The job has its result; called with the row held, saved by the caller."""
    job.state, job.lease_until, job.finished_at = State.FINISHED, None, timezone.now()
    tell_followers(*job.topics)


def fail(job: Job, why: str) -> None:
    """An attempt has failed on our side: the next one waits, or the job is void. Called with the
    row held."""
    job.failures += 1
    job.attempt += 1
    job.claim, job.lease_until, job.sent_at = "", None, None
    if job.failures >= MOST_FAILURES:
        job.state, job.finished_at = State.VOID, timezone.now()
        job.void_reason = f"{job.failures} attempts failed on our side; the last one: {why}"[:300]
        log.error("%s is void: %s", job, job.void_reason)
        tell_followers(*job.topics)
    else:
        job.state = State.WAITING
        send_on_commit(job=job)
    job.save()


@transaction.atomic
def give_back(*, kind: type[AnyJob], said: contract.GiveBack, worker: Worker) -> AnyJob:
    """A worker could not do a job, and says why."""
    job = current(kind, said.job, worker)
    log.warning("%s was given back by %s (%s): %s", job, said.worker, said.reason, said.why)
    fail(job, said.why)
    return job


@transaction.atomic
def refuse_record(*, kind: type[AnyJob], name: contract.Job, worker: Worker, why: str) -> AnyJob:
    """A record that the rules do not give: the job is done again, elsewhere if there is an elsewhere."""
    job = current(kind, name, worker)
    log.error("A record of %s by %s is refused: %s", job, worker, why)
    worker.refused_records += 1
    worker.save(update_fields=["refused_records"])
    job.refused_from = worker
    fail(job, f"the record was refused: {why}")
    return job


# -- Sweeping -------------------------------------------------------------------------------------


def sweep_expired(*, kind: type[AnyJob], then: Callable[[AnyJob], None]) -> int:
    """Takes jobs back from workers that show no sign of life; `then` sees each, its row held."""
    swept = 0
    expired = kind.objects.expired(timezone.now()).values_list("pk", flat=True)  # type: ignore[attr-defined]
    for pk in list(expired[:SENT_AT_ONCE]):
        swept += sweep_one(kind, pk, then)
    return swept


@transaction.atomic
def sweep_one(kind: type[AnyJob], pk: int, then: Callable[[AnyJob], None]) -> bool:
    job = locked(kind, str(pk))
    if job is None or job.state != State.PLAYING or job.lease_until is None:
        return False
    if job.lease_until >= timezone.now():
        return False
    log.warning("%s: %s shows no sign of life", job, job.machine or "its worker")
    fail(job, f"{job.machine or 'the worker'} showed no sign of life")
    then(job)
    return True
