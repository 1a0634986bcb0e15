"""The list of ladders, and what is done to a ladder."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.requests import OwnRequest
from accounts.services import NotPossible
from config.paging import newest_first
from config.refusals import posted, told, told_in
from games import GAMES
from ladders import services
from ladders.forms import EnterForm, JoinForm, LadderForm, LeaveForm
from ladders.models import Ladder
from ladders.standings import summaries

LEFT = gettext_lazy("%(bot)s has left %(ladder)s. It may come back to where it was.")


def visible_ladder(request: HttpRequest, slug: str) -> Ladder:
    """A ladder this person may see; a private one does not exist for others."""
    return get_object_or_404(Ladder.objects.visible_to(request.user), slug=slug)


@require_safe
def ladder_list(request: HttpRequest) -> HttpResponse:
    visible = Ladder.objects.visible_to(request.user)
    page = newest_first(visible.filter(is_standard=False), request)
    standard = visible.filter(is_standard=True) if page.is_first else visible.none()
    others = visible.filter(pk__in=[ladder.pk for ladder in page.rows]).order_by("-pk")
    return render(
        request,
        "ladders/list.html",
        {
            "standard": summaries(standard),
            "others": summaries(others),
            "page": page,
        },
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: OwnRequest) -> HttpResponse:
    """First the game is chosen, then what it has to choose from."""
    if not request.user.creates_ladders:
        raise PermissionDenied(_("Ask an operator to let you create ladders."))
    game = GAMES.get(request.GET.get("game", ""))
    if game is None:
        return render(request, "ladders/new.html", {"games": list(GAMES)})
    form = LadderForm(posted(request)[0], game=game)
    if form.is_valid():
        with told_in(form):
            ladder = services.make_ladder(created_by=request.user, **form.wanted)
        if form.is_valid():
            return redirect("ladder", ladder.slug)
    return render(request, "ladders/new.html", {"game": game.name, "form": form})


@login_required
@require_POST
def enter(request: OwnRequest, slug: str) -> HttpResponse:
    ladder = visible_ladder(request, slug)
    form = EnterForm(request.POST, ladder=ladder, user=request.user)
    if form.is_valid():
        bot = form.cleaned_data["bot"]
        with told(
            request, _("%(bot)s is on %(ladder)s from now on.") % {"bot": bot, "ladder": ladder}
        ):
            services.enter(ladder=ladder, bot=bot)
    else:
        messages.error(
            request, _("Choose one of your bots for %s that is not on it.") % ladder.game
        )
    return redirect("ladder", ladder.slug)


@login_required
@require_POST
def leave(request: OwnRequest, slug: str) -> HttpResponse:
    ladder = visible_ladder(request, slug)
    form = LeaveForm(request.POST, ladder=ladder, user=request.user)
    if form.is_valid():
        entry = form.cleaned_data["bot"]
        with told(request, LEFT % {"bot": entry.bot, "ladder": ladder}):
            services.leave(entry=entry)
    else:
        messages.error(request, _("Choose one of your bots that is on this ladder."))
    return redirect("ladder", ladder.slug)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: OwnRequest, slug: str) -> HttpResponse:
    """Asks for the code of a private ladder, and does not tell whether there is one of this name."""
    if Ladder.objects.visible_to(request.user).filter(slug=slug).exists():
        return redirect("ladder", slug)
    form = JoinForm(*posted(request), initial={"code": request.GET.get("code", "")})
    if form.is_valid():
        with told_in(form):
            ladder = Ladder.objects.filter(slug=slug).first()
            if ladder is None:
                raise NotPossible(services.WRONG_CODE)
            services.join(ladder=ladder, user=request.user, code=form.cleaned_data["code"])
        if form.is_valid():
            return redirect("ladder", slug)
    return render(request, "ladders/join.html", {"form": form})
