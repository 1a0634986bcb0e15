"""How pages write moments, numbers, bots and people; every template knows these words."""

import json
from datetime import datetime
from functools import lru_cache
from typing import Any

from django import template
from django.template.context import Context
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.names import DELETED
from config.options import option_title, option_value
from games import GAMES, words
from tournaments.models import Seat

register = template.Library()
register.filter(option_title)
register.filter(option_value)

LANGUAGES = {
    "c": "C",
    "cpp": "C++",
    "go": "Go",
    "java": "Java",
    "javascript": "JavaScript",
    "python": "Python",
    "rust": "Rust",
}
UNITS = (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1))
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
    for unit, length in UNITS:
        if count := seconds // length:
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "now"


@register.filter
def on_day(moment: datetime) -> SafeString:
    return format_html(
        '<time datetime="{}">{} UTC</time>', moment.isoformat(), f"{moment:%d %b %Y, %H:%M}"
    )


@register.simple_tag
def state_tag(state: str) -> SafeString:
    """How a job, a bot or a version is."""
    return format_html('<span class="{}">{}</span>', STATE_LOOKS.get(state, "tag"), state)


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
