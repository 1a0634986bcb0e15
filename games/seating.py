"""Who sits where in each leg, so that luck of the seat and of the neighbour evens out."""

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

Bot = TypeVar("Bot")


def seatings(players: int) -> list[list[int]]:
    """The bot on each seat, leg by leg: a Williams design, for odd numbers with its mirror image."""
    # 0, 1, n-1, 2, n-2, ...: counted up and down in turn.
    first = [(step + 1) // 2 if step % 2 else -step // 2 % players for step in range(players)]
    rows = [[(bot + leg) % players for bot in first] for leg in range(players)]
    return rows if players % 2 == 0 else rows + [row[::-1] for row in rows]


def lineup_of(table: Sequence[Bot]) -> list[Bot]:
    """The lineup of a match in whose first leg everybody sits as at this table."""
    by_place = dict(zip(seatings(len(table))[0], table, strict=True))
    return [by_place[place] for place in range(len(table))]


def exchanged(table: Sequence[Bot], one: int, other: int) -> list[Bot]:
    """The same table, two seats having exchanged their bots."""
    seats = list(table)
    seats[one], seats[other] = seats[other], seats[one]
    return seats


def unbalanced(legs: Sequence[Sequence[int]], players: int) -> str | None:
    """What is wrong with the seating of all legs of a match; None if it is balanced."""
    seats = Counter((seat, bot) for row in legs for seat, bot in enumerate(row))
    for seat in range(players):
        for bot in range(players):
            if seats[seat, bot] * players != len(legs):
                return f"bot {bot} sits on seat {seat} in {seats[seat, bot]} of {len(legs)} legs"
    pairs = Counter((row[s], row[(s + 1) % players]) for row in legs for s in range(players))
    counts = {(a, b): pairs[a, b] for a in range(players) for b in range(players) if a != b}
    rarest, commonest = min(counts, key=counts.__getitem__), max(counts, key=counts.__getitem__)
    if counts[commonest] - counts[rarest] > 1:
        return (
            f"bot {commonest[1]} sits behind bot {commonest[0]} {counts[commonest]} times, "
            f"bot {rarest[1]} behind bot {rarest[0]} {counts[rarest]} times"
        )
    return None
