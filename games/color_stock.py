"""Color Stock: cards put down make the cards kept in hand worth more, until a stack has six.

House rules, where the rulebook is silent (docs/color-stock.md has all of them): a suit is nine equal
cards; the bonus goes only to a player whose own turn ends the round; with two players the cards turned up
from the pile end a round without a bonus.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Self

from games.base import Event, Game, Move, Options, Seat, View

COLOURS = ("red", "yellow", "green", "blue", "purple")
CARDS_PER_COLOUR = 9
HAND_SIZES = {2: 12, 3: 12, 4: 11}
FULL_STACK = 6
BONUS = 2


class ColorStock(Game):
    name = "color-stock"
    title = "Color Stock"
    choices = {"rounds": (3, 1)}

    stacks: dict[str, int]
    puts: list[dict[str, object]]
    turned_up: list[list[str]]
    pile: list[str]

    @classmethod
    def player_counts(cls, options: Options) -> range:
        return range(2, 5)

    # -- Dealing -------------------------------------------------------------------------------

    @classmethod
    def colours(cls, players: int) -> tuple[str, ...]:
        return COLOURS if players == 4 else COLOURS[:-1]

    @classmethod
    def deck(cls, players: int, options: Options) -> tuple[str, ...]:
        return tuple(name for name in cls.colours(players) for _ in range(CARDS_PER_COLOUR))

    @property
    def cards_dealt(self) -> int:
        return HAND_SIZES[self.players] * self.players

    def take_hands(self, hands: list[list[str]], left_over: list[str]) -> None:
        self.hands = hands
        self.phase = "put"
        self.asked = (self.starter,)
        self.stacks = dict.fromkeys(self.colours(self.players), 0)
        self.puts = []
        self.turned_up = []
        self.pile = left_over if self.players == 2 else []

    def copy(self) -> Self:
        twin = super().copy()
        twin.stacks = self.stacks.copy()
        twin.puts = self.puts.copy()
        twin.turned_up = self.turned_up.copy()
        return twin

    # -- What may be played --------------------------------------------------------------------

    def legal(self, seat: Seat) -> list[Move]:
        return list(pairs_of(tuple(self.hands[seat])))

    # -- What a move does ----------------------------------------------------------------------

    def play(self, moves: Sequence[Move]) -> list[Event]:
        (seat,), cards = self.asked, moves[0].split("+")
        hand = self.hands[seat]
        for card in cards:
            hand.remove(card)
        self.stack(cards)
        self.puts.append({"seat": seat, "cards": cards})
        put: Event = {"event": "put", "seat": seat, "cards": cards}
        if self.is_full:
            return [put, *self.end_round(seat)]
        self.asked = ((seat + 1) % self.players,)
        if self.players == 2 and len(self.puts) % 2 == 0:
            return [put, *self.turn_up()]
        return [put]

    def turn_up(self) -> list[Event]:
        cards, self.pile = self.pile[:2], self.pile[2:]
        self.stack(cards)
        self.turned_up.append(cards)
        turned_up: Event = {"event": "turned_up", "cards": cards}
        return [turned_up, *self.end_round(None)] if self.is_full else [turned_up]

    def stack(self, cards: list[str]) -> None:
        for card in cards:
            self.stacks[card] += 1

    @property
    def is_full(self) -> bool:
        return max(self.stacks.values()) >= FULL_STACK

    def end_round(self, seat: Seat | None) -> list[Event]:
        return [
            {"event": "over", "seat": seat},
            {"event": "left", "hands": [hand.copy() for hand in self.hands]},
            *self.finish_round(self.round_scores(seat)),
        ]

    # -- What a seat may know ------------------------------------------------------------------

    def view(self, seat: Seat) -> View:
        return super().view(seat) | {
            "rounds": self.options["rounds"],
            "starter": self.starter,
            "stacks": self.stacks.copy(),
            "put": self.puts.copy(),
            "turned_up": self.turned_up.copy(),
            "pile": len(self.pile),
        }

    @classmethod
    def seen(cls, view: View) -> list[str]:
        return [colour for colour, height in view["stacks"].items() for _ in range(height)]

    def restore(self, view: View, face_down: list[str]) -> None:
        self.starter = self.leader = view["starter"]
        self.stacks = view["stacks"].copy()
        self.puts = view["put"].copy()
        self.turned_up = view["turned_up"].copy()
        self.pile = face_down[: view["pile"]]
        self.asked = ((self.starter + len(self.puts)) % self.players,)

    # -- The score -----------------------------------------------------------------------------

    def is_last_round(self) -> bool:
        return self.round == self.options["rounds"]

    def round_scores(self, ended_by: Seat | None) -> list[int]:
        scores = [sum(self.worth(card) for card in hand) for hand in self.hands]
        if ended_by is not None:
            scores[ended_by] += BONUS
        return scores

    def worth(self, card: str) -> int:
        """What a card kept in the hand is worth."""
        height = self.stacks[card]
        return height if height < FULL_STACK else 0


@cache
def pairs_of(hand: tuple[str, ...]) -> tuple[Move, ...]:
    """The pairs that can be put down from a sorted hand, once each."""
    return tuple(dict.fromkeys(f"{first}+{second}" for first, second in combinations(hand, 2)))
