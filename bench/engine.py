"""How fast the rules are: random play and playouts from copies, against OpenSpiel's hearts.

Every figure is a ratio of decisions per CPU second from the same run: slices of all contenders take
turns, so that a busy machine slows them alike, and the median slice counts. A decision is one answer of
one seat. Ours checks every move against the legal ones and keeps all events; OpenSpiel keeps a history.
"""

import random
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import NamedTuple

import pyspiel

from games import GAMES
from games.base import Event, Game

SLICE_SECONDS = 0.4
SLICES = 9
PLAYERS = 4

dice = random.Random(2026)
chance = dice.random
hearts = pyspiel.load_game("hearts")


def hearts_to_the_end(state: pyspiel.State) -> int:
    decisions = 0
    while not state.is_terminal():
        legal = state.legal_actions()
        decisions += not state.is_chance_node()
        state.apply_action(legal[int(chance() * len(legal))])
    return decisions


def play_hearts() -> int:
    return hearts_to_the_end(hearts.new_initial_state())


def to_the_end(position: Game, events: list[Event]) -> int:
    decisions = 0
    while position.asked:
        moves = []
        for seat in position.asked:
            legal = position.legal(seat)
            move = legal[int(chance() * len(legal))]
            if move not in legal:
                raise ValueError(move)
            moves.append(move)
        decisions += len(moves)
        events += position.play(moves)
    return decisions


def play_game(game: type[Game]) -> int:
    position = game.deal(PLAYERS, {}, dice.randbytes(32))
    return to_the_end(position, position.opening())


def play_copy(position: Game) -> int:
    return to_the_end(position.copy(), [])


def dealt_hearts() -> pyspiel.State:
    """Hearts with the cards dealt and nothing played."""
    state = hearts.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    return state


class Contender(NamedTuple):
    """Something that plays and says how many decisions that took."""

    name: str
    play: Callable[[], int]


def rates(contenders: list[Contender]) -> list[list[float]]:
    """Decisions per CPU second: a row a slice, a column a contender."""
    return [[rate(contender) for contender in contenders] for _ in range(SLICES)]


def rate(contender: Contender) -> float:
    decisions, began = 0, time.process_time()
    while time.process_time() - began < SLICE_SECONDS:
        decisions += contender.play()
    return decisions / (time.process_time() - began)


def report(title: str, contenders: list[Contender]) -> None:
    """Prints each contender against the first."""
    table = rates(contenders)
    print(f"\n{title}\n{'':34}{'decisions/s':>12}{'ratio':>8}{'slices':>16}")
    for column, contender in enumerate(contenders):
        ratios = sorted(row[column] / row[0] for row in table)
        speed = median(row[column] for row in table)
        span = f"{ratios[0]:.2f} to {ratios[-1]:.2f}"
        print(f"{contender.name:34}{speed:>12,.0f}{median(ratios):>8.2f}{span:>16}", flush=True)


def main() -> None:
    report(
        f"Random play, {PLAYERS} players, moves checked, events kept",
        [
            Contender("OpenSpiel hearts, from Python", play_hearts),
            *(Contender(game.title, partial(play_game, game)) for game in GAMES.values()),
        ],
    )
    state, positions = (
        dealt_hearts(),
        [game.deal(PLAYERS, {}, bytes(32)) for game in GAMES.values()],
    )
    report(
        "A copy of a dealt position, played out at random",
        [
            Contender("OpenSpiel hearts, clone", lambda: hearts_to_the_end(state.clone())),
            *(Contender(f"{p.title}, copy", partial(play_copy, p)) for p in positions),
        ],
    )


if __name__ == "__main__":
    main()
