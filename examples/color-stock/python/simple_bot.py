"""Color Stock: ends the round if it can, and puts down the two cards that leave most in my hand.

A card in my hand is worth the height of its colour's stack, but nothing once the stack is full.
I try every pair and look at the stacks as they would then be. Whoever fills a stack has the bonus and
says which colour dies, so a pair that does it goes first; otherwise the pair after which my hand is
worth most. What the others do I do not think about.
"""

import json
import random
import sys
from typing import Any

FULL_STACK = 6


def choose(view: dict[str, Any], legal: list[str], dice: random.Random) -> str:
    return max(legal, key=lambda move: result(move.split("+"), view["hand"], view["stacks"]))


def result(put: list[str], hand: list[str], stacks: dict[str, int]) -> tuple[bool, int]:
    """Whether these cards end the round, and what my hand is worth without them."""
    heights = {colour: height + put.count(colour) for colour, height in stacks.items()}
    ends_round = max(heights.values()) >= FULL_STACK
    kept = {colour: hand.count(colour) - put.count(colour) for colour in heights}
    return ends_round, sum(kept[colour] * worth(height) for colour, height in heights.items())


def worth(height: int) -> int:
    return height if height < FULL_STACK else 0


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
