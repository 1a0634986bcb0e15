"""A ladder's public export: a header, its log with today's names, and all published numbers; docs/ratings.md says
what each line holds, docs/rerate.py works the numbers out again."""

import json
from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from accounts.models import User
from bots.models import Bot
from ladders.models import Ladder, Rating
from tournaments import log

FORMAT = 1
NUMBERS = ("version", "previous", "rating", "plus_minus", "matches")

Line = dict[str, Any]


def export_of(ladder: Ladder) -> Iterator[bytes]:
    """Line by line. What is published is read first, and the log as far as that goes: matches go on
    being played while somebody downloads."""
    ladder, versions = published(ladder)
    yield as_line(header(ladder))
    number = 0
    while lines := log.lines_after(ladder, number):
        lines = [line for line in lines if line.number <= ladder.fitted_lines]
        yield b"".join(as_line(line) for line in named(list(log.parsed(lines))))
        if not lines or lines[-1].number == ladder.fitted_lines:
            break
        number = lines[-1].number
    yield as_line({"last": ladder.last_hash, "versions": versions})


def published(ladder: Ladder) -> tuple[Ladder, list[Line]]:
    """The numbers of one fit: read again if another one came in between."""
    while True:
        before = Ladder.objects.get(pk=ladder.pk)
        versions = [dict(row) for row in rated(before).values(*NUMBERS)]
        after = Ladder.objects.get(pk=ladder.pk)
        if before.fits == after.fits:
            return after, versions


def rated(ladder: Ladder) -> QuerySet[Rating]:
    return Rating.objects.filter(entry__ladder=ladder, plus_minus__isnull=False).order_by("version")


def header(ladder: Ladder) -> Line:
    return {
        "export": "kibitz ladder",
        "format": FORMAT,
        "ladder": ladder.slug,
        "game": ladder.game,
        "options": ladder.options,
        "players": ladder.players,
        "anchor": ladder.anchor_id,
    }


def named(lines: list[Line]) -> list[Line]:
    """Names are filled in now: they can change, and be taken out."""
    places = [place for line in lines for place in line.get("lineup", [])]
    bots = dict(Bot.objects.filter(pk__in={p["bot"] for p in places}).values_list("pk", "name"))
    owners = User.objects.filter(pk__in={p["owner"] for p in places}, is_house=False)
    people = dict(owners.values_list("pk", "username"))
    return [with_names(line, bots, people) if "lineup" in line else line for line in lines]


def with_names(line: Line, bots: dict[int, str], people: dict[int, str]) -> Line:
    at_table = {place["bot"] for place in line["lineup"]}
    owners = {place["owner"] for place in line["lineup"]} & people.keys()
    names = {
        "bots": {str(bot): bots[bot] for bot in sorted(at_table) if bot in bots},
        "owners": {str(owner): people[owner] for owner in sorted(owners)},
    }
    return line | {"names": names}


def as_line(value: Line) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
