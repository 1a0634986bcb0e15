"""What the tests of the games share: replays of matches in which players fault on purpose; every variant
of every game, and players who move at random."""

import json
import random
import re
from dataclasses import asdict
from itertools import product
from typing import NamedTuple

import pytest
from hypothesis import settings

from games import GAMES, replay
from workers.referee import Fault, Limits, Reply, play_match

SENT_KINDS = ("illegal", "unreadable", "out-of-turn", "time")
RAISED_KINDS = ("memory", "crashed", "stalled", "too-long")


class Double:
    """Answers at random from its own dice, and faults now and then or where it is told to."""

    def __init__(self, rng, rate=0.0, faults=None, prefer=None):
        self.rng = rng
        self.rate = rate
        self.faults = faults or {}
        self.prefer = prefer or (lambda view, legal: legal)
        self.has_cpu_clock = rng.random() < 0.7

    def start(self, line, limits):
        kind = self.faults.get(0) or ("startup" if self.rng.random() < self.rate else None)
        if kind == "startup" and self.rng.random() < 0.5:
            raise Fault("crashed")
        return Reply(b'{"type":"ready"}' if kind is None else b"good morning", None, 1.0)

    def ask(self, line, limits):
        question = json.loads(line)
        kind = self.faults.get(question["id"])
        if kind is None and self.rng.random() < self.rate:
            kind = self.rng.choice(SENT_KINDS + RAISED_KINDS)
        if kind in RAISED_KINDS:
            raise Fault(kind)
        move = self.rng.choice(self.prefer(question["view"], question["legal"]))
        answer = {"id": question["id"], "move": move} | {
            "illegal": {"move": "the moon"},
            "out-of-turn": {"id": 0},
            "unreadable": {"move": None},
        }.get(kind, {})
        cpu_ms = question["bank_ms"] + 0.001 if kind == "time" else self.milliseconds(40)
        return Reply(
            json.dumps(answer).encode(),
            cpu_ms if self.has_cpu_clock or kind == "time" else None,
            self.milliseconds(90),
        )

    def milliseconds(self, most):
        return round(self.rng.random() * most, 3)

    def end(self, line):
        pass

    def close(self):
        pass


def make_replay(
    game,
    players,
    options=None,
    *,
    number=0,
    rate=0.0,
    faults=None,
    prefer=None,
    legs=1,
    limits=None,
):
    """A match of doubles. `faults` says for a bot what it does wrong at which of its questions in
    every leg, 0 being the start; `number` makes it another match."""
    rules = GAMES[game] if isinstance(game, str) else game
    rng = random.Random(f"{rules.name} {players} {sorted((options or {}).items())} {number}")
    seed = rng.randbytes(32)

    def opener(bot):
        return lambda: Double(rng, rate, (faults or {}).get(bot), prefer)

    limits = limits or Limits()
    played = play_match(
        rules,
        options or {},
        [opener(bot) for bot in range(players)],
        seed,
        limits=limits,
        legs=legs,
    )
    return replay.replay_of(
        rules,
        options or {},
        seed,
        match="a test",
        played_at="2026-11-18T12:00:00Z",
        limits=asdict(limits),
        bots=[
            {"name": f"double {bot}", "author": "alice", "version": bot, "sha256": "0a" * 32}
            for bot in range(players)
        ],
        legs=[replay.leg_entry(leg.seating, leg.leg) for leg in played],
    )


@pytest.fixture(scope="session")
def replay_with():
    return make_replay


# -- Every variant of every game, and players who move at random -------------------------------

# A test that fails only now and then is broken, so every run tries the same examples.
settings.register_profile("games", deadline=None, derandomize=True, database=None, max_examples=20)
settings.load_profile("games")


class Variant(NamedTuple):
    """A game with complete options and a number of players."""

    game: type
    options: dict
    players: int

    def __str__(self):
        return "-".join(map(str, [self.game.name, *self.options.values(), self.players]))

    def deal(self, seed):
        return self.game.deal(self.players, self.options, seed)


def options_of(game):
    """Every combination of a game's options."""
    return [
        dict(zip(game.choices, values, strict=True)) for values in product(*game.choices.values())
    ]


VARIANTS = [
    Variant(game, options, players)
    for game in GAMES.values()
    for options in options_of(game)
    for players in game.player_counts(options)
]


class RandomPlayers:
    """Legal moves at random. In every second round the lowest cards first, and of moves without a number
    or made at the same time mostly the last: so rare cases come too."""

    def __init__(self, number):
        self.number = number
        self.dice = random.Random(number)

    def moves(self, position):
        return [self.move(position, seat) for seat in position.asked]

    def move(self, position, seat):
        legal = position.legal(seat)
        if (position.round + self.number) % 2:
            return self.any_of(legal)
        if len(position.asked) == 1 and number_in(legal[0]) is not None:
            lowest = min(map(number_in, legal))
            return self.any_of([move for move in legal if number_in(move) == lowest])
        return legal[-1] if self.dice.random() < 0.9 else self.any_of(legal)

    def any_of(self, things):
        # Only random() itself gives the same numbers in every version of Python.
        return things[int(self.dice.random() * len(things))]

    def finish(self, position):
        """Plays to the end; gives all events."""
        events = []
        while position.asked:
            events += position.play(self.moves(position))
        return events


def number_in(move):
    found = re.search(r"\d+$", move)
    return int(found[0]) if found else None


def pytest_generate_tests(metafunc):
    if "variant" in metafunc.fixturenames:
        metafunc.parametrize("variant", VARIANTS, ids=str)


@pytest.fixture(scope="session")
def variants():
    return VARIANTS


@pytest.fixture(scope="session")
def random_players():
    return RandomPlayers
