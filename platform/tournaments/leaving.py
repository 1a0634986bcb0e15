"""Taking one's data along, and leaving for good: what concerns all that somebody has on the site."""

import io
import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from allauth.account.models import EmailAddress
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.utils import timezone

from accounts.models import Invitation, User
from accounts.services import NotPossible
from bots import files
from bots.models import Archive, Bot, Check, CheckLine, Version
from bots.services import retire
from jobs.models import ENDED
from ladders.models import Entry
from ladders.services import leave
from tournaments.comparisons import words_of
from tournaments.models import Comparison, Match, Seat
from tournaments.services import make_void

WITHDRAWN = "one of the bots was withdrawn with its owner's account"


# -- A copy of everything -------------------------------------------------------------------------


class Outflow(io.RawIOBase):
    """What is written is there to be sent on, and then gone: a large zip needs no large memory."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.parts.append(bytes(data))
        return len(data)

    def sent(self) -> bytes:
        parts, self.parts = self.parts, []
        return b"".join(parts)


def export_of(user: User) -> Iterator[bytes]:
    """A zip of all that the site keeps of somebody, piece by piece."""
    outflow = Outflow()
    with ZipFile(outflow, "w") as archive:
        about = json.dumps(about_account(user), cls=DjangoJSONEncoder, indent=1, ensure_ascii=False)
        archive.writestr("account.json", about, ZIP_DEFLATED)
        yield outflow.sent()
        for version in versions_of(user).filter(archive__stored=True).iterator():
            try:
                archive.writestr(path_of(version), files.archive_bytes(version.archive))
            except files.Missing as missing:
                archive.writestr(f"{path_of(version)}.missing.txt", f"{missing}\n")
            yield outflow.sent()
    yield outflow.sent()


def versions_of(user: User) -> QuerySet[Version]:
    return (
        Version.objects.filter(bot__owner=user)
        .select_related("bot", "archive")
        .order_by("bot", "number")
    )


def path_of(version: Version) -> str:
    return f"versions/{version.bot.name}/{version.number}/{version.file_name}"


def about_account(user: User) -> dict[str, Any]:
    return {
        "name": user.username,
        "email": list(EmailAddress.objects.filter(user=user).values("email", "verified")),
        "joined_at": user.date_joined,
        "last_login_at": user.last_login,
        "may_create_ladders": user.creates_ladders,
        "tokens": list(
            user.tokens.values(
                "name", "hint", "created_at", "expires_at", "last_used_at", "revoked_at"
            )
        ),
        "notices": list(user.notices.values("text", "link", "created_at", "read_at")),
        "ladders_joined": list(user.ladders_joined.values("ladder__slug", "created_at")),
        "ladders_created": list(user.ladders_created.values("slug", "title", "about")),
        "bots": [about_bot(bot) for bot in bots_of(user)],
        "matches": list(played_by(user).values_list("pk", flat=True)),
        "tables": list(user.tables.order_by("pk").values_list("pk", flat=True)),
        "challenges": list(user.challenges.order_by("pk").values_list("pk", flat=True)),
        "comparisons": [about_comparison(one) for one in comparisons_of(user)],
    }


def comparisons_of(user: User) -> QuerySet[Comparison]:
    return user.comparisons.select_related("new__bot", "old__bot", "ladder").order_by("pk")


def about_comparison(comparison: Comparison) -> dict[str, Any]:
    return {
        "new": str(comparison.new),
        "old": str(comparison.old),
        "ladder": comparison.ladder.slug,
        "state": comparison.state,
        "sentence": words_of(comparison),
        "created_at": comparison.created_at,
        "finished_at": comparison.finished_at,
    }


def bots_of(user: User) -> QuerySet[Bot]:
    versions = Version.objects.select_related("archive", "bot")
    return user.bots.order_by("pk").prefetch_related(
        Prefetch("versions", versions), "entries__ladder"
    )


def about_bot(bot: Bot) -> dict[str, Any]:
    about = {key: getattr(bot, key) for key in BOT_FIELDS}
    return about | {
        "entries": [about_entry(entry) for entry in bot.entries.all()],
        "versions": [about_version(version) for version in bot.versions.all()],
    }


BOT_FIELDS = ("name", "game", "about", "state", "paused_by", "paused_for", "created_at")
ENTRY_FIELDS = ("rating", "matches", "entered_at", "left_at")
VERSION_FIELDS = (
    *("number", "file_name", "notes", "language", "state", "verdict", "steps"),
    *("is_example", "created_at"),
)


def about_entry(entry: Entry) -> dict[str, Any]:
    return {"ladder": entry.ladder.slug} | {key: getattr(entry, key) for key in ENTRY_FIELDS}


def about_version(version: Version) -> dict[str, Any]:
    about = {key: getattr(version, key) for key in VERSION_FIELDS}
    return about | {
        "sha256": version.archive_id,
        "plays": version.is_active,
        "file": path_of(version) if version.archive.stored else None,
    }


def played_by(user: User) -> QuerySet[Match]:
    return Match.objects.filter(seats__bot__owner=user).distinct().order_by("pk")


# -- Leaving --------------------------------------------------------------------------------------


@transaction.atomic
def delete_account(*, user: User) -> None:
    """Takes away all that is somebody's own. What was played stays, under a name without meaning."""
    user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    refuse_the_last_superuser(user)
    user.deleted_at = timezone.now()
    user.comparisons.all().delete()  # first of all: whoever ends one tells its owner
    withdraw_bots(user)
    user.username = user.skeleton = f"deleted-{user.pk}"
    user.email = user.suspended_for = ""
    user.is_active = user.is_staff = user.is_superuser = user.may_create_ladders = False
    user.last_login = None
    user.set_unusable_password()
    user.save()
    user.tokens.all().delete()
    user.notices.all().delete()
    user.ladders_joined.all().delete()
    EmailAddress.objects.filter(user=user).delete()
    Invitation.objects.filter(used_by=user).update(used_by=None)


def refuse_the_last_superuser(user: User) -> None:
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    if user.is_superuser and not others.exists():
        raise NotPossible(
            "You are the last superuser of this site; make another one first: "
            "manage.py createsuperuser"
        )


def withdraw_bots(user: User) -> None:
    """Matches are held before bots, and bots before entries, as by whoever makes and records matches:
    so no two wait for each other."""
    for match in unfinished_matches(user):
        make_void(match, WITHDRAWN)
    for check in unfinished_checks(user):
        make_void(check, WITHDRAWN)
    bots = list(user.bots.select_for_update().order_by("pk"))
    forget_archives(user)
    for entry in Entry.objects.present().filter(bot__owner=user).select_related("ladder"):
        with suppress(NotPossible):  # a ladder that has closed stays as it is
            leave(entry=entry)
    for number, bot in enumerate(bots, 1):
        retire(bot=bot)
        bot.name = bot.skeleton = f"deleted-{user.pk}-{number}"
        bot.about = ""
        bot.save()
    CheckLine.objects.filter(check_job__version__bot__owner=user).delete()
    versions = Version.objects.filter(bot__owner=user)
    versions.filter(state=Version.State.CHECKING).update(state=Version.State.REJECTED)
    versions.update(file_name="", notes="", verdict="", steps=[])


def unfinished_matches(user: User) -> QuerySet[Match]:
    return (
        Match.objects.select_for_update(of=("self",))
        .exclude(state__in=ENDED)
        .filter(Q(person=user) | Q(pk__in=Seat.objects.filter(bot__owner=user).values("match")))
        .order_by("pk")
    )


def unfinished_checks(user: User) -> QuerySet[Check]:
    return (
        Check.objects.select_for_update(of=("self",))
        .exclude(state__in=ENDED)
        .filter(version__bot__owner=user)
        .order_by("pk")
    )


def forget_archives(user: User) -> None:
    """The bytes go, but for what somebody else has uploaded too, and what is published anyway."""
    others = Version.objects.filter(
        Q(is_example=True) | (~Q(bot__owner=user) & Q(bot__owner__deleted_at=None))
    )
    own = Archive.objects.filter(stored=True, versions__bot__owner=user).exclude(
        Exists(others.filter(archive=OuterRef("pk")))
    )
    for digest in list(own.values_list("pk", flat=True).distinct()):
        Archive.objects.filter(pk=digest).update(stored=False)
        transaction.on_commit(lambda digest=digest: files.forget(digest))  # type: ignore[misc]
