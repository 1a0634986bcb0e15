"""`kibitz verify` on damaged and hostile files: one line each, never a traceback, little memory."""

import json
import os
import random
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from games import replay
from kit import cli

KIBITZ = Path(sys.executable).with_name("kibitz")
RIGHT, WRONG, UNREADABLE = 0, 1, 2
ENOUGH_MEMORY = 300 * 2**20


@pytest.fixture(scope="module")
def match_file(tmp_path_factory):
    out = tmp_path_factory.mktemp("replay") / "match.json"
    words = ["play", "color-stock", "random", "random", "--seed", "5eed" * 16, "-q", "--out"]
    assert CliRunner().invoke(cli.main, [*words, str(out)]).exit_code == 0
    return out


@pytest.fixture(scope="module")
def match(match_file):
    return json.loads(match_file.read_bytes())


def verify(*files, **more):
    """The exit code and the lines, one for each file, all of them safe for a terminal."""
    result = CliRunner().invoke(cli.main, ["verify", *map(str, files)], **more)
    assert isinstance(result.exception, SystemExit | None), result.exception
    lines = result.output.removesuffix("\n").split("\n")
    assert len(lines) == len(files)
    assert all(line.isprintable() for line in lines)
    return result.exit_code, *lines


def verdict_on(folder, data):
    path = folder / "file.json"
    path.write_bytes(data)
    code, line = verify(path)
    assert line.startswith(f"{path}: ")
    return code, line.removeprefix(f"{path}: ")


# -- Files that are no replay ---------------------------------------------------------------------


def test_a_right_file_is_called_right_with_what_is_in_it(match_file, match):
    decisions = sum(len(leg["decisions"]) for leg in match["legs"])
    code, line = verify(match_file)
    assert code == RIGHT
    assert line.endswith(
        f": right: color-stock, 2 players, 2 legs, {decisions} decisions, every one as dealt and ruled"
    )


def test_a_difference_is_named(tmp_path, match):
    match = json.loads(json.dumps(match))
    match["legs"][1]["scores"][0] += 1
    code, line = verdict_on(tmp_path, replay.write(match))
    assert code == WRONG
    assert line.startswith("differs: legs[1].scores[0] is ")


NOT_READABLE = {
    "empty": (b"", "not JSON"),
    "blank": (b" \n\t\r\n", "not JSON"),
    "a text": (b"hello", "not JSON"),
    "NUL bytes": (bytes(100), "not JSON"),
    "a byte order mark": (b"\xef\xbb\xbf{}", "BOM"),
    "UTF-16": ("{}".encode("utf-16"), "not UTF-8"),
    "UTF-16 without a mark": ('{"replay":1}'.encode("utf-16-le"), "not JSON"),
    "Latin-1": ('{"match":"é"}'.encode("latin-1"), "not UTF-8 (byte 10)"),
    "a surrogate in UTF-8": (b'{"match":"\xed\xa0\x80"}', "not UTF-8"),
    "NaN": (b'{"replay":NaN}', "NaN is not JSON"),
    "Infinity": (b'{"replay":-Infinity}', "Infinity is not JSON"),
    "1e999": (b'{"replay":1e999}', "too large for a double"),
    "100,000 digits": (b'{"replay":' + b"9" * 100_000 + b"}", "too large for a double"),
    "-100,000 digits": (b'{"replay":-' + b"9" * 100_000 + b"}", "too large for a double"),
    "a key twice": (b'{"replay":1,"replay":1}', "'replay' stands twice"),
    "a key twice inside": (b'{"legs":[{"a":{"b":1,"b":2}}]}', "'b' stands twice"),
    "a key twice, with terminal codes": (rb'{"\u001b[2J":1,"\u001b[2J":1}', r"\x1b[2J"),
    "a very long key twice": (b'{"%b":1,"%b":1}' % ((b"k" * 10**6,) * 2), "stands twice"),
    "two objects": (b"{}{}", "not JSON"),
    "two lines": (b"{}\n{}\n", "not JSON"),
    "half a surrogate pair": (rb'{"match":"\ud800"}', "half a surrogate pair"),
    "half a surrogate pair in a key": (rb'{"\udc00":1}', "half a surrogate pair"),
    "a raw line end in a text": (b'{"match":"a\nb"}', "not JSON"),
    "a raw escape in a text": (b'{"match":"\x1b[31m"}', "not JSON"),
    "65 levels": (b"[" * 65 + b"]" * 65, "nested deeper than 64"),
    "400,000 levels of arrays": (b"[" * 400_000, "nested deeper than 64"),
    "300,000 levels of objects": (b'{"a":' * 299_999 + b"1" + b"}" * 299_999, "nested deeper"),
    "too many arrays": (b"[" + b"[]," * 600_000 + b"[]]", "no replay has as many"),
    "too many texts": (b"[" + b'"ab",' * 600_000 + b'""]', "no replay has as many"),
    "too many texts that end in a backslash": (b"[" + rb'"ab\\",' * 600_000 + b'""]', "as many"),
}  # fmt: skip


@pytest.mark.parametrize(("data", "why"), NOT_READABLE.values(), ids=NOT_READABLE)
def test_this_cannot_be_read(tmp_path, data, why):
    code, line = verdict_on(tmp_path, data)
    assert code == UNREADABLE
    assert line.startswith("cannot be read: ")
    assert why in line
    assert len(line) < 300


OTHER_JSON = {
    "an object": b"{}",
    "an array": b"[]",
    "a number": b"1",
    "null": b"null",
    "64 levels": b"[" * 64 + b"]" * 64,
    "a text with escaped quotes": b'"' + rb"\"" * 10**6 + b'"',
    "brackets within a text": b'"' + b"a[" * 100_000 + b'"',
}


@pytest.mark.parametrize("data", OTHER_JSON.values(), ids=OTHER_JSON)
def test_json_that_is_no_replay_differs(tmp_path, data):
    code, line = verdict_on(tmp_path, data)
    assert code == WRONG
    assert line.startswith("differs: the file ")
    assert len(line) < 300


@pytest.mark.parametrize(
    "name", ["\x1b[31mred\x1b[0m", "a\nb", "\x07\x7f\x9b", "\u202egnp.exe", "🐢"]
)
def test_a_bots_name_may_hold_anything_and_is_never_shown_raw(tmp_path, match, name):
    match = json.loads(json.dumps(match))
    match["bots"][0]["name"] = match["match"] = name
    assert verdict_on(tmp_path, replay.write(match))[0] == RIGHT
    match["bots"][0][name] = 1
    assert verdict_on(tmp_path, replay.write(match))[0] == WRONG


# -- Damage ---------------------------------------------------------------------------------------


def test_a_file_cut_anywhere_cannot_be_read(tmp_path, match_file):
    data = match_file.read_bytes()
    for length in [*range(0, len(data) - 1, 97), len(data) - 3, len(data) - 2]:
        code, line = verdict_on(tmp_path, data[:length])
        assert code == UNREADABLE
        assert line.startswith("cannot be read: not JSON: ")


def test_a_file_without_its_last_line_end_is_right(tmp_path, match_file):
    assert verdict_on(tmp_path, match_file.read_bytes().rstrip())[0] == RIGHT


def test_whatever_bytes_are_hit_there_is_one_line_and_a_code(tmp_path, match_file):
    data, dice = match_file.read_bytes(), random.Random(1)
    codes = []
    for _ in range(250):
        spoiled = bytearray(data)
        for _ in range(dice.choice([1, 1, 1, 2, 5, 50])):
            spoiled[dice.randrange(len(data))] = dice.randrange(256)
        codes.append(verdict_on(tmp_path, bytes(spoiled))[0])
    assert set(codes) <= {RIGHT, WRONG, UNREADABLE}
    assert codes.count(WRONG) > 20
    assert codes.count(UNREADABLE) > 20


NONSENSE = [
    None, True, -1, 0, 1.0, 10**300, -1e300, "", "0", "claim", "\x1b", [], [None], [[]], {}, {"a": {}},
]  # fmt: skip


# Where several values are right.
FREE = {"match", "name", "author", "version", "limits", "bank_ms", "cpu_ms", "wall_ms"}


def places_in(value, path=()):
    """Every place of a JSON value."""
    yield path
    if isinstance(value, dict | list):
        inside = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in inside:
            yield from places_in(inner, (*path, key))


def test_whatever_value_is_exchanged_there_is_one_line_and_a_code(tmp_path, match):
    dice = random.Random(2)
    places = [path for path in places_in(match) if path]
    codes = []
    for _ in range(400):
        spoiled, path = json.loads(json.dumps(match)), dice.choice(places)
        if dice.random() < 0.5:  # half of them near the top, where there are few
            path = path[: dice.randint(1, len(path))]
        inner = spoiled
        for step in path[:-1]:
            inner = inner[step]
        inner[path[-1]] = dice.choice(NONSENSE)
        code, line = verdict_on(tmp_path, json.dumps(spoiled).encode())
        codes.append(code)
        assert code == WRONG or spoiled == match or FREE & set(path), line
    assert set(codes) <= {RIGHT, WRONG}


# -- Files that are no files ----------------------------------------------------------------------


def test_a_folder_cannot_be_read(tmp_path):
    assert verify(tmp_path) == (UNREADABLE, f"{tmp_path}: cannot be read: Is a directory")


def test_a_missing_file_cannot_be_read(tmp_path):
    path = tmp_path / "match.json"
    assert verify(path) == (UNREADABLE, f"{path}: cannot be read: No such file or directory")


def test_a_file_that_may_not_be_read_cannot_be(tmp_path, monkeypatch):
    path = tmp_path / "match.json"
    path.write_text("{}")

    def forbidden(path, mode):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", forbidden)
    assert verify(path) == (UNREADABLE, f"{path}: cannot be read: Permission denied")


def test_an_endless_file_is_not_read_to_its_end():
    assert verify("/dev/zero") == (
        UNREADABLE,
        "/dev/zero: cannot be read: larger than 12 MB: no replay is",
    )


def test_standard_input_can_be_verified(match_file):
    assert verify("-", input=match_file.read_bytes())[0] == RIGHT
    assert verify("-", input=b"")[0] == UNREADABLE


def test_a_closed_standard_input_cannot_be_read(monkeypatch):
    monkeypatch.setattr(cli.sys, "stdin", None)
    assert cli.verdict("-") == (UNREADABLE, "cannot be read: standard input is closed")


@pytest.mark.parametrize(
    "name", [b"a\nb", b"\x1b[31m", b"\xff\xfe", "\u202ex".encode(), "größe".encode()]
)
def test_a_files_name_is_shown_in_one_printable_line(tmp_path, name):
    path = os.fsencode(tmp_path) + b"/" + name
    with open(path, "wb") as opened:  # noqa: PTH123 -- a name that is no text
        opened.write(b"{}")
    result = subprocess.run([KIBITZ, "verify", path], capture_output=True, timeout=60, check=False)
    assert (result.returncode, result.stderr) == (WRONG, b"")
    (line,) = result.stdout.decode().splitlines()
    assert line.isprintable()
    assert line.endswith(': differs: the file has no "replay"')


# -- Several files --------------------------------------------------------------------------------


def test_the_worst_of_several_files_gives_the_code(tmp_path, match_file):
    wrong, broken = tmp_path / "wrong.json", tmp_path / "broken.json"
    wrong.write_text("{}")
    broken.write_text("{")
    assert verify(match_file, match_file)[0] == RIGHT
    assert verify(match_file, wrong)[0] == WRONG
    assert verify(wrong, match_file)[0] == WRONG
    assert verify(broken, wrong, match_file)[0] == UNREADABLE
    assert verify(match_file, wrong, broken)[0] == UNREADABLE


def test_every_file_has_its_line_in_the_order_of_the_command(tmp_path, match_file):
    missing = tmp_path / "missing.json"
    code, *lines = verify(missing, match_file, missing)
    assert code == UNREADABLE
    assert [line.partition(": ")[0] for line in lines] == list(
        map(str, (missing, match_file, missing))
    )


# -- Memory ---------------------------------------------------------------------------------------


def verify_within(memory, path):
    """Runs the command with no more memory than this."""

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    result = subprocess.run(
        [KIBITZ, "verify", path],
        preexec_fn=limit,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.stderr == ""
    (line,) = result.stdout.splitlines()
    return result.returncode, line.removeprefix(f"{path}: ")


def test_a_gigabyte_of_brackets_is_refused_without_reading_it_all(tmp_path):
    path = tmp_path / "brackets.json"
    with path.open("wb") as opened:
        opened.write(b"[" * 2**24)
        opened.truncate(2**30)
    assert verify_within(ENOUGH_MEMORY, path) == (
        UNREADABLE,
        "cannot be read: larger than 12 MB: no replay is",
    )


def test_the_most_costly_file_that_is_read_fits_into_memory(tmp_path):
    """As many keys as there may be, filled up with numbers, and one wide character."""
    keys = ",".join(f'"{number:x}":300' for number in range(replay.MOST_PARTS - 10))
    head, tail = '{"\U0001f422":[', f"1],{keys}}}"
    room = replay.MOST_BYTES - len(head.encode()) - len(tail)
    path = tmp_path / "costly.json"
    path.write_text(head + "300," * (room // 4) + tail, encoding="utf-8")
    code, line = verify_within(ENOUGH_MEMORY, path)
    assert (code, line) == (WRONG, 'differs: the file has no "replay"')


def test_millions_of_numbers_in_a_file_that_is_looked_through_fit_into_memory(tmp_path):
    path = tmp_path / "numbers.json"
    numbers = "1.5," * (replay.MOST_BYTES // 4 - 100)
    path.write_text("{" + f'"few":{[[]] * 65},"many":[{numbers}1]' + "}")
    code, line = verify_within(ENOUGH_MEMORY, path)
    assert (code, line) == (WRONG, 'differs: the file has no "replay"')


def test_the_largest_match_has_room_to_spare(tmp_path):
    """Seven players of Sticheln have the most legs and decisions."""
    out = tmp_path / "match.json"
    words = ["play", "sticheln", *["random"] * 7, "--legs", "1", "-q", "--out", str(out)]
    assert CliRunner().invoke(cli.main, words).exit_code == 0
    match = json.loads(out.read_bytes())
    match["legs"] *= 14
    data = replay.write(match)
    assert len(data) * 5 < replay.MOST_BYTES
    assert replay.parts_of(data) * 3 < replay.MOST_PARTS


def test_long_debug_output_under_private_is_accepted(match):
    debug = 'depth 3 [red-7, blue-2] {"value": 0.25}\n' * 60_000
    data = replay.write(match | {"private": {"debug": [debug, debug]}})
    assert len(data) > 4 * 10**6
    replay.verify(replay.read(data))
