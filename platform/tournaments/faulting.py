"""The last faults of a bot with all that its owner needs to see them again."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bots.files import Missing
from bots.models import Bot
from jobs.models import State
from tournaments.models import Match, Seat
from tournaments.replays import private_of

SHOWN = 5


@dataclass(frozen=True)
class Told:
    """A fault as only the owner may see it: where it was, what came and what was asked."""

    match: Match
    leg: int
    number: int  # of the version
    kind: str
    decision: int
    why: str
    came: str
    question: Any

    @property
    def command(self) -> str:
        """Plays the same deals at home, with house bots on the other seats."""
        others = " ".join(["good"] * (self.match.players - 1))
        options = "".join(f" --option {key}={value}" for key, value in self.match.options.items())
        return f"kibitz play {self.match.game} my_bot {others} --seed {self.match.seed}{options} --watch"


def last_faults(bot: Bot) -> list[Told]:
    seats = (
        Seat.objects.filter(bot=bot, faults__gt=0, match__state=State.FINISHED)
        .select_related("match", "version")
        .order_by("-match", "index")
    )
    return [fault for seat in seats[:SHOWN] for fault in faults_of(seat)][:SHOWN]


def faults_of(seat: Seat) -> Iterator[Told]:
    try:
        private = private_of(seat.match, {seat.index})
    except Missing:
        return  # the page of the match says so
    for leg, part in enumerate(private, 1):
        for fault in part["faults"]:
            yield told(seat, leg, fault)


def told(seat: Seat, leg: int, fault: dict[str, Any]) -> Told:
    assert seat.version is not None  # it is a bot's
    return Told(
        match=seat.match,
        leg=leg,
        number=seat.version.number,
        kind=fault["kind"],
        decision=fault["decision"],
        why=fault["why"],
        came=fault["came"],
        question=fault["question"],
    )
