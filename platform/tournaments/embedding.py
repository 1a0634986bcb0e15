"""A match on other people's pages: the viewer in a frame, and oEmbed, which tells them how to frame it."""

from typing import Any
from urllib.parse import urlsplit

from csp.decorators import csp_replace
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import Resolver404, resolve, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from games import GAMES
from jobs.models import State
from tournaments import replays
from tournaments.models import Match
from tournaments.views import replay_of

WIDTH, HEIGHT = 960, 720
SHAREABLE = ("match", "match_embed")


def strangers_match(pk: int) -> Match:
    """A match that everybody may see: in a frame nobody is logged in."""
    visible = Match.objects.visible_to(AnonymousUser()).select_related("ladder")
    return get_object_or_404(visible, pk=pk)


@require_safe
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type]  # a view may have a number
def embed(request: HttpRequest, pk: int) -> HttpResponse:
    """The viewer alone. A site that frames it learns nothing of who looks at it, and can do nothing."""
    match = strangers_match(pk)
    request.user = AnonymousUser()
    about: dict[str, Any] = {"match": match}
    if match.state == State.FINISHED:
        about |= replay_of(match, replays.seats_of(match), request)
    return render(request, "tournaments/embed.html", about)


@require_safe
def oembed(request: HttpRequest) -> HttpResponse:
    """How to frame the match at an address of this site: https://oembed.com."""
    if request.GET.get("format", "json") != "json":
        return told(501, _("There is JSON only: ask with format=json."))
    try:
        match = strangers_match(shared_match(request))
        width = bounded(request, "maxwidth", WIDTH)
        height = bounded(request, "maxheight", HEIGHT)
    except Http404:
        return told(404, _("The address is not that of a match that everybody may see."))
    except ValueError:
        return told(400, _("maxwidth and maxheight are whole numbers of pixels."))
    answer = JsonResponse(frame_of(request, match, width, height))
    answer["Access-Control-Allow-Origin"] = "*"
    return answer


def told(status: int, detail: str) -> JsonResponse:
    return JsonResponse({"status": status, "detail": detail}, status=status)


def shared_match(request: HttpRequest) -> int:
    """The number of the match that an address names."""
    try:
        parts = urlsplit(request.GET.get("url", ""))
        found = resolve(parts.path)
    except (ValueError, Resolver404):
        raise Http404 from None
    if parts.netloc != request.get_host() or found.url_name not in SHAREABLE:
        raise Http404
    return int(found.kwargs["pk"])


def bounded(request: HttpRequest, key: str, usual: int) -> int:
    return max(1, min(usual, int(request.GET.get(key, usual))))


def frame_of(request: HttpRequest, match: Match, width: int, height: int) -> dict[str, Any]:
    title = _("Match {number}, {game}").format(number=match.pk, game=GAMES[match.game].title)
    address = request.build_absolute_uri(reverse("match_embed", args=[match.pk]))
    return {
        "version": "1.0",
        "type": "rich",
        "title": title,
        "provider_name": "Kibitz",
        "provider_url": request.build_absolute_uri("/"),
        "width": width,
        "height": height,
        "html": format_html(
            '<iframe src="{}" title="{}" width="{}" height="{}" loading="lazy" allowfullscreen></iframe>',
            address,
            title,
            width,
            height,
        ),
        "thumbnail_url": request.build_absolute_uri(reverse("match_preview", args=[match.pk])),
        "thumbnail_width": 1200,
        "thumbnail_height": 630,
    }
