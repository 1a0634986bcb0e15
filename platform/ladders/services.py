"""What is done with ladders and entries."""

import secrets
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.text import slugify

from accounts.models import User
from accounts.services import NotPossible, QuotaReached
from bots.examples import HOUSE
from bots.models import Bot, Version
from games import GAMES
from games.player import Limits
from ladders.models import Entry, Ladder, Membership, Rating
from ladders.standard import STANDARD, Standard
from ratings.claims import PROVISIONAL_MATCHES
from workers import contract
from workers.contract import Clocks

CODE_LETTERS = 8
ANCHOR = HOUSE[-1]
WRONG_CODE = "This is not the ladder's join code; ask whoever runs it."


# -- Ladders --------------------------------------------------------------------------------------


@transaction.atomic
def make_ladder(
    *,
    created_by: User,
    title: str,
    game: str,
    options: dict[str, Any],
    players: int,
    limits: dict[str, int] | None = None,
    opens_at: datetime | None = None,
    closes_at: datetime | None = None,
    is_public: bool = True,
    about: str = "",
) -> Ladder:
    """A ladder of one's own; a private one has a code to give to those who may join."""
    if not created_by.creates_ladders:
        raise NotPossible("Ask an operator to let you create ladders.")
    most = settings.QUOTAS["ladders"]
    if not created_by.may_operate and created_by.ladders_created.count() >= most:
        raise QuotaReached(f"You have {most} ladders, the most there may be.")
    ladder = Ladder(
        slug=free_slug(title),
        title=title,
        about=about,
        game=game,
        options=options,
        players=players,
        limits=complete_limits(limits or {}),
        opens_at=opens_at or timezone.now(),
        closes_at=closes_at,
        is_public=is_public,
        join_code="" if is_public else new_code(),
        created_by=created_by,
    )
    ladder.full_clean()
    ladder.save()
    enter_house(ladder=ladder)
    return ladder


def enter_house(*, ladder: Ladder) -> None:
    """House bots fill empty seats on every ladder of their game."""
    for bot in Bot.objects.filter(is_house=True, game=ladder.game):
        enter(ladder=ladder, bot=bot)
    ensure_anchor(ladder)


def complete_limits(limits: dict[str, int]) -> dict[str, Any]:
    return contract.as_json(Clocks.of(Limits(**limits)))


def free_slug(title: str) -> str:
    base = slugify(title)[:30] or "ladder"
    if base != "new" and not Ladder.objects.filter(slug=base).exists():
        return base
    return f"{base}-{secrets.token_hex(3)}"


def new_code() -> str:
    """Short enough for a blackboard, without letters that look alike."""
    return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(CODE_LETTERS))


@transaction.atomic
def change_ladder(*, ladder: Ladder, **changed: Any) -> Ladder:
    """Changes what may change: a ladder's game, options, seats and limits are what its ratings mean."""
    for key in changed:
        if key not in ("title", "about", "opens_at", "closes_at", "is_public"):
            raise NotPossible(f"The {key} of a ladder cannot change; create another ladder.")
    for key, value in changed.items():
        setattr(ladder, key, value)
    if not ladder.is_public and not ladder.join_code:
        ladder.join_code = new_code()
    ladder.full_clean()
    ladder.save()
    return ladder


@transaction.atomic
def ensure_standard(wanted: Standard) -> Ladder:
    """A standard ladder, made if it is not there."""
    ladder, _ = Ladder.objects.get_or_create(
        slug=wanted.slug,
        defaults={
            "title": wanted.title,
            "about": wanted.about,
            "game": wanted.game,
            "options": GAMES[wanted.game].complete(wanted.options),
            "players": wanted.players,
            "limits": complete_limits({}),
            "is_standard": True,
        },
    )
    return ladder


def ensure_standards() -> list[Ladder]:
    return [ensure_standard(wanted) for wanted in STANDARD]


@transaction.atomic
def join(*, ladder: Ladder, user: User, code: str) -> Membership:
    """Lets somebody into a private ladder, with its code."""
    if ladder.is_public:
        raise NotPossible(f"{ladder} is open to everybody; enter a bot.")
    if not secrets.compare_digest(ladder.join_code.encode(), code.strip().lower().encode()):
        raise NotPossible(WRONG_CODE)
    membership, _ = Membership.objects.get_or_create(ladder=ladder, user=user)
    return membership


# -- Entries --------------------------------------------------------------------------------------


@transaction.atomic
def enter(*, ladder: Ladder, bot: Bot) -> Entry:
    """Puts a bot on a ladder, or back on it where it was."""
    refuse_frozen(ladder)
    if bot.game != ladder.game:
        raise NotPossible(f"{bot} plays {bot.game}; {ladder} is a ladder of {ladder.game}.")
    if bot.state == Bot.State.RETIRED:
        raise NotPossible(f"{bot} is retired.")
    if not bot.is_house and not Ladder.objects.visible_to(bot.owner).filter(pk=ladder.pk).exists():
        raise NotPossible("This ladder is private; join it with its code first.")
    entry, _ = Entry.objects.get_or_create(ladder=ladder, bot=bot)
    if entry.left_at is not None:
        entry.left_at = None
        entry.save(update_fields=["left_at"])
    mark_stale(ladder.pk)
    return entry


@transaction.atomic
def leave(*, entry: Entry) -> None:
    """Takes a bot off a ladder; its matches stay, and so does its rating if it comes back."""
    refuse_frozen(entry.ladder)
    Entry.objects.filter(pk=entry.pk, left_at=None).update(left_at=timezone.now())
    mark_stale(entry.ladder_id)


def refuse_frozen(ladder: Ladder) -> None:
    if ladder.has_closed(timezone.now()):
        raise NotPossible(f"{ladder} has closed; its standings stay as they are.")


def enter_standards(*, bot: Bot) -> None:
    """A bot's first ready version brings it onto the standard ladders of its game."""
    if bot.state == Bot.State.RETIRED or bot.entries.exists():
        return
    for ladder in Ladder.objects.open(timezone.now()).filter(is_standard=True, game=bot.game):
        enter(ladder=ladder, bot=bot)


# -- Versions -------------------------------------------------------------------------------------


def follow_versions() -> int:
    """Notes down on open ladders which versions play now; returns for how many entries."""
    active = F("bot__active_version")
    challenges = Q(challenger__isnull=False) & ~Q(challenger=active)
    stands = Q(challenger=None) & ~Q(version=active)
    behind = (
        Entry.objects.playing()
        .filter(Q(version=None) | stands | challenges)
        .filter(ladder__in=Ladder.objects.open(timezone.now()))
        .exclude(bot=F("ladder__anchor__bot"))
    )
    changed = list(behind[:500])
    for entry in changed:
        follow_version(entry)
    return len(changed)


@transaction.atomic
def follow_version(entry: Entry) -> None:
    """A version that has played enough, or that comes after one without a rank, has the place at once.
    Any other has to earn it first."""
    entry = Entry.objects.select_for_update(of=("self",)).select_related("bot").get(pk=entry.pk)
    version = entry.bot.active_version_id
    known = Rating.objects.filter(entry=entry, version=version).first()
    played = known.matches if known else 0
    if entry.rank is None or played >= PROVISIONAL_MATCHES or version == entry.version_id:
        entry.version_id, entry.challenger_id = version, None
    else:
        entry.challenger_id = version
    entry.matches_made, entry.since_house = played, 0
    entry.save(update_fields=["version", "challenger", "matches_made", "since_house"])
    mark_stale(entry.ladder_id)


def mark_stale(ladder_id: int) -> None:
    """The ladder's standings are worked out anew soon, even if no match has been played."""
    Ladder.objects.filter(pk=ladder_id).update(is_stale=True)


def ensure_anchor(ladder: Ladder) -> None:
    """The first version of the strongest house bot is 1500 on this ladder for ever."""
    if ladder.anchor_id is not None:
        return
    versions = Version.objects.filter(bot__is_house=True, bot__game=ladder.game)
    anchor = versions.filter(bot__name__startswith=f"house-{ANCHOR}-").order_by("number").first()
    if anchor is not None:
        ladder.anchor = anchor
        ladder.save(update_fields=["anchor"])
        Entry.objects.filter(ladder=ladder, bot=anchor.bot_id).update(version=anchor)
