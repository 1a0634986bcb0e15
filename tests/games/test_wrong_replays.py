"""Right replays with one thing spoiled: each is refused, and the place is named."""

import json
import re
from hashlib import sha256

import pytest

from games import replay
from games.base import ranks
from games.seating import unbalanced
from workers.referee import Limits

BASES = {
    "stock": ("color-stock", 3, {}, {"faults": {1: {2: "illegal"}}, "legs": None}),
    "stock of four": ("color-stock", 4, {"rounds": 1}, {"legs": None}),
    "stock of two": ("color-stock", 2, {}, {}),
    "sticheln": (
        "sticheln", 3, {}, {"faults": {0: {0: "startup"}, 1: {1: "time"}, 2: {9: "crashed"}}},
    ),
    "stop it": ("stop-it", 4, {}, {"faults": {1: {1: "stalled"}, 2: {1: "memory"}}}),
    "clean": ("sticheln", 3, {}, {}),
}  # fmt: skip

MISTAKES = []


def wrong(mistake, *, says, base="stock"):
    """A way to spoil a replay in place; `says` is what the difference must name."""

    def note(spoil):
        MISTAKES.append(pytest.param(base, spoil, says, id=mistake))
        return spoil

    return note


@pytest.fixture(scope="module")
def bases(replay_with):
    return {
        name: replay.write(replay_with(game, players, options, **more))
        for name, (game, players, options, more) in BASES.items()
    }


@pytest.fixture
def right(bases):
    return lambda name: json.loads(bases[name])


def refusal_of(match):
    with pytest.raises(replay.Difference) as difference:
        replay.verify(replay.read(json.dumps(match).encode()))
    return str(difference.value)


@pytest.mark.parametrize("name", BASES)
def test_every_replay_is_right_before_it_is_spoiled(right, name):
    replay.verify(replay.read(replay.write(right(name))))


def test_the_replays_to_spoil_have_what_is_spoiled(right):
    assert {fault["kind"] for fault in right("sticheln")["legs"][0]["faults"]} == {
        "startup", "time", "crashed",
    }  # fmt: skip
    assert len(right("stop it")["legs"][0]["faults"]) == 2
    assert all(leg["faults"] for leg in right("stock")["legs"])


# -- The head of the file -------------------------------------------------------------------------


def put(*path):
    """A spoiler that puts a value, the last of these, to a place."""
    *place, last, value = path

    def spoil(match):
        found = match
        for step in place:
            found = found[step]
        found[last] = value

    return spoil


def remove(*path):
    *place, last = path

    def spoil(match):
        found = match
        for step in place:
            found = found[step]
        del found[last]

    return spoil


PLACES = {  # where each object of the file is found, and how it is called
    (): "the file",
    ("limits",): "limits",
    ("bots", 1): r"bots\[1\]",
    ("legs", 2): r"legs\[2\]",
    ("legs", 0, "decisions", 3): r"legs\[0\].decisions\[3\]",
    ("legs", 0, "faults", 0): r"legs\[0\].faults\[0\]",
    ("legs", 0, "events", 5): r"legs\[0\].events\[5\]",
}
KEYS_OF = {
    (): replay.KEYS,
    ("limits",): replay.LIMIT_KEYS,
    ("bots", 1): replay.BOT_KEYS,
    ("legs", 2): replay.LEG_KEYS,
    ("legs", 0, "decisions", 3): replay.DECISION_KEYS,
    ("legs", 0, "faults", 0): replay.FAULT_KEYS,
    ("legs", 0, "events", 5): ("event",),
}
for place, called in PLACES.items():
    for key in KEYS_OF[place]:
        name = called.replace("\\", "")
        wrong(f"{name} without {key}", says=rf'^{called} has no "{key}"$')(remove(*place, key))
    wrong(f"{name} with a key too many", says=rf'^{called} has a key "mood" that')(
        put(*place, "mood", "good")
    )
    wrong(f"private in {name}" if place else "privates", says=rf"^{called} has a key")(
        put(*place, "private" if place else "privates", None)
    )
    if place:
        wrong(f"{name} is a text", says=rf'^{called} is "object", expected')(put(*place, "object"))
        wrong(f"{name} is an array", says=rf"^{called} is \[\], expected")(put(*place, []))

for key in ("bots", "legs"):
    wrong(f"{key} is an object", says=f"^{key} is {{}}, expected an array")(put(key, {}))
for key in ("decisions", "events", "faults", "seating"):
    where = rf"^legs\[1\].{key} is "
    wrong(f"{key} is null", says=where + "null")(put("legs", 1, key, None))
    wrong(f"{key} is an object", says=where + "{}")(put("legs", 1, key, {}))
for key in ("scores", "ranks"):
    where = rf"^legs\[1\].{key} is "
    wrong(f"{key} is null", says=where + "null")(put("legs", 1, key, None))
    wrong(f"{key} is empty", says=where)(put("legs", 1, key, []))

VALUES = [
    ("replay version 2", ("replay", 2), "^replay is 2, expected 1"),
    ("replay version 1.0", ("replay", 1.0), "^replay is 1.0, expected 1"),
    ("replay version true", ("replay", True), "^replay is true, expected 1"),
    ("replay version as text", ("replay", "1"), '^replay is "1", expected 1'),
    ("match is a number", ("match", 16), "^match is 16, expected a text"),
    ("match is null", ("match", None), "^match is null"),
    ("an unknown game", ("game", "chess"), '^game is "chess"'),
    ("the game's title for its name", ("game", "Color Stock"), "^game is Color Stock"),
    ("another game", ("game", "stop-it"), "rounds"),
    ("the game is an array", ("game", ["color-stock"]), "^game is"),
    ("options left out", ("options", {}), '^options has no "rounds"'),
    ("an unknown option", ("options", {"rounds": 3, "speed": 1}), "options.*'speed'"),
    ("an option's value not in the rules", ("options", {"rounds": 2}), "options.*rounds.*not 2"),
    ("an option's value as text", ("options", {"rounds": "3"}), "options.*rounds.*not '3'"),
    ("an option's value with decimals", ("options", {"rounds": 3.0}), "options.*not 3.0"),
    ("an option's value true", ("options", {"rounds": True}), "options.*not True"),
    ("another option than was played", ("options", {"rounds": 1}), r"legs\[0\].events\[1\].hand"),
    ("options are an array", ("options", []), r"^options is \[\], expected an object"),
    ("too few players", ("players", 1), "players.*2 to 4.*not 1"),
    ("too many players", ("players", 5), "players.*not 5"),
    ("a player more than there are bots", ("players", 4), "^bots is 3 long, expected 4 long"),
    ("players with decimals", ("players", 3.0), "^players is 3.0, expected a whole number"),
    ("players as text", ("players", "3"), '^players is "3"'),
    ("players below zero", ("players", -3), "^players is -3"),
    ("players are a list of names", ("players", ["a", "b", "c"]), "^players is"),
    ("another seed", ("seed", "00" * 32), "^seed_sha256 is"),
    ("a seed in upper case", ("seed", "AB" * 32), "^seed is"),
    ("a short seed", ("seed", "00" * 31), "^seed is"),
    ("a seed that is not hex", ("seed", "zz" * 32), "^seed is"),
    ("a seed with a line end", ("seed", "00" * 32 + "\n"), "^seed is"),
    ("a seed of strange digits", ("seed", "٣" * 64), "^seed is"),
    ("the seed is null", ("seed", None), "^seed is null"),
    ("another hash of the seed", ("seed_sha256", "00" * 32), "^seed_sha256 is"),
    ("the hash of the seed is null", ("seed_sha256", None), "^seed_sha256 is null"),
    ("played at no time", ("played_at", ""), "^played_at is"),
    ("played on 30 February", ("played_at", "2026-02-30T12:00:00Z"), "^played_at is .* a day that"),
    ("played on 29 February of a common year", ("played_at", "2026-02-29T12:00:00Z"), "^played_at"),
    ("played on 29 February 1900", ("played_at", "1900-02-29T12:00:00Z"), "^played_at"),
    ("played on 31 April", ("played_at", "2026-04-31T12:00:00Z"), "^played_at"),
    ("played in month 13", ("played_at", "2026-13-01T12:00:00Z"), "^played_at"),
    ("played at 24 o'clock", ("played_at", "2026-11-18T24:00:00Z"), "^played_at"),
    ("played without a zone", ("played_at", "2026-11-18T12:00:00"), "^played_at"),
    ("played with a zone without colon", ("played_at", "2026-11-18T12:00:00+0100"), "^played_at"),
    ("played on a date alone", ("played_at", "2026-11-18"), "^played_at"),
    ("played with a space for T", ("played_at", "2026-11-18 12:00:00Z"), "^played_at"),
    ("played at a Unix time", ("played_at", 1795003200), "^played_at is 1795003200"),
    ("limits are null", ("limits", None), "^limits is null, expected an object"),
    ("a limit as text", ("limits", "wall_ms", "10000"), '^limits.wall_ms is "10000"'),
    ("a limit below zero", ("limits", "start_ms", -1), "^limits.start_ms is -1"),
    ("a limit that is true", ("limits", "bank_ms", True), "^limits.bank_ms is true"),
    ("a limit that is null", ("limits", "increment_ms", None), "^limits.increment_ms is null"),
    ("a limit not rounded", ("limits", "bank_ms", 0.0005), "^limits.bank_ms is 0.0005, .*rounded"),
    ("half a byte as limit", ("limits", "line_bytes", 0.5), "^limits.line_bytes is 0.5"),
    ("a bot without a name", ("bots", 0, "name", None), r"^bots\[0\].name is null"),
    ("an author who is a number", ("bots", 0, "author", 7), r"^bots\[0\].author is 7"),
    ("a version as text", ("bots", 2, "version", "3"), r'^bots\[2\].version is "3"'),
    ("a version with decimals", ("bots", 2, "version", 3.0), r"^bots\[2\].version is 3.0"),
    ("a version below zero", ("bots", 2, "version", -1), r"^bots\[2\].version is -1"),
    ("a hash in upper case", ("bots", 1, "sha256", "0A" * 32), r"^bots\[1\].sha256 is"),
    ("a hash that is not hex", ("bots", 1, "sha256", "0g" * 32), r"^bots\[1\].sha256 is"),
    ("a hash too short", ("bots", 1, "sha256", "0a" * 20), r"^bots\[1\].sha256 is"),
    ("a hash that is null", ("bots", 1, "sha256", None), r"^bots\[1\].sha256 is null"),
    ("no legs", ("legs", []), "^legs is 0 legs, expected 6 legs"),
]  # fmt: skip
for mistake, path, says in VALUES:
    wrong(mistake, says=says)(put(*path))

wrong("a bot too few", says="^bots is 2 long, expected 3")(remove("bots", 2))
wrong("a leg too few", says="^legs is 5 legs, expected 6")(remove("legs", 5))


@wrong("a bot too many", says="^bots is 4 long, expected 3")
def _(match):
    match["bots"].append(match["bots"][0])


@wrong("a leg too many", says="^legs is 7 legs, expected 6")
def _(match):
    match["legs"].append(match["legs"][0])


@wrong("all legs twice", says="^legs is 12 legs")
def _(match):
    match["legs"] *= 2


@wrong("another seed with its own hash", says=r"^legs\[0\].events\[1\].hand")
def _(match):
    match["seed"], match["seed_sha256"] = "00" * 32, sha256(bytes(32)).hexdigest()


@wrong("the hash of the seed's digits", says="^seed_sha256")
def _(match):
    match["seed_sha256"] = sha256(match["seed"].encode()).hexdigest()


@wrong("the options of another rule set", base="sticheln", says=r"^legs\[0\].events")
def _(match):
    match["options"]["rules"] = "stick-em"


# -- Seating --------------------------------------------------------------------------------------


def seat_like(rows):
    def spoil(match):
        for leg, row in zip(match["legs"], rows, strict=True):
            leg["seating"] = row

    return spoil


ROTATION = [[(seat + leg) % 4 for seat in range(4)] for leg in range(4)]
TURNS = [[(seat + leg) % 3 for seat in range(3)] for leg in range(3)]
NOT_BALANCED = "^the seating is not balanced: bot"

wrong("rotation only", base="stock of four", says=NOT_BALANCED)(seat_like(ROTATION))
wrong("every leg seated alike", base="stock of four", says=NOT_BALANCED)(
    seat_like([[0, 1, 2, 3]] * 4)
)
wrong("a row twice, another missing", base="stock of four", says=NOT_BALANCED)(
    lambda match: match["legs"][1].update(seating=match["legs"][0]["seating"])
)
wrong("the mirror image missing", says=NOT_BALANCED)(seat_like(TURNS * 2))
wrong("a bot on two seats", says=r"^legs\[1\].seating is \[0, 0, 1\], expected each bot")(
    put("legs", 1, "seating", [0, 0, 1])
)
wrong("a bot that is not there", says=r"^legs\[1\].seating is \[1, 2, 3\]")(
    put("legs", 1, "seating", [1, 2, 3])
)
wrong("a seating too short", says=r"^legs\[1\].seating is 2 long")(
    put("legs", 1, "seating", [0, 1])
)
wrong("a seating too long", says=r"^legs\[1\].seating is 4 long")(
    put("legs", 1, "seating", [0, 1, 2, 3])
)
wrong("a seat with decimals", says=r"^legs\[1\].seating\[0\] is 0.0")(
    put("legs", 1, "seating", [0.0, 1, 2])
)
wrong("a seat below zero", says=r"^legs\[1\].seating\[2\] is -1")(
    put("legs", 1, "seating", [0, 1, -1])
)
wrong("a seat that is false", says=r"^legs\[1\].seating\[0\] is false")(
    put("legs", 1, "seating", [False, 1, 2])
)
wrong("seats by name", says=r'^legs\[1\].seating\[0\] is "a"')(
    put("legs", 1, "seating", ["a", "b", "c"])
)
wrong("two seats exchanged in one leg", says=NOT_BALANCED)(
    lambda match: match["legs"][3]["seating"].reverse()
)


def test_a_rotation_is_balanced_by_seat_and_not_by_neighbour():
    assert "sits behind" in unbalanced(ROTATION, 4)


# -- Decisions ------------------------------------------------------------------------------------


def decision_of(match, wanted=lambda decision: True, leg=0):
    """The place and content of the first decision that is wanted."""
    found = match["legs"][leg]["decisions"]
    return next((at, decision) for at, decision in enumerate(found) if wanted(decision))


def by_house(decision):
    return decision["wall_ms"][0] is None


def by_bot(decision):
    return decision["wall_ms"][0] is not None


def with_cpu(decision):
    return decision["cpu_ms"][0] is not None


def is_window(decision):
    return decision["moves"][0] in ("claim", "pass")


@wrong("a decision missing in the middle", says=r"^legs\[0\].decisions\[4\].seats")
def _(match):
    del match["legs"][0]["decisions"][4]


@wrong("the last decision missing", says=r"^legs\[0\].decisions is .*more: the game goes on")
def _(match):
    del match["legs"][0]["decisions"][-1]


@wrong("no decisions", says=r"^legs\[2\].decisions is 0 of them")
def _(match):
    match["legs"][2]["decisions"] = []


@wrong("a decision after the end", says=r"^legs\[0\].decisions is .* expected the end after")
def _(match):
    match["legs"][0]["decisions"].append(match["legs"][0]["decisions"][-1])


@wrong("a decision twice", says=r"^legs\[0\].decisions\[1\].seats")
def _(match):
    match["legs"][0]["decisions"].insert(0, match["legs"][0]["decisions"][0])


@wrong("two decisions exchanged", says=r"^legs\[0\].decisions\[0\].seats")
def _(match):
    decisions = match["legs"][0]["decisions"]
    decisions[0], decisions[1] = decisions[1], decisions[0]


@wrong("another seat asked", says=r"^legs\[0\].decisions\[0\].seats\[0\] is 1, expected 0")
def _(match):
    match["legs"][0]["decisions"][0]["seats"] = [1]


@wrong("nobody asked", says=r"^legs\[0\].decisions\[0\].seats is \[\]")
def _(match):
    match["legs"][0]["decisions"][0]["seats"] = []


@wrong("a seat asked that is true", says=r"^legs\[0\].decisions\[1\].seats\[0\] is true")
def _(match):
    match["legs"][0]["decisions"][1]["seats"] = [True]


@wrong("a seat asked with decimals", says=r"^legs\[0\].decisions\[1\].seats\[0\] is 1.0")
def _(match):
    match["legs"][0]["decisions"][1]["seats"] = [1.0]


@wrong("the seats do not ascend", base="clean", says=r"^legs\[0\].decisions\[0\].seats\[0\] is 2")
def _(match):
    match["legs"][0]["decisions"][0]["seats"].reverse()


@wrong("seats is a number", says=r"^legs\[0\].decisions\[0\].seats is 0")
def _(match):
    match["legs"][0]["decisions"][0]["seats"] = 0


for key in ("moves", "cpu_ms", "wall_ms"):
    where = rf"^legs\[0\].decisions\[0\].{key} is "
    wrong(f"{key} too short", base="clean", says=where + "2 long, expected 3")(
        remove("legs", 0, "decisions", 0, key, 0)
    )
    wrong(f"{key} too long", says=where + "2 long, expected 1")(
        put("legs", 0, "decisions", 0, key, ["red+red", 1])
    )
    wrong(f"{key} is not a list", says=where)(put("legs", 0, "decisions", 0, key, "red+red"))

for mistake, move in {
    "a move that is nonsense": "the moon",
    "a move in the other order of colours": "blue+red",
    "a move of one card": "red",
    "a move of three cards": "red+red+red",
    "a move with a space": "red+red ",
    "a move in upper case": "RED+RED",
    "a move that is null": None,
    "a move that is a number": 0,
    "a move that is a list": ["red", "red"],
}.items():
    wrong(mistake, says=r"^legs\[0\].decisions\[0\].moves\[0\] is .* a legal move of seat 0")(
        put("legs", 0, "decisions", 0, "moves", [move])
    )


@wrong("a card played that is in another hand", base="clean", says=r"decisions\[1\].moves\[0\]")
def _(match):
    hands = [event["hand"] for event in match["legs"][0]["events"] if event["event"] == "dealt"]
    match["legs"][0]["decisions"][1]["moves"] = [hands[1][0]]


@wrong("a card played twice", base="clean", says=r"decisions\[4\].moves\[0\]")
def _(match):
    decisions = match["legs"][0]["decisions"]
    seat = decisions[4]["seats"][0]
    decisions[4]["moves"] = next(d["moves"] for d in decisions[1:] if d["seats"] == [seat])


@wrong("the pain card played", base="clean", says=r"decisions\[1\].moves\[0\]")
def _(match):
    decisions = match["legs"][0]["decisions"]
    decisions[1]["moves"] = [decisions[0]["moves"][decisions[1]["seats"][0]]]


@wrong("another legal move", says=r"^legs\[0\].events\[4\].cards")
def _(match):
    hand = match["legs"][0]["events"][1]["hand"]
    decision = match["legs"][0]["decisions"][0]
    other = f"{hand[0]}+{hand[1]}"
    decision["moves"] = [other if decision["moves"] != [other] else f"{hand[-2]}+{hand[-1]}"]


@wrong("a card played in a window", base="stop it", says=r"decisions\[1\].moves\[0\]")
def _(match):
    match["legs"][0]["decisions"][1]["moves"][0] = match["legs"][0]["events"][1]["hand"][0]


@wrong(
    "a house move that the seed does not give", says=r"^legs\[0\].decisions\[\d+\].moves\[0\] is"
)
def _(match):
    _, decision = decision_of(match, by_house)
    decision["moves"] = ["red+red" if decision["moves"] != ["red+red"] else "red+blue"]


@wrong(
    "the house claims in a window",
    base="stop it",
    says=r"moves\[\d\] is \"claim\", expected \"pass\"",
)
def _(match):
    fault = match["legs"][0]["faults"][0]
    decision = match["legs"][0]["decisions"][fault["decision"]]
    decision["moves"][decision["seats"].index(fault["seat"])] = "claim"


@wrong("a house move with a wall time", says=r"wall_ms\[0\] is 3.5, expected null")
def _(match):
    decision_of(match, by_house)[1]["wall_ms"] = [3.5]


@wrong("a house move with a CPU time", says=r"cpu_ms\[0\] is 0, expected null")
def _(match):
    decision_of(match, by_house)[1]["cpu_ms"] = [0]


@wrong("an answer without a wall time", says=r"decisions\[0\].wall_ms\[0\] is null")
def _(match):
    match["legs"][0]["decisions"][0].update(cpu_ms=[1], wall_ms=[None])


@wrong("an answer without times", says=r"decisions\[0\].wall_ms\[0\] is null")
def _(match):
    match["legs"][0]["decisions"][0].update(cpu_ms=[None], wall_ms=[None])


for mistake, time in {
    "below zero": -0.001,
    "not rounded": 0.0005,
    "as text": "1",
    "that is true": True,
    "that is a list": [1],
}.items():
    for key in ("cpu_ms", "wall_ms"):
        wrong(f"{key} {mistake}", says=rf"^legs\[0\].decisions\[0\].{key}\[0\] is ")(
            put("legs", 0, "decisions", 0, key, [time])
        )
wrong("more CPU time than the bank", says=r"cpu_ms\[0\] is 5000.001, expected at most 5000")(
    put("legs", 0, "decisions", 0, "cpu_ms", [5000.001])
)
wrong("more wall time than the limit", says=r"wall_ms\[0\] is 10000.001, expected at most 10000")(
    put("legs", 0, "decisions", 0, "wall_ms", [10000.001])
)


@wrong("more CPU time than is left in the bank", base="clean", says=r"cpu_ms\[0\] is 60.*the bank")
def _(match):
    match["limits"] |= Limits(bank_ms=100, increment_ms=50).__dict__
    seat = match["legs"][0]["decisions"][1]["seats"][0]
    for decision in match["legs"][0]["decisions"]:
        decision["cpu_ms"] = [None] * len(decision["seats"])
    mine = [d for d in match["legs"][0]["decisions"][1:] if d["seats"] == [seat]]
    mine[0]["cpu_ms"], mine[1]["cpu_ms"] = [95], [60]


# -- Faults ---------------------------------------------------------------------------------------


def fault(decision, seat, kind):
    return {"decision": decision, "seat": seat, "kind": kind}


def add_fault(at, *entry):
    def spoil(match):
        match["legs"][0]["faults"].insert(at, fault(*entry))

    return spoil


wrong(
    "a fault of a seat that is not asked", says=r"^legs\[0\].decisions\[0\]: seat 2 cannot fault"
)(add_fault(0, 0, 2, "illegal"))
wrong("a fault of a seat that is not at the table", says=r"faults\[0\].seat is 3, expected a seat")(
    add_fault(0, 0, 3, "illegal")
)
wrong("a fault of seat -1", says=r"faults\[0\].seat is -1")(add_fault(0, 0, -1, "illegal"))
wrong("a fault of a seat as text", says=r'faults\[0\].seat is "0"')(add_fault(0, 0, "0", "time"))
wrong("an unknown kind of fault", says=r'faults\[0\].kind is "lazy", expected one of')(
    add_fault(0, 0, 0, "lazy")
)
wrong("a kind in upper case", says=r'faults\[0\].kind is "ILLEGAL"')(add_fault(0, 0, 0, "ILLEGAL"))
wrong("a kind that is null", says=r"faults\[0\].kind is null")(add_fault(0, 0, 0, None))
wrong("a kind that is an object", says=r"faults\[0\].kind is {}")(add_fault(0, 0, 0, {}))
wrong("startup at a decision", says=r"faults\[0\] is startup at decision 0")(
    add_fault(0, 0, 0, "startup")
)
wrong("another kind before the start", says=r"faults\[0\] is illegal at decision -1")(
    add_fault(0, -1, 0, "illegal")
)
wrong("a fault at decision -2", says=r"faults\[0\].decision is -2")(add_fault(0, -2, 0, "startup"))
wrong("a fault at half a decision", says=r"faults\[0\].decision is 0.5")(
    add_fault(0, 0.5, 0, "illegal")
)
wrong("a fault after the end", says=r"^legs\[0\].faults is")(add_fault(1, 9999, 0, "illegal"))
wrong("a fault at start-up that was none", says=r"^legs\[0\].events\[0\]")(
    add_fault(0, -1, 0, "startup")
)
wrong("a fault where a bot answered", says=r"^legs\[0\].decisions\[0\]")(
    add_fault(0, 0, 0, "illegal")
)


@wrong("a fault twice", says=r"faults\[1\].seat is 1, expected a seat of the table, once")
def _(match):
    match["legs"][0]["faults"] = [match["legs"][0]["faults"][0]] * 2
    match["legs"][0]["faults"][0]["seat"] = 1


@wrong("a seat that faults again later", says=r"^legs\[0\].decisions\[\d+\]: seat \d cannot fault")
def _(match):
    first = match["legs"][0]["faults"][0]
    again = first["decision"] + 3
    match["legs"][0]["faults"].append(fault(again, first["seat"], "time"))


@wrong("a fault left out", says=r"^legs\[0\].decisions\[\d+\].wall_ms\[0\] is null")
def _(match):
    match["legs"][0]["faults"] = []


@wrong("a fault one decision late", says=r"^legs\[0\].decisions\[\d+\].wall_ms\[0\] is null")
def _(match):
    match["legs"][0]["faults"][0]["decision"] += 3


@wrong("a start-up fault left out", base="sticheln", says=r"^legs\[0\].events\[0\]")
def _(match):
    del match["legs"][0]["faults"][0]


@wrong("faults not in order of decision", base="sticheln", says=r"^legs\[0\].faults\[1\].decision")
def _(match):
    faults = match["legs"][0]["faults"]
    faults[1], faults[2] = faults[2], faults[1]


@wrong("faults of a decision not in order of seat", base="stop it", says=r"^legs\[0\].faults\[0\]")
def _(match):
    faults = match["legs"][0]["faults"]
    assert faults[0]["decision"] == faults[1]["decision"]
    faults.reverse()


# -- Events ---------------------------------------------------------------------------------------


def event_of(match, name, leg=0):
    found = match["legs"][leg]["events"]
    return next((at, event) for at, event in enumerate(found) if event["event"] == name)


@wrong("a faulted event missing", says=r"^legs\[0\].events\[\d+\]")
def _(match):
    match["legs"][0]["events"].remove(event_of(match, "faulted")[1])


@wrong("a faulted event after the events of its decision", says=r"^legs\[0\].events\[\d+\]")
def _(match):
    events, at = match["legs"][0]["events"], event_of(match, "faulted")[0]
    events[at], events[at + 1] = events[at + 1], events[at]


@wrong("a faulted event too many", says=r"^legs\[0\].events\[4\]")
def _(match):
    match["legs"][0]["events"].insert(4, {"event": "faulted", "seat": 0})


@wrong("faulted events not in order of seat", base="stop it", says=r"^legs\[0\].events\[\d+\].seat")
def _(match):
    events, at = match["legs"][0]["events"], event_of(match, "faulted")[0]
    events[at], events[at + 1] = events[at + 1], events[at]


@wrong("a start-up's faulted event after the first round", base="sticheln", says=r"events\[0\]")
def _(match):
    events = match["legs"][0]["events"]
    events[0], events[1] = events[1], events[0]


@wrong("an event missing", says=r"^legs\[0\].events\[4\]")
def _(match):
    del match["legs"][0]["events"][4]


@wrong("the first event missing", says=r"^legs\[0\].events\[0\]")
def _(match):
    del match["legs"][0]["events"][0]


@wrong(
    "the last event missing", says=r"^legs\[0\].events\[\d+\] is missing: {\"event\": \"scored\""
)
def _(match):
    del match["legs"][0]["events"][-1]


@wrong("no events", says=r"^legs\[0\].events\[0\] is missing")
def _(match):
    match["legs"][0]["events"] = []


@wrong("an event after the last", says=r"^legs\[5\].events is")
def _(match):
    match["legs"][5]["events"].append({"event": "scored"})


@wrong("an event twice", says=r"^legs\[0\].events\[5\]")
def _(match):
    match["legs"][0]["events"].insert(4, match["legs"][0]["events"][4])


@wrong("two events exchanged", says=r"^legs\[0\].events\[1\].seat is 1")
def _(match):
    events = match["legs"][0]["events"]
    events[1], events[2] = events[2], events[1]


@wrong("an unknown event", says=r'^legs\[0\].events\[4\].event is "laid"')
def _(match):
    match["legs"][0]["events"][4]["event"] = "laid"


@wrong("an event that is null", says=r"^legs\[3\].events\[7\] is null")
def _(match):
    match["legs"][3]["events"][7] = None


@wrong("a card in a hand", says=r"^legs\[0\].events\[1\].hand\[0\]")
def _(match):
    match["legs"][0]["events"][1]["hand"][0] = "pink"


@wrong("two hands exchanged", says=r"^legs\[0\].events\[1\].hand")
def _(match):
    first, second = match["legs"][0]["events"][1:3]
    first["hand"], second["hand"] = second["hand"], first["hand"]


@wrong("a hand that is not sorted", says=r"^legs\[0\].events\[2\].hand\[0\]")
def _(match):
    match["legs"][0]["events"][2]["hand"].reverse()


@wrong("a hand one card short", says=r"^legs\[0\].events\[2\].hand is")
def _(match):
    match["legs"][0]["events"][2]["hand"].pop()


@wrong("a seat in an event with decimals", says=r"^legs\[0\].events\[2\].seat is 1.0, expected 1")
def _(match):
    match["legs"][0]["events"][2]["seat"] = 1.0


@wrong("a seat in an event that is true", says=r"^legs\[0\].events\[2\].seat is true, expected 1")
def _(match):
    match["legs"][0]["events"][2]["seat"] = True


@wrong("a seat in an event as text", says=r'^legs\[0\].events\[2\].seat is "1", expected 1')
def _(match):
    match["legs"][0]["events"][2]["seat"] = "1"


@wrong("a seat in an event that is false for 0", says=r"^legs\[0\].events\[1\].seat is false")
def _(match):
    match["legs"][0]["events"][1]["seat"] = False


@wrong("forced is 0 for false", base="stop it", says=r"events\[\d+\].forced is 0, expected false")
def _(match):
    event_of(match, "played")[1]["forced"] = 0


@wrong("forced turned round", base="stop it", says=r"events\[\d+\].forced is true, expected false")
def _(match):
    event_of(match, "played")[1]["forced"] = True


@wrong("a round's number", says=r"^legs\[0\].events\[0\].round is 0, expected 1")
def _(match):
    match["legs"][0]["events"][0]["round"] = 0


@wrong("a round's leader", says=r"^legs\[0\].events\[0\].leader is 1, expected 0")
def _(match):
    match["legs"][0]["events"][0]["leader"] = 1


@wrong("cards put down in the other order", says=r"^legs\[\d\].events\[\d+\].cards")
def _(match):
    put_down = [e for leg in match["legs"] for e in leg["events"] if e["event"] == "put"]
    next(event for event in put_down if len(set(event["cards"])) == 2)["cards"].reverse()


@wrong("cards put down as a move", says=r"^legs\[0\].events\[4\].cards is \"")
def _(match):
    match["legs"][0]["events"][4]["cards"] = match["legs"][0]["decisions"][0]["moves"][0]


@wrong("other cards turned up", base="stock of two", says=r"^legs\[0\].events\[\d+\].cards")
def _(match):
    event_of(match, "turned_up")[1]["cards"] = ["pink", "pink"]


@wrong("another seat ended the round", says=r"^legs\[0\].events\[\d+\].seat")
def _(match):
    over = event_of(match, "over")[1]
    over["seat"] = (over["seat"] + 1) % 3


@wrong("nobody ended the round", says=r"^legs\[0\].events\[\d+\].seat is null")
def _(match):
    event_of(match, "over")[1]["seat"] = None


@wrong("a card left in a hand", says=r"^legs\[0\].events\[\d+\].hands\[0\]")
def _(match):
    event_of(match, "left")[1]["hands"][0].pop()


@wrong("the score of a round", says=r"^legs\[0\].events\[\d+\].scores\[1\]")
def _(match):
    event_of(match, "scored")[1]["scores"][1] += 1


@wrong("the totals of a round", says=r"^legs\[0\].events\[\d+\].totals\[1\]")
def _(match):
    event_of(match, "scored")[1]["totals"][1] += 1


@wrong("a score with decimals in an event", says=r"^legs\[0\].events\[\d+\].scores\[0\] is \d+.0")
def _(match):
    scored = event_of(match, "scored")[1]
    scored["scores"][0] = float(scored["scores"][0])


@wrong("a trick taken by another", base="clean", says=r"^legs\[0\].events\[\d+\].seat")
def _(match):
    taken = event_of(match, "taken")[1]
    taken["seat"] = (taken["seat"] + 1) % 3


@wrong("a trick not in order of play", base="clean", says=r"^legs\[0\].events\[\d+\].cards")
def _(match):
    event_of(match, "taken")[1]["cards"].reverse()


@wrong("a pain card exchanged", base="clean", says=r"^legs\[0\].events\[\d+\].cards\[0\]")
def _(match):
    event_of(match, "pain")[1]["cards"][0] = "red-99"


@wrong("a Stop It card taken by another", base="stop it", says=r"^legs\[0\].events\[\d+\].seat")
def _(match):
    stopped = event_of(match, "stopped")[1]
    stopped["seat"] = (stopped["seat"] + 1) % 4


# -- The end of a leg -----------------------------------------------------------------------------


@wrong("a final score", says=r"^legs\[4\].scores\[2\]")
def _(match):
    match["legs"][4]["scores"][2] += 1


@wrong("final scores exchanged", base="clean", says=r"^legs\[0\].scores\[0\]")
def _(match):
    match["legs"][0]["scores"].reverse()


@wrong("a final score with decimals", says=r"^legs\[4\].scores\[2\] is -?\d+.0, expected")
def _(match):
    match["legs"][4]["scores"][2] = float(match["legs"][4]["scores"][2])


@wrong("a final score as text", says=r'^legs\[4\].scores\[2\] is "')
def _(match):
    match["legs"][4]["scores"][2] = str(match["legs"][4]["scores"][2])


@wrong("a score too many", says=r"^legs\[4\].scores is")
def _(match):
    match["legs"][4]["scores"].append(0)


@wrong("scores by bot instead of by seat", says=r"^legs\[1\].scores\[0\]")
def _(match):
    leg = match["legs"][1]
    assert leg["seating"][0] == 1
    leg["scores"] = [leg["scores"][leg["seating"].index(bot)] for bot in range(3)]
    assert len(set(leg["scores"])) == 3


@wrong("a rank", says=r"^legs\[0\].ranks\[\d\]")
def _(match):
    match["legs"][0]["ranks"][0] += 1


@wrong("a rank from 0", says=r"^legs\[0\].ranks\[0\]")
def _(match):
    match["legs"][0]["ranks"] = [rank - 1 for rank in match["legs"][0]["ranks"]]


@wrong("a rank with decimals", says=r"^legs\[0\].ranks\[0\] is \d.0")
def _(match):
    match["legs"][0]["ranks"][0] = float(match["legs"][0]["ranks"][0])


@wrong("a rank that is true", base="clean", says=r"^legs\[0\].ranks\[\d\] is true, expected 1")
def _(match):
    own = match["legs"][0]["ranks"]
    own[own.index(1)] = True


@wrong("ranks without the faults", base="sticheln", says=r"^legs\[0\].ranks\[\d\]")
def _(match):
    match["legs"][0]["ranks"] = ranks(match["legs"][0]["scores"], {})


# -- All of them ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("base", "spoil", "says"), MISTAKES)
def test_a_replay_with_one_mistake_is_refused_and_the_place_named(right, base, spoil, says):
    match = right(base)
    spoil(match)
    refusal = refusal_of(match)
    assert re.search(says, refusal), refusal
    assert refusal.isprintable()


def test_every_mistake_has_its_own_name():
    names = [mistake.id for mistake in MISTAKES]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("value", [None, True, 1, 1.5, "replay", [], [{}]], ids=json.dumps)
def test_a_file_that_is_no_object_is_refused(value):
    assert refusal_of(value).startswith("the file is ")


def test_the_first_of_several_differences_is_named(right):
    match = right("stock")
    match["legs"][2]["scores"][0] += 1
    match["legs"][1]["events"][9]["event"] = "laid"
    match["legs"][1]["events"][4]["event"] = "laid"
    assert refusal_of(match).startswith("legs[1].events[4].event is ")


def test_a_long_value_is_shortened(right):
    match = right("stock")
    match["seed"] = "0" * 10**6
    assert len(refusal_of(match)) < 300


@pytest.mark.parametrize("name", ["\x1b[31m red", "a\nb c", "\x7f \x9b", "\u202e x", "\x07"])
@pytest.mark.parametrize("place", ["seed", "game", "played_at", "option", "key", "move"])
def test_a_refusal_is_one_line_of_printable_ascii_whatever_the_file_says(right, place, name):
    match = right("stock")
    if place == "option":
        match["options"][name] = name
    elif place == "key":
        match["legs"][0][name] = name
    elif place == "move":
        match["legs"][0]["decisions"][0]["moves"] = [name]
    else:
        match[place] = name
    refusal = refusal_of(match)
    assert refusal.isprintable()
    assert refusal.isascii()
