"""The bench of a worker: its sandbox, opened by its settings, and what is done with archives in it."""

import logging
import os
from collections.abc import Callable
from pathlib import Path

from games import game_named
from games.base import Game
from games.player import OpenPlayer
from sandbox.box import Program, Sandbox
from sandbox.engine import DEFAULT_SOCKET
from sandbox.local import NOT_PROTECTED, LocalSandbox
from sandbox.runtimes import RUNTIMES
from workers.archive import Rejected
from workers.check import Check, Say, Table, Verdict
from workers.contract import CheckTicket
from workers.inside import Inside, choose_of
from workers.jobs import NoProgram
from workers.programs import NotBuilt, Programs, prepared

log = logging.getLogger("kibitz.worker")

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


class Bench:
    """A sandbox, the versions of its languages, and the programs built in it."""

    def __init__(
        self,
        sandbox: Sandbox,
        languages: dict[str, str],
        programs: Programs,
        stop_upkeep: Callable[[], None] = lambda: None,
    ) -> None:
        self.sandbox = sandbox
        self.languages = languages
        self.programs = programs
        self.stop_upkeep = stop_upkeep

    def program(self, archive: bytes, file_name: str) -> Program:
        try:
            return self.programs.built(archive, file_name)[0]
        except (Rejected, NotBuilt) as error:
            # Not the sandbox's fault: a worker must not rest whenever a bot will not build.
            raise NoProgram(f"a checked bot cannot be built here: {error}") from None

    def check(self, ticket: CheckTicket, archive: bytes, say: Say) -> Verdict:
        self.refuse_unknown(archive, ticket.archive.file_name)
        game = game_named(ticket.game)
        opponents = [example(game)] * (ticket.players - 1)
        table = Table(game, ticket.options, ticket.players, ticket.limits.limits, opponents)
        return Check(self.programs, table, say).run(archive, ticket.archive.file_name)

    def refuse_unknown(self, archive: bytes, file_name: str) -> None:
        """A language that is not here may be elsewhere, or later: the bot is not to blame."""
        try:
            language = prepared(archive, file_name)[1].language
        except Rejected:
            return  # which the check itself tells its author
        if language and language not in self.languages:
            titles = {runtime.name: runtime.title for runtime in RUNTIMES}
            known = ", ".join(titles[name] for name in self.languages)
            raise NoProgram(f"there is no {titles[language]} here yet, only {known}")

    def close(self) -> None:
        self.stop_upkeep()
        self.sandbox.close()


def example(game: type[Game]) -> OpenPlayer:
    choose = choose_of(EXAMPLES / game.name / "python" / "simple_bot.py")
    return lambda: Inside(choose)


def open_bench(choice: str, folder: Path, runtime: str = "") -> Bench:
    """By the setting: docker, local, or what there is. An engine that is there but down is not
    passed over: what was to run in a box never runs without one. `runtime`: another of the engine's
    than its usual one."""
    if choice == "docker" or (choice == "auto" and engine_is_there()):
        return docker_bench(folder, runtime)
    sandbox = LocalSandbox()
    log.warning("%s", NOT_PROTECTED[sandbox.mode])
    languages = sandbox.languages()
    programs = Programs(sandbox, folder, f"local {sandbox.mode}, {languages}")
    return Bench(sandbox, languages, programs)


def engine_is_there() -> bool:
    return bool(os.environ.get("DOCKER_HOST")) or Path(DEFAULT_SOCKET).exists()


def own_cores() -> str:
    """The cores of this process as the engine writes them; none are named if it may use all there are."""
    cores = os.sched_getaffinity(0)
    return ",".join(map(str, sorted(cores))) if len(cores) < (os.cpu_count() or 1) else ""


def docker_bench(folder: Path, runtime: str) -> Bench:
    # The engine's client doubles the time a worker takes to start, so it is imported if it is used.
    from sandbox import image
    from sandbox.choice import open_docker
    from sandbox.upkeep import Upkeep

    sandbox, box = open_docker(log.warning, runtime, own_cores())
    languages = {name: said for name, said in image.languages(box).items() if said}
    return Bench(sandbox, languages, Programs(sandbox, folder, box), Upkeep(sandbox).close)
