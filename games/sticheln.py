"""Sticheln: take tricks, but not in your own pain colour.

House rules, where the three rulebooks are silent or differ (docs/sticheln.md has all of them): the pain
card may be a zero; a trick of zeros only goes to its first card or to nobody, as the option says; cards
that are not dealt are shown before the pain cards are chosen; seats stand for ages and dealers.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Self

from games.base import Event, Game, Move, Options, Seat, View
from games.cards import colour, deck_of, value


class RuleSet(NamedTuple):
    """What differs between the three rulebooks. `highest`: the highest card from 3 players on."""

    colours: tuple[str, ...]
    highest: tuple[int, ...]
    all_zero_trick: str
    rounds: int | None = None  # None: as many as there are players
    lowest_deals: bool = False  # the dealer leads, and the player with the lowest total deals


RAINBOW = ("red", "yellow", "green", "blue", "purple", "gray")

RULE_SETS = {
    "sticheln": RuleSet(RAINBOW, (8, 11, 14, 14, 17, 18), "first"),
    "stick-em": RuleSet(RAINBOW, (8, 11, 14, 14), "nobody"),
    "misery": RuleSet(
        ("green", "brown", "red", "blue", "yellow", "violet"),
        (8, 11, 14, 14, 17),
        "first",
        rounds=5,
        lowest_deals=True,
    ),
}
FEWEST_PLAYERS = 3
ALL_COLOURS_FROM = 6  # players; below, the sixth colour stays in the box


class Sticheln(Game):
    name = "sticheln"
    title = "Sticheln"
    choices = {"rules": tuple(RULE_SETS), "all_zero_trick": ("first", "nobody")}

    undealt: list[str]
    pain: list[str | None]
    trick: list[str]
    tricks: list[dict[str, object]]
    taken: list[list[str]]

    @classmethod
    def defaults(cls, options: Mapping[str, object]) -> Options:
        rules = str(options.get("rules", "sticheln"))
        return {"rules": rules, "all_zero_trick": RULE_SETS[rules].all_zero_trick}

    @classmethod
    def player_counts(cls, options: Options) -> range:
        most = FEWEST_PLAYERS + len(RULE_SETS[str(options["rules"])].highest)
        return range(FEWEST_PLAYERS, most)

    @property
    def rule_set(self) -> RuleSet:
        return RULE_SETS[str(self.options["rules"])]

    # -- Dealing -------------------------------------------------------------------------------

    @classmethod
    def deck(cls, players: int, options: Options) -> tuple[str, ...]:
        rules = RULE_SETS[str(options["rules"])]
        colours = rules.colours if players >= ALL_COLOURS_FROM else rules.colours[:-1]
        return deck_of(colours, range(rules.highest[players - FEWEST_PLAYERS] + 1))

    @property
    def cards_dealt(self) -> int:
        return len(self.cards) - len(self.cards) % self.players

    def take_hands(self, hands: list[list[str]], left_over: list[str]) -> None:
        self.hands = hands
        self.undealt = left_over
        self.phase = "pain"
        self.asked = tuple(range(self.players))
        self.pain = [None] * self.players
        self.trick = []
        self.tricks = []
        self.taken = [[] for _ in hands]

    def first_leader(self) -> Seat:
        dealer = self.drawn_dealer
        if dealer is None:
            return super().first_leader()
        return dealer if self.round == 1 else self.next_dealer()

    @property
    def drawn_dealer(self) -> Seat | None:
        return self.chance.dealer(self.players) if self.rule_set.lowest_deals else None

    def next_dealer(self) -> Seat:
        """The lowest total; of those the lowest last round; of those the first on the dealer's left."""
        last_round = self.scores[-1]

        def standing(seat: Seat) -> tuple[int, int, int]:
            to_the_left = (seat - self.starter - 1) % self.players
            return self.totals[seat], last_round[seat], to_the_left

        return min(range(self.players), key=standing)

    def opening(self) -> list[Event]:
        shown = [{"event": "undealt", "cards": self.undealt}] if self.undealt else []
        return super().opening() + shown

    def copy(self) -> Self:
        twin = super().copy()
        twin.trick = self.trick.copy()
        twin.tricks = self.tricks.copy()
        twin.taken = [cards.copy() for cards in self.taken]
        return twin

    # -- What may be played --------------------------------------------------------------------

    def legal(self, seat: Seat) -> list[Move]:
        return self.hands[seat].copy()

    # -- What a move does ----------------------------------------------------------------------

    def play(self, moves: Sequence[Move]) -> list[Event]:
        if self.phase == "pain":
            return self.show_pain(moves)
        (seat,), (card,) = self.asked, moves
        self.hands[seat].remove(card)
        self.trick.append(card)
        played: Event = {"event": "played", "seat": seat, "card": card}
        if len(self.trick) == self.players:
            return [played, *self.finish_trick()]
        self.asked = ((seat + 1) % self.players,)
        return [played]

    def show_pain(self, cards: Sequence[str]) -> list[Event]:
        for hand, card in zip(self.hands, cards, strict=True):
            hand.remove(card)
        self.pain = list(cards)
        self.phase = "play"
        self.asked = (self.leader,)
        return [{"event": "pain", "cards": self.pain}]

    def finish_trick(self) -> list[Event]:
        cards, taker = self.trick, self.taker()
        self.tricks.append({"leader": self.leader, "cards": cards, "taker": taker})
        self.trick = []
        if taker is not None:
            self.taken[taker] += cards
            self.leader = taker
        taken: Event = {"event": "taken", "seat": taker, "cards": cards}
        if not self.hands[self.leader]:
            return [taken, *self.finish_round(self.round_scores())]
        self.asked = (self.leader,)
        return [taken]

    def taker(self) -> Seat | None:
        """Who takes the complete trick; None if nobody does."""
        place = taking_place(self.trick)
        if place is None:
            return self.leader if self.options["all_zero_trick"] == "first" else None
        return (self.leader + place) % self.players

    # -- What a seat may know ------------------------------------------------------------------

    def view(self, seat: Seat) -> View:
        return super().view(seat) | {
            "rounds": self.rounds,
            "leader": self.leader,
            "undealt": self.undealt,
            "pain": self.pain,
            "trick": [
                {"seat": (self.leader + place) % self.players, "card": card}
                for place, card in enumerate(self.trick)
            ],
            "tricks": self.tricks.copy(),
            "taken": [cards.copy() for cards in self.taken],
        }

    @classmethod
    def seen(cls, view: View) -> list[str]:
        return [
            *view["undealt"],
            *(card for card in view["pain"] if card),
            *(card for trick in view["tricks"] for card in trick["cards"]),
            *(play["card"] for play in view["trick"]),
        ]

    def restore(self, view: View, face_down: list[str]) -> None:
        self.leader = view["leader"]
        self.starter = view["tricks"][0]["leader"] if view["tricks"] else self.leader
        self.undealt, self.pain = view["undealt"], view["pain"]
        self.trick = [play["card"] for play in view["trick"]]
        self.tricks = view["tricks"].copy()
        self.taken = [cards.copy() for cards in view["taken"]]
        if self.phase == "pain":
            self.asked = tuple(range(self.players))
        else:
            self.asked = ((self.leader + len(self.trick)) % self.players,)

    # -- The score -----------------------------------------------------------------------------

    @property
    def rounds(self) -> int:
        return self.rule_set.rounds or self.players

    def is_last_round(self) -> bool:
        return self.round == self.rounds

    def round_scores(self) -> list[int]:
        return [
            score_of(str(pain), taken) for pain, taken in zip(self.pain, self.taken, strict=True)
        ]


def taking_place(trick: Sequence[str]) -> int | None:
    """Which card takes a trick: the highest not of the lead colour, else the highest of it; the
    earliest on a tie. Zeros are neutral: None if there is nothing else."""
    lead, strongest, place = colour(trick[0]), 0, None
    for i, card in enumerate(trick):
        strength = value(card)
        if strength and colour(card) != lead:
            strength += OFF_LEAD
        if strength > strongest:
            strongest, place = strength, i
    return place


OFF_LEAD = 100  # more than any card's value


def score_of(pain: str, taken: Sequence[str]) -> int:
    """-value for the pain card and all taken cards of its colour, +1 for every other card."""
    painful = colour(pain)
    return -value(pain) + sum(-value(card) if colour(card) == painful else 1 for card in taken)
