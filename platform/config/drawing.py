"""Small pictures in the text of a page: an axis of ratings and what is drawn along it. All of it is SVG with attributes,
for pages have no inline styles; the looks are in css/ladder.css and css/bot.css."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from ratings.scale import FIRST

WIDE = 1000  # units along an axis, whatever its width on the screen
HIGH = 36
STEPS = (20, 50, 100, 200, 500, 1000, 2000)
MOST_STEPS = 7
SPARK_WIDE, SPARK_HIGH, EDGE = 72, 20, 3


@dataclass(frozen=True)
class Axis:
    """A range of ratings, from one round number to another one."""

    low: int
    step: int
    steps: int

    @classmethod
    def around(cls, ratings: Iterable[float]) -> "Axis":
        """The finest that shows all of them."""
        known = [*ratings] or [FIRST - 100, FIRST + 100]
        for step in STEPS:
            low, high = floor((min(known) - 1) / step), ceil((max(known) + 1) / step)
            if high - low <= MOST_STEPS:
                break
        return cls(low * step, step, high - low)

    @property
    def ticks(self) -> list[int]:
        return [self.low + at * self.step for at in range(self.steps + 1)]

    def at(self, rating: float) -> int:
        """Where a rating lies, in units."""
        return round(WIDE * (rating - self.low) / (self.step * self.steps))


def axis_labels(axis: Axis) -> SafeString:
    """The numbers over an axis."""
    labels = ((f"{100 * at / axis.steps:.1f}", tick) for at, tick in enumerate(axis.ticks))
    return format_html(
        '<svg class="axis" aria-hidden="true">{}</svg>',
        format_html_join("", '<text x="{}%" y="12">{}</text>', labels),
    )


def interval(axis: Axis, rating: float, plus_minus: int | None, look: str) -> str:
    """A rating as a dot with its interval on both sides, over the band of the page's own bot."""
    dot, bar = axis.at(rating), ""
    if plus_minus:
        low, high = axis.at(rating - plus_minus), axis.at(rating + plus_minus)
        bar = f'<path d="M{low} 13v10M{low} 18H{high}M{high} 13v10"/>'
    return (
        f'<svg class="iv{look}" viewBox="0 0 {WIDE} {HIGH}" preserveAspectRatio="none" aria-hidden="true">'
        f'<use href="#band"/>{bar}<path class="dot" d="M{dot} 18h0"/>'
        f'<path class="core" d="M{dot} 18h0"/></svg>'
    )


def band(axis: Axis, rating: float, plus_minus: int) -> tuple[int, int]:
    """Where an interval begins, and how wide it is."""
    low = axis.at(rating - plus_minus)
    return low, max(axis.at(rating + plus_minus) - low, 2)


def spark(ratings: Sequence[float], label: str) -> str:
    """The last ratings as a line without numbers."""
    if len(ratings) < 2:
        return ""
    low, high = min(ratings), max(ratings)
    across = (SPARK_WIDE - 2 * EDGE) / (len(ratings) - 1)
    down = (SPARK_HIGH - 2 * EDGE) / max(high - low, 20)
    middle = (low + high) / 2
    points = [
        f"{EDGE + at * across:.1f} {SPARK_HIGH / 2 - (rating - middle) * down:.1f}"
        for at, rating in enumerate(ratings)
    ]
    return (
        f'<svg class="spark" viewBox="0 0 {SPARK_WIDE} {SPARK_HIGH}" role="img" aria-label="{label}">'
        f'<path d="M{"L".join(points)}"/><path class="dot" d="M{points[-1]}h0"/></svg>'
    )


def places_bar(places: Sequence[int], label: str) -> str:
    """How often first, second, … as one bar."""
    whole, left, parts = sum(places), 0.0, []
    for at, count in enumerate(places, 1):
        width = 100 * count / whole
        parts.append(f'<rect class="p{at}" x="{left:.1f}" width="{width:.1f}" height="10"/>')
        left += width
    return (
        '<svg class="places" viewBox="0 0 100 10" preserveAspectRatio="none" role="img"'
        f' aria-label="{label}"><title>{label}</title>{"".join(parts)}</svg>'
    )


def meter(part: float) -> SafeString:
    """How far something has come, from 0 to 1."""
    return format_html(
        '<svg class="meter" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="all" width="100" height="6"/><rect width="{}" height="6"/></svg>',
        round(100 * min(part, 1)),
    )
