"""The example bots: they play by every rule, repeatably, and the better ones win."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from bench.examples import duel
from games import GAMES, game_named
from games.player import Limits
from workers.inside import Inside, choose_of
from workers.referee import play_match

EXAMPLES = Path(__file__).parents[2] / "examples"
KINDS = ("random", "simple", "good")
SEED = bytes(range(32))

OPTIONS = {
    "sticheln": [{"rules": rules} for rules in ("sticheln", "stick-em", "misery")],
    "stop-it": [{"target": target} for target in (50, 75, 100)],
    "color-stock": [{"rounds": rounds} for rounds in (3, 1)],
}
TABLES = [
    *(
        (name, options, players)
        for name, choices in OPTIONS.items()
        for options in choices
        for players in GAMES[name].player_counts(GAMES[name].complete(options))
    ),
    *(("sticheln", {"all_zero_trick": "nobody"}, players) for players in (3, 4)),
    *(
        ("sticheln", {"rules": "stick-em", "all_zero_trick": "first"}, players)
        for players in (3, 4)
    ),
]
each_example = pytest.mark.parametrize(
    ("name", "kind"), [(name, kind) for name in GAMES for kind in KINDS]
)


def bot_file(name, kind):
    return EXAMPLES / name / "python" / f"{kind}_bot.py"


def a_leg(name, options, players, kind):
    """The first leg of a match of one example against random ones."""
    kinds = [kind] + ["random"] * (players - 1)
    bots = [partial(Inside, choose_of(bot_file(name, kind))) for kind in kinds]
    (played,) = play_match(game_named(name), options, bots, SEED, limits=Limits(), legs=1)
    return played.leg


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("name", "options", "players"), TABLES)
def test_every_example_plays_every_table_without_a_fault(name, options, players, kind):
    assert a_leg(name, options, players, kind).faults == []


@each_example
def test_the_same_dice_give_the_same_moves(name, kind):
    first, second = (a_leg(name, {}, 3, kind) for _ in range(2))
    assert [decision["moves"] for decision in first.decisions] == [
        decision["moves"] for decision in second.decisions
    ]


@each_example
def test_every_example_answers_as_a_program_of_its_own(name, kind):
    position = game_named(name).deal(3, {}, SEED)
    seat = position.asked[0]
    lines = [
        {"type": "start", "game": name, "seat": seat, "players": 3, "dice": 7},
        {"type": "move", "id": 1, "view": position.view(seat), "legal": position.legal(seat)},
        {"type": "end", "scores": [0, 0, 0], "ranks": [1, 1, 1], "events": []},
    ]
    done = subprocess.run(
        [sys.executable, bot_file(name, kind)],
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    ready, answer = (json.loads(line) for line in done.stdout.splitlines())
    assert ready == {"type": "ready"}
    assert answer["id"] == 1
    assert answer["move"] in position.legal(seat)
    assert done.stderr == ""


def test_the_lines_to_paste_in_the_readme_are_answered():
    text = (EXAMPLES / "README.md").read_text()
    lines = [line.strip() for line in text.splitlines() if line.startswith('    {"type"')]
    done = subprocess.run(
        [sys.executable, bot_file("color-stock", "simple")],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert json.loads(done.stdout.splitlines()[1])["move"] in json.loads(lines[1])["legal"]


@pytest.mark.parametrize("kinds", [("good", "simple"), ("simple", "random")])
@pytest.mark.parametrize(("name", "matches"), [("sticheln", 2), ("stop-it", 8), ("color-stock", 6)])
def test_the_better_example_is_more_often_ahead(name, matches, kinds):
    """The seeds are fixed, so this comes out the same every time."""
    assert duel(game_named(name), kinds, 4, matches, {}).ahead.mean > 0.5
