"""Cards as text: `red-7` is a colour and a value."""

from collections.abc import Iterable, Sequence
from functools import cache


@cache
def colour(card: str) -> str:
    return card.partition("-")[0]


@cache
def value(card: str) -> int:
    return int(card.partition("-")[2])


@cache
def deck_of(colours: Sequence[str], values: Iterable[int]) -> tuple[str, ...]:
    """Colour by colour, values ascending: the order before the shuffle, and of every hand."""
    return tuple(f"{name}-{number}" for name in colours for number in values)


@cache
def order_of(deck: tuple[str, ...]) -> dict[str, int]:
    """The place of each card in a sorted hand."""
    return {card: place for place, card in enumerate(deck)}
