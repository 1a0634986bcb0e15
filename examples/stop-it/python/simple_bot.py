"""Stop It!: leads the card that gets me rid of most, and saves the Stop It card for an alarm.

A card led pulls the higher cards of its suit after it, up to the first that is gone already. So I
know what a lead will do: whether the last card is mine, so that I lead again, and how many of my
cards go with it. I claim as soon as somebody else has few cards left.
"""

import json
import random
import sys
from typing import Any

FEW_CARDS = 2


def choose(view: dict[str, Any], legal: list[str], dice: random.Random) -> str:
    if view["phase"] == "window":
        return "claim" if is_alarm(view) else "pass"
    gone = {play["card"] for play in view["played"]}
    return max(legal, key=lambda card: worth_leading(sequence(card, gone), legal))


def is_alarm(view: dict[str, Any]) -> bool:
    others = (size for seat, size in enumerate(view["hand_sizes"]) if seat != view["seat"])
    return any(size <= FEW_CARDS for size in others)


def sequence(card: str, gone: set[str]) -> list[str]:
    """The cards that will be played if this one is led and nobody claims."""
    suit, value = card.split("-")
    cards = [card]
    for higher in range(int(value) + 1, 11):
        if f"{suit}-{higher}" in gone:
            break
        cards.append(f"{suit}-{higher}")
    return cards


def worth_leading(cards: list[str], hand: list[str]) -> tuple[bool, int]:
    """Leading again comes first, then how many of my cards go."""
    return cards[-1] in hand, sum(card in hand for card in cards)


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
