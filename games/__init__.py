"""The rules of the games, and nothing else: no clock, no file, no randomness but the seed's."""

from games.base import Game, Refusal
from games.color_stock import ColorStock
from games.sticheln import Sticheln
from games.stop_it import StopIt

GAMES: dict[str, type[Game]] = {game.name: game for game in (Sticheln, StopIt, ColorStock)}


def game_named(name: str) -> type[Game]:
    if name not in GAMES:
        raise Refusal(f"there is no game '{name}'; the games are {', '.join(GAMES)}")
    return GAMES[name]
