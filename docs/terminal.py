"""The README's picture: the first round of a leg as `kibitz play --watch` shows it."""

import io
import re
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from games import GAMES
from games.player import Limits
from kit import local
from kit.table import TerminalTable

PICTURE = Path(__file__).parent / "pictures" / "terminal.svg"
PLAYERS = ("good", "simple", "random", "random")
COLUMNS, LINES = 84, 44

THEME = TerminalTheme(
    (24, 26, 27),
    (228, 226, 221),
    [(60, 62, 64), (214, 92, 84), (104, 176, 110), (222, 184, 80), (92, 148, 220), (178, 128, 206),
     (84, 176, 176), (228, 226, 221)],
    [(120, 122, 124), (236, 120, 112), (130, 200, 136), (240, 206, 110), (120, 172, 240),
     (200, 152, 226), (110, 200, 200), (255, 255, 255)],
)  # fmt: skip


def first_round() -> str:
    """The first lines of a leg, as an SVG that asks nothing of the network."""
    game = GAMES["sticheln"]
    screen = io.StringIO()
    console = Console(file=screen, width=COLUMNS, force_terminal=True, color_system="truecolor")
    table = TerminalTable(game, game.complete({}), local.told_apart(PLAYERS), console)
    bots = [local.example(game, name) for name in PLAYERS]
    local.play(game, {}, bots, bytes(32), legs=1, limits=Limits(), watch=table.watch)
    lines = screen.getvalue().splitlines()[1 : LINES + 1]
    shown = Console(file=io.StringIO(), width=COLUMNS, record=True)
    shown.print(Text.from_ansi("\n".join(lines)), no_wrap=True, overflow="crop")
    svg = shown.export_svg(title=f"kibitz play sticheln {' '.join(PLAYERS)} --watch", theme=THEME)
    return re.sub(r"@font-face\s*{.*?}", "", svg, flags=re.DOTALL)


if __name__ == "__main__":
    PICTURE.write_text(first_round(), encoding="utf-8")
