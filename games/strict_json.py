"""JSON read without mercy: no key twice, no NaN, no infinite number, no torn text, no deep nesting."""

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain
from typing import Any

SURELY_FINITE = 300  # digits; a double goes a little further
LONGEST_NAMED = 80  # of a key, in a message


class NotStrict(ValueError):
    """Why a text is not JSON as we take it, in one line."""


def read(
    data: bytes,
    most_nesting: int,
    parse_int: Callable[[str], float] | None = None,
    unread: str | None = None,
) -> Any:
    """The one JSON value in UTF-8 bytes; `parse_int` may read whole numbers in its own way. What
    stands under the key `unread` of the value may be nested and hold any text."""
    try:
        text = data.decode("utf-8")
        if text.startswith("\ufeff"):
            raise NotStrict("not JSON: it begins with a byte order mark (BOM)")
        found = _decoder(parse_int or finite_int).decode(text)
    except RecursionError:
        raise NotStrict(f"nested deeper than {most_nesting}") from None
    except UnicodeDecodeError as error:
        raise NotStrict(f"not UTF-8 (byte {error.start})") from None
    except json.JSONDecodeError as error:
        raise NotStrict(f"not JSON: {error}") from None
    # Only a text with that many brackets can be nested too deeply, and only an escape can bring in
    # a character that UTF-8 has not: most texts need no walk.
    if text.count("[") + text.count("{") > most_nesting or "\\u" in text:
        _look_inside(_without(found, unread), most_nesting)
    return found


@cache
def _decoder(parse_int: Callable[[str], float]) -> json.JSONDecoder:
    return json.JSONDecoder(
        object_pairs_hook=_object,
        parse_int=parse_int,
        parse_float=finite_float,
        parse_constant=_no_constant,
    )


def _without(found: Any, unread: str | None) -> Any:
    if unread is None or not isinstance(found, dict):
        return found
    return {key: value for key, value in found.items() if key != unread}


def finite_float(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise NotStrict("a number too large for a double")
    return number


def finite_int(digits: str) -> int:
    if len(digits) > SURELY_FINITE:
        finite_float(digits)
    return int(digits)


def _no_constant(name: str) -> float:
    raise NotStrict(f"{name} is not JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise NotStrict(f"the key {twice[:LONGEST_NAMED]!a} stands twice in one object")
    return found


def _look_inside(found: Any, most_nesting: int) -> None:
    for text, level in _texts(found):
        if level > most_nesting:
            raise NotStrict(f"nested deeper than {most_nesting}")
        if "\0" in text or (not text.isascii() and _is_torn(text)):
            raise NotStrict("a text with U+0000 or half a surrogate pair")


def _texts(found: Any) -> Iterator[tuple[str, int]]:
    """Every text in a value with its level; an array or object counts as an empty one."""
    waiting = [(found, 1)]
    while waiting:
        value, level = waiting.pop()
        if isinstance(value, str):
            yield value, 0
        elif isinstance(value, dict | list):
            yield "", level
            inside = chain(value, value.values()) if isinstance(value, dict) else value
            # There may be millions of numbers.
            waiting += (
                (inner, level + 1) for inner in inside if isinstance(inner, str | dict | list)
            )


def _is_torn(text: str) -> bool:
    return any("\ud800" <= letter <= "\udfff" for letter in text)
