"""Comparisons of two versions: begun, fed with units, judged in the order of their numbers, ended.

Whoever holds a comparison and units of it at the same time has taken the comparison first.
"""

import secrets
from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from accounts.services import NotPossible, QuotaReached, check_daily_quota, tell
from bots.models import Bot, Version
from jobs.models import State
from jobs.services import send_on_commit
from ladders.models import Entry, Ladder, owner_number
from ratings import comparison as test
from ratings.scale import FIRST
from tournaments.models import Comparison, Unit

NEAR = 200.0  # points, between the bot and those it sits with
LEAST_WAITING = 4
EATEN_IN_S = 2.0  # as many units may wait as were played in that time
MOST_AHEAD = 64  # units under way: what is played beyond an answer is played in vain
MOST_VOIDS = 10
MOST_FAULTS, FAULTY_SHARE = 5, 0.1  # of the games of a version

chance = secrets.SystemRandom()

# -- Beginning and ending -------------------------------------------------------------------------


@transaction.atomic
def compare(*, user: User, new: Version, old: Version, ladder: Ladder) -> Comparison:
    """Begins to find out whether a version of one's bot is better than another one."""
    User.objects.select_for_update().get(pk=user.pk)
    check_versions(user, new, old)
    check_ladder(user, new.bot, ladder)
    check_quotas(user)
    comparison = Comparison.objects.create(
        owner=user, new=new, old=old, ladder=ladder, most_games=settings.QUOTAS["comparison_games"]
    )
    if not drawn_tables(comparison, 1):
        raise NotPossible(f"Nobody on {ladder} could sit with them at present; try again later.")
    return comparison


def check_versions(user: User, new: Version, old: Version) -> None:
    if new.bot_id != old.bot_id or new.bot.owner_id != user.pk:
        raise NotPossible("Choose two versions of one of your bots.")
    if new.pk == old.pk:
        raise NotPossible("Choose two versions; of itself a version is never better.")
    if new.bot.state == Bot.State.RETIRED:
        raise NotPossible(f"{new.bot} is retired.")
    for version in (new, old):
        if version.state != Version.State.READY:
            raise NotPossible(f"{version} has not passed its check.")


def check_ladder(user: User, bot: Bot, ladder: Ladder) -> None:
    if ladder.game != bot.game:
        raise NotPossible(f"{bot} plays {bot.game}; {ladder} is a ladder of {ladder.game}.")
    if not Ladder.objects.visible_to(user).filter(pk=ladder.pk).exists():
        raise NotPossible("This ladder is private; join it with its code first.")


def check_quotas(user: User) -> None:
    running = user.comparisons.filter(state=Comparison.State.RUNNING).first()
    if running is not None:
        raise QuotaReached(
            f"You have one comparison running, the most there may be: {running.new} with "
            f"v{running.old.number}. Wait for its answer, or cancel it."
        )
    most = settings.QUOTAS["comparisons_a_day"]
    check_daily_quota(made=user.comparisons.all(), most=most, what="comparisons")


@transaction.atomic
def cancel(*, comparison: Comparison) -> None:
    """Ends it without an answer; what is known so far stays."""
    held = Comparison.objects.select_for_update(of=("self",)).get(pk=comparison.pk)
    if not held.is_running:
        raise NotPossible("This comparison has ended already.")
    end(held, Comparison.State.CANCELLED)


def end(comparison: Comparison, state: str) -> None:
    """What has not been judged counts no more, nor is it played. Called with the row held."""
    comparison.state, comparison.finished_at = state, timezone.now()
    comparison.save()
    comparison.units.filter(number__gte=comparison.judged).delete()


# -- What it says ---------------------------------------------------------------------------------


def words_of(comparison: Comparison) -> str:
    """The answer, or how far it has come, in words."""
    known = comparison.played.words().text([], gettext) if comparison.counted else ""
    match comparison.state:
        case Comparison.State.RUNNING | Comparison.State.FINISHED:
            return known or gettext("Nothing has been played yet.")
        case Comparison.State.FAULTY:
            return gettext(
                "Stopped: {version} kept faulting, in {faults} of {games} games."
            ).format(
                version=f"v{faulty_of(comparison).number}",
                faults=max(comparison.new_faults, comparison.old_faults),
                games=comparison.played.games,
            )
        case Comparison.State.FAILED:
            stopped = gettext(
                "Stopped: too much failed on our side. Your bot is not to blame; compare again later."
            )
        case _:
            stopped = gettext("Cancelled.")
    return f"{stopped} {known}".strip()


def faulty_of(comparison: Comparison) -> Version:
    """Whichever has faulted more often."""
    is_new = comparison.new_faults >= comparison.old_faults
    return comparison.new if is_new else comparison.old


# -- Judging --------------------------------------------------------------------------------------


def judge(comparison: Comparison) -> None:
    """Counts the units that are over, in the order of their numbers, whichever was over first: else
    short games would count more. Called with the row held."""
    begun_at = comparison.judged
    under_way = comparison.units.filter(number__gte=begun_at).order_by("number")
    for unit in under_way:
        if not (unit.has_ended and comparison.is_running):
            break
        comparison.judged += 1
        count(comparison, unit)
        comparison.state = outcome(comparison)
    if not comparison.is_running:
        end(comparison, comparison.state)
        tell_owner(comparison)
    elif comparison.judged > begun_at:
        comparison.save()


def count(comparison: Comparison, unit: Unit) -> None:
    if unit.state == State.VOID:
        comparison.voids += 1
        return
    assert unit.halves is not None
    assert unit.margin is not None
    comparison.counted += 1
    comparison.halves += unit.halves
    comparison.halves_squared += unit.halves**2
    comparison.margin += unit.margin
    comparison.margin_squared += unit.margin**2
    comparison.new_faults += unit.new_faults
    comparison.old_faults += unit.old_faults
    comparison.fault = comparison.fault or unit.fault


def outcome(comparison: Comparison) -> Comparison.State:
    """How it stands after one more unit."""
    faults = max(comparison.new_faults, comparison.old_faults)
    if faults > max(MOST_FAULTS, FAULTY_SHARE * comparison.played.games):
        return Comparison.State.FAULTY
    if comparison.counted and comparison.played.verdict:
        return Comparison.State.FINISHED
    if comparison.voids >= MOST_VOIDS:
        return Comparison.State.FAILED
    return Comparison.State.RUNNING


def tell_owner(comparison: Comparison) -> None:
    tell(
        user=comparison.owner,
        text=f"{comparison.new} and v{comparison.old.number} are compared.\n{words_of(comparison)}",
        link=reverse("comparison", args=[comparison.pk]),
    )


# -- Making units ---------------------------------------------------------------------------------


def make_units() -> int:
    """Makes as many units as the workers can eat; how many it made. Whoever has had the fewest is fed
    first, so a short comparison never waits for a long one."""
    running = Comparison.objects.filter(state=Comparison.State.RUNNING, owner__is_active=True)
    hungry = list(running.order_by("made", "id").values_list("pk", flat=True))
    room, made = room_for_units() if hungry else 0, 0
    for pk in hungry:
        if made >= room:
            break
        made += feed(pk, room - made)
    return made


def room_for_units() -> int:
    since = timezone.now() - timedelta(seconds=EATEN_IN_S)
    eaten = Unit.objects.filter(state=State.FINISHED, finished_at__gt=since).count()
    return max(LEAST_WAITING, eaten) - Unit.objects.filter(state=State.WAITING).count()


@transaction.atomic
def feed(pk: int, room: int) -> int:
    """Makes at most so many units of a comparison, if it wants them."""
    comparison = (
        Comparison.objects.select_for_update(skip_locked=True, of=("self",))
        .select_related("owner", "ladder", "new__bot", "old__bot")
        .filter(pk=pk, state=Comparison.State.RUNNING)
        .first()
    )
    if comparison is None:
        return 0  # another scheduler is at it, or it has just ended
    judge(comparison)  # a unit may have become void
    tables = drawn_tables(comparison, min(room, wanted_by(comparison)))
    units = Unit.objects.bulk_create(
        Unit(
            comparison=comparison,
            number=comparison.made + number,
            seed=secrets.token_hex(32),
            table=table,
        )
        for number, table in enumerate(tables)
    )
    for unit in units:
        send_on_commit(job=unit)
    Comparison.objects.filter(pk=pk).update(made=comparison.made + len(units))
    return len(units)


def wanted_by(comparison: Comparison) -> int:
    """How many more units may be made: never many beyond an answer, nor more than there may be."""
    if not comparison.is_running:
        return 0
    under_way = comparison.made - comparison.judged
    left = comparison.most_games // test.GAMES - comparison.counted - under_way
    return min(MOST_AHEAD - under_way, left)


def drawn_tables(comparison: Comparison, number: int) -> list[list[int]]:
    """Tables for so many units, the versions by seat; none if nobody could sit with the two."""
    if number <= 0:
        return []
    near, house = others_near(comparison), house_bots(comparison)
    tables = [drawn_table(comparison, near, house) for _ in range(number)]
    return [table for table in tables if len(table) == comparison.ladder.players]


def drawn_table(comparison: Comparison, near: Sequence[Entry], house: Sequence[Entry]) -> list[int]:
    """The two, bots of other owners that are about as strong, one of each, and house bots where there
    are not enough; they may sit there several times."""
    players = comparison.ladder.players
    by_owner = {owner_number(entry.bot): entry for entry in chance.sample(near, len(near))}
    others = list(by_owner.values())[: players - 2]
    if house:
        others += chance.choices(house, k=players - 2 - len(others))
    table = [comparison.new_id, comparison.old_id, *(entry.plays.pk for entry in others)]
    chance.shuffle(table)
    return table


PLAYS = ("ladder__anchor", "bot__active_version")


def others_near(comparison: Comparison) -> list[Entry]:
    """Bots that play on the ladder, are not the owner's, and are about as strong as the bot there."""
    entries = Entry.objects.filter(ladder=comparison.ladder)
    own = entries.filter(bot=comparison.new.bot_id).values_list("rating", flat=True).first()
    middle = FIRST if own is None else own
    near = (
        entries.playing()
        .filter(rating__range=(middle - NEAR, middle + NEAR))
        .exclude(bot__owner=comparison.owner_id)
    )
    return list(near.select_related(*PLAYS).order_by("?")[: 8 * comparison.ladder.players])


def house_bots(comparison: Comparison) -> list[Entry]:
    house = Entry.objects.playing().filter(ladder=comparison.ladder, bot__is_house=True)
    return list(house.select_related(*PLAYS))
