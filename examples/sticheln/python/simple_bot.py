"""Sticheln: judges a trick as if nobody played after me.

The pain card is a low card of a colour I am short of. In a trick I play the card that is best
for me if the trick ended right then: a take counts what it brings, my own pain cards against it.
Among equals my pain cards go first, then the low cards, so that the high ones can take later.
"""

import json
import random
import sys
from typing import Any


def choose(view: dict[str, Any], legal: list[str], dice: random.Random) -> str:
    if view["phase"] == "pain":
        return min(legal, key=lambda card: pain_cost(card, legal))
    pain = colour(view["pain"][view["seat"]])
    trick = [play["card"] for play in view["trick"]]
    return max(
        legal, key=lambda card: (gain(trick, card, pain), colour(card) == pain, -value(card))
    )


def colour(card: str) -> str:
    return card.split("-")[0]


def value(card: str) -> int:
    return int(card.split("-")[1])


def pain_cost(card: str, hand: list[str]) -> int:
    """The card itself is lost points; every other card of its colour is one I cannot take with."""
    return value(card) + sum(colour(other) == colour(card) for other in hand)


def gain(trick: list[str], card: str, pain: str) -> int:
    """What I would take with this card if the trick ended with it."""
    after = [*trick, card]
    if taking_card(after) != card:
        return 0
    return sum(-value(other) if colour(other) == pain else 1 for other in after)


def taking_card(trick: list[str]) -> str:
    """The highest card that is not of the lead colour, or else the highest; zeros take nothing."""
    lead = colour(trick[0])
    return max(trick, key=lambda card: (value(card) > 0 and colour(card) != lead, value(card)))


def main() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            dice = random.Random(message["dice"])
            answer = {"type": "ready"}
        elif message["type"] == "move":
            move = choose(message["view"], message["legal"], dice)
            answer = {"id": message["id"], "move": move}
        else:
            break
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
