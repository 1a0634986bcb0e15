"""What is done to accounts."""

from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import get_random_string

from accounts.mail import deliver
from accounts.models import TAKEN, Act, Invitation, Notice, Token, User
from accounts.names import check_name, skeleton
from accounts.tokens import new_token, token_hash

A_DAY = timedelta(days=1)
CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that looks like another
UNKNOWN_INVITATION = (
    "This invitation is unknown, or was used already; ask whoever sent it for a new one."
)


class NotPossible(Exception):
    """What was asked for cannot be done as things are; says why, and what to do."""


class QuotaReached(NotPossible):
    """There is no room for one more; says how many there may be, and may know from when on."""

    def __init__(self, sentence: str, room_at: datetime | None = None) -> None:
        super().__init__(sentence)
        self.room_at = room_at


def check_daily_quota(*, made: QuerySet[Any], most: int, what: str) -> None:
    """Refuses one more of what may be made so often in 24 hours."""
    lately = made.filter(created_at__gt=timezone.now() - A_DAY).order_by("-created_at")
    times = list(lately.values_list("created_at", flat=True)[:most])
    if len(times) == most:
        raise QuotaReached(
            f"{most} {what} in 24 hours are the most there may be; try tomorrow.",
            room_at=times[-1] + A_DAY if times else None,
        )


def check_user_name(name: str, but: User | None = None) -> None:
    """Refuses what no one may be called, and what looks like somebody else's name."""
    check_name(name)
    alike = User.objects.filter(skeleton=skeleton(name))
    if but is not None:
        alike = alike.exclude(pk=but.pk)
    if alike.exists():
        raise ValidationError(TAKEN, code="unique")


# -- Tokens and notices ---------------------------------------------------------------------------


@transaction.atomic
def make_token(*, user: User, name: str, expires_at: datetime | None = None) -> tuple[Token, str]:
    """A new token and, this once, its letters."""
    User.objects.select_for_update().get(pk=user.pk)
    most = settings.QUOTAS["tokens"]
    if user.tokens.valid(timezone.now()).count() >= most:
        raise QuotaReached(f"You have {most} tokens, the most there may be; revoke one first.")
    letters = new_token()
    token = Token.objects.create(
        user=user,
        name=name,
        sha256=token_hash(letters),
        hint=letters[:8],
        expires_at=expires_at,
    )
    return token, letters


def revoke_token(*, token: Token) -> None:
    Token.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())


@transaction.atomic
def tell(*, user: User, text: str, link: str = "") -> Notice:
    """Puts a notice on the site and, if there is a confirmed address, into the mail."""
    notice = Notice.objects.create(user=user, text=text, link=link)
    if EmailAddress.objects.filter(user=user, email=user.email, verified=True).exists():
        subject = f"[Kibitz] {text.splitlines()[0][:120]}"
        body = f"{text}\n\n{settings.SITE_ADDRESS}{link}\n"
        mail = EmailMessage(subject, body, to=[user.email])
        transaction.on_commit(lambda: deliver(mail))
    return notice


def mark_read(*, notices: QuerySet[Notice]) -> None:
    notices.filter(read_at=None).update(read_at=timezone.now())


# -- Signing up -----------------------------------------------------------------------------------


@transaction.atomic
def make_invitation(*, created_by: User, note: str = "") -> Invitation:
    code = get_random_string(12, CODE_LETTERS)
    note_act(who=created_by, verb="invited", what=note or "somebody")
    return Invitation.objects.create(code=code, note=note, created_by=created_by)


def use_invitation(*, code: str, user: User) -> None:
    """An invitation is used by whoever is first; for everybody else it is as good as unknown."""
    unused = Invitation.objects.filter(code=code, used_at=None)
    if not unused.update(used_by=user, used_at=timezone.now()):
        raise NotPossible(UNKNOWN_INVITATION)


# -- What operators do ----------------------------------------------------------------------------


@transaction.atomic
def suspend(*, user: User, reason: str, who: User) -> None:
    """Shuts somebody out, tokens and bots too, until it is lifted; the reason is shown at log-in."""
    refuse_deleted(user)
    if user.is_house:
        raise NotPossible(f"{user} is the house; pause its bots instead.")
    if user == who:
        raise NotPossible("You cannot suspend yourself.")
    if user.is_staff and not who.is_superuser:
        raise NotPossible(f"{user} is an operator; only a superuser suspends operators.")
    user.is_active, user.suspended_for = False, reason
    user.save(update_fields=["is_active", "suspended_for"])
    tell(user=user, text=f"Your account is suspended: {reason}")
    note_act(who=who, verb="suspended", what=f"user {user}", detail=reason)


@transaction.atomic
def lift_suspension(*, user: User, who: User) -> None:
    refuse_deleted(user)
    if user.is_active:
        raise NotPossible(f"{user} is not suspended.")
    user.is_active, user.suspended_for = True, ""
    user.save(update_fields=["is_active", "suspended_for"])
    tell(user=user, text="The suspension of your account is lifted.")
    note_act(who=who, verb="lifted the suspension of", what=f"user {user}")


@transaction.atomic
def allow_ladders(*, user: User, allowed: bool, who: User) -> None:
    """Lets somebody create ladders who is no operator, or no longer."""
    refuse_deleted(user)
    user.may_create_ladders = allowed
    user.save(update_fields=["may_create_ladders"])
    verb = "allowed to create ladders" if allowed else "no longer allowed to create ladders"
    note_act(who=who, verb=verb, what=f"user {user}")


def refuse_deleted(user: User) -> None:
    if user.deleted_at is not None:
        raise NotPossible(f"{user} has deleted the account.")


def note_act(*, who: User | None, verb: str, what: str, detail: str = "") -> Act:
    """Keeps down what an operator has done."""
    return Act.objects.create(who=who, verb=verb, what=what[:200], detail=detail)
