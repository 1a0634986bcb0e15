"""What a box is: how much a program may use in it, how a program gets in, and who can make one."""

from dataclasses import dataclass, field
from typing import Protocol

from games.player import Player


class InfrastructureFault(Exception):
    """The box failed, not the bot: the match is given back and nobody loses. Says what broke."""


@dataclass(frozen=True)
class BoxLimits:
    """What a program may use. The disk holds its unpacked files and what it writes in a leg. Its system
    calls are `tight`, or `strict` where a language cannot live without pipes and sockets of its own."""

    memory_mb: int = 128
    processes: int = 32
    disk_mb: int = 24
    calls: str = "tight"


@dataclass(frozen=True)
class Program:
    """A bot that can be started. `files` is a tar of its folder as built, `command` is run in it;
    a command of Python may be run by the box without starting an interpreter."""

    files: bytes = field(repr=False)
    sha256: str
    command: tuple[str, ...]
    limits: BoxLimits = BoxLimits()


@dataclass(frozen=True)
class Built:
    """What came of a build: its log, and a tar of the folder, or None if it failed."""

    log: str
    files: bytes | None = field(repr=False)


class Sandbox(Protocol):
    """Makes boxes. Whatever it cannot do because of the machine is an InfrastructureFault."""

    mode: str  # what the record says of how the bots were kept: kept, fresh, bubblewrap or plain

    def open(self, program: Program) -> Player:
        """The program, started from nothing for one leg; a Fault if it cannot be."""

    def build(self, files: bytes, commands: list[list[str]], limits: BoxLimits) -> Built:
        """Runs commands in a folder with these (tarred) files, without a network."""

    def close(self) -> None:
        """Ends all boxes that are left."""
