"""The chart of a bot's rating over time: its band, a line, and where a new version took over."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from config.drawing import Axis
from ladders.stats import Moment

WIDE, HIGH = 1000, 240


@dataclass(frozen=True)
class Label:
    """A text beside the chart, in hundredths of its width or height."""

    at: str
    text: str


@dataclass(frozen=True)
class Chart:
    """What the template draws; lines are one for each version, for ratings do not run on from one to another."""

    bands: list[str]
    lines: list[str]
    versions: list[Label]
    ratings: list[Label]
    grid: list[int]
    begin: datetime
    end: datetime


def chart_of(history: Sequence[Moment]) -> Chart | None:
    """None of fewer than two points."""
    if len(history) <= 1:
        return None
    axis = Axis.around(
        [moment.rating + side * moment.plus_minus for moment in history for side in (-1, 1)]
    )
    across = across_of(history)
    runs = runs_of(history, across)
    return Chart(
        bands=[band(axis, run) for run in runs],
        lines=[line(axis, run) for run in runs],
        versions=[Label(f"{run[0][0] / 10:.1f}", f"v{run[0][1].version}") for run in runs],
        ratings=[Label(f"{100 * down(axis, tick) / HIGH:.1f}", str(tick)) for tick in axis.ticks],
        grid=[down(axis, tick) for tick in axis.ticks],
        begin=history[0].at,
        end=history[-1].at,
    )


def across_of(history: Sequence[Moment]) -> list[int]:
    """Half by time and half by number: the many points of a first hour would lie upon each other."""
    begin, whole = history[0].at, (history[-1].at - history[0].at).total_seconds() or 1
    last = len(history) - 1
    return [
        round(WIDE * ((moment.at - begin).total_seconds() / whole + at / last) / 2)
        for at, moment in enumerate(history)
    ]


Run = list[tuple[int, Moment]]


def runs_of(history: Sequence[Moment], across: Sequence[int]) -> list[Run]:
    """The points of one version after the other; a challenger's begin while the old one still plays."""
    runs: dict[int, Run] = {}
    for at, moment in zip(across, history, strict=True):
        runs.setdefault(moment.version, []).append((at, moment))
    return list(runs.values())


def line(axis: Axis, run: Run) -> str:
    points = [f"{at} {down(axis, moment.rating)}" for at, moment in run]
    return "M" + "L".join(points) + ("h0" if len(points) == 1 else "")


def band(axis: Axis, run: Run) -> str:
    upper = [f"{at} {down(axis, moment.rating + moment.plus_minus)}" for at, moment in run]
    lower = [f"{at} {down(axis, moment.rating - moment.plus_minus)}" for at, moment in run]
    return f"M{'L'.join([*upper, *reversed(lower)])}Z"


def down(axis: Axis, rating: float) -> int:
    return round(HIGH - axis.at(rating) * HIGH / 1000)
