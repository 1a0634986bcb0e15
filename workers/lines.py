"""Strict reading of what a bot writes: one JSON object a line, or a fault."""

import re
from typing import Any, NamedTuple

from games import strict_json

MOST_NESTING = 32  # the answer itself is level 1
NOTE_LENGTH = 200
# An answer as most bots write it, in which nothing is left to be judged; all else is read letter by letter.
PLAIN = re.compile(rb'\{"id": ?(0|[1-9][0-9]{0,8}), ?"move": ?"([ !#-\[\]-~]*)"\}')


class Unreadable(ValueError):
    """A line that is not exactly one JSON object as the protocol wants it; says why."""


class Said(NamedTuple):
    """What an answer line says; `note` is empty if there is none."""

    id: int
    move: str
    note: str


def read_answer(line: bytes) -> Said:
    if plain := PLAIN.fullmatch(line):
        return Said(int(plain[1]), plain[2].decode(), "")
    said = read_object(line)
    question, move, note = said.get("id"), said.get("move"), said.get("note")
    if type(question) is not int:
        raise Unreadable('"id" must be there, a number written in digits only')
    if not isinstance(move, str):
        raise Unreadable('"move" must be there, and a text')
    return Said(question, move, note[:NOTE_LENGTH] if isinstance(note, str) else "")


def is_ready(line: bytes) -> bool:
    return bool(read_object(line).get("type") == "ready")


def read_object(line: bytes) -> dict[str, Any]:
    """The one JSON object in a line (without its line end)."""
    try:
        said = strict_json.read(line, MOST_NESTING, parse_int=_count)
    except strict_json.NotStrict as error:
        raise Unreadable(str(error)) from None
    if not isinstance(said, dict):
        raise Unreadable("not a JSON object")
    return said


def _count(digits: str) -> float:
    """A number with a sign is no count: it comes back as a float, so that it cannot be an id."""
    if digits.startswith("-"):
        return strict_json.finite_float(digits)
    return strict_json.finite_int(digits)
