"""The `kibitz` command: what it prints, writes and refuses."""

import contextlib
import json
import os
import pty
import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner

from games import GAMES, replay
from games.seating import seatings
from kit import cli, local

KIBITZ = Path(sys.executable).with_name("kibitz")
SEED = "5eed" * 16
COMMANDS = ["games", "play", "check", "compare", "verify", "deal"]


@pytest.fixture
def kibitz():
    """Runs the command inside this process."""

    def run(*words, **more):
        result = CliRunner().invoke(cli.main, [str(word) for word in words], **more)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


@pytest.fixture
def refusal(kibitz):
    """What the command says when it refuses; nothing else is printed, and the code is 2."""

    def run(*words):
        result = kibitz(*words)
        assert result.exit_code == 2
        assert result.stdout == ""
        return result.stderr

    return run


def without_times(match):
    bare = json.loads(json.dumps(match))
    del bare["played_at"]
    for leg in bare["legs"]:
        for decision in leg["decisions"]:
            decision["wall_ms"] = [time is not None for time in decision["wall_ms"]]
    return bare


def dealt_events(match, leg=0):
    return [event for event in match["legs"][leg]["events"] if event["event"] == "dealt"]


# -- Help -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("switch", ["--help", "-h"])
@pytest.mark.parametrize("command", [[], *([command] for command in COMMANDS)], ids=" ".join)
def test_every_help_page_has_an_example(kibitz, command, switch):
    page = kibitz(*command, switch)
    assert page.exit_code == 0
    examples = page.stdout.partition("Examples:")[2]
    assert f"kibitz {' '.join(command)}".strip() in examples


def test_the_help_lists_every_command(kibitz):
    page = kibitz("--help").stdout
    assert [line.split()[0] for line in page.splitlines() if line.startswith("  ")] != []
    assert all(f"\n  {command} " in page for command in COMMANDS)


def test_every_switch_is_explained(kibitz):
    page = kibitz("play", "--help").stdout
    for switch in ("--option", "--seed", "--legs", "--out", "--watch", "--json", "--quiet"):
        (line,) = [
            line
            for line in page.splitlines()
            if line.lstrip().startswith(("-", switch)) and switch in line
        ]
        assert line.split(switch)[1].strip()


def test_the_version_can_be_asked_for(kibitz):
    assert kibitz("--version").stdout.startswith("kibitz, version ")


def test_an_unknown_command_is_refused(refusal):
    assert "No such command 'paly'" in refusal("paly")


# -- kibitz games ---------------------------------------------------------------------------------


def test_games_lists_every_game_with_its_options_and_players(kibitz):
    text = kibitz("games").stdout
    for game in GAMES.values():
        assert game.name in text
        assert game.title in text
        for key, values in game.choices.items():
            assert all(f"--option {key}={value}" in text for value in values)
    assert "example players: good, random, simple" in text


def test_games_as_json_says_the_same(kibitz):
    listed = json.loads(kibitz("games", "--json").stdout)
    assert [game["name"] for game in listed] == list(GAMES)
    for entry in listed:
        game = GAMES[entry["name"]]
        assert entry["title"] == game.title
        assert entry["defaults"] == game.complete({})
        assert entry["example_players"] == ["good", "random", "simple"]
        for key, values in game.choices.items():
            for value, said in zip(values, entry["options"][key], strict=True):
                assert said["value"] == value
                assert said["players"] == list(game.player_counts(game.complete({key: value})))


# -- kibitz play ----------------------------------------------------------------------------------


def test_play_prints_the_standings(kibitz):
    result = kibitz("play", "color-stock", "simple", "random", "--seed", SEED)
    head, first, second, last = result.stdout.splitlines()
    assert head.split() == ["bot", "ahead", "of", "mean", "score", "leg", "1", "leg", "2"]
    assert {first.split()[0], second.split()[0]} == {"simple", "random"}
    assert SEED in last
    assert result.stderr == ""


def test_play_prints_the_standings_as_json(kibitz):
    result = kibitz("play", "color-stock", "simple", "random", "--seed", SEED, "--json")
    said = json.loads(result.stdout)
    assert said["game"] == "color-stock"
    assert said["options"] == {"rounds": 3}
    assert said["seed"] == SEED
    assert said["seed_sha256"] == sha256(bytes.fromhex(SEED)).hexdigest()
    assert said["legs"] == 2
    assert sorted(standing["name"] for standing in said["standings"]) == ["random", "simple"]
    assert all(len(standing["scores"]) == 2 for standing in said["standings"])


def test_the_standings_are_those_of_the_replay(kibitz, tmp_path):
    out = tmp_path / "match.json"
    words = ("play", "color-stock", "good", "random", "random", "--seed", SEED, "--out", out)
    said = json.loads(kibitz(*words, "--json").stdout)
    match = json.loads(out.read_bytes())
    for standing in said["standings"]:
        seats = [leg["seating"].index(standing["bot"]) for leg in match["legs"]]
        legs = list(zip(match["legs"], seats, strict=True))
        assert standing["scores"] == [leg["scores"][seat] for leg, seat in legs]
        assert standing["ranks"] == [leg["ranks"][seat] for leg, seat in legs]
    shares = [standing["ahead"] for standing in said["standings"]]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) / 3 == pytest.approx(0.5)


def test_bots_of_one_name_are_told_apart(kibitz):
    said = kibitz("play", "color-stock", "random", "random", "--seed", SEED).stdout
    assert "random 1" in said
    assert "random 2" in said


def test_quiet_prints_nothing(kibitz, tmp_path):
    out = tmp_path / "match.json"
    result = kibitz("play", "color-stock", "random", "random", "--out", out, "--quiet")
    assert (result.exit_code, result.output) == (0, "")
    assert out.exists()


def test_a_match_is_of_all_legs(kibitz, tmp_path):
    out = tmp_path / "match.json"
    kibitz("play", "color-stock", "random", "random", "random", "--out", out, "-q")
    assert [leg["seating"] for leg in json.loads(out.read_bytes())["legs"]] == seatings(3)


def test_legs_1_plays_the_first_leg_alone(kibitz, tmp_path):
    whole, one = tmp_path / "whole.json", tmp_path / "one.json"
    words = ("play", "color-stock", "simple", "random", "random", "--seed", SEED, "-q", "--out")
    kibitz(*words, whole)
    kibitz(*words, one, "--legs", "1")
    matches = [without_times(json.loads(path.read_bytes())) for path in (whole, one)]
    assert matches[1]["legs"] == matches[0]["legs"][:1]


@pytest.mark.parametrize(
    "words",
    [
        ("sticheln", "simple", "random", "random", "--legs", "1"),
        ("stop-it", "simple", "random", "random", "--legs", "1", "-o", "target=75"),
        ("color-stock", "random", "simple", "--option", "rounds=1"),
        ("sticheln", *["random"] * 7, "-o", "rules=misery", "-o", "all_zero_trick=nobody", "--legs", "1"),
    ],
    ids=lambda words: words[0],
)  # fmt: skip
def test_what_was_played_is_found_right(kibitz, tmp_path, words):
    out = tmp_path / "match.json"
    played = kibitz("play", *words, "--out", out)
    assert f"kibitz verify {out}" in played.stderr
    verified = kibitz("verify", out)
    assert verified.exit_code == 0
    assert verified.stdout.startswith(f"{out}: right: {words[0]}, ")


def test_the_same_seed_gives_the_same_match(kibitz, tmp_path):
    matches = []
    for name in ("first.json", "second.json"):
        kibitz(
            "play", "color-stock", "good", "simple", "--seed", SEED, "-q", "--out", tmp_path / name
        )
        matches.append(without_times(json.loads((tmp_path / name).read_bytes())))
    assert matches[0] == matches[1]


def test_without_a_seed_every_match_is_another(kibitz):
    words = ("play", "color-stock", "random", "random", "--legs", "1", "--json")
    assert len({json.loads(kibitz(*words).stdout)["seed"] for _ in range(3)}) == 3


def test_a_seed_in_upper_case_is_the_same_seed(kibitz):
    words = ("play", "color-stock", "random", "random", "--legs", "1", "--json", "--seed")
    assert json.loads(kibitz(*words, SEED.upper()).stdout)["seed"] == SEED


def test_options_are_completed_and_numbers_become_numbers(kibitz):
    words = ("play", "stop-it", *["random"] * 3, "--legs", "1", "--json", "-o", "target=75")
    assert json.loads(kibitz(*words).stdout)["options"] == {"target": 75}
    words = ("play", "sticheln", *["random"] * 3, "--legs", "1", "--json", "-o", "rules=stick-em")
    assert json.loads(kibitz(*words).stdout)["options"] == {
        "rules": "stick-em",
        "all_zero_trick": "nobody",
    }


def test_watch_shows_the_table_before_the_standings(kibitz):
    words = ("play", "color-stock", "random", "simple", "--legs", "1", "--seed", SEED)
    watched, plain = kibitz(*words, "--watch"), kibitz(*words)
    assert watched.exit_code == 0
    assert watched.stdout.endswith(plain.stdout)
    assert len(watched.stdout) > len(plain.stdout)


# -- What the replay of a local match says --------------------------------------------------------


@pytest.fixture(scope="module")
def match(tmp_path_factory):
    out = tmp_path_factory.mktemp("replay") / "match.json"
    words = ["play", "color-stock", "simple", "random", "--seed", SEED, "-q", "--out", str(out)]
    assert CliRunner().invoke(cli.main, words).exit_code == 0
    return json.loads(out.read_bytes())


def test_a_local_match_is_named_by_the_first_16_digits_of_its_seeds_hash(match):
    assert match["match"] == match["seed_sha256"][:16]
    assert match["seed_sha256"] == sha256(bytes.fromhex(SEED)).hexdigest()


def test_bots_stand_in_the_order_of_the_command_with_the_hash_of_their_file(match):
    folder = local.EXAMPLES / "color-stock" / "python"
    assert match["bots"] == [
        {
            "name": name,
            "author": "",
            "version": 0,
            "sha256": sha256((folder / f"{name}_bot.py").read_bytes()).hexdigest(),
        }
        for name in ("simple", "random")
    ]


def test_players_inside_the_process_have_a_wall_time_and_no_cpu_time(match):
    for leg in match["legs"]:
        for decision in leg["decisions"]:
            assert decision["cpu_ms"] == [None] * len(decision["seats"])
            assert all(time >= 0 for time in decision["wall_ms"])


def test_the_moment_of_a_match_is_in_utc(match):
    assert match["played_at"].endswith("Z")
    replay.check_played_at(match["played_at"])


# -- Wrong inputs ---------------------------------------------------------------------------------

TWO = ("color-stock", "random", "random")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("chess", "random", "random"), ["no game 'chess'", "sticheln, stop-it, color-stock"]),
        (("color-stock", "random"), ["2 to 4 players", "not 1"]),
        (("color-stock", *["random"] * 5), ["2 to 4 players", "not 5"]),
        (("sticheln", *["random"] * 7, "-o", "rules=stick-em"), ["3 to 6 players", "not 7"]),
        (("color-stock", "random", "deep"), ["'deep'", "good, random, simple"]),
        ((*TWO, "-o", "speed=2"), ["no option 'speed'", "rounds"]),
        ((*TWO, "-o", "rounds=2"), ["'rounds' is one of 3, 1", "'2'"]),
        ((*TWO, "-o", "rounds=03"), ["'rounds' is one of 3, 1", "'03'"]),
        ((*TWO, "-o", "rounds"), ["'rounds' is no option", "key=value"]),
        ((*TWO, "-o", "rounds=1", "-o", "rounds=1"), ["'rounds' is given twice"]),
        ((*TWO, "--seed", "12"), ["64 hex digits", "openssl rand -hex 32"]),
        ((*TWO, "--seed", SEED + "00"), ["64 hex digits"]),
        ((*TWO, "--seed", "xy" * 32), ["64 hex digits"]),
        ((*TWO, "--seed", ""), ["64 hex digits"]),
        ((*TWO, "--legs", "2"), ["--legs", "'2'"]),
        ((*TWO, "--quiet", "--json"), ["--quiet prints nothing"]),
        ((*TWO, "--quiet", "--watch"), ["--quiet prints nothing"]),
        ((*TWO, "--watch", "--json"), ["--json prints nothing but JSON"]),
        ((*TWO, "--speed", "2"), ["No such option", "--speed"]),
        (("color-stock",), ["Missing argument 'PLAYER...'"]),
        ((), ["Missing argument 'GAME'"]),
    ],
    ids=lambda value: " ".join(value[-3:]) if isinstance(value, tuple) else "",
)
def test_play_says_what_is_wrong_with_its_words(refusal, words, says):
    said = refusal("play", *words)
    for part in says:
        assert part in said


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("chess", "--players", "3", "--seed", SEED), "no game 'chess'"),
        (("stop-it", "--players", "2", "--seed", SEED), "3 to 5 players"),
        (("stop-it", "--players", "two", "--seed", SEED), "'two' is not a valid integer"),
        (("stop-it", "--players", "3", "--seed", "0"), "64 hex digits"),
        (("stop-it", "--players", "3"), "Missing option '--seed'"),
        (("stop-it", "--seed", SEED), "Missing option '--players'"),
        (("stop-it", "--players", "3", "--seed", SEED, "--rounds", "0"), "--rounds"),
        (("stop-it", "--players", "3", "--seed", SEED, "-o", "target=60"), "50, 75, 100"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else value,
)
def test_deal_says_what_is_wrong_with_its_words(refusal, words, says):
    assert says in refusal("deal", *words)


def test_verify_without_a_file_is_refused(refusal):
    assert "Missing argument 'FILE...'" in refusal("verify")


# -- Where the replay goes ------------------------------------------------------------------------


@pytest.fixture
def no_match(monkeypatch):
    """A match that must not be played."""

    def play(*words, **more):
        raise AssertionError("the match was played")

    monkeypatch.setattr(local, "play", play)


def test_a_folder_is_no_file_and_that_is_said_before_the_match(refusal, no_match, tmp_path):
    assert f"{tmp_path} is a folder" in refusal("play", *TWO, "--out", tmp_path)


def test_a_missing_folder_is_named_before_the_match(refusal, no_match, tmp_path):
    assert "there is no folder" in refusal("play", *TWO, "--out", tmp_path / "a" / "match.json")


@pytest.fixture
def full_disk(monkeypatch):
    def write_half(path, data):
        with path.open("wb") as opened:
            opened.write(data[: len(data) // 2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", write_half)


def test_a_failed_write_leaves_no_half_file(kibitz, full_disk, tmp_path):
    result = kibitz("play", *TWO, "--out", tmp_path / "match.json")
    assert result.exit_code == 1
    assert "match.json: No space left on device" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_the_file_that_was_there(kibitz, full_disk, tmp_path):
    out = tmp_path / "match.json"
    out.write_text("older")
    assert kibitz("play", *TWO, "--out", out).exit_code == 1
    assert out.read_text() == "older"
    assert list(tmp_path.iterdir()) == [out]


def test_an_interrupted_write_leaves_no_half_file(kibitz, monkeypatch, tmp_path):
    def interrupted(path, target):
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    assert kibitz("play", *TWO, "--out", tmp_path / "match.json").exit_code == 130
    assert list(tmp_path.iterdir()) == []


def test_an_older_replay_is_replaced(kibitz, tmp_path):
    out = tmp_path / "match.json"
    out.write_text("older")
    kibitz("play", *TWO, "--out", out)
    assert kibitz("verify", out).exit_code == 0
    assert list(tmp_path.iterdir()) == [out]


def test_a_link_stays_a_link(kibitz, tmp_path):
    link, target = tmp_path / "link.json", tmp_path / "match.json"
    link.symlink_to(target)
    kibitz("play", *TWO, "--out", link)
    assert link.is_symlink()
    assert kibitz("verify", target).exit_code == 0


def test_a_device_is_written_to_and_not_replaced(kibitz):
    result = kibitz("play", *TWO, "--out", "/dev/full")
    assert result.exit_code == 1
    assert "No space left on device" in result.stderr
    assert Path("/dev/full").is_char_device()


# -- kibitz deal ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "players", "options"),
    [
        ("sticheln", 3, ["rules=misery"]),
        ("sticheln", 7, []),
        ("stop-it", 4, ["target=100"]),
        ("color-stock", 2, []),
        ("color-stock", 4, ["rounds=1"]),
    ],
)
def test_deal_shows_what_a_match_deals(kibitz, tmp_path, game, players, options):
    out = tmp_path / "match.json"
    switches = [word for option in options for word in ("-o", option)]
    words = ("play", game, *["random"] * players, "--seed", SEED, "--legs", "1", *switches)
    kibitz(*words, "-q", "--out", out)
    played = json.loads(out.read_bytes())
    rounds = len(dealt_events(played)) // players
    words = ("deal", game, "--players", players, "--seed", SEED, *switches, "--json")
    dealt = json.loads(kibitz(*words, "--rounds", rounds).stdout)
    hands = [hand for shown in dealt["rounds"] for hand in shown["hands"]]
    assert hands == [event["hand"] for event in dealt_events(played)]
    events = played["legs"][0]["events"]
    assert dealt["first_leader"] == events[0]["leader"]
    assert dealt["dealer"] == (events[0]["leader"] if options == ["rules=misery"] else None)
    undealt = [event["cards"] for event in events if event["event"] == "undealt"]
    assert undealt == [
        shown["left_over"] for shown in dealt["rounds"] if game == "sticheln" and shown["left_over"]
    ]
    turned_up = [card for e in events if e["event"] == "turned_up" for card in e["cards"]]
    assert game != "color-stock" or turned_up[:2] == (
        dealt["rounds"][0]["left_over"][:2] if players == 2 else []
    )
    assert {key: dealt[key] for key in ("options", "players", "seed", "seed_sha256")} == {
        key: played[key] for key in ("options", "players", "seed", "seed_sha256")
    }


def test_deal_shows_the_dice_that_bots_get(kibitz, monkeypatch):
    got = {}

    class Listener(local.Inside):
        def start(self, line, limits):
            message = json.loads(line)
            got.setdefault(message["seat"], []).append(message["dice"])
            return super().start(line, limits)

    monkeypatch.setattr(local, "Inside", Listener)
    kibitz("play", *TWO, "--seed", SEED)
    words = ("deal", "color-stock", "--players", "2", "--seed", SEED, "--json")
    dice = json.loads(kibitz(*words).stdout)["dice"]
    assert len(dice) == 2
    assert [list(leg) for leg in zip(got[0], got[1], strict=True)] == dice


def test_deal_as_text_shows_the_same_cards(kibitz):
    words = ("deal", "stop-it", "--players", "3", "--seed", SEED)
    text, dealt = kibitz(*words).stdout, json.loads(kibitz(*words, "--json").stdout)
    shown = iter(line.split()[2:] for line in text.splitlines() if line.startswith("  seat "))
    for deal in dealt["rounds"]:
        for hand in deal["hands"]:
            cards, suit = [], ""
            for word in next(shown):
                suit, cards = (
                    (suit, [*cards, f"{suit}-{word}"]) if word.isdigit() else (word, cards)
                )
            assert cards == hand
    for leg in dealt["dice"]:
        assert " ".join(map(str, leg)) in text
    assert SEED in text
    assert dealt["seed_sha256"] in text


def test_deal_counts_equal_cards(kibitz):
    text = kibitz("deal", "color-stock", "--players", "4", "--seed", SEED).stdout
    hands = [line.split()[2:] for line in text.splitlines() if line.startswith("  seat ")]
    assert all(sum(int(word) for word in hand[::2]) == 11 for hand in hands)
    assert text.count("  over ") == 3


def test_deal_shows_as_many_rounds_as_asked_for(kibitz):
    words = ("deal", "stop-it", "--players", "3", "--seed", SEED, "--json")
    for rounds in (1, 7):
        shown = json.loads(kibitz(*words, "--rounds", rounds).stdout)["rounds"]
        assert [deal["round"] for deal in shown] == list(range(1, rounds + 1))


def test_deal_shows_all_rounds_of_a_game_that_has_a_number_of_them(kibitz):
    words = ("deal", "sticheln", "--players", "4", "--seed", SEED, "--json")
    assert len(json.loads(kibitz(*words).stdout)["rounds"]) == 4


# -- As a program ---------------------------------------------------------------------------------


def run(*words, **environment):
    return subprocess.run(
        [KIBITZ, *map(str, words)],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}], ids=["piped", "NO_COLOR"])
def test_a_pipe_gets_no_terminal_codes(environment):
    result = run("play", *TWO, "--legs", "1", "--watch", **environment)
    assert result.returncode == 0, result.stderr
    assert "\x1b" not in result.stdout + result.stderr
    assert result.stderr == ""


def shown_in_a_terminal(*words, **environment):
    """All that the command writes to a terminal."""
    here, there = pty.openpty()
    with subprocess.Popen(
        [KIBITZ, *words],
        env=os.environ | {"TERM": "xterm-256color", "COLUMNS": "100"} | environment,
        stdin=there,
        stdout=there,
        stderr=there,
    ):
        os.close(there)
        shown = b""
        # Linux ends the reading of a terminal that nobody writes to any more with an error.
        with contextlib.suppress(OSError):
            while piece := os.read(here, 65536):
                shown += piece
        os.close(here)
    return shown.decode()


def test_a_terminal_gets_colours_unless_they_are_refused():
    words = ("play", *TWO, "--legs", "1", "--watch", "--seed", SEED)
    coloured = shown_in_a_terminal(*words, NO_COLOR="")
    plain = shown_in_a_terminal(*words, NO_COLOR="1")
    colours = re.compile("\x1b\\[[0-9;]*[34]8;")
    assert colours.search(coloured)
    assert not colours.search(plain)


def test_a_replay_can_be_piped_into_verify(tmp_path):
    out = tmp_path / "match.json"
    assert run("play", *TWO, "-q", "--out", out).returncode == 0
    with out.open("rb") as opened:
        verified = subprocess.run(
            [KIBITZ, "verify", "-"], stdin=opened, capture_output=True, check=False
        )
    assert verified.returncode == 0
    assert verified.stdout.startswith(b"-: right: color-stock, 2 players, 2 legs, ")


def test_asking_for_help_waits_for_no_match():
    loaded = subprocess.run(
        [sys.executable, "-X", "importtime", KIBITZ, "--help"],
        capture_output=True,
        text=True,
        check=True,
    ).stderr
    imported = {line.rpartition("|")[2].strip() for line in loaded.splitlines()}
    assert "games.replay" in imported
    assert imported & {"workers.referee", "rich", "kit.local", "kit.show", "django"} == set()
