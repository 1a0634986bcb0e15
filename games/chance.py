"""All that is drawn from a match's seed: deals, the first dealer, tied claims, house moves, dice.

Every draw has a label of its own, so no draw ever depends on how often something else was drawn.
"""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import count
from struct import unpack
from typing import TypeVar

Thing = TypeVar("Thing")

SEED_BYTES = 32
WORDS = 2**64


class Stream:
    """The endless sequence of 64-bit words that a seed and a label give."""

    def __init__(self, seed: bytes, label: str) -> None:
        self._words = _words(seed + label.encode("ascii"))

    def below(self, m: int) -> int:
        """An even draw from 0 to m - 1; words past the last multiple of m are passed over."""
        even = WORDS - WORDS % m
        return next(word for word in self._words if word < even) % m

    def shuffle(self, things: list[Thing]) -> None:
        # Written out instead of calling below(): dealing is a large part of a fast playout.
        # A word under `sure` is good for every m here; only the others need the exact bound.
        words, sure = self._words, WORDS - len(things)
        for last, word in zip(range(len(things) - 1, 0, -1), words, strict=False):
            m = last + 1
            while word >= sure and word >= WORDS - WORDS % m:
                word = next(words)
            other = word % m
            things[last], things[other] = things[other], things[last]


def _words(prefix: bytes) -> Iterator[int]:
    begun = sha256(prefix)
    for counter in count():
        block = begun.copy()
        block.update(counter.to_bytes(8, "big"))
        yield from unpack(">4Q", block.digest())


class Chance:
    """The draws of one match: its seed, bound to the game, its options and the number of players."""

    def __init__(
        self, seed: bytes, game: str, players: int, options: Mapping[str, str | int]
    ) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        self.seed = seed
        chosen = ",".join(f"{key}={options[key]}" for key in sorted(options))
        self.prefix = f"{game}/{players}/{chosen}"

    def stream(self, label: str) -> Stream:
        return Stream(self.seed, f"{self.prefix}/{label}")

    def deal(self, round_number: int, deck: Sequence[Thing]) -> list[Thing]:
        """The deck in the order in which it is dealt in that round."""
        cards = list(deck)
        self.stream(f"deal/{round_number}").shuffle(cards)
        return cards

    def dealer(self, players: int) -> int:
        return self.stream("dealer").below(players)

    def claimant(self, round_number: int, window: int, claimants: Sequence[int]) -> int:
        """Which of the claimants (ascending) takes the card; a single one needs no draw."""
        if len(claimants) == 1:
            return claimants[0]
        seats = ",".join(map(str, claimants))
        return claimants[
            self.stream(f"claim/{round_number}/{window}/{seats}").below(len(claimants))
        ]

    def house(self, leg: int, decision: int, seat: int, choices: int) -> int:
        """The index of the legal move that the house plays for a seat."""
        return self.stream(f"house/{leg}/{decision}/{seat}").below(choices)

    def dice(self, leg: int, seat: int) -> int:
        """The number that a bot is given for randomness of its own."""
        return self.stream(f"dice/{leg}/{seat}").below(2**31)
