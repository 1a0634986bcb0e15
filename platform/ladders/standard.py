"""The ladders that every site has: one for each game and each rule set of Sticheln."""

from typing import Any, NamedTuple


class Standard(NamedTuple):
    slug: str
    title: str
    game: str
    options: dict[str, Any]
    about: str
    players: int = 4


STANDARD = (
    Standard(
        "sticheln",
        "Sticheln",
        "sticheln",
        {"rules": "sticheln"},
        "Tricks that hurt: the other colours beat the one that was led.",
    ),
    Standard(
        "misery",
        "Misery",
        "sticheln",
        {"rules": "misery"},
        "Sticheln in five rounds; who is behind deals and leads.",
    ),
    Standard(
        "stick-em",
        "Stick ’Em",
        "sticheln",
        {"rules": "stick-em"},
        "Sticheln in which a trick of zeros is nobody’s.",
    ),
    Standard(
        "stop-it",
        "Stop It!",
        "stop-it",
        {},
        "Sequences run on by themselves until somebody says stop.",
    ),
    Standard(
        "color-stock",
        "Color Stock",
        "color-stock",
        {},
        "What is in your hand is worth what lies on the table.",
    ),
)
