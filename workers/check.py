"""The check of a new version: can it be built, does it start, does it play?

One function, the same on a worker and at home. Its verdict names what came, what was expected, and how to
see the same at home.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from games.base import Game
from games.player import Limits, OpenPlayer, Player, Reply
from sandbox.box import InfrastructureFault, Program
from sandbox.recipe import Recipe
from sandbox.runtimes import RUNTIMES
from workers.archive import Rejected
from workers.contract import Step
from workers.faults import explained
from workers.programs import NotBuilt, Programs, prepared
from workers.referee import PlayedLeg, play_match

Say = Callable[[str], None]


@dataclass(frozen=True)
class Verdict:
    """What a check has found; `sentence` is for the author."""

    ready: bool
    language: str
    sentence: str
    steps: list[Step] = field(default_factory=list)
    leg: PlayedLeg | None = None


class Failed(Exception):
    """The check ends here; the text is the author's to read."""

    def __init__(self, step: str, sentence: str, leg: PlayedLeg | None = None) -> None:
        super().__init__(sentence)
        self.step = step
        self.leg = leg


@dataclass(frozen=True)
class Table:
    """Where a new version is tried out."""

    game: type[Game]
    options: Mapping[str, object]
    players: int
    limits: Limits
    opponents: list[OpenPlayer]  # example players, as many as there are other seats


class Check:
    """One check in progress. `language` is what was recognised, "" before."""

    def __init__(self, programs: Programs, table: Table, say: Say) -> None:
        self.programs = programs
        self.table = table
        self.say = say
        self.language = ""
        self.steps: list[Step] = []

    def run(self, upload: bytes, file_name: str) -> Verdict:
        try:
            leg = self.all_steps(upload, file_name)
        except Failed as failed:
            self.steps.append(Step(failed.step, "failed", str(failed)))
            home = f"See the same at home: kibitz check {file_name} --game {self.table.game.name}"
            self.say(f"Rejected: {failed}\n{home}")
            return Verdict(False, self.language, f"{failed}\n{home}", self.steps, failed.leg)
        self.say("Ready to play.")
        return Verdict(True, self.language, "Ready to play.", self.steps, leg)

    def all_steps(self, upload: bytes, file_name: str) -> PlayedLeg:
        how = self.recognise(upload, file_name)
        program = self.build(upload, file_name)
        self.self_test(how)
        seed = sha256(upload).digest()  # the same upload is always checked on the same deals
        others = [self.opener(program)] * (self.table.players - 1)
        self.leg("a leg against itself", [self.overheard(program), *others], seed)
        bots = [self.overheard(program), *self.table.opponents]
        return self.leg("a leg against examples", bots, sha256(seed).digest())

    # -- The steps ------------------------------------------------------------------------------

    def recognise(self, upload: bytes, file_name: str) -> Recipe:
        try:
            listing, how = prepared(upload, file_name)
        except Rejected as rejected:
            raise Failed("files", str(rejected)) from None
        self.language = how.language
        title = next((r.title for r in RUNTIMES if r.name == how.language), "a command of its own")
        count = len(listing.files)
        self.passed("files", f"{count} {'file' if count == 1 else 'files'}, recognised as {title}")
        return how

    def build(self, upload: bytes, file_name: str) -> Program:
        try:
            program, log = self.programs.built(upload, file_name)
        except NotBuilt as error:
            self.say(error.log)
            raise Failed("build", f"The bot could not be built:\n{last_lines(error.log)}") from None
        if log:
            self.say(log)
        self.passed("build", f"started with: {' '.join(program.command)}")
        return program

    def self_test(self, how: Recipe) -> None:
        """A tiny bot of the same language must play here, or this machine is to blame, not the bot."""
        runtime = next((runtime for runtime in RUNTIMES if runtime.name == how.language), None)
        if runtime is None:
            return
        [(name, source)] = runtime.self_test.items()
        tiny, _ = self.programs.built(source.encode(), name)
        leg = self.play([self.opener(tiny)] * self.table.players, bytes(32))
        if leg.faults:
            raise InfrastructureFault(
                f"{runtime.title} does not work here: {leg.faults[0]['kind']}"
            )
        self.passed("self-test", f"{runtime.title} works in this box")

    def leg(self, name: str, bots: list[OpenPlayer], seed: bytes) -> PlayedLeg:
        leg = self.play(bots, seed)
        if leg.faults:
            text, seat = explained(leg.faults[0]), leg.faults[0]["seat"]
            debug = leg.debug.get(seat, b"").decode("utf-8", "replace")
            said = f"\nIts debug output:\n{last_lines(debug)}" if debug else ""
            raise Failed(name, f"{text}{said}", leg)
        self.passed(name, f"scores {leg.leg.scores}, ranks {leg.leg.ranks}")
        return leg

    def play(self, bots: list[OpenPlayer], seed: bytes) -> PlayedLeg:
        table = self.table
        [leg] = play_match(table.game, table.options, bots, seed, limits=table.limits, legs=1)
        return leg

    def passed(self, step: str, detail: str) -> None:
        self.steps.append(Step(step, "passed", detail))
        self.say(f"{step}: {detail}")

    def opener(self, program: Program) -> OpenPlayer:
        return lambda: self.programs.sandbox.open(program)

    def overheard(self, program: Program) -> OpenPlayer:
        return lambda: Overheard(self.programs.sandbox.open(program), self.say)


class Overheard:
    """A player whose whole conversation goes into the log."""

    def __init__(self, player: Player, say: Say) -> None:
        self.player = player
        self.say = say

    def start(self, line: bytes, limits: Limits) -> Reply:
        return self.heard(line, self.player.start, limits)

    def ask(self, line: bytes, limits: Limits) -> Reply:
        return self.heard(line, self.player.ask, limits)

    def heard(self, line: bytes, ask: Callable[[bytes, Limits], Reply], limits: Limits) -> Reply:
        self.say(f"-> {line.decode().rstrip()}")
        reply = ask(line, limits)
        self.say(f"<- {reply.line.decode('utf-8', 'backslashreplace')}")
        return reply

    def end(self, line: bytes) -> None:
        self.say(f"-> {line.decode().rstrip()}")
        self.player.end(line)

    def close(self) -> bytes:
        return self.player.close()


def last_lines(text: str, count: int = 12) -> str:
    return "\n".join(text.rstrip().splitlines()[-count:])
