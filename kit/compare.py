"""Is a new version better than the old one? Lets them play on all cores until the answer is clear."""

import multiprocessing
import signal
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from hashlib import sha256
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from random import Random
from typing import Any, NamedTuple, Self

from games import game_named
from games.base import Game, Refusal
from games.player import Limits
from games.seating import exchanged
from kit import local
from ratings.comparison import Comparison, Unit, unit_of
from sandbox.box import InfrastructureFault
from workers.faults import explained
from workers.referee import PlayedLeg, play_pair

NEW, OLD, OTHERS = 0, 1, 2  # in the list of the bots
AGAINST = ("good", "simple")
USUAL_PLAYERS = 4


class Plan(NamedTuple):
    """What is to be compared, and at which tables. `bots`: new, old, and those who may sit with them."""

    game: str
    options: Mapping[str, object]
    players: int
    bots: Sequence[str]
    sandbox: str
    seed: bytes

    def chance(self, number: int) -> Random:
        return Random(f"{self.seed.hex()}/{number}")


class Played(NamedTuple):
    """A unit as it was played; of each bot that faulted, how often, and its first fault in words."""

    number: int
    unit: Unit
    faults: Counter[int]
    explained: dict[int, str]


class Report(NamedTuple):
    """All that was played until the end."""

    comparison: Comparison
    faults: Counter[int]
    explained: dict[int, str]


NOTHING = Report(Comparison(), Counter(), {})


def usual_players(game: type[Game], options: Mapping[str, Any]) -> int:
    """Four, or the nearest number that the game allows."""
    counts = game.player_counts(dict(options))
    return min(max(USUAL_PLAYERS, counts[0]), counts[-1])


# -- One unit -------------------------------------------------------------------------------------


def table_of(plan: Plan, number: int) -> list[int]:
    """Which bot sits on which seat in the first game of a unit; the others are drawn anew for each."""
    chance = plan.chance(number)
    others = range(OTHERS, len(plan.bots))
    table = [NEW, OLD, *(chance.choice(others) for _ in range(plan.players - 2))]
    chance.shuffle(table)
    return table


def play_unit(plan: Plan, bots: Sequence[local.Bot], number: int) -> Played:
    """One deal, played twice."""
    table = table_of(plan, number)
    one, other = table.index(NEW), table.index(OLD)
    games = play_pair(
        game_named(plan.game),
        plan.options,
        [bots[bot].open for bot in table],
        (one, other),
        sha256(plan.seed + number.to_bytes(8, "big")).digest(),
        limits=Limits(),
    )
    return played_unit(number, (table, exchanged(table, one, other)), games)


def played_unit(number: int, tables: Sequence[Sequence[int]], games: Sequence[PlayedLeg]) -> Played:
    """What its two games say; each table is a bot by seat."""
    faults: Counter[int] = Counter()
    words: dict[int, str] = {}
    by_table = list(zip(tables, games, strict=True))
    for table, played in by_table:
        for fault in played.faults:
            faults[table[fault["seat"]]] += 1
            words.setdefault(table[fault["seat"]], explained(fault))
    unit = unit_of(
        [new_and_old(table, played.leg.ranks) for table, played in by_table],
        [new_and_old(table, played.leg.scores) for table, played in by_table],
    )
    return Played(number, unit, faults, words)


def new_and_old(table: Sequence[int], by_seat: Sequence[int]) -> tuple[int, int]:
    return by_seat[table.index(NEW)], by_seat[table.index(OLD)]


# -- All of them ----------------------------------------------------------------------------------


def compare(
    plan: Plan, most_games: int, cores: int, say: Callable[[str], None]
) -> Generator[Report, None, None]:
    """Plays until there is a verdict; gives what is known after every unit. Units are judged in the
    order of their numbers, whichever is over first: else short games would count more."""
    report = NOTHING._replace(comparison=Comparison(most_games))
    with Crew(plan, cores, say) as crew:
        for played in crew.in_order():
            report = Report(
                report.comparison.plus(played.unit),
                report.faults + played.faults,
                played.explained | report.explained,
            )
            yield report
            if report.comparison.verdict:
                return


class Crew:
    """Processes that play units, one a core. The first is ready before the others begin: what it has
    built, they find."""

    def __init__(self, plan: Plan, cores: int, say: Callable[[str], None]) -> None:
        self.plan = plan
        self.cores = cores
        self.say = say
        self.processes: list[Any] = []
        self.turns: list[Connection] = []

    def __enter__(self) -> Self:
        with ExitStack() as undo:
            undo.callback(self.dismiss)
            for _ in range(self.cores):
                self.hire()
            undo.pop_all()
        return self

    def hire(self) -> None:
        context = multiprocessing.get_context("spawn")
        near, far = context.Pipe()
        process = context.Process(target=work, args=(self.plan, far), daemon=True)
        with undisturbed():
            process.start()
        far.close()
        self.processes.append(process)
        self.turns.append(near)
        while isinstance(said := self.heard(near), str):
            if len(self.turns) == 1:
                self.say(said)

    def in_order(self) -> Iterator[Played]:
        waiting: dict[int, Played] = {}
        given = wanted = 0
        for turn in self.turns:
            turn.send(given)
            given += 1
        while True:
            wait(self.turns)
            for turn in filter(Connection.poll, self.turns):
                played = self.heard(turn)
                waiting[played.number] = played
                turn.send(given)
                given += 1
            while wanted in waiting:
                yield waiting.pop(wanted)
                wanted += 1

    def heard(self, turn: Connection) -> Any:
        """What a process says; what went wrong there goes wrong here."""
        try:
            said = turn.recv()
        except EOFError:
            raise InfrastructureFault("a process that plays has ended") from None
        if isinstance(said, Exception):
            raise said
        return said

    def __exit__(self, *error: object) -> None:
        self.dismiss()

    def dismiss(self) -> None:
        """Lets everybody end what is being played and close its boxes."""
        for turn in self.turns:
            with suppress(OSError):
                turn.send(None)
        for process in self.processes:
            process.join()


@contextmanager
def undisturbed() -> Iterator[None]:
    """Keeps Ctrl-C waiting. What starts meanwhile does not hear it either, until it lets it through."""
    resource_tracker.ensure_running()  # it is started with the first process, and lets Ctrl-C through
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def work(plan: Plan, turns: Connection) -> None:
    """A process of the crew: says what is worth knowing, then plays units until it is sent None."""
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        with local.seated(game_named(plan.game), plan.bots, plan.sandbox, turns.send) as bots:
            turns.send(None)
            for number in iter(turns.recv, None):
                turns.send(play_unit(plan, bots, number))
    except (InfrastructureFault, Refusal) as error:
        turns.send(error)
    except (KeyboardInterrupt, EOFError, BrokenPipeError):
        pass  # whoever asked is gone
