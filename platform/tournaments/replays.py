"""Replays as they are kept and as they are shown.

What is kept are the legs, packed, under their sha256; names of bots and authors are filled in when a replay
is served, so that a renamed bot and a deleted account read right everywhere.
"""

import gzip
import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import msgspec
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from bots import files
from bots.models import Bot, Version
from games import game_named, replay
from tournaments.models import Match, Seat
from workers.contract import MatchRecord, as_json

PACKING = 6
OF_NOTHING = sha256().hexdigest()  # a person has no archive


def header(match: Match, seats: Sequence[Seat]) -> dict[str, Any]:
    """A replay without its legs; the seats come with version, bot and owner."""
    return replay.replay_of(
        game_named(match.game),
        match.options,
        bytes.fromhex(match.seed),
        match=str(match.pk),
        played_at=match.played_at,
        limits=as_json(match.clocks),
        bots=[entry_of(seat) for seat in seats],
        legs=[],
    )


def entry_of(seat: Seat) -> dict[str, Any]:
    """Who sat there as it stands in a replay."""
    if seat.bot and seat.version:
        return bot_entry(seat.bot, seat.version)
    return {"name": seat.name, "author": seat.name, "version": 0, "sha256": OF_NOTHING}


def bot_entry(bot: Bot, version: Version) -> dict[str, Any]:
    """A bot as it stands in a replay."""
    return {
        "name": bot.name,
        "author": bot.owner.username,
        "version": version.number,
        "sha256": version.archive_id,
    }


def seats_of(match: Match) -> list[Seat]:
    return list(match.seats.select_related("bot__owner", "version").order_by("index"))


def keep_legs(record: MatchRecord) -> tuple[str, str]:
    """Stores the public and the private part of a record; returns their hashes."""
    public = [leg.entry for leg in record.legs]
    private = [leg.private for leg in record.legs]
    return keep_packed(public), keep_packed(private)


def keep_packed(part: object) -> str:
    return files.keep(gzip.compress(msgspec.json.encode(part), PACKING, mtime=0))


def legs_bytes(match: Match) -> bytes:
    return gzip.decompress(files.kept(match.legs_sha256))


def legs_of(match: Match) -> list[dict[str, Any]]:
    legs: list[dict[str, Any]] = msgspec.json.decode(legs_bytes(match))
    return legs


def public_replay(match: Match) -> bytes:
    """The file of a finished match, as everybody may have it."""
    return with_legs(header(match, seats_of(match)), match)


def with_legs(about: dict[str, Any], match: Match) -> bytes:
    """The legs are put in as they are kept: reading and writing them would take most of the time."""
    del about["legs"]
    head = json.dumps(about, ensure_ascii=False, separators=(",", ":")).encode()
    return head[:-1] + b',"legs":' + legs_bytes(match) + b"}\n"


def owners_replay(match: Match, user: User | AnonymousUser) -> bytes:
    """The file with what is private of this person's bots: notes, debug output, faults as they were."""
    seats = seats_of(match)
    own = {seat.index for seat in seats if seat.owner == user}
    return with_legs(header(match, seats) | {"private": private_of(match, own)}, match)


def private_of(match: Match, own: set[int]) -> list[dict[str, Any]]:
    """By leg, what is private of those bots of the lineup, and of nobody else."""
    legs = msgspec.json.decode(gzip.decompress(files.kept(match.private_sha256)))
    seatings = [leg["seating"] for leg in legs_of(match)]
    return [of_seats(leg, seating, own) for leg, seating in zip(legs, seatings, strict=True)]


def of_seats(leg: dict[str, Any], seating: Sequence[int], own: set[int]) -> dict[str, Any]:
    seats = {seat for seat, bot in enumerate(seating) if bot in own}
    return {
        "notes": [note for note in leg["notes"] if note["seat"] in seats],
        "faults": [fault for fault in leg["faults"] if fault["seat"] in seats],
        "debug": {str(seat): leg["debug"][seat] for seat in sorted(seats)},
    }
