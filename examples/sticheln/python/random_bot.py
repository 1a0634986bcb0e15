"""Sticheln: plays any legal move. Copy this file and make `choose` cleverer."""

import json
import random
import sys
from typing import Any


def choose(view: dict[str, Any], legal: list[str], dice: random.Random) -> str:
    """One of `legal`. The view says all you may know; `dice` makes your chance repeatable."""
    return dice.choice(legal)


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
