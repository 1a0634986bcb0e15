"""Plays one match of any game with any players; knows no queue and no container.

A player is asked in lines and answers in lines. What a line is worth is judged here, by the fault
table of the protocol; whatever a player does, the leg is played to its end.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

import msgspec

from games.base import Event, Game, Move, Seat, may_know
from games.leg import BEFORE_THE_FIRST, Answer, Leg
from games.player import Fault, Limits, OpenPlayer, Player, Reply
from games.seating import exchanged, lineup_of, seatings
from workers.lines import Unreadable, is_ready, read_answer

PROTOCOL = 1
SHOWN_BYTES = 500  # how much of a faulty answer its owner sees
ENCODER = msgspec.json.Encoder()

Message = dict[str, Any]
Watch = Callable[[int, list[Event]], None]
Outcome = TypeVar("Outcome")


@dataclass(frozen=True)
class PlayedLeg:
    """A leg with who sat where, and what only the owners of its bots may see."""

    seating: list[int]
    leg: Leg
    notes: list[dict[str, Any]]
    faults: list[dict[str, Any]]
    debug: dict[Seat, bytes]


def play_match(
    game: type[Game],
    options: Mapping[str, object],
    bots: Sequence[OpenPlayer],
    seed: bytes,
    *,
    limits: Limits | Sequence[Limits],
    legs: int | None = None,
    cores: int = 1,
    watch: Watch = lambda leg, events: None,
) -> list[PlayedLeg]:
    """All legs of a match, or only the first few; every bot is opened anew for each. Limits are the
    same for all, or stand in the order of the bots. At most as many seats are asked at the same
    moment as the match has cores."""
    position, played = game.deal(len(bots), options, seed), []
    own = [limits] * len(bots) if isinstance(limits, Limits) else limits
    with ThreadPoolExecutor(cores, "seat") as threads:
        for number, seating in enumerate(seatings(len(bots))[:legs]):
            at_table = [own[bot] for bot in seating]
            table = Table(position.copy(), number, at_table, watch, threads if cores > 1 else None)
            leg = table.play([bots[bot] for bot in seating])
            played.append(PlayedLeg(seating, leg, table.notes, table.faults, table.debug))
    return played


def play_pair(
    game: type[Game],
    options: Mapping[str, object],
    table: Sequence[OpenPlayer],
    pair: tuple[Seat, Seat],
    seed: bytes,
    *,
    limits: Limits,
    cores: int = 1,
    watch: Watch = lambda leg, events: None,
) -> list[PlayedLeg]:
    """A unit of a comparison: one deal played twice, two of those at the table exchanging seats. Each
    game is the first leg of a match, with the lineup that makes everybody sit there."""
    return [
        leg
        for seats in (table, exchanged(table, *pair))
        for leg in play_match(
            game, options, lineup_of(seats), seed, limits=limits, legs=1, cores=cores, watch=watch
        )
    ]


class Seated:
    """One player in one leg: its clock, its questions, and how much it has been told."""

    def __init__(self, seat: Seat, player: Player, limits: Limits) -> None:
        self.seat = seat
        self.player = player
        self.limits = limits
        self.bank_ms: float = limits.bank_ms
        self.questions = 0
        self.told = 0

    def news(self, events: Sequence[Event]) -> list[Event]:
        """What the seat may know of the events since it was last told."""
        since, self.told = self.told, len(events)
        return [event for event in events[since:] if may_know(event, self.seat)]

    def start(self, message: Message) -> None:
        try:
            reply = self.player.start(line_of(message), self.limits)
        except Fault as fault:
            raise Fault("startup", fault.came, fault.why or fault.kind) from None
        try:
            ready = is_ready(reply.line)
        except Unreadable as error:
            raise Fault("startup", reply.line, str(error)) from None
        if not ready:
            raise Fault("startup", reply.line, 'expected {"type":"ready"}')

    def ask(self, message: Message, legal: Sequence[Move]) -> tuple[Answer, str]:
        """The answer to a question, and the note that came with it."""
        reply = self.player.ask(line_of(message), self.limits)
        self.charge(reply)
        try:
            said = read_answer(reply.line)
        except Unreadable as error:
            raise Fault("unreadable", reply.line, str(error)) from None
        if said.id != self.questions:
            raise Fault("out-of-turn", reply.line, f"the question had id {self.questions}")
        if said.move not in legal:
            raise Fault("illegal", reply.line, f"{said.move!r} is not one of the legal moves")
        return Answer(said.move, reply.cpu_ms, reply.wall_ms), said.note

    def charge(self, reply: Reply) -> None:
        if reply.cpu_ms is None:
            return
        if reply.cpu_ms > self.bank_ms:
            raise Fault("time", reply.line, f"{reply.cpu_ms} ms of CPU, {self.bank_ms} in the bank")
        self.bank_ms = round(self.bank_ms - reply.cpu_ms + self.limits.increment_ms, 3)


class Table:
    """One leg being played. Without threads, seats that decide at the same time are asked in turn:
    they cannot tell the difference."""

    def __init__(
        self,
        position: Game,
        number: int,
        limits: Sequence[Limits],
        watch: Watch,
        threads: ThreadPoolExecutor | None,
    ) -> None:
        self.position = position
        self.number = number
        self.limits = limits
        self.watch = watch
        self.threads = threads
        self.seated: dict[Seat, Seated] = {}
        self.notes: list[dict[str, Any]] = []
        self.faults: list[dict[str, Any]] = []
        self.debug: dict[Seat, bytes] = {}

    def play(self, bots: Sequence[OpenPlayer]) -> Leg:
        try:
            leg = Leg(self.position, self.number, self.start(bots))
            self.watch(self.number, list(leg.events))
            while self.position.asked:
                self.watch(self.number, self.decide(leg))
            self.end(leg)
            return leg
        finally:
            with ExitStack() as everybody:
                for seat in self.seated:
                    everybody.callback(self.dismiss, seat)

    def start(self, bots: Sequence[OpenPlayer]) -> dict[Seat, str]:
        messages = {seat: self.start_message(seat) for seat in range(len(bots))}

        def start(seat: Seat) -> None:
            self.seated[seat] = Seated(seat, bots[seat](), self.limits[seat])
            self.seated[seat].start(messages[seat])

        return {
            seat: self.fault(BEFORE_THE_FIRST, seat, messages[seat], outcome)
            for seat, outcome in self.together(messages, start).items()
            if isinstance(outcome, Fault)
        }

    def decide(self, leg: Leg) -> list[Event]:
        answers, faults, decision = {}, {}, len(leg.decisions)
        questions = {seat: self.question(leg, seat) for seat in leg.to_answer}

        def ask(seat: Seat) -> tuple[Answer, str]:
            return self.seated[seat].ask(questions[seat], questions[seat]["legal"])

        for seat, outcome in self.together(questions, ask).items():
            if isinstance(outcome, Fault):
                faults[seat] = self.fault(decision, seat, questions[seat], outcome)
                continue
            answers[seat], note = outcome
            if note:
                self.notes.append({"decision": decision, "seat": seat, "note": note})
        return leg.decide(answers, faults)

    def together(
        self, seats: Iterable[Seat], call: Callable[[Seat], Outcome]
    ) -> dict[Seat, Outcome | Fault]:
        """What each seat's call gives, or its Fault; nobody learns of the others."""

        def outcome(seat: Seat) -> Outcome | Fault:
            try:
                return call(seat)
            except Fault as fault:
                return fault

        asked = list(seats)
        if self.threads is None or len(asked) == 1:
            return {seat: outcome(seat) for seat in asked}
        answers = {seat: self.threads.submit(outcome, seat) for seat in asked}
        wait(answers.values())  # also if one has failed: nobody is dismissed while being asked
        return {seat: answer.result() for seat, answer in answers.items()}

    def end(self, leg: Leg) -> None:
        result = {"type": "end", "scores": leg.scores, "ranks": leg.ranks}
        for seated in self.seated.values():
            seated.player.end(line_of(result | {"events": seated.news(leg.events)}))

    def fault(self, decision: int, seat: Seat, question: Message, fault: Fault) -> str:
        """Notes a fault down for its owner and ends the player; gives its kind."""
        self.dismiss(seat)
        self.faults.append(
            {
                "decision": decision,
                "seat": seat,
                "kind": fault.kind,
                "why": fault.why,
                "question": question,
                "came": shown(fault.came),
            }
        )
        return fault.kind

    def dismiss(self, seat: Seat) -> None:
        if seat in self.seated:
            self.debug[seat] = self.seated.pop(seat).player.close()

    # -- What a player is told ------------------------------------------------------------------

    def start_message(self, seat: Seat) -> Message:
        return {
            "type": "start",
            "protocol": PROTOCOL,
            "game": self.position.name,
            "options": self.position.options,
            "players": self.position.players,
            "seat": seat,
            "dice": self.position.chance.dice(self.number, seat),
            "limits": asdict(self.limits[seat]),
        }

    def question(self, leg: Leg, seat: Seat) -> Message:
        seated = self.seated[seat]
        seated.questions += 1
        return {
            "type": "move",
            "id": seated.questions,
            "view": self.position.view(seat),
            "legal": self.position.legal(seat),
            "events": seated.news(leg.events),
            "bank_ms": seated.bank_ms,
        }


def line_of(message: Message) -> bytes:
    return ENCODER.encode_lines([message])


def shown(came: bytes) -> str:
    """The first bytes of what came, escaped so that they can be shown anywhere."""
    return came[:SHOWN_BYTES].decode("latin-1").encode("unicode_escape").decode("ascii")
