"""Draws the pictures of docs/ratings.md: `python -m docs.charts` writes docs/pictures/ratings-*.svg.

Every number in them is worked out by `ratings`, from matches of made-up bots whose strength is known.
"""

import math
from collections.abc import Iterable, Sequence
from functools import cache
from random import Random
from typing import NamedTuple

import numpy as np

from docs.pictures import (
    ACCENT,
    BAD,
    BODY,
    FINE,
    FOLDER,
    HEADING,
    INK_3,
    LABEL,
    LINE,
    MARGIN,
    NAME,
    RIGHT,
    SLOT,
    Ink,
    Picture,
    Sheet,
)
from games.seating import seatings
from ratings.fit import fit
from ratings.results import Match, Results
from ratings.scale import ELO, FIRST, expected
from ratings.uncertainty import Uncertainty, standings, uncertainty

PLAYERS = 4
LEGS = len(seatings(PLAYERS))
ANCHOR = 0
CONSTANT_K = 32.0


# -- Matches of bots whose strength is known ------------------------------------------------------


def played(strengths: Sequence[float], matches: int, seed: int) -> list[Match]:
    """Matches at random tables; how often one is ahead of another is as the strengths say."""
    dice = Random(seed)
    return [
        Match(
            number,
            lineup,
            [leg_ranks([strengths[bot] for bot in lineup], dice) for _ in range(LEGS)],
        )
        for number in range(matches)
        for lineup in [dice.sample(range(len(strengths)), PLAYERS)]
    ]


def leg_ranks(strengths: Sequence[float], dice: Random) -> list[int]:
    scores = [strength / ELO - math.log(-math.log(dice.random())) for strength in strengths]
    return [1 + sum(other > score for other in scores) for score in scores]


def known(matches: Sequence[Match]) -> Uncertainty:
    return uncertainty(fit(Results.of(matches, players=PLAYERS, legs=LEGS), anchor=ANCHOR))


# -- Drawing --------------------------------------------------------------------------------------


class Axes(NamedTuple):
    """Where a number belongs on the sheet."""

    x: tuple[float, float]
    y: tuple[float, float]
    left: float
    right: float
    top: float
    bottom: float

    def at(self, x: float, y: float) -> tuple[float, float]:
        across = (x - self.x[0]) / (self.x[1] - self.x[0])
        up = (y - self.y[0]) / (self.y[1] - self.y[0])
        left = self.left + across * (self.right - self.left)
        return round(left, 1), round(self.bottom - up * (self.bottom - self.top), 1)

    def draw(self, sheet: Sheet, xs: Iterable[float], ys: Iterable[float], unit: str = "") -> None:
        for y in ys:
            left, high = self.at(self.x[0], y)
            sheet.drawn.append(f'<path d="M{left:g} {high:g}H{self.right:g}" stroke="{LINE}"/>')
            sheet.right(left - 8, high + 4, f"{y:g}{unit}", LABEL)
        for x in xs:
            place, _ = self.at(x, self.y[0])
            sheet.middle(place, self.bottom + 18, f"{x:g}", LABEL)


def line(
    sheet: Sheet, points: Iterable[tuple[float, float]], colour: str, width: float = 2
) -> None:
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    sheet.drawn.append(
        f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}"/>'
    )


def area(sheet: Sheet, points: Iterable[tuple[float, float]], colour: str) -> None:
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    sheet.drawn.append(f'<polygon points="{path}" fill="{colour}" fill-opacity=".16"/>')


def dot(sheet: Sheet, at: tuple[float, float], colour: str = ACCENT) -> None:
    sheet.drawn.append(f'<circle cx="{at[0]:g}" cy="{at[1]:g}" r="4" fill="{colour}"/>')


# -- What points are worth ------------------------------------------------------------------------


class Worth(NamedTuple):
    """How often one finishes ahead, by how many points it leads."""

    leads: Sequence[int]

    def draw(self, sheet: Sheet) -> None:
        axes = Axes((0, 500), (40, 100), MARGIN + 50, RIGHT - 10, sheet.y, sheet.y + 190)
        axes.draw(sheet, (0, 100, 200, 300, 400, 500), (40, 50, 60, 70, 80, 90, 100), " %")
        line(sheet, [axes.at(lead, self.ahead(lead)) for lead in range(0, 501, 10)], ACCENT)
        for lead in self.leads:
            at = axes.at(lead, self.ahead(lead))
            dot(sheet, at)
            sheet.text(at[0] + 8, at[1] + 16, f"+{lead}: {self.ahead(lead):.0f} %", HEADING)
            sheet.say(f"{lead} points ahead: in front in {self.ahead(lead):.0f} % of the legs.")
        sheet.middle((axes.left + axes.right) / 2, axes.bottom + 38, "points ahead", FINE)
        sheet.y = axes.bottom + 56

    def ahead(self, lead: int) -> float:
        return 100 * expected(lead, 0)


# -- The same deal, several times -----------------------------------------------------------------


class Seats(NamedTuple):
    """Who sits where in the legs of a match."""

    names: Sequence[str]
    colours: Sequence[str]

    def draw(self, sheet: Sheet) -> None:
        wide, pitch = 88, 104
        for seat in range(len(self.names)):
            x = MARGIN + 90 + seat * pitch
            sheet.middle(x + wide / 2, sheet.y + 6, f"seat {seat}", LABEL)
            sheet.middle(x + wide / 2, sheet.y + 22, f"hand {seat + 1}", FINE)
        sheet.y += 34
        for number, row in enumerate(seatings(len(self.names)), 1):
            sheet.text(MARGIN, sheet.y + 22, f"Leg {number}", NAME)
            for seat, bot in enumerate(row):
                x = MARGIN + 90 + seat * pitch
                sheet.box(x, sheet.y, wide, 34, 5, self.colours[bot])
                sheet.middle(x + wide / 2, sheet.y + 22, self.names[bot], Ink(14, "#ffffff", 700))
            seated = ", ".join(self.names[bot] for bot in row)
            sheet.say(f"Leg {number}, from seat 0 on: {seated}.")
            sheet.y += 44
        sheet.y += 8


# -- Standings ------------------------------------------------------------------------------------

BOTS = ("House Greedy", "Vesper", "Quince", "Moth", "Anvil", "Sorrel", "Tern", "Pebble")
STRENGTHS = (0, 170, 135, 100, 80, -20, -60, -240)


class Standings(NamedTuple):
    """The standings of a ladder with bars for what is not known."""

    matches: int

    def draw(self, sheet: Sheet) -> None:
        log = played(STRENGTHS, self.matches * len(BOTS) // PLAYERS, seed=2)
        found = known(log)
        listed = [bot for bot in range(len(BOTS)) if bot != ANCHOR]
        ratings, widths = found.fit.by_entity(), found.by_entity()
        scale = Axes((1220, 1710), (0, 1), 258, 410, sheet.y, sheet.y + 1)
        for x, words in ((MARGIN, "Rank"), (96, "Bot"), (166, "Rating"), (424, "The next one")):
            sheet.text(x, sheet.y + 6, words, LABEL)
        sheet.y += 18
        for standing in standings(found, listed):
            sheet.rule()
            rating, width = ratings[standing.entity], widths[standing.entity]
            words = standing.words.text([]) if standing.words else ""
            rank = f"{standing.rank} ({standing.best}–{standing.worst})"
            y = sheet.y + 22
            sheet.text(MARGIN, y, rank, NAME)
            sheet.text(96, y, BOTS[standing.entity], BODY)
            sheet.text(166, y, f"{rating:.0f} ±{width}", HEADING)
            low, middle, high = (scale.at(rating + by, 0)[0] for by in (-width, 0, width))
            sheet.box(low, y - 9, round(high - low, 1), 10, 5, ACCENT, ' fill-opacity=".25"')
            dot(sheet, (middle, y - 4))
            sheet.text(424, y, words, FINE)
            sheet.say(f"{rank} {BOTS[standing.entity]} {rating:.0f} ±{width}. {words}")
            sheet.y += 34
        sheet.y += 4


# -- Plain Elo and the fit ------------------------------------------------------------------------

FOLLOWED = 5
FIELD = (0, -240, -170, -110, -60, 110, -20, 20, 60, 150, 210, 280)


@cache
def followed() -> list[tuple[float, float, float]]:
    """One bot after each of its matches: plain Elo, the fit, and the fit's ±."""
    log, elo = played(FIELD, 330, seed=5), [FIRST] * len(FIELD)
    path: list[tuple[float, float, float]] = []
    for number, match in enumerate(log, 1):
        for leg in match.ranks:
            for bot, change in plain_elo([elo[bot] for bot in match.lineup], leg, match.lineup):
                elo[bot] += change
        if FOLLOWED in match.lineup:
            found = known(log[:number])
            path.append(
                (elo[FOLLOWED], found.fit.by_entity()[FOLLOWED], found.by_entity()[FOLLOWED])
            )
    return path


def plain_elo(
    ratings: Sequence[float], ranks: Sequence[int], lineup: Sequence[int]
) -> list[tuple[int, float]]:
    """The formula after every leg, with a constant K."""
    changes = []
    for one, bot in enumerate(lineup):
        surplus = sum(
            (ranks[one] < ranks[two]) - expected(ratings[one], ratings[two])
            for two in range(len(lineup))
            if two != one
        )
        changes.append((bot, CONSTANT_K / (len(lineup) - 1) * surplus))
    return changes


class Paths(NamedTuple):
    """How the number of one bot that never changes comes to rest, or does not."""

    def draw(self, sheet: Sheet) -> None:
        path = followed()
        axes = Axes((0, 110), (1400, 1800), MARGIN + 50, RIGHT - 10, sheet.y, sheet.y + 220)
        axes.draw(sheet, (0, 20, 40, 60, 80, 100), (1400, 1500, 1600, 1700, 1800))
        truth = FIRST + FIELD[FOLLOWED]
        line(sheet, [axes.at(x, truth) for x in axes.x], SLOT, 3)
        shown = list(enumerate(path[: round(axes.x[1])], 1))
        settled = [(at, fitted, width) for at, (_, fitted, width) in shown if at >= 3]
        above = [axes.at(at, min(fitted + width, axes.y[1])) for at, fitted, width in settled]
        below = [axes.at(at, max(fitted - width, axes.y[0])) for at, fitted, width in settled]
        area(sheet, [*above, *reversed(below)], ACCENT)
        line(sheet, [axes.at(at, elo) for at, (elo, _, _) in shown], BAD, 1.5)
        line(sheet, [axes.at(at, fitted) for at, fitted, _ in settled], ACCENT, 2.5)
        sheet.middle((axes.left + axes.right) / 2, axes.bottom + 38, "matches of this bot", FINE)
        sheet.y = axes.bottom + 60
        last = [values for _, values in shown[40:]]
        elos = [elo for elo, _, _ in last]
        fits = [fitted for _, fitted, _ in last]
        for colour, words in (
            (SLOT, f"how strong it is: {truth:.0f}"),
            (
                ACCENT,
                f"the fit with its ±: from match 41 on within {min(fits):.0f}–{max(fits):.0f}",
            ),
            (BAD, f"Elo with K = 32 after every leg: {min(elos):.0f}–{max(elos):.0f}"),
        ):
            sheet.box(axes.left, sheet.y - 9, 22, 4, 2, colour)
            sheet.text(axes.left + 32, sheet.y - 3, words, BODY)
            sheet.say(f"{words}.")
            sheet.y += 20
        sheet.y += 2


# -- How sure, after how many matches -------------------------------------------------------------

LADDER = tuple(range(-240, 260, 25))


class Widths(NamedTuple):
    """The ± of a bot of the middle of a ladder, by the number of its matches."""

    counts: Sequence[int]

    def draw(self, sheet: Sheet) -> None:
        middle, pixels = 330, 1.5
        log = played(LADDER, max(self.counts) * len(LADDER) // PLAYERS, seed=3)
        for count in self.counts:
            found = known(log[: count * len(LADDER) // PLAYERS])
            width = float(np.median(found.plus_minus[1:]))
            sheet.text(MARGIN, sheet.y + 15, f"{count} matches", BODY)
            half = round(width * pixels, 1)
            sheet.box(middle - half, sheet.y + 4, 2 * half, 14, 7, ACCENT, ' fill-opacity=".3"')
            dot(sheet, (middle, sheet.y + 11))
            sheet.text(middle + half + 10, sheet.y + 16, f"±{width:.0f}", HEADING)
            sheet.say(f"After {count} matches ±{width:.0f}.")
            sheet.y += 34
        sheet.drawn.append(
            f'<path d="M{middle} {sheet.y - 34 * len(self.counts):g}V{sheet.y:g}" stroke="{INK_3}" '
            'stroke-dasharray="2 4"/>'
        )
        sheet.y += 6


COLOURS = (ACCENT, "#7a4720", "#1f5fc4", "#74399f")

CHARTS: list[Picture] = [
    Picture("ratings-worth", "What a lead in points is worth", [Worth((20, 100, 200, 400))]),
    Picture(
        "ratings-seats",
        "One match: the same four hands, four times",
        [Seats(("Vesper", "Quince", "Moth", "Tern"), COLOURS)],
    ),
    Picture("ratings-standings", "Standings after some 60 matches each", [Standings(60)]),
    Picture("ratings-widths", "How sure a rating is", [Widths((10, 20, 40, 80, 160))]),
    Picture("ratings-elo", "A bot that never changes", [Paths()]),
]


def drawn() -> dict[str, str]:
    """Every picture, by the name of its file."""
    return {f"{picture.name}.svg": picture.svg() for picture in CHARTS}


def main() -> None:
    for name, svg in drawn().items():
        (FOLDER / name).write_text(svg, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
