"""The pages of a person at the table: sit down, play, leave."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.requests import OwnRequest
from accounts.services import NotPossible
from config.refusals import posted, told_in
from games import GAMES
from jobs.models import ENDED
from tournaments import people, services
from tournaments.forms import TableForm
from tournaments.models import Match

ANSWERED_WITHIN_MS = 1500  # bots mostly answer at once: then one request is enough for a move


def own_table(request: OwnRequest, pk: int) -> Match:
    """A match in which this person plays; others' tables do not exist."""
    return get_object_or_404(Match.objects.select_related("person"), pk=pk, person=request.user)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def table_new(request: OwnRequest) -> HttpResponse:
    """First the game is chosen, then who else sits at the table."""
    about: dict[str, Any] = {"sits_at": request.user.tables.exclude(state__in=ENDED).first()}
    game = GAMES.get(request.GET.get("game", ""))
    if game is None:
        return render(request, "tournaments/table_new.html", about | {"games": list(GAMES)})
    form = TableForm(posted(request)[0], game=game, user=request.user)
    if form.is_valid():
        with told_in(form):
            match = services.sit_down(
                user=request.user, versions=form.versions, options=form.options
            )
        if form.is_valid():
            return redirect("table", match.pk)
    return render(request, "tournaments/table_new.html", about | {"form": form, "game": game.name})


@login_required
@require_safe
@never_cache
def table(request: OwnRequest, pk: int) -> HttpResponse:
    match = own_table(request, pk)
    if match.has_ended:
        return redirect("match", match.pk)
    return render(
        request, "tournaments/table.html", {"match": match, "bots": people.at_table(match)}
    )


@login_required
@require_safe
@never_cache
def table_news(request: OwnRequest, pk: int) -> HttpResponse:
    """The table as it is now; nothing, if that is what the page shows already."""
    return news_of(own_table(request, pk), request.GET.get("after", ""))


@login_required
@require_POST
def table_answer(request: OwnRequest, pk: int) -> HttpResponse:
    match = own_table(request, pk)
    number = request.POST.get("id", "")
    try:
        people.answer(
            match=match,
            number=int(number) if number.isdecimal() else 0,
            move=request.POST.get("move", ""),
        )
    except NotPossible as refusal:
        return JsonResponse({"detail": str(refusal)}, status=409)
    return news_of(match, "", ANSWERED_WITHIN_MS)


@login_required
@require_POST
def table_leave(request: OwnRequest, pk: int) -> HttpResponse:
    match = own_table(request, pk)
    people.leave(match=match)
    return redirect("match", match.pk)


def news_of(match: Match, after: str, wait_ms: int = 0) -> HttpResponse:
    """What is new since then; with time to wait, as soon as there is something to decide."""
    try:
        if not people.has_news(match, after):
            return HttpResponse(status=204)
        return JsonResponse(people.news(match, people.situation(match, wait_ms)))
    except NotPossible as refusal:
        return JsonResponse({"detail": str(refusal)}, status=503)
