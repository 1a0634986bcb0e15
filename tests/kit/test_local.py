"""Bots of an author's own at home: how they are named and hashed, what is refused, what is a fault."""

import io
import json
import os
import tarfile
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner

from games import replay
from kit import cli, local

BOT = Path(__file__).parents[2] / "examples" / "color-stock" / "python" / "random_bot.py"
FAST = ("-o", "rounds=1", "--legs", "1", "--sandbox", "local")


@pytest.fixture
def kibitz(tmp_path, monkeypatch):
    """Runs the command in a folder of its own, with a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(tmp_path / "home")

    def run(*words):
        result = CliRunner().invoke(cli.main, [str(word) for word in words])
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


@pytest.fixture
def match_with(kibitz):
    """The replay of one leg of a bot against an example, after `kibitz verify` has found it right."""

    def play(bot):
        result = kibitz("play", "color-stock", bot, "random", *FAST, "--out", "match.json")
        assert result.exit_code == 0, result.output
        assert kibitz("verify", "match.json").exit_code == 0
        return replay.read(Path("match.json").read_bytes())

    return play


def bot_file(name, data=None):
    Path(name).write_bytes(BOT.read_bytes() if data is None else data)
    return name


def bot_folder(name):
    Path(name).mkdir()
    bot_file(f"{name}/main.py")
    bot_file(f"{name}/book.txt", b"red+red")
    return name


def faults(match):
    return [fault["kind"] for leg in match["legs"] for fault in leg["faults"]]


# -- Names and hashes -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "name"),
    [("mine.py", "mine"), ("mine.v2.py", "mine.v2"), ("./mine.py", "mine"), ("größe.py", "größe")],
)
def test_a_bot_is_named_by_the_base_name_of_the_argument_without_its_ending(match_with, file, name):
    match = match_with(bot_file(file))
    assert match["bots"][0] == {
        "name": name,
        "author": "",
        "version": 0,
        "sha256": sha256(BOT.read_bytes()).hexdigest(),
    }
    assert faults(match) == []


def test_an_archive_is_named_without_both_its_endings_and_hashed_as_it_is(match_with):
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w:gz") as tar:
        tar.add(BOT, "bot.py")
    match = match_with(bot_file("mine.tar.gz", raw.getvalue()))
    assert match["bots"][0]["name"] == "mine"
    assert match["bots"][0]["sha256"] == sha256(raw.getvalue()).hexdigest()
    assert faults(match) == []


def test_a_folder_is_hashed_as_a_tar_of_it_sorted_with_times_and_owners_zeroed(match_with):
    match = match_with(bot_folder("mine"))
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name in ("book.txt", "main.py"):
            entry = tarfile.TarInfo(name)
            entry.mode = Path("mine", name).stat().st_mode & 0o7777
            entry.size = Path("mine", name).stat().st_size
            tar.addfile(entry, io.BytesIO(Path("mine", name).read_bytes()))
    assert match["bots"][0]["name"] == "mine"
    assert match["bots"][0]["sha256"] == sha256(raw.getvalue()).hexdigest()
    assert faults(match) == []


def test_the_same_files_in_another_folder_at_another_time_have_the_same_hash(kibitz):
    one, other = (local.upload_of(Path(bot_folder(name))) for name in ("one", "other"))
    os.utime("other/main.py", (0, 0))
    assert local.upload_of(Path("other")) == other
    assert (one.sha256, one.data) == (other.sha256, other.data)


def test_a_folder_behind_a_link_is_named_by_the_link(kibitz):
    Path("current").symlink_to(bot_folder("release-7"))
    assert local.upload_of(Path("current")).name == "current"


@pytest.mark.parametrize("path", [".", "../mine", "../mine/", "inner/.."])
def test_a_folder_is_named_as_it_is_called_however_it_is_written(kibitz, monkeypatch, path):
    monkeypatch.chdir(bot_folder("mine"))
    Path("inner").mkdir()
    assert local.upload_of(Path(path)).name == "mine"


def test_a_name_that_is_no_utf_8_fits_into_a_replay(match_with):
    match = match_with(bot_file(os.fsdecode(b"m\xffne.py")))
    assert match["bots"][0]["name"] == "m\ufffdne"
    assert faults(match) == ["startup"]


# -- What is refused, and what is a fault at the start ---------------------------------------------


def refused(result, words):
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr


def test_a_bot_file_that_is_not_there_is_refused(kibitz):
    refused(kibitz("play", "color-stock", "mine.py", "random", *FAST), "no file 'mine.py'")


def test_what_is_neither_a_file_nor_a_folder_is_refused_and_not_waited_for(kibitz):
    os.mkfifo("pipe.py")
    for path in ("pipe.py", "/dev/zero"):
        words = f"'{path}' is neither a file nor a folder"
        refused(kibitz("play", "color-stock", path, "random", *FAST), words)


def test_a_file_that_may_not_be_read_is_refused(kibitz, monkeypatch):
    def forbidden(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", forbidden)
    Path("mine.py").touch()
    result = kibitz("play", "color-stock", "mine.py", "mine.py", *FAST)
    refused(result, "mine.py cannot be read: Permission denied")


def test_a_cache_that_cannot_be_made_is_named(kibitz, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", bot_file("occupied"))
    result = kibitz("play", "color-stock", bot_file("mine.py"), "random", *FAST)
    assert result.exit_code == 2
    assert "occupied/kibitz/programs cannot be made" in result.stderr
    assert "XDG_CACHE_HOME" in result.stderr


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("empty.py", b"", "The file is empty."),
        ("mine.abc", b"?", "No file of a language known here"),
        ("mine.zip", b"PK\x03\x04", "The archive is damaged or cut off"),
        ("mine.c", b"int main(){return x;}", "the bot could not be built:\n$ gcc"),
        ("mine.py", b"print('hello')", "not JSON"),
        ("mine.py", b"syntax error", "the program has ended or closed its output."),
    ],
)
def test_all_else_is_startup_and_explained(kibitz, name, data, why):
    result = kibitz(
        "play", "color-stock", bot_file(name, data), "random", *FAST, "--out", "match.json"
    )
    assert result.exit_code == 0
    assert f"leg 1: startup at the start, seat 0: {why}" in result.stderr
    assert ".." not in result.stderr.partition("asked:")[0]
    assert faults(json.loads(Path("match.json").read_bytes())) == ["startup"]
    assert kibitz("verify", "match.json").exit_code == 0


# -- Limits ---------------------------------------------------------------------------------------


def test_limits_are_told_to_the_bot_and_stand_in_the_replay(kibitz):
    limits = "bank_ms=700,wall_ms=1000000000"
    words = ("color-stock", bot_file("mine.py"), "random", *FAST, "--limits", limits)
    assert kibitz("play", *words, "--out", "match.json").exit_code == 0
    found = json.loads(Path("match.json").read_bytes())
    assert found["limits"] == {
        "start_ms": 5000,
        "bank_ms": 700,
        "increment_ms": 50,
        "wall_ms": 1000000000,
        "line_bytes": 65536,
    }
    assert faults(found) == []


@pytest.mark.parametrize(
    "limit",
    ["speed=1", "bank_ms", "bank_ms=", "bank_ms=0", "bank_ms=-1", "bank_ms=1.5", "bank_ms=²",
     "wall_ms=1000000001", "bank_ms=" + "9" * 5000],
)  # fmt: skip
def test_what_is_no_limit_is_refused_and_the_limits_named(kibitz, limit):
    result = kibitz("play", "color-stock", "random", "random", *FAST, "--limits", limit)
    refused(result, "is no limit; write start_ms=N, bank_ms=N, increment_ms=N, wall_ms=N, line_byt")
    assert "N from 1 to 1,000,000,000" in result.stderr


def test_a_limit_given_twice_is_refused(kibitz):
    words = ("--limits", "bank_ms=1,bank_ms=2")
    refused(
        kibitz("play", "color-stock", "random", "random", *FAST, *words),
        "limit 'bank_ms' is given twice",
    )


# -- kibitz check ---------------------------------------------------------------------------------


def test_a_bot_that_passes_its_check_is_ready(kibitz):
    result = kibitz("check", bot_file("mine.py"), "--game", "color-stock", "--sandbox", "local")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == "Ready to play."
    assert "->" not in result.stdout


def test_with_log_the_whole_conversation_is_shown(kibitz):
    words = ("--game", "color-stock", "--sandbox", "local", "--log")
    result = kibitz("check", bot_folder("mine"), *words)
    assert result.exit_code == 0
    assert result.stdout.count('-> {"type":"start"') == 2


def test_a_rejected_bot_is_told_why_and_how_to_see_it_again(kibitz):
    Path("mine").mkdir()
    bot_file("mine/main.py", b"print('hello')")
    result = kibitz("check", "mine", "--game", "stop-it", "--sandbox", "local")
    assert result.exit_code == 1
    assert "startup at the start, seat 0: not JSON" in result.stdout
    assert "came:  hello" in result.stdout
    assert result.stdout.splitlines()[-1].endswith("kibitz check mine --game stop-it")


def test_a_check_needs_a_game(kibitz):
    refused(kibitz("check", bot_file("mine.py")), "say which game the bot plays: --game sticheln")


def test_the_game_may_stand_in_the_path(kibitz):
    Path("stop-it").mkdir()
    result = kibitz("check", bot_file("stop-it/mine.py", b""), "--sandbox", "local")
    assert "Checking stop-it/mine.py for Stop It!, 3 players" in result.stderr


@pytest.mark.parametrize("command", [("check",), ("compare", "random")])
@pytest.mark.parametrize("players", [0, 1, 9, -3])
def test_a_number_of_players_that_the_rules_do_not_have_is_refused(kibitz, command, players):
    words = (*command, bot_file("mine.py"), "--game", "color-stock", "--players", players)
    refused(kibitz(*words), f"is for 2 to 4 players, not {players}")
