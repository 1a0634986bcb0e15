"""Stop It!: be the first to play all your cards; a Stop It card takes the lead, once a round.

House rules, where the rulebook needs quick hands (docs/stop-it.md has all of them): after every card all
who have taken no Stop It card are asked at the same time, claim or pass, and of several claimants one is
drawn from the seed; the next card of a sequence is played by its holder without being asked.
"""

from collections.abc import Sequence
from typing import Any, Self

from games.base import Event, Game, Move, Options, Seat, View
from games.cards import deck_of, value

SUITS = ("red", "yellow", "green", "blue", "black")
VALUES = range(1, 11)
BONUS_VALUE = 5
BONUS, GOING_OUT, CONSOLATION = 5, 10, 5
CLAIM, PASS = "claim", "pass"

NEXT = {f"{suit}-{number}": f"{suit}-{number + 1}" for suit in SUITS for number in VALUES[:-1]}


class StopIt(Game):
    name = "stop-it"
    title = "Stop It!"
    choices = {"target": (50, 75, 100)}

    holder: dict[str, Seat]
    played: list[dict[str, Any]]
    last: str | None
    stop_it: list[bool]
    stop_it_left: int
    windows: int

    @classmethod
    def player_counts(cls, options: Options) -> range:
        return range(3, 6)

    # -- Dealing -------------------------------------------------------------------------------

    @classmethod
    def deck(cls, players: int, options: Options) -> tuple[str, ...]:
        return deck_of(SUITS if players > 3 else SUITS[:-1], VALUES)

    @property
    def cards_dealt(self) -> int:
        return len(self.cards)

    def first_dealt_to(self, number: int) -> Seat:
        return (number - 1) % self.players

    def take_hands(self, hands: list[list[str]], left_over: list[str]) -> None:
        self.hands = hands
        self.holder = {card: seat for seat, hand in enumerate(hands) for card in hand}
        self.played = []
        self.last = None
        self.stop_it = [False] * self.players
        self.stop_it_left = self.players - 1
        self.windows = 0
        self.await_lead(self.starter)

    def copy(self) -> Self:
        twin = super().copy()
        twin.holder = self.holder.copy()
        twin.played = self.played.copy()
        twin.stop_it = self.stop_it.copy()
        return twin

    # -- Who decides ---------------------------------------------------------------------------

    def await_lead(self, leader: Seat) -> None:
        self.phase, self.leader, self.asked = "lead", leader, (leader,)

    def open_window(self) -> None:
        self.phase = "window"
        self.asked = tuple([seat for seat, has_one in enumerate(self.stop_it) if not has_one])

    # -- What may be played --------------------------------------------------------------------

    def legal(self, seat: Seat) -> list[Move]:
        return [CLAIM, PASS] if self.phase == "window" else self.hands[seat].copy()

    def house_move(self, leg: int, decision: int, seat: Seat) -> Move:
        return PASS if self.phase == "window" else super().house_move(leg, decision, seat)

    # -- What a move does ----------------------------------------------------------------------

    def play(self, moves: Sequence[Move]) -> list[Event]:
        if self.phase == "lead":
            return self.put(self.leader, moves[0], forced=False)
        return self.close_window(moves)

    def close_window(self, moves: Sequence[Move]) -> list[Event]:
        claimants = [seat for seat, move in zip(self.asked, moves, strict=True) if move == CLAIM]
        window, self.windows = self.windows, self.windows + 1
        if not claimants:
            return self.follow()
        taker = self.chance.claimant(self.round, window, claimants)
        self.stop_it[taker] = True
        self.stop_it_left -= 1
        self.await_lead(taker)
        return [{"event": "stopped", "seat": taker}]

    def follow(self) -> list[Event]:
        """The next card of the sequence is played unasked; if nobody has it, the leader leads again."""
        card = NEXT.get(str(self.last), "")
        holder = self.holder.get(card)
        if holder is None:
            self.await_lead(self.leader)
            return []
        return self.put(holder, card, forced=True)

    def put(self, seat: Seat, card: str, *, forced: bool) -> list[Event]:
        self.hands[seat].remove(card)
        del self.holder[card]
        self.leader, self.last = seat, card
        self.played.append({"seat": seat, "card": card, "forced": forced})
        played: Event = {"event": "played", "seat": seat, "card": card, "forced": forced}
        if not self.hands[seat]:
            return [played, *self.go_out(seat)]
        if self.stop_it_left:
            self.open_window()
            return [played]
        return [played, *self.follow()]

    def go_out(self, seat: Seat) -> list[Event]:
        return [
            {"event": "out", "seat": seat},
            {"event": "left", "hands": [hand.copy() for hand in self.hands]},
            *self.finish_round(self.round_scores(seat)),
        ]

    # -- What a seat may know ------------------------------------------------------------------

    def view(self, seat: Seat) -> View:
        return super().view(seat) | {
            "target": self.options["target"],
            "leader": self.leader,
            "last": self.last,
            "played": self.played.copy(),
            "stop_it": self.stop_it.copy(),
            "stop_it_left": self.stop_it_left,
        }

    @classmethod
    def seen(cls, view: View) -> list[str]:
        return [play["card"] for play in view["played"]]

    def restore(self, view: View, face_down: list[str]) -> None:
        self.starter = self.first_leader()
        self.holder = {card: seat for seat, hand in enumerate(self.hands) for card in hand}
        self.played = view["played"].copy()
        self.last = view["last"]
        self.stop_it, self.stop_it_left = view["stop_it"].copy(), view["stop_it_left"]
        # Every card so far has had its window, as long as there is a Stop It card to claim.
        self.windows = len(self.played) - (self.phase == "window")
        self.leader = view["leader"]
        if self.phase == "window":
            self.open_window()
        else:
            self.await_lead(self.leader)

    # -- The score -----------------------------------------------------------------------------

    def is_last_round(self) -> bool:
        return max(self.totals) >= int(self.options["target"])

    def round_scores(self, out: Seat) -> list[int]:
        scores = [0] * self.players
        for play in self.played:
            if value(play["card"]) == BONUS_VALUE:
                scores[play["seat"]] += BONUS
        scores[out] += GOING_OUT + sum(worth_left(card) for hand in self.hands for card in hand)
        runner_up = self.runner_up(out)
        if runner_up is not None:
            scores[runner_up] += CONSOLATION
        return scores

    def runner_up(self, out: Seat) -> Seat | None:
        """Of the others the one with the fewest cards left; nobody if tied."""
        others = sorted((len(hand), seat) for seat, hand in enumerate(self.hands) if seat != out)
        (fewest, seat), (next_fewest, _) = others[:2]
        return seat if fewest < next_fewest else None


def worth_left(card: str) -> int:
    """What a card left in another hand is worth to the player who goes out."""
    return BONUS if value(card) == BONUS_VALUE else 1
