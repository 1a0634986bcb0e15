"""What a runtime is: all that the box has to know of a language, as plain data."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from sandbox.box import BoxLimits

RUN_LIMITS = BoxLimits()
# A build has more of everything: a compiler takes more memory than a bot may.
BUILD_LIMITS = BoxLimits(memory_mb=1024, processes=64, disk_mb=256, calls="strict")
MAIN_STEMS = ("main", "bot")
PROGRAM = "program"  # what the compiled languages call what they make
START_PROGRAM = ("{bot}/" + PROGRAM,)

Names = Collection[str]


@dataclass(frozen=True)
class Runtime:
    """A language. In all commands {bot} stands for the bot's folder: a build runs in it and may write
    there; a start runs in an empty folder, and the bot's own is read-only."""

    name: str  # in kibitz.toml and as a folder of examples
    title: str
    version_command: tuple[str, ...]
    endings: tuple[str, ...]
    start: Callable[[str], tuple[str, ...]]
    self_test: Mapping[str, str] = field(repr=False)  # a bot that plays the first legal move
    build: Callable[[str, Names], list[list[str]]] = lambda main, names: []
    starters: tuple[str, ...] = ()  # programs that start only bots of this language
    also_main: tuple[str, ...] = ()  # main files that are not in the bot's topmost folder
    limits: BoxLimits = RUN_LIMITS
    build_limits: BoxLimits = BUILD_LIMITS

    def recognise(self, names: Names) -> str | None:
        """The main file: called main or bot, or the only one in the topmost folder."""
        return self.named_main(names) or self.only_one(names)

    def named_main(self, names: Names) -> str | None:
        own = self.topmost(names)
        for stem in MAIN_STEMS:
            for name in own:
                if PurePosixPath(name).stem.lower() == stem:
                    return name
        return next((name for name in self.also_main if name in names), None)

    def only_one(self, names: Names) -> str | None:
        own = self.topmost(names)
        return own[0] if len(own) == 1 else None

    def topmost(self, names: Names) -> list[str]:
        return [name for name in self.sources(names) if "/" not in name]

    def sources(self, names: Names) -> list[str]:
        return sorted(name for name in names if name.endswith(self.endings))


def sources_in(names: Names, *endings: str) -> list[str]:
    """All files of a language, for the compilers that want to be told; none can be an option."""
    return [f"./{name}" for name in sorted(names) if name.endswith(endings)]
