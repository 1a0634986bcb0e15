"""What is done with matches: made, challenged, played again, declared void, swept up."""

import secrets
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from accounts.services import NotPossible, QuotaReached, check_daily_quota, note_act
from bots.models import Check, Version
from bots.services import check_failed
from config.live import tell_followers
from games import GAMES
from games.base import Refusal
from jobs.models import ENDED, Job, State
from jobs.services import locked, send_on_commit, send_waiting, sweep_expired
from ladders.models import Entry, Ladder
from ladders.services import complete_limits, mark_stale
from tournaments.log import log_removal
from tournaments.models import Match, Seat, Unit

# -- Making matches -------------------------------------------------------------------------------


@transaction.atomic
def make_rated(
    *, ladder: Ladder, table: Sequence[tuple[Version, Entry]], is_newcomers: bool
) -> Match:
    """A rated match of those at the table, in the order of the lineup."""
    match = make_match(
        ladder=ladder,
        is_rated=True,
        is_newcomers=is_newcomers,
        game=ladder.game,
        options=ladder.options,
        limits=ladder.limits,
        table=table,
    )
    at_table = Entry.objects.filter(pk__in={entry.pk for _, entry in table})
    house = any(version.bot.is_house for version, _ in table)
    at_table.update(
        matches_made=F("matches_made") + 1, since_house=0 if house else F("since_house") + 1
    )
    return match


def make_match(*, table: Sequence[tuple[Version, Entry | None]], **about: Any) -> Match:
    """A match with a seed of its own; it is sent as soon as it is there for all to read."""
    seed = secrets.token_bytes(32)
    match = Match.objects.create(
        seed=seed.hex(), seed_sha256=sha256(seed).hexdigest(), players=len(table), **about
    )
    Seat.objects.bulk_create(
        Seat(match=match, index=index, bot_id=version.bot_id, version=version, entry=entry)
        for index, (version, entry) in enumerate(table)
    )
    send_on_commit(job=match)
    return match


@transaction.atomic
def challenge(
    *,
    user: User,
    versions: Sequence[Version],
    options: dict[str, Any] | None = None,
    limits: dict[str, int] | None = None,
) -> Match:
    """An unrated match at a table of one's choice."""
    now = Version.objects.select_related("bot__owner").in_bulk({version.pk for version in versions})
    versions = [now[version.pk] for version in versions]
    game_name = game_of(versions)
    for version in versions:
        check_may_sit(version, user)
    game = GAMES[game_name]
    try:
        complete = game.complete(options or {})
        game.check_players(len(versions), complete)
    except Refusal as refusal:
        raise NotPossible(f"{refusal}.") from None
    User.objects.select_for_update().get(pk=user.pk)
    check_challenge_quota(user)
    return make_match(
        ladder=None,
        is_rated=False,
        is_newcomers=True,
        created_by=user,
        game=game_name,
        options=complete,
        limits=complete_limits(limits or {}),
        table=[(version, None) for version in versions],
    )


def game_of(versions: Sequence[Version]) -> str:
    games = sorted({version.bot.game for version in versions})
    if len(games) != 1:
        raise NotPossible(f"A table has bots of one game, not of {', '.join(games) or 'none'}.")
    return games[0]


def check_may_sit(version: Version, user: User) -> None:
    """One's own versions if they are ready; of others what they let play."""
    if version.bot.owner_id == user.pk:
        if version.state != Version.State.READY:
            raise NotPossible(f"{version} has not passed its check.")
    elif not (version.bot.can_play and version.is_active and version.bot.owner.is_active):
        raise NotPossible(f"{version} does not play at present; choose another bot.")


def check_challenge_quota(user: User) -> None:
    """They go before rated matches, so nobody may have many of them under way."""
    at_once = settings.QUOTAS["challenges_at_once"]
    if user.challenges.exclude(state__in=ENDED).count() >= at_once:
        raise QuotaReached(
            f"{at_once} of your challenges wait or are being played, the most there may be; "
            "try again when one has finished."
        )
    most = settings.QUOTAS["challenges_a_day"]
    check_daily_quota(made=user.challenges.all(), most=most, what="challenges")


# -- Mending --------------------------------------------------------------------------------------


@transaction.atomic
def requeue(*, match: Match, who: User | None) -> None:
    """Has a match played that is stuck or void; one with a result keeps it."""
    held = locked(Match, str(match.pk))
    assert held is not None
    if held.state == State.FINISHED:
        raise NotPossible(f"Match {held.pk} has its result.")
    held.attempt, held.failures, held.void_reason = held.attempt + 1, 0, ""
    held.state, held.claim, held.sent_at = State.WAITING, "", None
    held.lease_until = held.finished_at = None
    held.save()
    send_on_commit(job=held)
    note_act(who=who, verb="requeued", what=str(held))


@transaction.atomic
def void(*, match: Match, reason: str, who: User | None) -> None:
    """Declares that a match will have no result."""
    held = locked(Match, str(match.pk))
    assert held is not None
    if held.has_ended:
        raise NotPossible(f"Match {held.pk} is {held.state} already.")
    make_void(held, reason)
    note_act(who=who, verb="voided", what=str(held), detail=reason)


@transaction.atomic
def remove(*, match: Match, reason: str, who: User | None) -> None:
    """Takes a match out of the ratings: they are soon those that all other matches give. The match, its
    replay and its line in the log stay, and the log says why it counts no more."""
    held = locked(Match, str(match.pk))
    assert held is not None
    if held.state != State.FINISHED or not held.is_rated or held.ladder_id is None:
        raise NotPossible(f"Match {held.pk} is not in the ratings.")
    if held.removed_for:
        raise NotPossible(f"Match {held.pk} is removed already.")
    log_removal(held, reason)
    Match.objects.filter(pk=held.pk).update(removed_for=reason[:300])
    mark_stale(held.ladder_id)
    note_act(who=who, verb="removed", what=str(held), detail=reason)


def make_void(job: Job, reason: str) -> None:
    """Called with the row held."""
    job.state, job.finished_at, job.lease_until = State.VOID, timezone.now(), None
    job.attempt, job.void_reason = job.attempt + 1, reason[:300]
    job.save()
    tell_followers(*job.topics)


# -- Sweeping -------------------------------------------------------------------------------------


def sweep() -> int:
    """Takes back what dead workers hold, sends what may be lost, ends what closed ladders left."""
    swept = sweep_expired(kind=Check, then=check_failed)
    swept += sweep_expired(kind=Match, then=lambda match: None)
    swept += sweep_expired(kind=Unit, then=lambda unit: None)
    swept += void_closed()
    return swept + sum(send_waiting(kind=kind) for kind in (Check, Match, Unit))


def void_closed() -> int:
    """A ladder that has closed begins no more matches."""
    closed = Ladder.objects.filter(closes_at__lte=timezone.now())
    waiting = Match.objects.filter(state=State.WAITING, ladder__in=closed)
    return sum(void_waiting(pk) for pk in list(waiting.values_list("pk", flat=True)[:200]))


@transaction.atomic
def void_waiting(pk: int) -> bool:
    match = locked(Match, str(pk))
    if match is None or match.state != State.WAITING:
        return False
    make_void(match, "the ladder has closed")
    return True
