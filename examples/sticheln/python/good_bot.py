"""Sticheln: plays every card into several possible deals and watches who takes the trick.

The cards I do not see are dealt at random to those who play after me; each then plays what is best
at that moment. What the taker gets decides: points of mine count for me, points of others against.
High cards are worth keeping, cards of my pain colour are worth losing. My pain card is a low one of
a colour in which I hold the high cards, for what I hold myself nobody can make me take.
"""

import json
import random
import sys
from functools import cache
from typing import Any, NamedTuple

DEALS = 8
HELD = 0.2  # how much of a low pain card's price the other cards held of its colour make up for
KEEP_HIGH = 0.2  # points that a card not of my pain colour will bring later, by value
LOSE_PAIN = 0.4  # points that a card of my pain colour will cost later, by value
OFF_LEAD = 100  # more than any card's value


class Card(NamedTuple):
    colour: str
    value: int


class Play(NamedTuple):
    seat: int
    card: Card


@cache
def parsed(card: str) -> Card:
    colour, value = card.split("-")
    return Card(colour, int(value))


def choose(view: dict[str, Any], legal: list[str], dice: random.Random) -> str:
    hand = [parsed(card) for card in legal]
    if view["phase"] == "pain":
        return min(legal, key=lambda card: price_as_pain(parsed(card), hand))
    trick = [Play(play["seat"], parsed(play["card"])) for play in view["trick"]]
    pain = [parsed(card).colour for card in view["pain"]]
    deals = [deal(view, dice) for _ in range(DEALS)]

    def worth(text: str) -> float:
        play = Play(view["seat"], parsed(text))
        outcomes = [outcome([*trick, play], followers, play.seat, pain) for followers in deals]
        return sum(outcomes) / DEALS - price(play.card, pain[play.seat])

    return max(legal, key=worth)


def price_as_pain(card: Card, hand: list[Card]) -> float:
    return card.value - HELD * sum(other.value for other in hand if other.colour == card.colour)


def price(card: Card, pain: str) -> float:
    """What I lose in later tricks by playing this card now; less than nothing for a pain card."""
    return -LOSE_PAIN * card.value if card.colour == pain else KEEP_HIGH * card.value


# -- What the others may hold ----------------------------------------------------------------------


def deal(view: dict[str, Any], dice: random.Random) -> list[tuple[int, list[Card]]]:
    """The seats that play after me in this trick, with hands that they may have."""
    cards = unseen(view)
    dice.shuffle(cards)
    players, followers = len(view["pain"]), []
    for step in range(1, players - len(view["trick"])):
        seat = (view["seat"] + step) % players
        size = view["hand_sizes"][seat]
        followers.append((seat, cards[:size]))
        cards = cards[size:]
    return followers


def unseen(view: dict[str, Any]) -> list[Card]:
    seen = view["hand"] + view["undealt"] + view["pain"]
    seen += [play["card"] for play in view["trick"]]
    seen += [card for trick in view["tricks"] for card in trick["cards"]]
    known = {parsed(card) for card in seen}
    colours = 6 if len(view["pain"]) >= 6 else 5
    cards = len(known) + sum(view["hand_sizes"]) - len(view["hand"])
    # Rule sets name their colours differently; one of which nothing is seen yet may be called "?".
    names = [*sorted({card.colour for card in known}), "?", "??"][:colours]
    deck = [Card(name, value) for name in names for value in range(cards // colours)]
    return [card for card in deck if card not in known]


# -- What a trick brings ---------------------------------------------------------------------------


def outcome(
    trick: list[Play], followers: list[tuple[int, list[Card]]], me: int, pain: list[str]
) -> float:
    """My points from the trick, or what the taker's are worth to me."""
    for seat, hand in followers:
        trick.append(Play(seat, reply(trick, seat, hand, pain)))
    taker = taking(trick).seat
    gain = sum(points(play.card, pain[taker]) for play in trick)
    return gain if taker == me else -gain / (len(pain) - 1)


def reply(trick: list[Play], seat: int, hand: list[Card], pain: list[str]) -> Card:
    """What a player does who thinks that the trick ends with this card."""
    lead, top = trick[0].card.colour, taking(trick)
    to_beat = strength(top.card, lead)
    mine, theirs = pain[seat], pain[top.seat]
    taken = sum(points(play.card, mine) for play in trick)

    def worth(card: Card) -> float:
        if strength(card, lead) > to_beat:
            return taken + points(card, mine) - price(card, mine)
        return -points(card, theirs) / (len(pain) - 1) - price(card, mine)

    return max(hand, key=worth)


def points(card: Card, pain: str) -> int:
    return -card.value if card.colour == pain else 1


def taking(trick: list[Play]) -> Play:
    lead = trick[0].card.colour
    return max(trick, key=lambda play: strength(play.card, lead))


def strength(card: Card, lead: str) -> int:
    return card.value + OFF_LEAD if card.value and card.colour != lead else card.value


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
