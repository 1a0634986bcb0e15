"""How pages write moments, numbers, bots and people; every template knows these words."""

import json
from datetime import datetime
from functools import lru_cache
from typing import Any

from django import template
from django.conf import settings
from django.template.context import Context
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from accounts.names import DELETED
from config.languages import LANGUAGES
from config.live import PAGES, stream_of
from config.options import option_title, option_value
from games import GAMES, words
from tournaments.models import Seat

register = template.Library()
register.filter(option_title)
register.filter(option_value)

UNITS = (
    (86400, ngettext_lazy("%d day ago", "%d days ago")),
    (3600, ngettext_lazy("%d hour ago", "%d hours ago")),
    (60, ngettext_lazy("%d minute ago", "%d minutes ago")),
    (1, ngettext_lazy("%d second ago", "%d seconds ago")),
)
STATE_LOOKS = {
    "playing": "live",
    "running": "live",
    "ready": "tag good",
    "active": "tag good",
    "rejected": "tag bad",
    "void": "tag bad",
    "paused": "tag warn",
    "retired": "tag warn",
}
STATE_WORDS = {
    "active": _lazy("active"),
    "cancelled": _lazy("cancelled"),
    "checking": _lazy("checking"),
    "failed": _lazy("failed"),
    "faulty": _lazy("faulty"),
    "finished": _lazy("finished"),
    "paused": _lazy("paused"),
    "playing": _lazy("playing"),
    "ready": _lazy("ready"),
    "rejected": _lazy("rejected"),
    "retired": _lazy("retired"),
    "running": _lazy("running"),
    "void": _lazy("void"),
    "waiting": _lazy("waiting"),
}
LINKS_REMEMBERED = 20_000


@register.simple_tag
def when(moment: datetime | None) -> SafeString:
    """How long ago, with the exact time behind it."""
    if moment is None:
        return SafeString()
    exact = f"{moment:%d %b %Y, %H:%M:%S} UTC"
    return format_html(
        '<time datetime="{}" title="{}">{}</time>', f"{moment:%FT%TZ}", exact, ago(moment)
    )


def ago(moment: datetime) -> str:
    seconds = int((timezone.now() - moment).total_seconds())
    for length, words_for in UNITS:
        if (count := seconds // length) > 0:
            return words_for % count
    return _("now")


@register.filter
def on_day(moment: datetime) -> SafeString:
    return format_html(
        '<time datetime="{}">{} UTC</time>', moment.isoformat(), f"{moment:%d %b %Y, %H:%M}"
    )


@register.simple_tag
def state_tag(state: str) -> SafeString:
    """How a job, a bot or a version is."""
    return format_html(
        '<span class="{}">{}</span>', STATE_LOOKS.get(state, "tag"), STATE_WORDS[state]
    )


@register.filter
def rounded(rating: float | None) -> str:
    """A rating as whole points; there is none before the first match."""
    return "–" if rating is None else f"{rating:.0f}"


@register.filter
def signed(points: int) -> str:
    return words.signed(points)


@register.filter
def total(points: int) -> str:
    return words.number(points)


@register.filter
def tenths(points: float) -> str:
    return f"{points:.1f}".replace("-", "−")


@register.filter
def signed_tenths(points: float) -> str:
    return f"{points:+.1f}".replace("-", "−")


@register.simple_tag
def bar(length: float) -> SafeString:
    """A bar from the middle to one side; -50 and 50 are its ends."""
    return format_html(
        '<svg class="bar-line {}" viewBox="-50 0 100 1" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="bar-middle" x="-.4" width=".8" height="1"/>'
        '<rect x="{}" width="{}" height="1"/></svg>',
        "less" if length < 0 else "more",
        f"{min(length, 0):.1f}",
        f"{abs(length):.1f}",
    )


@register.filter
def percent(share: float) -> str:
    return f"{share:.0%}".replace("%", "\N{NARROW NO-BREAK SPACE}%")


@register.filter
def change(seat: Seat) -> str:
    """How far a match moved a rating."""
    if seat.rating_before is None or seat.rating_after is None:
        return ""
    return words.signed(round(seat.rating_after) - round(seat.rating_before))


@register.filter
def by_leg(seat: Seat) -> list[tuple[int, int]]:
    """What a bot scored and where it ranked, leg by leg."""
    return list(zip(seat.scores, seat.ranks, strict=True))


@register.filter
def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


@register.filter
def title_of(game: str) -> str:
    return GAMES[game].title


@register.filter
def seconds(ms: int) -> str:
    """A limit in the unit in which one thinks of it."""
    return f"{ms / 1000:g} s" if ms >= 1000 else f"{ms} ms"


@register.filter
def language(name: str | None) -> str:
    return LANGUAGES.get(name or "", name or "")


@register.simple_tag(takes_context=True)
def live(context: Context, topic: str, address: str = "") -> SafeString:
    """The attributes of what is kept up to date (js/live.js): where it is asked for again, and the stream
    that says when. Strangers all get the same page, which is kept for them."""
    request = context["request"]
    address = address or request.get_full_path()
    if not settings.BROKER:
        return format_html('data-live="{}"', address)
    if not request.user.is_authenticated:
        address = f"{PAGES}{get_language()}{address}"
    return format_html('data-live="{}" data-stream="{}"', address, stream_of(topic))


@register.inclusion_tag("_pages.html", takes_context=True)
def pages(context: Context, page: Any, key: str) -> dict[str, str]:
    """The way on in a list, and back to its beginning, with what else the address asks for."""
    query = context["request"].GET.copy()
    query.pop(key, None)
    begin = f"?{query.urlencode()}"
    query[key] = page.following
    return {
        "begin": "" if page.is_first else begin,
        "following": f"?{query.urlencode()}" if page.following else "",
    }


# -- Links ----------------------------------------------------------------------------------------
# A page may have hundreds. They are remembered: finding an address takes longer than all the rest of a row.


@register.simple_tag
@lru_cache(LINKS_REMEMBERED)
def bot_link(name: str, number: int | None = None, is_house: bool = False) -> SafeString:
    """A bot's name, and the number of the version that is meant."""
    return format_html(
        '<a class="{}" href="{}">{}</a>{}',
        "bot house" if is_house else "bot",
        reverse("bot", args=[name]),
        name,
        format_html('<span class="v">v{}</span>', number) if number else "",
    )


@register.simple_tag
@lru_cache(LINKS_REMEMBERED)
def owner_link(name: str, is_house: bool = False) -> SafeString:
    if is_house:
        return format_html('<span class="faint">{}</span>', "house")
    if name.startswith(DELETED):  # who has left has no page
        return format_html('<span class="faint">{}</span>', name)
    return format_html('<a href="{}">{}</a>', reverse("player", args=[name]), name)


@register.simple_tag
@lru_cache(LINKS_REMEMBERED)
def match_link(pk: int) -> SafeString:
    return format_html('<a href="{}">Match {}</a>', reverse("match", args=[pk]), pk)


@register.simple_tag
@lru_cache(LINKS_REMEMBERED)
def ladder_link(slug: str, title: str) -> SafeString:
    return format_html('<a class="faint" href="{}">{}</a>', reverse("ladder", args=[slug]), title)


@register.simple_tag
def seat_link(seat: Seat) -> SafeString:
    """Who sits there: a bot in a version, or a person."""
    if seat.bot and seat.version:
        return bot_link(seat.bot.name, seat.version.number, seat.bot.is_house)
    return owner_link(seat.name)
