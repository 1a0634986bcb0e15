"""The published example bots: anyone may upload them, and the site enters some as its own."""

import re
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings

HOUSE = ("random", "simple", "good")  # from weak to strong
PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Example:
    """A file of the examples."""

    game: str
    path: Path

    @property
    def language(self) -> str:
        return self.path.parent.name

    @property
    def data(self) -> bytes:
        return self.path.read_bytes()


@cache
def all_examples() -> list[Example]:
    return [example_at(path) for path in sorted((settings.ROOT / "examples").glob("*/*/*.*"))]


@cache
def published() -> frozenset[str]:
    """The sha256 of every example file, and of the bots that the tutorial has its readers write."""
    files = [example.data for example in all_examples()]
    tutorial = (settings.ROOT / "docs" / "first-bot.md").read_text(encoding="utf-8")
    files += [code.encode() for code in PYTHON_BLOCK.findall(tutorial)]
    return frozenset(sha256(data).hexdigest() for data in files)


def example_at(path: Path) -> Example:
    return Example(path.parent.parent.name, path)


def house_example(game: str, strength: str) -> Example:
    return example_at(settings.ROOT / "examples" / game / "python" / f"{strength}_bot.py")
