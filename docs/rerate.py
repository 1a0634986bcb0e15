"""Works out a ladder's ratings from its public export, with nothing of the site's code: needs only numpy.

    python rerate.py export.ndjson

Checks the chain of hashes, fits all ratings anew and compares every published number. How it is done is explained in
docs/ratings.md. Exit code 0: everything is as published; 1: something is not; 2: this is no export.
"""

import hashlib
import json
import math
import sys
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

ELO = 400 / math.log(10)
FIRST, LATER = (ELO / 350) ** 2, (ELO / 100) ** 2  # how firmly versions are held before any match
WHOLE_MOST = 1000  # on larger ladders the site publishes a close estimate of the errors


def broken_links(log: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Every line must name the hash of the line before it, and have its own."""
    last = "0" * 64
    for line in log:
        hashed = {key: value for key, value in line.items() if key not in ("names", "hash")}
        text = json.dumps(hashed, sort_keys=True, separators=(",", ":"))
        what = line.get("match", line.get("remove"))
        if line["previous"] != last:
            yield f"the line of match {what} does not follow the line before it"
        if hashlib.sha256(text.encode("ascii")).hexdigest() != line["hash"]:
            yield f"the line of match {what} is not what was hashed"
        last = line["hash"]


class Ladder:
    """All results as numbers. Behind the versions stands the level of the field."""

    def __init__(
        self, matches: list[dict[str, Any]], anchor: int, previous: dict[int, int]
    ) -> None:
        lineups = [[seat["version"] for seat in match["lineup"]] for match in matches]
        found = {anchor, *previous, *previous.values(), *(one for some in lineups for one in some)}
        self.versions = sorted(found)
        place = {version: at for at, version in enumerate(self.versions)}
        level, self.size = len(place), len(place) + 1
        self.free = np.array([at for at in range(self.size) if at != place[anchor]])
        self.lineups = [np.array([place[version] for version in lineup]) for lineup in lineups]
        self.shares = [shares_of(np.array(match["ranks"])) for match in matches]
        self.legs = [len(match["ranks"]) for match in matches]
        self.won, self.games = np.zeros((2, self.size, self.size))
        for lineup, shares, legs in zip(self.lineups, self.shares, self.legs, strict=True):
            for one, two in product(range(len(lineup)), repeat=2):
                if lineup[one] != lineup[two]:
                    self.won[lineup[one], lineup[two]] += shares[one, two]
                    self.games[lineup[one], lineup[two]] += legs
        self.prior = np.zeros((self.size, self.size))
        self.prior[level, level] = FIRST
        for version, at in place.items():
            to = place[previous[version]] if version in previous else level
            firmly = LATER if version in previous else FIRST
            for row, column, sign in ((at, at, 1), (to, to, 1), (at, to, -1), (to, at, -1)):
                self.prior[row, column] += sign * firmly

    def curvature(self, strength: Any) -> Any:
        ahead = chance(strength)
        weight = self.games * ahead * (1 - ahead)
        return (np.diag(weight.sum(axis=1)) - weight + self.prior)[np.ix_(self.free, self.free)]

    def strengths(self) -> Any:
        """Newton's steps to the likeliest strengths; long ones are shortened."""
        strength, longest = np.zeros(self.size), math.inf
        while longest > 1e-10:
            slope = (self.won - self.games * chance(strength)).sum(axis=1) - self.prior @ strength
            step = np.linalg.solve(self.curvature(strength), slope[self.free])
            longest = float(np.max(np.abs(step)))
            strength[self.free] += step * (math.log1p(longest) / longest if longest > 0.5 else 1)
        return strength

    def errors(self, strength: Any) -> Any:
        """Standard errors in points: every match is one observation."""
        scatter, matches = self.prior.copy(), np.zeros(self.size)
        for lineup, shares, legs in zip(self.lineups, self.shares, self.legs, strict=True):
            surplus = shares - legs * chance(strength[lineup])
            surplus[lineup[:, None] == lineup[None, :]] = 0
            slope = surplus.sum(axis=1)
            np.add.at(scatter, np.ix_(lineup, lineup), np.outer(slope, slope))
            matches[np.unique(lineup)] += 1
        inverse = np.zeros((self.size, self.size))
        inverse[np.ix_(self.free, self.free)] = np.linalg.inv(self.curvature(strength))
        inflation = np.where(matches > 0, 1 + 2.5 / np.maximum(matches, 1), 1)
        return ELO * np.sqrt(np.diagonal(inverse @ scatter @ inverse) * inflation), matches


def shares_of(ranks: Any) -> Any:
    """In how many legs each place of the lineup finished ahead of each other, a tie being half."""
    own, other = ranks[:, :, None], ranks[:, None, :]
    return (own < other).sum(axis=0) + (own == other).sum(axis=0) / 2


def chance(strength: Any) -> Any:
    return 0.5 + 0.5 * np.tanh((strength[:, None] - strength[None, :]) / 2)


def differences(export: list[dict[str, Any]]) -> Iterator[str]:
    """Everything in which an export is not what it says."""
    header, *log, trailer = export
    yield from broken_links(log)
    if (log[-1]["hash"] if log else "0" * 64) != trailer["last"]:
        yield "the last line is not the one that the trailer names"
    removed = {line["remove"] for line in log if "remove" in line}
    matches = [line for line in log if "match" in line and line["match"] not in removed]
    published = {line["version"]: line for line in trailer["versions"]}
    order = {v: line["previous"] for v, line in published.items() if line["previous"] is not None}
    ladder = Ladder(matches, header["anchor"], order)
    for version in set(published) - set(ladder.versions):
        yield f"version {version} is published, and has not played"
    strength = ladder.strengths()
    errors, played = ladder.errors(strength)
    for at, version in enumerate(ladder.versions):
        found = {"rating": round(1500 + ELO * float(strength[at]), 1), "matches": int(played[at])}
        if len(ladder.versions) <= WHOLE_MOST:
            found["plus_minus"] = math.ceil(1.96 * float(errors[at]))
        for what, value in found.items():
            said = published.get(version, {}).get(what)
            if said != value:
                yield f"version {version}: {what} {said} is published, {value} is found"
    print(f"{len(matches)} matches, {len(removed)} removed, {len(ladder.versions)} versions")


def main() -> int:
    try:
        with Path(sys.argv[1]).open(encoding="utf-8") as file:
            found = list(differences([json.loads(line) for line in file]))
    except (OSError, IndexError, KeyError, ValueError) as error:
        print(f"This is no export of a ladder: {error!r}", file=sys.stderr)
        return 2
    print("\n".join(found) or "Every number is as published, and the chain is unbroken.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
