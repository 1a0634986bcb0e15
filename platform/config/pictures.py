"""Pictures that other sites show beside a link: what a page is about, drawn as SVG and handed out as PNG."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from urllib.parse import unquote

import resvg_py
from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from games.cards import colour

WIDTH, HEIGHT = 1200, 630
FONTS = [str(path) for path in sorted((Path(__file__).parent / "fonts").glob("*.ttf"))]
MOST_LINES, MOST_CARDS = 5, 5
FIRST_LINE, LINE = 330, 56
TURN = 8  # degrees from card to card
LONGEST, LONGEST_NAME = 34, 24  # letters that fit
KEPT = 100  # pictures; one takes some 40 kB, and a tenth of a second to draw

TOKEN = re.compile(r"--([\w-]+):\s*([^;]+);")
ALIAS = re.compile(r"var\(--([\w-]+)\)")
SILHOUETTE = re.compile(r"%3E(%3C[^<]+)%3C/svg")


@dataclass(frozen=True)
class Line:
    """Somebody with a place and what they have."""

    place: str
    name: str
    worth: str = ""


@dataclass(frozen=True)
class Poster:
    """What is on a picture."""

    title: str
    above: str
    below: str = ""
    lines: Sequence[Line] = field(default_factory=list)
    cards: Sequence[str] = field(default_factory=list)

    def svg(self) -> str:
        """Names are anybody's choice: the template escapes them, and nothing unprintable gets in."""
        return render_to_string(
            "poster.svg",
            {
                "title": shown(self.title),
                "above": shown(self.above),
                "below": shown(self.below, 2 * LONGEST),
                "lines": [
                    (FIRST_LINE + LINE * at, line.place, shown(line.name, LONGEST_NAME), line.worth)
                    for at, line in enumerate(self.lines[:MOST_LINES])
                ],
                "more": max(0, len(self.lines) - MOST_LINES),
                "cards": fanned(self.cards[:MOST_CARDS]),
                "look": look(),
            },
        )

    def png(self) -> bytes:
        return drawn(self.svg())


@lru_cache(KEPT)
def drawn(svg: str) -> bytes:
    png: bytes = resvg_py.svg_to_bytes(svg_string=svg, font_files=FONTS, skip_system_fonts=True)
    return png


def shown(text: str, most: int = LONGEST) -> str:
    clean = "".join(letter for letter in text if letter.isprintable())
    return clean if len(clean) <= most else f"{clean[: most - 1]}…"


def fanned(cards: Sequence[str]) -> list[dict[str, object]]:
    """Cards as held in a hand: each turned, with its colour, silhouette and value."""
    middle = (len(cards) - 1) / 2
    return [
        {
            "turn": (at - middle) * TURN,
            "value": card.partition("-")[2],
            "fill": token(f"suit-{colour(card)}"),
            "pip": silhouette(colour(card)),
        }
        for at, card in enumerate(cards)
    ]


# -- The site's look ------------------------------------------------------------------------------


@cache
def tokens() -> dict[str, str]:
    """The first word on each: the light theme stands first."""
    css = (settings.PLATFORM / "static/css/tokens.css").read_text(encoding="utf-8")
    return dict(reversed(TOKEN.findall(css)))


def token(name: str) -> str:
    value = tokens()[name]
    alias = ALIAS.fullmatch(value)
    return token(alias[1]) if alias else value


def silhouette(suit: str) -> SafeString:
    """The shape in the address of the suit's mask."""
    found = SILHOUETTE.search(token(f"pip-{suit}"))
    assert found
    return SafeString(unquote(found[1]))


def look() -> dict[str, str]:
    names = ("bg", "ink", "ink-2", "ink-3", "accent", "line-strong", "card-paper", "card-ink")
    return {name.replace("-", "_"): token(name) for name in names}
