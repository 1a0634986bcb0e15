"""Recorded playthroughs: a change of the rules shows as a difference to read, and `make record` keeps it."""

import os
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import pytest

from games import GAMES
from games.leg import Answer, Leg

FOLDER = Path(__file__).with_name("playthroughs")
RECORDING = "RECORD_PLAYTHROUGHS" in os.environ
NO_FAULTS = {}


class Playthrough(NamedTuple):
    """`faults` says at which decision the bot of a seat faults, -1 being the start."""

    game: str
    options: dict
    players: int
    rounds: int
    faults: dict

    def __str__(self):
        return "-".join(map(str, [self.game, *self.options.values(), self.players]))


STICHELN = {"rules": "sticheln", "all_zero_trick": "first"}
STICK_EM = {"rules": "stick-em", "all_zero_trick": "nobody"}
MISERY = {"rules": "misery", "all_zero_trick": "first"}

PLAYTHROUGHS = [
    Playthrough("sticheln", STICHELN, 3, 3, NO_FAULTS),
    Playthrough("sticheln", STICHELN, 8, 1, {6: -1, 2: 0, 0: 20}),
    Playthrough("sticheln", STICK_EM, 3, 2, NO_FAULTS),
    Playthrough("sticheln", STICK_EM, 6, 1, NO_FAULTS),
    Playthrough("sticheln", MISERY, 3, 3, NO_FAULTS),
    Playthrough("sticheln", MISERY, 7, 1, {1: 0, 3: 0, 5: 30}),
    Playthrough("stop-it", {"target": 50}, 3, 2, NO_FAULTS),
    Playthrough("stop-it", {"target": 100}, 5, 2, {4: -1, 1: 3}),
    Playthrough("color-stock", {"rounds": 3}, 2, 3, NO_FAULTS),
    Playthrough("color-stock", {"rounds": 1}, 4, 1, {0: 0, 3: 3}),
]


def said(value):
    """A value of an event, as short as it can be read."""
    if not isinstance(value, list):
        return "nobody" if value is None else str(value)
    return (" | " if value and isinstance(value[0], list) else " ").join(map(said, value))


def lines_of(events):
    for event in events:
        what = ", ".join(f"{key} {said(event[key])}" for key in event if key != "event")
        yield f"    {event['event']}: {what}"


def decided(leg, players, faults):
    """Plays one decision; says who was asked, of how many legal moves, and what each played."""
    number, position = len(leg.decisions), leg.position
    asked = {seat: len(position.legal(seat)) for seat in position.asked}
    moves = dict(zip(asked, players.moves(position), strict=True))
    late = [seat for seat in leg.to_answer if faults.get(seat) == number]
    answering = [seat for seat in leg.to_answer if seat not in late]
    answers = {seat: Answer(moves[seat], None, 0.0) for seat in answering}
    events = leg.decide(answers, dict.fromkeys(late, "illegal"))
    played = zip(asked.items(), leg.decisions[-1]["moves"], strict=True)
    yield f"{number}  " + ", ".join(
        f"{seat}: {move} (of {legal}{'' if seat in answers else ', the house'})"
        for (seat, legal), move in played
    )
    yield from lines_of(events)


def lines(playthrough, players):
    seed = sha256(str(playthrough).encode()).digest()
    position = GAMES[playthrough.game].deal(playthrough.players, playthrough.options, seed)
    at_start = [seat for seat, decision in playthrough.faults.items() if decision < 0]
    leg = Leg(position, 0, dict.fromkeys(at_start, "startup"))
    options = "".join(f", {key} {value}" for key, value in position.options.items())
    yield f"{playthrough.game}{options}, {playthrough.players} players"
    yield f"seed {seed.hex()}"
    yield from lines_of(leg.events)
    while position.asked and position.round <= playthrough.rounds:
        yield from decided(leg, players, playthrough.faults)
    yield f"scores {said(leg.scores)}, ranks {said(leg.ranks)}"
    yield "the game is over" if position.over else "the game goes on"


@pytest.mark.parametrize("playthrough", PLAYTHROUGHS, ids=str)
def test_a_game_is_played_as_it_was_recorded(playthrough, random_players):
    path = FOLDER / f"{playthrough}.txt"
    played = "".join(f"{line}\n" for line in lines(playthrough, random_players(1)))
    if RECORDING:
        path.write_text(played, encoding="utf-8", newline="\n")
    assert played.encode() == path.read_bytes()


def test_all_recordings_are_of_these_playthroughs():
    recorded = {path.name for path in FOLDER.iterdir()}
    assert recorded == {f"{playthrough}.txt" for playthrough in PLAYTHROUGHS}


def test_every_game_has_a_recording():
    assert {playthrough.game for playthrough in PLAYTHROUGHS} == GAMES.keys()
