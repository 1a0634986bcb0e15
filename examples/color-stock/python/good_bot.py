"""Color Stock: tries every pair in many possible deals and keeps the one that ends best.

The cards I do not see are dealt to the others at random. Then each of my pairs is put down and the
round played to its end: whoever can fill a stack does so, for the bonus and to choose which colour
dies; the others raise the colours they hold most of. My move is the pair after which I am, on
average, furthest ahead of the others.
"""

import json
import random
import sys
from typing import Any

FULL_STACK = 6
BONUS = 2
CARDS_PER_COLOUR = 9
DEALS = 12
EAGER = 1000  # more than a hand can be worth

# Colours are numbered from here on; a hand and the stacks are how many cards there are of each.
Cards = list[int]


def choose(view: dict[str, Any], legal: list[str], dice: random.Random) -> str:
    colours = list(view["stacks"])
    pairs = [tuple(colours.index(colour) for colour in move.split("+")) for move in legal]
    lead = [0.0] * len(pairs)
    for _ in range(DEALS):
        hands, pile = deal(view, dice)
        for i, (first, second) in enumerate(pairs):
            table = Table(view, hands, pile)
            lead[i] += table.play_out(first, second)
    return legal[max(range(len(legal)), key=lead.__getitem__)]


def deal(view: dict[str, Any], dice: random.Random) -> tuple[list[Cards], list[int]]:
    """Hands that fit what I see, and the pile."""
    stacks = list(view["stacks"].values())
    mine = [view["hand"].count(colour) for colour in view["stacks"]]
    unseen = [
        colour
        for colour, (height, held) in enumerate(zip(stacks, mine, strict=True))
        for _ in range(CARDS_PER_COLOUR - height - held)
    ]
    dice.shuffle(unseen)
    hands = []
    for seat, size in enumerate(view["hand_sizes"]):
        if seat == view["seat"]:
            hands.append(mine)
        else:
            hands.append([unseen[:size].count(colour) for colour in range(len(stacks))])
            unseen = unseen[size:]
    return hands, unseen[: view["pile"]]


class Table:
    """A round of which all cards are known."""

    def __init__(self, view: dict[str, Any], hands: list[Cards], pile: list[int]) -> None:
        self.me: int = view["seat"]
        self.turns = len(view["put"])
        self.stacks: Cards = list(view["stacks"].values())
        self.hands = [hand.copy() for hand in hands]
        self.pile = pile.copy()

    @property
    def is_over(self) -> bool:
        return max(self.stacks) >= FULL_STACK

    def play_out(self, first: int, second: int) -> float:
        """How far I am ahead at the end of the round if I begin with this pair."""
        seat, hand = self.me, self.hands[self.me]
        self.put(hand, first)
        self.put(hand, second)
        while not self.is_over:
            self.turns += 1
            if self.pile and self.turns % 2 == 0:
                self.stacks[self.pile.pop()] += 1
                self.stacks[self.pile.pop()] += 1
                if self.is_over:
                    return self.lead(ended_by=None)
            seat = (seat + 1) % len(self.hands)
            hand = self.hands[seat]
            self.put(hand, likely_card(hand, self.stacks, to_put=2))
            self.put(hand, likely_card(hand, self.stacks, to_put=1))
        return self.lead(ended_by=seat)

    def put(self, hand: Cards, colour: int) -> None:
        hand[colour] -= 1
        self.stacks[colour] += 1

    def lead(self, ended_by: int | None) -> float:
        worth = [height if height < FULL_STACK else 0 for height in self.stacks]
        scores = [sum(map(int.__mul__, hand, worth)) for hand in self.hands]
        if ended_by is not None:
            scores[ended_by] += BONUS
        mine = scores[self.me]
        return mine - (sum(scores) - mine) / (len(scores) - 1)


def likely_card(hand: Cards, stacks: Cards, to_put: int) -> int:
    """The card that fills a stack, if one can; else the one that leaves the hand worth most."""
    eager = 0 if max(stacks) >= FULL_STACK else EAGER
    best, most = 0, -EAGER
    for colour, held in enumerate(hand):
        height = stacks[colour]
        if not held:
            continue
        if height >= FULL_STACK:
            gain = 0
        elif height + min(held, to_put) >= FULL_STACK:
            gain = eager - held * height
        else:
            gain = held - height - 1
        if gain > most:
            best, most = colour, gain
    return best


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
