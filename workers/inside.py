"""Players inside the process: example bots, called without a process of their own."""

import json
import random
import time
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from games.player import Fault, Limits, Reply

Choose = Callable[[dict[str, Any], list[str], random.Random], str]


class Inside:
    """An example bot's `choose(view, legal, dice)` as a player. It reads and writes the same lines
    as its process would, so it can tell, and spoil, no more; only its wall clock can be read."""

    def __init__(self, choose: Choose) -> None:
        self.choose = choose
        self.dice = random.Random()

    def start(self, line: bytes, limits: Limits) -> Reply:
        self.dice = random.Random(json.loads(line)["dice"])
        return Reply(b'{"type":"ready"}', None, 0.0)

    def ask(self, line: bytes, limits: Limits) -> Reply:
        began = time.perf_counter()
        question = json.loads(line)
        move = self.choose(question["view"], question["legal"], self.dice)
        answer = json.dumps({"id": question["id"], "move": move}).encode()
        wall_ms = round((time.perf_counter() - began) * 1000, 3)
        if wall_ms > limits.wall_ms:
            raise Fault("stalled", answer, f"{wall_ms} ms for one answer")
        return Reply(answer, None, wall_ms)

    def end(self, line: bytes) -> None:
        pass

    def close(self) -> bytes:
        return b""


def choose_of(path: Path) -> Choose:
    """The `choose` function of an example file."""
    spec = spec_from_file_location(f"example_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ValueError(f"{path} is not a Python file")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    choose: Choose = module.choose
    return choose
