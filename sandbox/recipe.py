"""What is to be done with a bot's files: recognised by their names, or as their kibitz.toml says."""

import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from sandbox.box import BoxLimits
from sandbox.runtimes import RUNTIMES, Runtime
from sandbox.runtimes.runtime import BUILD_LIMITS, RUN_LIMITS

SETTINGS = "kibitz.toml"
KEYS = ("build", "command", "language")
ENDINGS = ", ".join(ending for runtime in RUNTIMES for ending in runtime.endings)


class Unrecognised(ValueError):
    """Nobody can tell how to start this bot; says what its author can do about it."""


@dataclass(frozen=True)
class Recipe:
    """How a bot is built and started. The language is "" if a command alone says it all."""

    language: str
    build: list[list[str]]
    command: tuple[str, ...]
    limits: BoxLimits = RUN_LIMITS
    build_limits: BoxLimits = BUILD_LIMITS


def recipe(names: Collection[str], settings: str | None = None) -> Recipe:
    """The recipe for files of these names, with the text of their kibitz.toml if they have one."""
    said = Settings.read(settings or "")
    runtime, main = chosen(names, said)
    build = said.build
    if build is None:
        build = runtime.build(main, names) if runtime and main else []
    if said.command:
        command = tuple(in_folder(word, names) for word in said.command)
    elif runtime and main:
        command = runtime.start(main)
    else:
        raise Unrecognised(how_to_name(runtime, names))
    if runtime is None:
        return Recipe("", build, command)
    return Recipe(runtime.name, build, command, runtime.limits, runtime.build_limits)


# -- By the names -------------------------------------------------------------------------------


def chosen(names: Collection[str], said: "Settings") -> tuple[Runtime | None, str | None]:
    """The language and its main file. What is called main goes before what is merely alone."""
    starter = PurePosixPath(said.command[0]).name if said.command else ""
    for runtime in RUNTIMES:
        if runtime.name == said.language or (not said.language and starter in runtime.starters):
            return runtime, runtime.recognise(names)
    for mains in (
        [(r, r.named_main(names)) for r in RUNTIMES],
        [(r, r.only_one(names)) for r in RUNTIMES],
    ):
        found = [(runtime, main) for runtime, main in mains if main]
        if len(found) > 1 and not said.command:
            raise Unrecognised(which_one([main for _, main in found]))
        if len(found) == 1:
            return found[0]
    return None, None


def which_one(mains: list[str]) -> str:
    return (
        f"{' or '.join(mains)}: either could be the bot. Say which in {SETTINGS}, "
        'for instance with language = "python", or call only one of them main.'
    )


def how_to_name(runtime: Runtime | None, names: Collection[str]) -> str:
    if runtime is None:
        runtime = next((known for known in RUNTIMES if known.sources(names)), None)
    if runtime is None:
        return f"No file of a language known here ({ENDINGS}), and no command in {SETTINGS}."
    if runtime.topmost(names):
        return (
            f"Several {runtime.title} files: call the one to be started main{runtime.endings[0]}."
        )
    return (
        f"No {runtime.title} file in the topmost folder: put main{runtime.endings[0]} there, "
        f"or name a command in {SETTINGS}."
    )


# -- By kibitz.toml -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Settings:
    """What kibitz.toml says."""

    command: list[str]
    language: str
    build: list[list[str]] | None

    @staticmethod
    def read(text: str) -> "Settings":
        try:
            said = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise Unrecognised(f"{SETTINGS} cannot be read: {error}") from None
        for key in said.keys() - set(KEYS):
            raise Unrecognised(f"{SETTINGS}: there is no {key!r}, only {', '.join(KEYS)}.")
        return Settings(command_in(said), language_in(said), build_in(said))


def language_in(said: dict[str, Any]) -> str:
    known = [runtime.name for runtime in RUNTIMES]
    language = said.get("language", "")
    if language and language not in known:
        raise Unrecognised(f"{SETTINGS}: language is one of {', '.join(known)}.")
    return str(language)


def command_in(said: dict[str, Any]) -> list[str]:
    if "command" in said and not is_command(said["command"]):
        raise Unrecognised(f'{SETTINGS}: command is a list like ["python3", "main.py"].')
    return list(said.get("command", []))


def build_in(said: dict[str, Any]) -> list[list[str]] | None:
    build = said.get("build")
    if build is None or build == []:
        return build
    if is_command(build):
        return [build]
    if isinstance(build, list) and all(is_command(command) for command in build):
        return build
    raise Unrecognised(f'{SETTINGS}: build is a list of commands like [["make", "bot"]].')


def is_command(words: object) -> bool:
    return isinstance(words, list) and words != [] and all(word_like(word) for word in words)


def word_like(word: object) -> bool:
    return isinstance(word, str) and word != "" and "\0" not in word


def in_folder(word: str, names: Collection[str]) -> str:
    """A command is written as for the bot's folder, but started in an empty one."""
    if word in names:
        return "{bot}/" + word
    return "{bot}/" + word[2:] if word.startswith("./") else word
