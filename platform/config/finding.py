"""Finding things: the list of bots, and the search for a bot, an author or a match."""

import re
from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts.models import User
from bots.models import Bot
from config.languages import LANGUAGES
from config.paging import newest_first
from games import GAMES
from tournaments.models import Match

FOUND = 30  # of each kind
LONGEST = 60
MATCH_NUMBER = re.compile(r"(?:match)?\s*#?\s*([0-9]{1,18})", re.IGNORECASE)


class BotFilter(forms.Form):
    """Which bots are listed."""

    name = forms.CharField(
        label=_("Bot or author"),
        required=False,
        max_length=LONGEST,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    game = forms.ChoiceField(
        label=_("Game"),
        choices=[("", _("all")), *((name, game.title) for name, game in GAMES.items())],
        required=False,
    )
    language = forms.ChoiceField(
        label=_("Language"),
        choices=[("", _("any")), *LANGUAGES.items()],
        required=False,
    )


@require_safe
def bot_list(request: HttpRequest) -> HttpResponse:
    form = BotFilter(request.GET)
    bots = listed(form.cleaned_data) if form.is_valid() else Bot.objects.none()
    return render(request, "bots/list.html", {"form": form, "page": newest_first(bots, request)})


def listed(chosen: dict[str, str]) -> QuerySet[Bot]:
    bots = Bot.objects.select_related("owner", "active_version")
    if chosen["name"]:
        named = Q(name__icontains=chosen["name"])
        bots = bots.filter(named | Q(owner__username__icontains=chosen["name"]))
    if chosen["game"]:
        bots = bots.filter(game=chosen["game"])
    if chosen["language"]:
        bots = bots.filter(active_version__language=chosen["language"])
    return bots


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """Leads straight to what was named exactly, else shows what has it in its name."""
    text = request.GET.get("q", "").strip()[:LONGEST]
    if address := named_exactly(text, request.user):
        return redirect(*address)
    return render(request, "search.html", {"text": text, **found(text)})


def named_exactly(text: str, user: Any) -> tuple[str, Any] | None:
    if number := MATCH_NUMBER.fullmatch(text):
        pk = int(number[1])
        return ("match", pk) if Match.objects.visible_to(user).filter(pk=pk).exists() else None
    if bot := Bot.objects.filter(name__iexact=text).first():
        return ("bot", bot.name)
    if author := authors().filter(username__iexact=text).first():
        return ("player", author.username)
    return None


def found(text: str) -> dict[str, Any]:
    if not text:
        return {}
    bots = Bot.objects.filter(name__icontains=text).select_related("owner", "active_version")
    return {
        "bots": bots.order_by("state", "name")[:FOUND],
        "authors": authors().filter(username__icontains=text).order_by("username")[:FOUND],
        "most": FOUND,
    }


def authors() -> QuerySet[User]:
    return User.objects.filter(deleted_at=None, is_house=False)
