"""The site's side of what it says with workers: claim, progress, record, give back, archives."""

import logging
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from accounts.tokens import is_well_formed, token_hash
from bots import files
from bots.models import Check, Version
from bots.services import check_failed, note_progress, record_check
from jobs.models import LEASE_S, Job, Worker
from jobs.services import Overtaken, claim, give_back, renew, seen
from ladders.services import enter_standards
from tournaments import units
from tournaments.models import Comparison, Match, Unit
from tournaments.people import chair_name
from tournaments.records import Refused, take
from tournaments.replays import seats_of
from workers import contract
from workers.contract import (
    Archive,
    Chair,
    CheckRecord,
    CheckTicket,
    Claim,
    Clocks,
    GiveBack,
    Malformed,
    MatchTicket,
    Progress,
    UnitRecord,
    UnitTicket,
)

log = logging.getLogger("kibitz.desk")

KINDS: dict[str, type[Job]] = {"match": Match, "check": Check, "unit": Unit}
LOCAL_MODES = ("bubblewrap", "plain")
BOXES_ONLY = "This site plays in boxes only, not in mode {mode}."
SIGNED_FOR = timedelta(hours=2)

Answer = Callable[[Worker, bytes], HttpResponse]


def text(status: int, sentence: str = "") -> HttpResponse:
    return HttpResponse(sentence, status=status, content_type="text/plain; charset=utf-8")


def for_workers(answer: Answer) -> Callable[[HttpRequest], HttpResponse]:
    """A view that only a worker's token opens, and that is given the message as sent."""

    @csrf_exempt
    @require_POST
    @wraps(answer)
    def view(request: HttpRequest) -> HttpResponse:
        worker = worker_of(request)
        if worker is None:
            refused = text(401, "This token is unknown or revoked; ask the operator for a new one.")
            refused["WWW-Authenticate"] = 'Bearer realm="Kibitz workers"'
            return refused
        try:
            raw = contract.unpack(request.body, request.headers.get("Content-Encoding"))
            return answer(worker, raw)
        except Malformed as error:
            return text(400, str(error))
        except Overtaken:
            return text(409, "This job is not, or no longer, yours.")

    return view


def worker_of(request: HttpRequest) -> Worker | None:
    kind, _, word = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "bearer" or not is_well_formed(word.strip()):
        return None
    return Worker.objects.filter(sha256=token_hash(word.strip()), revoked_at=None).first()


# -- Claims ---------------------------------------------------------------------------------------


@for_workers
def claimed(worker: Worker, raw: bytes) -> HttpResponse:
    said = contract.decode(Claim, raw)
    if not is_trusted(said.mode):
        return text(403, BOXES_ONLY.format(mode=said.mode))
    seen(worker=worker, mode=said.mode)
    job = claim(kind=KINDS[said.job.kind], said=said, worker=worker)
    if job is None:
        return text(409, "There is nothing to do for this job.")
    return HttpResponse(contract.encode(ticket_of(job)), content_type="application/json")


def ticket_of(job: Job) -> contract.AnyTicket:
    if isinstance(job, Match):
        return match_ticket(job)
    return unit_ticket(job) if isinstance(job, Unit) else check_ticket(job)


def is_trusted(mode: str) -> bool:
    return settings.LOCAL_SANDBOX or mode not in LOCAL_MODES


def match_ticket(match: Match) -> MatchTicket:
    lineup = [archive_of(seat.version) if seat.version else None for seat in seats_of(match)]
    if match.person_id is None:
        return MatchTicket(**about(match, match), lineup=lineup)
    chair = Chair(chair_name(match), match.bots_wall_ms)
    return MatchTicket(**about(match, match), lineup=lineup, legs=len(match.seatings), chair=chair)


def unit_ticket(unit: Unit) -> UnitTicket:
    comparison = Comparison.objects.select_related("ladder").get(pk=unit.comparison_id)
    versions = Version.objects.in_bulk(unit.table)
    table = [archive_of(versions[pk]) for pk in unit.table]
    return UnitTicket(**about(unit, comparison.ladder), table=table, pair=unit.pair)


def check_ticket(check: Any) -> CheckTicket:
    version = Version.objects.select_related("bot").get(pk=check.version_id)
    check.game = version.bot.game
    return CheckTicket(**about(check, check), archive=archive_of(version), players=check.players)


def about(job: Any, rules: Any) -> dict[str, Any]:
    """What every ticket says; the rules are a ladder's, or the job's own."""
    return {
        "id": str(job.pk),
        "attempt": job.attempt,
        "lease_s": LEASE_S,
        "game": rules.game,
        "options": rules.options,
        "seed": job.seed,
        "limits": Clocks(**rules.limits),
    }


def archive_of(version: Version) -> Archive:
    digest = version.archive_id
    address = reverse("worker_archive", args=[digest])
    return Archive(f"{address}?signature={signer().sign(digest)}", digest, version.file_name)


def signer() -> TimestampSigner:
    return TimestampSigner(salt="kibitz.archive")


@require_GET
def archive(request: HttpRequest, digest: str) -> HttpResponse:
    """An archive, to whoever was given its address."""
    try:
        signed = signer().unsign(request.GET.get("signature", ""), max_age=SIGNED_FOR)
    except BadSignature:
        signed = ""
    if signed != digest:
        return text(403, "This address is wrong or too old; claim the job again.")
    try:
        data = files.kept(digest)
    except files.Missing as missing:
        log.error("An archive is missing: %s", missing)
        return text(410, "This archive is gone.")
    return HttpResponse(data, content_type="application/octet-stream")


# -- Progress, records, what is given back --------------------------------------------------------


@for_workers
def progressed(worker: Worker, raw: bytes) -> HttpResponse:
    said = contract.decode(Progress, raw)
    seen(worker=worker)
    if said.job.kind == "check":
        note_progress(said=said, worker=worker)
    else:
        renew(kind=KINDS[said.job.kind], name=said.job, worker=worker)
    return HttpResponse(status=204)


@for_workers
def recorded(worker: Worker, raw: bytes) -> HttpResponse:
    record = contract.decode_record(raw)
    if not is_trusted(record.mode):  # its lease ends, and the job is done again
        return text(422, BOXES_ONLY.format(mode=record.mode))
    seen(worker=worker, mode=record.mode, languages=record.languages)
    if isinstance(record, CheckRecord):
        take_check(record, worker)
        return text(200)
    try:
        if isinstance(record, UnitRecord):
            units.take(record=record, worker=worker)
        else:
            take(record=record, worker=worker)
    except Refused as refused:
        return text(422, str(refused))
    return text(200)


@transaction.atomic
def take_check(record: CheckRecord, worker: Worker) -> None:
    version = record_check(record=record, worker=worker)
    if version.state == Version.State.READY:
        enter_standards(bot=version.bot)


@for_workers
def gave_back(worker: Worker, raw: bytes) -> HttpResponse:
    said = contract.decode(GiveBack, raw)
    seen(worker=worker)
    with transaction.atomic():
        job = give_back(kind=KINDS[said.job.kind], said=said, worker=worker)
        if isinstance(job, Check):
            check_failed(job)
    return HttpResponse(status=204)
