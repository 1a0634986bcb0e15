"""Stop It!: waits with the Stop It card until it must be now, or until it wins.

A card led pulls the higher cards of its suit after it, up to the first that is gone already. If the
last of them is mine I lead again, so such leads come first. After every card there is time to
claim, so I claim only if the very next card may end the round, or if I take the last Stop It card
and the lead would then carry me out with nobody left to stop me.
"""

import json
import random
import sys
from typing import Any

RISK = 0.06  # claim if somebody goes out with the next card at least this likely


def choose(view: dict[str, Any], legal: list[str], dice: random.Random) -> str:
    gone = {play["card"] for play in view["played"]}
    if view["phase"] == "lead":
        return best_lead(legal, gone)
    running = sequence(view["last"], gone)
    must = danger(view, running) >= RISK
    return "claim" if must or wins_by_claiming(view, running, gone) else "pass"


# -- Leading ---------------------------------------------------------------------------------------


def sequence(card: str, gone: set[str]) -> list[str]:
    """This card and those that follow it if nobody claims."""
    suit, value = card.split("-")
    cards = [card]
    for higher in range(int(value) + 1, 11):
        if f"{suit}-{higher}" in gone:
            break
        cards.append(f"{suit}-{higher}")
    return cards


def best_lead(hand: list[str], gone: set[str]) -> str:
    return max(hand, key=lambda card: worth_leading(sequence(card, gone), hand))


def worth_leading(cards: list[str], hand: list[str]) -> tuple[bool, int]:
    """Keeping the lead comes first, then how many of my cards go."""
    return cards[-1] in hand, sum(card in hand for card in cards)


# -- Claiming --------------------------------------------------------------------------------------


def danger(view: dict[str, Any], running: list[str]) -> float:
    """How likely somebody else goes out with the next card."""
    me: int = view["seat"]
    sizes: list[int] = view["hand_sizes"]
    if len(running) == 1:
        return float(view["leader"] != me and sizes[view["leader"]] == 1)
    if running[1] in view["hand"]:
        return 0.0
    last_cards = sum(size == 1 for seat, size in enumerate(sizes) if seat != me)
    return last_cards / (sum(sizes) - sizes[me])


def wins_by_claiming(view: dict[str, Any], running: list[str], gone: set[str]) -> bool:
    leads_anyway = running[-1] in view["hand"]
    if leads_anyway or view["stop_it_left"] > 1:
        return False
    return carries_out(view["hand"], gone)


def carries_out(hand: list[str], gone: set[str]) -> bool:
    """Whether I can play my whole hand if I have the lead and nobody claims."""
    left, gone = list(hand), set(gone)
    keeps_lead = True
    while left and keeps_lead:
        cards = sequence(best_lead(left, gone), gone)
        keeps_lead = cards[-1] in left
        left = [card for card in left if card not in cards]
        gone.update(cards)
    return not left


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
