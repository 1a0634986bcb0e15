"""Replays: what a file of a match holds, how to read one, and the proof that it is right."""

import json
import re
from calendar import monthrange
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import islice
from typing import Any, NoReturn

from games import GAMES, strict_json
from games.base import Game, Refusal, Seat
from games.leg import BEFORE_THE_FIRST, Answer, Leg
from games.player import FAULT_KINDS
from games.seating import seatings, unbalanced

VERSION = 1

# The longest match of the rules stays far below both; they bound the memory that reading can take.
MOST_BYTES = 12 * 2**20
MOST_PARTS = 600_000
MOST_NESTING = 64

KEYS = (
    "replay",
    "match",
    "game",
    "options",
    "players",
    "seed",
    "seed_sha256",
    "played_at",
    "limits",
    "bots",
    "legs",
)
PRIVATE = "private"  # what only owners see; accepted unread
LIMIT_KEYS = ("start_ms", "bank_ms", "increment_ms", "wall_ms", "line_bytes")
BOT_KEYS = ("name", "author", "version", "sha256")
LEG_KEYS = ("seating", "decisions", "faults", "events", "scores", "ranks")
DECISION_KEYS = ("seats", "moves", "cpu_ms", "wall_ms")
FAULT_KEYS = ("decision", "seat", "kind")

LONGEST = 160  # of a value that is named

HEX_SHA256 = re.compile("[0-9a-f]{64}")
RFC_3339 = re.compile(
    "([0-9]{4})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
    "[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)([.][0-9]+)?"
    "([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
)


class Unreadable(Exception):
    """A file that is no JSON document, or more than a replay can be; says why in one line."""


class Difference(Exception):
    """The first place where a replay is not what the seed, the moves and the rules give."""


# -- Writing and reading --------------------------------------------------------------------------


def leg_entry(seating: Sequence[int], leg: Leg) -> dict[str, Any]:
    return {
        "seating": list(seating),
        "decisions": leg.decisions,
        "faults": leg.faults,
        "events": leg.events,
        "scores": leg.scores,
        "ranks": leg.ranks,
    }


def replay_of(
    game: type[Game],
    options: Mapping[str, object],
    seed: bytes,
    *,
    match: str,
    played_at: str,
    limits: Mapping[str, float],
    bots: Sequence[Mapping[str, object]],
    legs: Sequence[Mapping[str, object]],
) -> dict[str, Any]:
    return {
        "replay": VERSION,
        "match": match,
        "game": game.name,
        "options": game.complete(options),
        "players": len(bots),
        "seed": seed.hex(),
        "seed_sha256": sha256(seed).hexdigest(),
        "played_at": played_at,
        "limits": dict(limits),
        "bots": list(bots),
        "legs": list(legs),
    }


def write(replay: Mapping[str, object]) -> bytes:
    text = json.dumps(replay, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8") + b"\n"


def read(data: bytes) -> Any:
    """The JSON value of a file; whether it is a right replay, `verify` says."""
    if len(data) > MOST_BYTES:
        raise Unreadable(f"larger than {MOST_BYTES >> 20} MB: no replay is")
    if parts_of(data) > MOST_PARTS:
        raise Unreadable(f"more than {MOST_PARTS} texts, arrays and objects: no replay has as many")
    try:
        return strict_json.read(data, MOST_NESTING, unread=PRIVATE)
    except strict_json.NotStrict as error:
        raise Unreadable(str(error)) from None


def parts_of(data: bytes) -> int:
    """About how many texts, arrays and objects a JSON document has, without reading it: they take
    many times the memory of their bytes, as numbers do not."""
    # A quote after one backslash is part of a text; after two or more it is counted as an end.
    quotes = data.count(b'"') - data.count(b'\\"') + data.count(b'\\\\"')
    return quotes // 2 + data.count(b"[") + data.count(b"{")


# -- Verifying ------------------------------------------------------------------------------------


def verify(replay: object) -> None:
    """Deals from the seed, plays the moves and compares everything; raises the first Difference."""
    found = keys_of("the file", replay, KEYS, allowed=(PRIVATE,))
    same("replay", found["replay"], VERSION)
    text("match", found["match"])
    game, options = game_of(found)
    seed = seed_of(found)
    check_played_at(found["played_at"])
    check_limits(found["limits"])
    check_bots(found["bots"], found["players"])
    check_seatings(found["legs"], found["players"])
    position = game.deal(found["players"], options, seed)
    for number, leg in enumerate(found["legs"]):
        LegCheck(f"legs[{number}]", leg, position.copy(), number, found["limits"]).run()


def game_of(found: dict[str, Any]) -> tuple[type[Game], dict[str, object]]:
    name = text("game", found["game"])
    if name not in GAMES:
        differs("game", name, f"one of {', '.join(GAMES)}")
    game, players = GAMES[name], whole("players", found["players"])
    given = found["options"]
    if not isinstance(given, dict):
        differs("options", given, "an object")
    try:
        options = game.complete(given)
        game(players, options, bytes(32))
    except Refusal as refusal:
        raise Difference(f"game, options and players: {plain(str(refusal))}") from None
    same("options", given, options)
    return game, given


def seed_of(found: dict[str, Any]) -> bytes:
    seed = bytes.fromhex(matching("seed", found["seed"], HEX_SHA256, "64 lower-case hex digits"))
    same("seed_sha256", found["seed_sha256"], sha256(seed).hexdigest())
    return seed


def check_played_at(found: object) -> None:
    moment = matching("played_at", found, RFC_3339, "a moment like 2026-11-18T12:00:00Z")
    year, month, day = int(moment[:4]), int(moment[5:7]), int(moment[8:10])
    if day > monthrange(year, month)[1]:
        differs("played_at", found, "a day that the month has")


def check_limits(found: object) -> None:
    limits = keys_of("limits", found, LIMIT_KEYS)
    for key in LIMIT_KEYS[:-1]:
        time(f"limits.{key}", limits[key])
    whole("limits.line_bytes", limits["line_bytes"])


def check_bots(found: object, players: int) -> None:
    for index, bot in enumerate(items("bots", found, players)):
        where = f"bots[{index}]"
        keys_of(where, bot, BOT_KEYS)
        text(f"{where}.name", bot["name"])
        text(f"{where}.author", bot["author"])
        whole(f"{where}.version", bot["version"])
        matching(f"{where}.sha256", bot["sha256"], HEX_SHA256, "64 lower-case hex digits")


def check_seatings(found: object, players: int) -> None:
    legs, all_legs = items("legs", found), len(seatings(players))
    if len(legs) not in (1, all_legs):
        differs("legs", f"{len(legs)} legs", f"{all_legs} legs for {players} players, or one")
    for index, leg in enumerate(legs):
        where = f"legs[{index}]"
        row = items(f"{where}.seating", keys_of(where, leg, LEG_KEYS)["seating"], players)
        bots = [whole(f"{where}.seating[{seat}]", bot) for seat, bot in enumerate(row)]
        if sorted(bots) != list(range(players)):
            differs(f"{where}.seating", bots, f"each bot from 0 to {players - 1} once")
    wrong = unbalanced([leg["seating"] for leg in legs], players) if len(legs) > 1 else None
    if wrong:
        raise Difference(f"the seating is not balanced: {wrong}")


class LegCheck:
    """Plays a recorded leg again and compares as it goes."""

    def __init__(
        self, where: str, found: dict[str, Any], position: Game, number: int, limits: dict[str, Any]
    ) -> None:
        self.where = where
        self.found = found
        self.position = position
        self.limits = limits
        # As doubles: these cannot overflow, whatever a file says.
        self.banks = [float(limits["bank_ms"])] * position.players
        self.increment_ms = float(limits["increment_ms"])
        self.faults = self.recorded_faults()
        self.leg = Leg(position, number, self.faults.pop(BEFORE_THE_FIRST, {}))

    def run(self) -> None:
        decisions = items(f"{self.where}.decisions", self.found["decisions"])
        items(f"{self.where}.events", self.found["events"])
        self.compare_events(0)
        for index, decision in enumerate(decisions):
            if self.position.over:
                differs(
                    f"{self.where}.decisions", f"{len(decisions)} of them", f"the end after {index}"
                )
            self.decide(f"{self.where}.decisions[{index}]", decision)
        if not self.position.over:
            differs(
                f"{self.where}.decisions", f"{len(decisions)} of them", "more: the game goes on"
            )
        same(self.where, self.found, leg_entry(self.found["seating"], self.leg))

    def recorded_faults(self) -> dict[int, dict[Seat, str]]:
        """The kinds by decision and seat."""
        faults: dict[int, dict[Seat, str]] = {}
        for index, fault in enumerate(items(f"{self.where}.faults", self.found["faults"])):
            where = f"{self.where}.faults[{index}]"
            keys_of(where, fault, FAULT_KEYS)
            decision = whole(f"{where}.decision", fault["decision"], least=BEFORE_THE_FIRST)
            seat, kind = whole(f"{where}.seat", fault["seat"]), fault["kind"]
            if kind not in FAULT_KINDS:
                differs(f"{where}.kind", kind, f"one of {', '.join(FAULT_KINDS)}")
            if (kind == "startup") != (decision == BEFORE_THE_FIRST):
                differs(where, f"{kind} at decision {decision}", "startup exactly at -1")
            if seat >= self.position.players or seat in faults.get(decision, {}):
                differs(f"{where}.seat", seat, "a seat of the table, once")
            faults.setdefault(decision, {})[seat] = kind
        return faults

    def decide(self, where: str, found: object) -> None:
        decision = keys_of(where, found, DECISION_KEYS)
        asked = list(self.position.asked)
        same(f"{where}.seats", decision["seats"], asked)
        for key in DECISION_KEYS[1:]:
            items(f"{where}.{key}", decision[key], len(asked))
        answering = self.leg.to_answer
        faults = self.faults.pop(len(self.leg.decisions), {})
        for seat in faults:
            if seat not in answering:
                raise Difference(f"{where}: seat {seat} cannot fault, its bot is not asked")
        answers = {
            seat: self.answer(where, decision, place, seat)
            for place, seat in enumerate(asked)
            if seat in answering and seat not in faults
        }
        told = len(self.leg.events)
        self.leg.decide(answers, faults)
        if decision != self.leg.decisions[-1]:
            same(where, decision, self.leg.decisions[-1])
        self.compare_events(told)

    def answer(self, where: str, decision: dict[str, Any], place: int, seat: Seat) -> Answer:
        move = decision["moves"][place]
        if move not in self.position.legal(seat):
            differs(f"{where}.moves[{place}]", move, f"a legal move of seat {seat}")
        cpu_ms = decision["cpu_ms"][place]
        if cpu_ms is not None:
            self.charge(f"{where}.cpu_ms[{place}]", seat, time(f"{where}.cpu_ms[{place}]", cpu_ms))
        wall_ms = time(f"{where}.wall_ms[{place}]", decision["wall_ms"][place])
        if wall_ms > self.limits["wall_ms"]:
            differs(f"{where}.wall_ms[{place}]", wall_ms, f"at most {self.limits['wall_ms']}")
        return Answer(move, cpu_ms, wall_ms)

    def charge(self, where: str, seat: Seat, cpu_ms: float) -> None:
        if cpu_ms > self.banks[seat]:
            differs(where, cpu_ms, f"at most {self.banks[seat]}, what is in the bank")
        self.banks[seat] = round(self.banks[seat] - cpu_ms + self.increment_ms, 3)

    def compare_events(self, told: int) -> None:
        """Compares the events since `told`, so that the first wrong one is named before what it
        leads to; their JSON types are compared with the whole leg."""
        found, expected = self.found["events"][told : len(self.leg.events)], self.leg.events[told:]
        if found == expected:
            return
        for index, event in enumerate(expected):
            where = f"{self.where}.events[{told + index}]"
            if index == len(found):
                raise Difference(f"{where} is missing: {plain(event)}")
            same(where, found[index], event)


# -- Naming what is wrong -------------------------------------------------------------------------


def differs(where: str, found: object, expected: str) -> NoReturn:
    raise Difference(f"{where} is {plain(found)}, expected {expected}")


def plain(value: object) -> str:
    """A value as it may stand in one line of a terminal: shortened, nothing but printable ASCII."""
    is_words = isinstance(value, str) and " " in value and value.isprintable()
    # Made piece by piece: a value may be as large as a file.
    pieces = [str(value)] if is_words else islice(json.JSONEncoder().iterencode(value), LONGEST)
    shown = "".join(piece[: LONGEST + 1] for piece in pieces)
    shown = shown.encode("ascii", "backslashreplace").decode("ascii").replace("\x7f", "\\u007f")
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 3]}..."


def same(where: str, found: object, expected: object) -> None:
    """Refuses any difference in value or JSON type, and names the innermost place of it."""
    if repr(found) == repr(expected):  # the quick way; keys may stand in another order, though
        return
    if json.dumps(found, sort_keys=True) == json.dumps(expected, sort_keys=True):
        return
    if isinstance(found, dict) and isinstance(expected, dict):
        keys_of(where, found, tuple(expected))
        for key in expected:
            same(f"{where}.{key}", found[key], expected[key])
    if isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        for index, pair in enumerate(zip(found, expected, strict=True)):
            same(f"{where}[{index}]", *pair)
    differs(where, found, plain(expected))


def keys_of(
    where: str, found: object, keys: Sequence[str], allowed: Sequence[str] = ()
) -> dict[str, Any]:
    if not isinstance(found, dict):
        differs(where, found, "an object")
    for key in keys:
        if key not in found:
            raise Difference(f"{where} has no {plain(key)}")
    for key in found:
        if key not in keys and key not in allowed:
            raise Difference(f"{where} has a key {plain(key)} that does not belong there")
    return found


def items(where: str, found: object, count: int | None = None) -> list[Any]:
    if not isinstance(found, list):
        differs(where, found, "an array")
    if count is not None and len(found) != count:
        differs(where, f"{len(found)} long", f"{count} long")
    return found


def text(where: str, found: object) -> str:
    return found if isinstance(found, str) else differs(where, found, "a text")


def matching(where: str, found: object, pattern: re.Pattern[str], wanted: str) -> str:
    if not isinstance(found, str) or not pattern.fullmatch(found):
        differs(where, found, wanted)
    return found


def whole(where: str, found: object, least: int = 0) -> int:
    if type(found) is not int or found < least:
        differs(where, found, f"a whole number from {least} on")
    return found


def number(where: str, found: object) -> float:
    if isinstance(found, bool) or not isinstance(found, int | float) or found < 0:
        differs(where, found, "a number, not negative")
    return found


def time(where: str, found: object) -> float:
    if number(where, found) != round(number(where, found), 3):
        differs(where, found, "rounded to 0.001 ms")
    return number(where, found)
