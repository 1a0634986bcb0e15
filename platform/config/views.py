"""The pages that bring the apps together: home, a ladder, a bot, a player, the status."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Min
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.models import User
from bots.forms import NameForm
from bots.models import Bot, Check, Version
from config.charts import chart_of
from config.drawing import Axis
from config.ladder_tags import Shown
from config.paging import newest_first
from games import GAMES
from games.seating import seatings
from jobs.models import State, Worker
from ladders.forms import EnterForm
from ladders.models import Entry, EntryQuerySet, Ladder
from ladders.standings import Standings, company_on, provisional_page, ranked_page, summaries
from ladders.stats import crosstable, details_of, seats_on
from ladders.views import visible_ladder
from tournaments.faulting import last_faults
from tournaments.lines import Line, lines
from tournaments.models import Match, Seat, Unit
from tournaments.timing import time_in_last

SHOWN = 10  # matches below something else
BESIDE = 6
MOST_UNDER_WAY = 50
NEWCOMERS = 20
VERSIONS = 20
UNDER_WAY = (State.WAITING, State.PLAYING)
RATE_OVER = timedelta(minutes=5)
RATE_MOST = 2000  # matches that are looked at for it


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    visible = Match.objects.visible_to(request.user)
    playing, recent = lines(
        visible.filter(state=State.PLAYING)[:SHOWN], visible.filter(state=State.FINISHED)[:SHOWN]
    )
    own = request.user.bots.all() if request.user.is_authenticated else Bot.objects.none()
    return render(
        request,
        "home.html",
        {
            "ladders": summaries(Ladder.objects.filter(is_public=True, is_standard=True)),
            "playing": playing,
            "recent": recent,
            "own_bots": own.exclude(state=Bot.State.RETIRED).select_related("active_version"),
            "games": list(GAMES),
        },
    )


# -- A ladder -------------------------------------------------------------------------------------


@require_safe
def ladder(request: HttpRequest, slug: str) -> HttpResponse:
    ladder = visible_ladder(request, slug)
    now = timezone.now()
    under_way, recent = lines(
        ladder.matches.filter(state__in=UNDER_WAY).order_by("state", "pk")[:MOST_UNDER_WAY],
        ladder.matches.filter(state=State.FINISHED)[:BESIDE],
    )
    playing = [line for line in under_way if line["state"] == State.PLAYING]
    return render(
        request,
        "ladders/ladder.html",
        {
            "ladder": ladder,
            "legs": len(seatings(ladder.players)),
            "has_opened": ladder.has_opened(now),
            "has_closed": ladder.has_closed(now),
            "playing": playing,
            "waiting": [line for line in under_way if line["state"] == State.WAITING],
            "recent": recent,
            **standings_part(request, ladder, playing),
            **own_part(ladder, request.user),
        },
    )


def standings_part(request: HttpRequest, ladder: Ladder, playing: list[Line]) -> dict[str, Any]:
    """The standings with all that their rows are drawn by."""
    wanted = request.GET.get("q", "").strip()
    best = ranked_page(ladder, request.GET.get("after", ""), wanted=wanted)
    newcomers = provisional_page(ladder, request.GET.get("new_after", ""), NEWCOMERS, wanted=wanted)
    company = company_on(ladder)
    return {
        "wanted": wanted,
        "ranked": best,
        "newcomers": newcomers,
        "is_short_handed": company.people < ladder.players,
        "shown": Shown(
            axis=axis_of(best, newcomers),
            reader=request.user.pk,
            anchor=ladder.anchor_id,
            playing=frozenset(seat["bot__name"] for line in playing for seat in line["seats"]),
            owners=company.to_meet,
        ),
    }


def axis_of(best: Standings, newcomers: Standings) -> Axis:
    """One for both tables; the long intervals of newcomers may leave it."""
    sure = [
        row["rating"] + side * (row["plus_minus"] or 0) for row in best.rows for side in (-1, 1)
    ]
    return Axis.around([*sure, *(row["rating"] for row in newcomers.rows)])


@require_safe
def ladder_tables(request: HttpRequest, slug: str) -> HttpResponse:
    """The first of a ladder against each other, and what its seats are worth."""
    ladder = visible_ladder(request, slug)
    return render(
        request,
        "ladders/tables.html",
        {"ladder": ladder, "rows": crosstable(ladder), "seats": seats_on(ladder)},
    )


def own_part(ladder: Ladder, user: Any) -> dict[str, Any]:
    """What a person may do on a ladder with bots of their own."""
    if not user.is_authenticated:
        return {}
    own = Entry.objects.present().filter(ladder=ladder, bot__owner=user)
    return {
        "own_entries": own.select_related("bot"),
        "enter_form": EnterForm(ladder=ladder, user=user),
        "runs_it": user.pk == ladder.created_by_id or user.may_operate,
    }


# -- A bot and a player ---------------------------------------------------------------------------


@require_safe
def bot(request: HttpRequest, name: str) -> HttpResponse:
    bot = get_object_or_404(Bot.objects.select_related("owner", "active_version"), name=name)
    is_own = bot.owner == request.user
    sees_all = is_own or getattr(request.user, "may_operate", False)
    versions = bot.versions.all() if sees_all else bot.versions.filter(state=Version.State.READY)
    visible = Match.objects.visible_to(request.user)
    under_way = visible.filter(state__in=UNDER_WAY, seats__bot=bot)
    played = visible.filter(state=State.FINISHED, pk__in=bot.seats.values("match"))
    now, recent = lines(under_way.distinct()[:SHOWN], played[:SHOWN])
    entries = list(listed(entries_seen_by(request.user).filter(bot=bot)))
    return render(
        request,
        "bots/bot.html",
        {
            "bot": bot,
            "is_own": is_own,
            "sees_all": sees_all,
            "versions": newest_first(versions, request, "versions_before", VERSIONS),
            "entries": entries,
            "under_way": now,
            "recent": recent,
            "last_faults": last_faults(bot) if is_own else [],
            "timed": time_in_last(bot, recent),
            "name_form": NameForm(),
            **details_part(entries, request.GET.get("ladder", "")),
        },
    )


def details_part(entries: list[Entry], slug: str) -> dict[str, Any]:
    """All that is known of a bot on the ladder that is asked for, or where it has played most."""
    asked = [entry for entry in entries if entry.ladder.slug == slug]
    entry = max(asked or entries, key=lambda entry: entry.matches, default=None)
    if entry is None:
        return {}
    details = details_of(entry)
    return {"entry": entry, "details": details, "chart": chart_of(details.history)}


@require_safe
def player(request: HttpRequest, username: str) -> HttpResponse:
    player = get_object_or_404(User, username=username, deleted_at=None)
    page = newest_first(player.bots.select_related("active_version"), request)
    played = Match.objects.visible_to(request.user).filter(
        state=State.FINISHED, pk__in=Seat.objects.filter(bot__owner=player).values("match")
    )
    return render(
        request,
        "bots/player.html",
        {
            "player": player,
            "page": page,
            "entries": listed(entries_seen_by(request.user).filter(bot__in=page.rows)),
            "recent": lines(played[:SHOWN])[0],
        },
    )


def entries_seen_by(user: Any) -> EntryQuerySet:
    return Entry.objects.present().filter(ladder__in=Ladder.objects.visible_to(user))


def listed(entries: EntryQuerySet) -> EntryQuerySet:
    """Entries with what a list of them shows."""
    shown = entries.select_related("ladder", "bot", "version", "challenger")
    return shown.order_by("bot__name", "ladder")


# -- The status -----------------------------------------------------------------------------------


@dataclass
class Queue:
    title: str
    waiting: int = 0
    playing: int = 0
    since: datetime | None = None  # when the first of those that wait was made


@require_safe
def status(request: HttpRequest) -> HttpResponse:
    now = timezone.now()
    voids = Match.objects.visible_to(request.user).filter(state=State.VOID)
    finished = just_finished(now)
    return render(
        request,
        "status.html",
        {
            "workers": with_machines(Worker.objects.present(now), finished),
            "queues": queues(),
            "matches_a_minute": a_minute(len(finished)),
            "minutes": RATE_OVER // timedelta(minutes=1),
            "voids": voids[:SHOWN],
            "voids_today": voids.filter(finished_at__gt=now - timedelta(days=1)).count(),
        },
    )


def queues() -> list[Queue]:
    """What waits and what is being done, in the order in which workers take it."""
    checks, matches = Queue(_("Checks")), Queue(_("All other matches"))
    newcomers = Queue(_("Matches for newcomers, and challenges"))
    units = Queue(_("Comparisons"))
    for state, count, since in under_way(Check.objects.values_list("state")):
        add(checks, state, count, since)
    by_queue = Match.objects.values_list("is_newcomers", "state")
    for is_newcomers, state, count, since in under_way(by_queue):
        add(newcomers if is_newcomers else matches, state, count, since)
    for state, count, since in under_way(Unit.objects.values_list("state")):
        add(units, state, count, since)
    return [checks, newcomers, matches, units]


def under_way(jobs: Any) -> Any:
    counted = jobs.filter(state__in=UNDER_WAY).annotate(count=Count("pk"), since=Min("created_at"))
    return counted.order_by()


def add(queue: Queue, state: str, count: int, since: datetime) -> None:
    setattr(queue, state, count)
    if state == State.WAITING:
        queue.since = since


def matches_a_minute(now: datetime) -> float:
    return a_minute(len(just_finished(now)))


def a_minute(count: int) -> float:
    return count / (RATE_OVER / timedelta(minutes=1))


def just_finished(now: datetime) -> list[tuple[int | None, str]]:
    """Worker and machine of the matches of the last minutes. The newest are looked at, not all: there
    may be millions."""
    newest = Match.objects.filter(state=State.FINISHED).order_by("-pk")[:RATE_MOST]
    since = now - RATE_OVER
    rows = newest.values_list("worker", "machine", "finished_at")
    return [(worker, machine) for worker, machine, at in rows if at and at > since]


def with_machines(
    workers: Iterable[Worker], finished: list[tuple[int | None, str]]
) -> list[Worker]:
    """Workers with their `machines`: those that have just finished matches, and how many a minute."""
    counts = sorted(Counter(finished).items(), key=str)
    shown = list(workers)
    for worker in shown:
        own = [(name, a_minute(count)) for (pk, name), count in counts if pk == worker.pk and name]
        worker.machines = own  # type: ignore[attr-defined]
    return shown
