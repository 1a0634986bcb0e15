"""The pages of comparisons: one's own, a new one, one of them as it goes on."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.requests import OwnRequest
from bots.models import Version
from bots.views import own_bot
from config.paging import newest_first
from config.refusals import posted, told, told_in
from games.words import signed
from jobs.models import State
from ratings.comparison import CLEAR, GAIN
from ratings.comparison import Comparison as Played
from tournaments import comparisons
from tournaments.forms import ComparisonForm
from tournaments.models import Comparison, Unit

LAST_UNITS = 20
STEP = 20  # the ends of the line of points are multiples of it
LEAST_SPAN, MOST_SPAN = 60, 800
ABOUT = ("owner", "ladder", "new__bot__owner", "old__bot")


def visible_comparison(request: HttpRequest, pk: int) -> Comparison:
    """One's own; operators see all. For others it does not exist."""
    visible = Comparison.objects.visible_to(request.user).select_related(*ABOUT)
    return get_object_or_404(visible, pk=pk)


@login_required
@require_safe
def comparison_list(request: OwnRequest) -> HttpResponse:
    page = newest_first(request.user.comparisons.select_related(*ABOUT), request)
    lines = [(comparison, comparisons.words_of(comparison)) for comparison in page.rows]
    return render(request, "tournaments/comparisons.html", {"page": page, "lines": lines})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: OwnRequest, name: str) -> HttpResponse:
    bot = own_bot(request, name)
    form = ComparisonForm(posted(request)[0], bot=bot, number=request.GET.get("version", ""))
    if form.is_valid():
        with told_in(form):
            comparison = comparisons.compare(user=request.user, **form.cleaned_data)
        if form.is_valid():
            return redirect("comparison", comparison.pk)
    return render(request, "tournaments/comparison_new.html", {"bot": bot, "form": form})


@require_safe
def comparison(request: HttpRequest, pk: int) -> HttpResponse:
    comparison = visible_comparison(request, pk)
    is_playing = comparison.units.filter(state=State.PLAYING).exists()
    about = {
        "comparison": comparison,
        "bot": comparison.new.bot,
        "words": comparisons.words_of(comparison),
        "figures": figures_of(comparison.played) if comparison.counted else None,
        "units": shown_units(comparison),
        "is_playing": is_playing,
        "is_own": comparison.owner == request.user,
    }
    return render(request, "tournaments/comparison.html", about)


@login_required
@require_POST
def cancel(request: OwnRequest, pk: int) -> HttpResponse:
    comparison = get_object_or_404(request.user.comparisons, pk=pk)
    with told(request, gettext("The comparison is cancelled.")):
        comparisons.cancel(comparison=comparison)
    return redirect("comparison", comparison.pk)


# -- What is drawn --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bar:
    """A stretch of a line, in thousandths of its length."""

    start: float
    width: float

    @classmethod
    def between(cls, one: float, other: float, span: float) -> "Bar":
        """On a line from -span to span."""
        start, end = (1000 * (min(max(at, -span), span) + span) / (2 * span) for at in (one, other))
        return cls(round(min(start, end), 1), round(abs(end - start), 1))


@dataclass(frozen=True)
class Figures:
    """What is known so far, as it is written and drawn."""

    share: float
    points: str
    plus_minus: int
    span: int
    interval: Bar
    value: Bar
    gain: Bar
    evidence: str
    bound: str
    weight: Bar
    lead: str
    lead_plus_minus: str


def figures_of(played: Played) -> Figures:
    points, plus_minus = played.gain
    reach = STEP * math.ceil((abs(points) + plus_minus) / STEP)
    span = min(max(reach, LEAST_SPAN), MOST_SPAN)
    return Figures(
        share=played.share,
        points=signed(round(points)),
        plus_minus=math.ceil(plus_minus),
        span=span,
        interval=Bar.between(points - plus_minus, points + plus_minus, span),
        value=Bar.between(points, points, span),
        gain=Bar.between(GAIN, GAIN, span),
        evidence=with_sign(played.evidence),
        bound=f"{CLEAR:.1f}",
        weight=Bar.between(0, played.evidence, CLEAR),
        lead=with_sign(played.lead.value),
        lead_plus_minus=f"{played.lead.plus_minus:.1f}",
    )


def with_sign(number: float) -> str:
    return f"{number:+.1f}".replace("-", "\N{MINUS SIGN}")


@dataclass(frozen=True)
class ShownUnit:
    """A unit that is over: who sat with the two, and what came of it."""

    unit: Unit
    others: list[Version]
    new: float  # games won, a tie being half
    old: float

    @property
    def faults(self) -> int:
        return self.unit.new_faults + self.unit.old_faults


def shown_units(comparison: Comparison) -> list[ShownUnit]:
    """The last ones that are over."""
    units = list(comparison.units.filter(state=State.FINISHED)[:LAST_UNITS])
    others = Version.objects.select_related("bot").in_bulk(
        {pk for one in units for pk in one.table}
    )
    for own in (comparison.new_id, comparison.old_id):
        others.pop(own, None)
    return [shown(unit, unit.halves or 0, others) for unit in units]


def shown(unit: Unit, halves: int, others: dict[int, Version]) -> ShownUnit:
    sat: Sequence[Version] = [others[pk] for pk in unit.table if pk in others]
    return ShownUnit(unit, list(sat), halves / 2, (4 - halves) / 2)
