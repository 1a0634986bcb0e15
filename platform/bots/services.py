"""What is done with bots and their versions."""

import secrets
from hashlib import sha256
from pathlib import PurePosixPath

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.urls import reverse

from accounts.models import Switches, User
from accounts.names import check_name, skeleton
from accounts.services import NotPossible, QuotaReached, check_daily_quota, tell
from bots import files
from bots.examples import published
from bots.models import Archive, Bot, Check, CheckLine, Version
from config.live import tell_followers
from games import GAMES
from games.player import Limits
from jobs.models import Job, State, Worker
from jobs.services import current, finish, renew, send_on_commit
from workers import contract
from workers.archive import judge
from workers.contract import CheckRecord, Clocks, Progress

USUAL_PLAYERS = 4


# -- Bots -----------------------------------------------------------------------------------------


def check_bot_name(name: str, but: Bot | None = None) -> None:
    """Refuses what no bot may be called, and what looks like another bot's name."""
    check_name(name)
    alike = Bot.objects.filter(skeleton=skeleton(name))
    if but is not None:
        alike = alike.exclude(pk=but.pk)
    if alike.exists():
        raise ValidationError(
            "A bot of this name, or one that looks like it, exists.", code="unique"
        )


@transaction.atomic
def make_bot(*, owner: User, game: str, name: str, about: str = "") -> Bot:
    if game not in GAMES:
        raise ValidationError(f"There is no game {game!r}; there are {', '.join(GAMES)}.")
    User.objects.select_for_update().get(pk=owner.pk)
    check_bot_name(name)
    most = settings.QUOTAS["bots"]
    if owner.bots.exclude(state=Bot.State.RETIRED).count() >= most:
        raise QuotaReached(f"You have {most} bots, the most there may be; retire one first.")
    return Bot.objects.create(
        owner=owner, game=game, name=name, skeleton=skeleton(name), about=about
    )


@transaction.atomic
def rename(*, bot: Bot, name: str) -> None:
    check_bot_name(name, but=bot)
    bot.name, bot.skeleton = name, skeleton(name)
    bot.save(update_fields=["name", "skeleton"])


def describe(*, bot: Bot, about: str) -> None:
    bot.about = about
    bot.save(update_fields=["about"])


@transaction.atomic
def pause(*, bot: Bot, by: str = Bot.PausedBy.OWNER, reason: str = "") -> None:
    """Takes a bot out of matchmaking. An operator's pause replaces any other; nobody else's does."""
    bot.refresh_from_db(from_queryset=Bot.objects.select_for_update())
    if bot.state == Bot.State.RETIRED:
        raise NotPossible(f"{bot} is retired.")
    if bot.state == Bot.State.PAUSED and by != Bot.PausedBy.OPERATOR:
        return
    bot.state, bot.paused_by, bot.paused_for = Bot.State.PAUSED, by, reason[:1000]
    bot.save(update_fields=["state", "paused_by", "paused_for"])


@transaction.atomic
def resume(*, bot: Bot, by: str = Bot.PausedBy.OWNER) -> None:
    bot.refresh_from_db(from_queryset=Bot.objects.select_for_update())
    if bot.state == Bot.State.RETIRED:
        raise NotPossible(f"{bot} is retired for good; make a new bot instead.")
    if by != Bot.PausedBy.OPERATOR and bot.paused_by == Bot.PausedBy.OPERATOR:
        raise NotPossible(f"{bot} was paused by an operator, who must lift that.")
    if by != Bot.PausedBy.OPERATOR and bot.paused_by == Bot.PausedBy.FAULTS:
        raise NotPossible(
            f"{bot} kept faulting. Upload a version without the fault, or go back to an older one."
        )
    unpause(bot)


def unpause(bot: Bot) -> None:
    bot.state, bot.paused_by, bot.paused_for = Bot.State.ACTIVE, Bot.PausedBy.NOBODY, ""
    bot.save(update_fields=["state", "paused_by", "paused_for"])


@transaction.atomic
def retire(*, bot: Bot) -> None:
    """A bot that will not play again; what it has played stays."""
    bot.state, bot.paused_by, bot.paused_for = Bot.State.RETIRED, Bot.PausedBy.NOBODY, ""
    bot.save(update_fields=["state", "paused_by", "paused_for"])


@transaction.atomic
def activate(*, version: Version) -> None:
    """Lets this version play from now on, an older one as well as a newer one."""
    bot = Bot.objects.select_for_update().get(pk=version.bot_id)
    if bot.state == Bot.State.RETIRED:
        raise NotPossible(f"{bot} is retired for good; make a new bot instead.")
    if version.state != Version.State.READY:
        raise NotPossible(
            f"{version} is not ready: only a version that has passed its check plays."
        )
    if bot.paused_by == Bot.PausedBy.FAULTS and bot.active_version_id != version.pk:
        unpause(bot)
    bot.active_version = version
    bot.save(update_fields=["active_version"])


# -- Uploads --------------------------------------------------------------------------------------


@transaction.atomic
def upload_first(
    *,
    owner: User,
    game: str,
    name: str,
    data: bytes,
    file_name: str,
    notes: str = "",
    about: str = "",
) -> Version:
    """A new bot with its first version; neither without the other."""
    bot = make_bot(owner=owner, game=game, name=name, about=about)
    return upload(bot=bot, data=data, file_name=file_name, notes=notes)[0]


def upload(*, bot: Bot, data: bytes, file_name: str, notes: str = "") -> tuple[Version, bool]:
    """A new version, and whether it is new: the same bytes continue the version they were."""
    if not Switches.now().uploads:
        raise NotPossible("Uploads are closed at the moment; try again later.")
    if bot.state == Bot.State.RETIRED:
        raise NotPossible(f"{bot} is retired; upload to another bot, or make a new one.")
    file_name = PurePosixPath(file_name.replace("\\", "/")).name[:200]
    judge(data, file_name)
    digest = sha256(data).hexdigest()
    with transaction.atomic():
        bot = Bot.objects.select_for_update().select_related("owner").get(pk=bot.pk)
        if version := bot.versions.filter(archive=digest).first():
            return checked_again(version), False
        # Its row is held from here on, so that of two owners at once the second sees the first.
        archive, _ = Archive.objects.update_or_create(
            sha256=digest, defaults={"size": len(data), "stored": True}
        )
        refuse_copies(bot, digest)
        check_upload_quotas(bot)
        files.keep(data)
        version = Version.objects.create(
            bot=bot,
            number=1 + (bot.versions.aggregate(last=Max("number"))["last"] or 0),
            archive=archive,
            file_name=file_name,
            notes=notes[:1000],
            is_example=digest in published(),
        )
        begin_check(version)
    return version, True


def refuse_copies(bot: Bot, digest: str) -> None:
    """One program is one bot: a second copy would only draw lots for a better rating."""
    if digest in published():
        return
    copies = Version.objects.filter(archive=digest).select_related("bot")
    for copy in copies:
        if copy.bot.owner_id != bot.owner_id:
            raise NotPossible(
                "Somebody else has uploaded exactly these bytes before. "
                "If they are yours, change something of your own in them."
            )
        if copy.bot.game == bot.game:
            raise NotPossible(f"This is {copy} already; upload it there, or change something.")


def check_upload_quotas(bot: Bot) -> None:
    a_day, versions = settings.QUOTAS["uploads_a_day"], settings.QUOTAS["versions"]
    uploads = Version.objects.filter(bot__owner=bot.owner)
    check_daily_quota(made=uploads, most=a_day, what="uploads")
    if bot.versions.count() >= versions:
        raise QuotaReached(f"{bot} has {versions} versions, the most there may be; make a new bot.")


# -- Checks ---------------------------------------------------------------------------------------


def begin_check(version: Version) -> Check:
    game = GAMES[version.bot.game]
    options = game.complete({})
    check = Check.objects.create(
        version=version,
        options=options,
        players=min(USUAL_PLAYERS, game.player_counts(options)[-1]),
        limits=contract.as_json(Clocks.of(Limits())),
        seed=secrets.token_hex(32),
    )
    send_on_commit(job=check)
    return check


def checked_again(version: Version) -> Version:
    """A version whose check failed on our side is checked anew when it is uploaded again."""
    check = version.check_job
    if check.state == State.VOID:
        recheck(version=version)
    return version


@transaction.atomic
def recheck(*, version: Version) -> None:
    check = Check.objects.select_for_update().get(version=version)
    if not check.has_ended:
        raise NotPossible(f"{version} is being checked.")
    check.state, check.finished_at, check.sent_at = State.WAITING, None, None
    check.attempt, check.failures, check.void_reason = check.attempt + 1, 0, ""
    check.save()
    version.state, version.verdict, version.steps = Version.State.CHECKING, "", []
    version.save(update_fields=["state", "verdict", "steps"])
    send_on_commit(job=check)


@transaction.atomic
def note_progress(*, said: Progress, worker: Worker) -> None:
    """A sign of life from a check, with what it says meanwhile."""
    check = renew(kind=Check, name=said.job, worker=worker)
    add_lines(check, said.lines)
    if said.lines:
        tell_followers(check.topic)


def add_lines(check: Check, lines: list[str]) -> None:
    CheckLine.objects.bulk_create(
        CheckLine(check_job=check, attempt=check.attempt, text=contract.cut(line)) for line in lines
    )


@transaction.atomic
def record_check(*, record: CheckRecord, worker: Worker) -> Version:
    """The verdict on a version. One that is ready plays from now on: the latest upload counts."""
    check = current(Check, record.job, worker)
    finish(check)
    check.save()
    check.lines.all().delete()
    add_lines(check, record.log)
    version = Version.objects.select_related("bot__owner").get(pk=check.version_id)
    version.language, version.verdict = record.language, record.sentence
    version.steps = [contract.as_json(step) for step in record.steps]
    version.state = Version.State(record.verdict)
    version.save(update_fields=["language", "verdict", "steps", "state"])
    if version.state == Version.State.READY and version.bot.state != Bot.State.RETIRED:
        activate(version=version)
    elif version.state == Version.State.REJECTED:
        tell_rejected(version)
    return version


def check_failed(check: Job) -> None:
    """If our side has failed too often the author hears of it, and may have it tried again."""
    assert isinstance(check, Check)
    if check.state != State.VOID:
        return
    version = check.version
    version.state = Version.State.REJECTED
    version.verdict = (
        f"This is not your bot's fault: {check.void_reason}. "
        "Upload the same file again to have it checked again."
    )
    version.save(update_fields=["state", "verdict"])
    tell_rejected(version)


def tell_rejected(version: Version) -> None:
    address = reverse("version", args=[version.bot.name, version.number])
    tell(
        user=version.bot.owner,
        text=f"{version} was rejected.\n{version.verdict}",
        link=address,
    )
