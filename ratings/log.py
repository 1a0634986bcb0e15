"""The public log of a ladder: one line a match, each with the hash of the one before it.

Whoever has kept a hash can tell whether any line before it was changed. Only numbers and hashes are hashed:
names are filled in when the log is served, so that a name can be taken out of it.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # a log can be read without the library that fits
    from ratings.uncertainty import Uncertainty

BEFORE_THE_FIRST = "0" * 64
NOT_HASHED = ("names", "hash")


def chained(line: Mapping[str, Any], previous: str) -> dict[str, Any]:
    """The line as it stands in the log behind the one with that hash."""
    linked = {**line, "previous": previous}
    return linked | {"hash": hash_of(linked)}


def hash_of(line: Mapping[str, Any]) -> str:
    hashed = {key: value for key, value in line.items() if key not in NOT_HASHED}
    return sha256(canonical(hashed)).hexdigest()


def canonical(value: Any) -> bytes:
    """JSON with sorted keys, no spaces and nothing but ASCII: the same bytes everywhere."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


def published(known: "Uncertainty", previous: Mapping[int, int]) -> list[dict[str, Any]]:
    """What is said of every version at the end of an export."""
    columns = (known.fit.entities, known.fit.ratings, known.plus_minus, known.matches)
    return [
        {
            "version": version,
            "previous": previous.get(version),
            "rating": rating,
            "plus_minus": plus_minus,
            "matches": matches,
        }
        for version, rating, plus_minus, matches in zip(
            *(column.tolist() for column in columns), strict=True
        )
    ]
