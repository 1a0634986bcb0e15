"""What every game is: a position that knows who decides, what may be played and what a decision does.

A position changes by `play`; `copy` gives an independent one to try things on. It never checks a move:
that is the referee's. Whoever holds a position may look, but must not change the lists it hands out.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, ClassVar, Self

from games.cards import order_of
from games.chance import SEED_BYTES, Chance

Seat = int
Move = str
Event = dict[str, Any]
View = dict[str, Any]
Options = dict[str, str | int]

NO_SEED = bytes(SEED_BYTES)


class Refusal(ValueError):
    """A game, option or number of players that is not in the rules; the text names what is."""


class Game(ABC):
    """One position of a game. `asked` are the seats that decide now, ascending; none: it is over."""

    name: ClassVar[str]
    title: ClassVar[str]
    choices: ClassVar[Mapping[str, Sequence[str | int]]]

    players: int
    options: Options
    cards: tuple[str, ...]
    shuffled: dict[int, list[int]]
    chance: Chance
    round: int
    phase: str
    starter: Seat
    leader: Seat
    asked: tuple[Seat, ...]
    hands: list[list[str]]
    scores: list[list[int]]
    totals: list[int]

    # -- Options and seats ---------------------------------------------------------------------

    @classmethod
    def defaults(cls, options: Mapping[str, object]) -> Options:
        """The value of each option that is not given; it may hang on those that are."""
        return {key: values[0] for key, values in cls.choices.items()}

    @classmethod
    def complete(cls, options: Mapping[str, object]) -> Options:
        """All options, the missing ones by default; what the rules do not know is refused."""
        for key, value in options.items():
            if key not in cls.choices:
                raise Refusal(f"{cls.title} has no option '{key}'; it has {_listed(cls.choices)}")
            # Compared with its type: True is no 1, and neither is 1.0.
            if not any(value == known and type(value) is type(known) for known in cls.choices[key]):
                raise Refusal(
                    f"option '{key}' is one of {_listed(cls.choices[key])}, not {value!r}"
                )
        defaults = cls.defaults(options)
        return {key: options.get(key, defaults[key]) for key in cls.choices}  # type: ignore[misc]

    @classmethod
    @abstractmethod
    def player_counts(cls, options: Options) -> range:
        """For how many players these (complete) options are."""

    @classmethod
    def check_players(cls, players: int, options: Options) -> None:
        counts = cls.player_counts(options)
        if type(players) is not int or players not in counts:
            chosen = ", ".join(f"{key} {value}" for key, value in options.items())
            span = f"{counts[0]} to {counts[-1]} players"
            raise Refusal(f"{cls.title} ({chosen}) is for {span}, not {players}")

    @classmethod
    @abstractmethod
    def deck(cls, players: int, options: Options) -> tuple[str, ...]:
        """Every card in play, in the order before the shuffle."""

    # -- Dealing -------------------------------------------------------------------------------

    def __init__(self, players: int, options: Mapping[str, object], seed: bytes) -> None:
        self.options = self.complete(options)
        self.check_players(players, self.options)
        self.players = players
        self.cards = self.deck(players, self.options)
        self.shuffled = {}
        self.chance = Chance(seed, self.name, players, self.options)
        self.scores = []
        self.totals = [0] * players

    @classmethod
    def deal(cls, players: int, options: Mapping[str, object], seed: bytes) -> Self:
        """The first position of the game that a seed gives."""
        position = cls(players, options, seed)
        position.begin_round(1)
        return position

    @classmethod
    def set_up(
        cls,
        hands: Sequence[Sequence[str]],
        options: Mapping[str, object] | None = None,
        *,
        left_over: Sequence[str] = (),
        leader: Seat = 0,
        seed: bytes = NO_SEED,
    ) -> Self:
        """Round 1 with these (sorted) hands, one a seat; the rounds after it come from the seed."""
        position = cls.deal(len(hands), options or {}, seed)
        position.starter = position.leader = leader
        position.take_hands([list(hand) for hand in hands], list(left_over))
        return position

    def begin_round(self, number: int) -> None:
        self.round = number
        self.starter = self.leader = self.first_leader()
        self.take_hands(*self.deal_of(number))

    def deal_of(self, number: int) -> tuple[list[list[str]], list[str]]:
        """The sorted hands of a round, and what is left over in the order of the deal."""
        deck, players, dealt = self.cards, self.players, self.cards_dealt
        # Places in the deck are shuffled instead of cards: they sort by themselves. They are kept,
        # because the copies of a position (legs, playouts) deal the same rounds again.
        if number not in self.shuffled:
            self.shuffled[number] = self.chance.deal(number, range(len(deck)))
        places = self.shuffled[number]
        hands = [
            [deck[place] for place in sorted(places[seat:dealt:players])] for seat in range(players)
        ]
        first = self.first_dealt_to(number)
        return hands[-first:] + hands[:-first], [deck[place] for place in places[dealt:]]

    @property
    @abstractmethod
    def cards_dealt(self) -> int:
        """How many cards are dealt, to all together."""

    def first_dealt_to(self, number: int) -> Seat:
        return 0

    def first_leader(self) -> Seat:
        """Who leads the round that begins."""
        return (self.round - 1) % self.players

    @property
    def drawn_dealer(self) -> Seat | None:
        """The dealer of round 1, where the rules draw one."""
        return None

    @abstractmethod
    def take_hands(self, hands: list[list[str]], left_over: list[str]) -> None:
        """The round begins with these hands."""

    def opening(self) -> list[Event]:
        """The events that show a round as dealt; asked for before its first decision."""
        return [
            {"event": "round", "round": self.round, "leader": self.starter},
            *(
                {"event": "dealt", "seat": s, "hand": list(hand)}
                for s, hand in enumerate(self.hands)
            ),
        ]

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.hands = [hand.copy() for hand in self.hands]
        return twin

    # -- Who decides, what may be played, what a decision does ---------------------------------

    @property
    def over(self) -> bool:
        return not self.asked

    @abstractmethod
    def legal(self, seat: Seat) -> list[Move]:
        """Every move that an asked seat may answer, in the order of the protocol."""

    @abstractmethod
    def play(self, moves: Sequence[Move]) -> list[Event]:
        """Takes one legal move of every asked seat, in their order; says all that happens."""

    def house_move(self, leg: int, decision: int, seat: Seat) -> Move:
        """What the house plays for a seat whose bot is out."""
        legal = self.legal(seat)
        return legal[self.chance.house(leg, decision, seat, len(legal))]

    # -- What a seat may know ------------------------------------------------------------------

    def view(self, seat: Seat) -> View:
        """All that a seat may know, ready for JSON."""
        return {
            "seat": seat,
            "round": self.round,
            "phase": self.phase,
            "hand": self.hands[seat].copy(),
            "hand_sizes": [len(hand) for hand in self.hands],
            "scores": self.scores,
            "totals": self.totals,
        }

    @classmethod
    @abstractmethod
    def seen(cls, view: View) -> list[str]:
        """The cards of this round whose place a view tells, the own hand apart."""

    @classmethod
    def unseen(cls, view: View, options: Mapping[str, object]) -> list[str]:
        """The cards that may be in the other hands, or where nobody looks; sorted."""
        deck = cls.deck(len(view["hand_sizes"]), cls.complete(options))
        known = Counter(view["hand"] + cls.seen(view))
        left = Counter(deck) - known
        return list(left.elements())

    @classmethod
    def from_view(
        cls,
        view: View,
        options: Mapping[str, object],
        unseen: Sequence[str],
        seed: bytes = NO_SEED,
    ) -> Self:
        """A position that looks like this view, to search in: `unseen` in any order fills the other
        hands by seat, then what lies face down; the seed deals the rounds to come."""
        position = cls(len(view["hand_sizes"]), options, seed)
        position.round, position.phase = view["round"], view["phase"]
        position.scores, position.totals = view["scores"], view["totals"]
        place = order_of(position.cards).__getitem__
        cards = iter(unseen)
        position.hands = [
            list(view["hand"]) if seat == view["seat"] else sorted(islice(cards, size), key=place)
            for seat, size in enumerate(view["hand_sizes"])
        ]
        position.restore(view, list(cards))
        return position

    @abstractmethod
    def restore(self, view: View, face_down: list[str]) -> None:
        """Takes from a view what is the game's own; round, phase, hands and scores stand already."""

    # -- The score -----------------------------------------------------------------------------

    @abstractmethod
    def is_last_round(self) -> bool:
        """Whether the game ends with the round just scored."""

    def finish_round(self, scores: list[int]) -> list[Event]:
        """Writes the scores down, then deals the next round or ends the game."""
        self.scores = [*self.scores, scores]
        self.totals = [total + score for total, score in zip(self.totals, scores, strict=True)]
        scored = {"event": "scored", "round": self.round, "scores": scores, "totals": self.totals}
        if self.is_last_round():
            self.asked = ()
            return [scored]
        self.begin_round(self.round + 1)
        return [scored, *self.opening()]


def may_know(event: Event, seat: Seat) -> bool:
    """All events are public but the other seats' hands."""
    return bool(event["event"] != "dealt" or event["seat"] == seat)


def ranks(totals: Sequence[int], faulted: Mapping[Seat, int]) -> list[int]:
    """1 + the number of those who did better. `faulted`: the decision at which a seat was out; it
    stands behind all who were not, the earlier the lower, whatever its total."""
    never = max(faulted.values(), default=0) + 1
    merit = [
        (faulted[seat], 0) if seat in faulted else (never, total)
        for seat, total in enumerate(totals)
    ]
    return [1 + sum(other > own for other in merit) for own in merit]


def _listed(values: Mapping[str, object] | Sequence[str | int]) -> str:
    return ", ".join(str(value) for value in values)
