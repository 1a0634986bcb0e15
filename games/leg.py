"""One leg: a complete game from a seed, with what a replay keeps of it.

Whoever runs a leg brings the answers and the faults; what they lead to (house moves, events, scores,
ranks) is decided here, the same for the referee who plays and for the one who checks.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from games.base import Event, Game, Move, Seat, ranks

BEFORE_THE_FIRST = -1  # the decision of a fault at start-up


class Answer(NamedTuple):
    """A move with the time it took; `cpu_ms` is None where no CPU clock could be read, both are
    None for the house."""

    move: Move
    cpu_ms: float | None
    wall_ms: float | None


class Leg:
    """A game in progress. `out` says at which decision a seat's bot faulted."""

    def __init__(self, position: Game, number: int, at_startup: Mapping[Seat, str]) -> None:
        self.position = position
        self.number = number
        self.out: dict[Seat, int] = {}
        self.faults: list[dict[str, Any]] = []
        self.decisions: list[dict[str, Any]] = []
        self.events = self._faulted(BEFORE_THE_FIRST, at_startup) + position.opening()

    @property
    def to_answer(self) -> list[Seat]:
        """The seats whose bots must be asked now; for the others of `asked` the house plays."""
        return [seat for seat in self.position.asked if seat not in self.out]

    def decide(self, answers: Mapping[Seat, Answer], faults: Mapping[Seat, str]) -> list[Event]:
        """Plays one decision: an answer or a fault for each seat `to_answer`. Says what happens."""
        decision, asked = len(self.decisions), self.position.asked
        events = self._faulted(decision, faults)
        answered = [answers.get(seat) or self._house(decision, seat) for seat in asked]
        moves = [answer.move for answer in answered]
        self.decisions.append(
            {
                "seats": list(asked),
                "moves": moves,
                "cpu_ms": [answer.cpu_ms for answer in answered],
                "wall_ms": [answer.wall_ms for answer in answered],
            }
        )
        events += self.position.play(moves)
        self.events += events
        return events

    @property
    def scores(self) -> list[int]:
        return self.position.totals

    @property
    def ranks(self) -> list[int]:
        return ranks(self.scores, self.out)

    def _house(self, decision: int, seat: Seat) -> Answer:
        return Answer(self.position.house_move(self.number, decision, seat), None, None)

    def _faulted(self, decision: int, faults: Mapping[Seat, str]) -> list[Event]:
        for seat in sorted(faults):
            self.out[seat] = decision
            self.faults.append({"decision": decision, "seat": seat, "kind": faults[seat]})
        return [{"event": "faulted", "seat": seat} for seat in sorted(faults)]
