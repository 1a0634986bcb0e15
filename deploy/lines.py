"""What a run shows: every line with the time and the name of who says it."""

import os
import sys
import threading
import time
from collections.abc import Iterable
from typing import TextIO

NAME_WIDTH = 9
COLOURS = {
    "kibitz": "1",
    "site": "36",
    "worker": "32",
    "scheduler": "35",
    "broker": "34",
    "boxes": "33",
    "prepare": "90",
}


class Lines:
    """Lines of several threads, one at a time. Whether anybody still reads them is `wanted`."""

    def __init__(self, out: TextIO = sys.stdout) -> None:
        self.out = out
        self.lock = threading.Lock()
        self.wanted = True
        self.coloured = out.isatty() and not os.environ.get("NO_COLOR")

    def say(self, name: str, text: str) -> None:
        self.all(name, text.splitlines())

    def all(self, name: str, lines: Iterable[str]) -> None:
        for line in filter(str.strip, lines):
            self.put(f"{time.strftime('%H:%M:%S')} {self.painted(name)} {line.rstrip()}")

    def painted(self, name: str) -> str:
        padded = f"{name:<{NAME_WIDTH}}"
        return f"\033[{COLOURS.get(name, '0')}m{padded}\033[0m" if self.coloured else padded

    def put(self, line: str) -> None:
        with self.lock:
            try:
                print(line, file=self.out, flush=True)
            except OSError:  # the terminal is gone, or the program behind a pipe
                self.wanted = False
