"""Which pages the documentation has, where each stands on the site, and what its links lead to."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse

from bots.examples import Example, all_examples
from config.docs.markdown import Rendered, rendered
from games import GAMES

FOLDER = settings.ROOT / "docs"
INDEX = FOLDER / "README.md"
EXAMPLES = settings.ROOT / "examples"
ROW = re.compile(r"^\| \[([^\]]+)\]\(([a-z-]+)\.md\) \| (.+?) \|$", re.MULTILINE)
SIZE = re.compile(r'<svg [^>]*?width="(\d+)" height="(\d+)"')
FILES = ("rerate.py", "vectors.json")  # what pages tell their readers to take


@dataclass(frozen=True)
class Page:
    """A page of the documentation, as the index tells of it."""

    name: str
    title: str
    about: str

    @property
    def address(self) -> str:
        return address_of_page(self.name)


@cache
def contents() -> list[Page]:
    """All pages in the order of the index."""
    rows = ROW.findall(INDEX.read_text(encoding="utf-8"))
    return [Page(name, title, about) for title, name, about in rows]


def game_pages() -> list[Page]:
    return [page for page in contents() if page.name in GAMES]


def address_of_page(name: str) -> str:
    if name in GAMES:
        return reverse("game", args=[name])
    return reverse("docs_page", args=[name])


@cache
def index() -> Rendered:
    return rendered(INDEX.read_text(encoding="utf-8"), Links(FOLDER))


@cache
def examples() -> Rendered:
    return rendered((EXAMPLES / "README.md").read_text(encoding="utf-8"), Links(EXAMPLES))


@cache
def page_named(name: str) -> Rendered:
    return rendered((FOLDER / f"{name}.md").read_text(encoding="utf-8"), Links(FOLDER))


@dataclass(frozen=True)
class Links:
    """What links mean in the files of a folder."""

    folder: Path

    def address_of(self, link: str) -> str:
        path, _, anchor = link.partition("#")
        if ":" in path or not path:
            return link
        address = address_of_file((self.folder / path).resolve())
        return f"{address}#{anchor}" if anchor else address

    def picture(self, link: str) -> dict[str, str]:
        size = SIZE.match((self.folder / link).read_text(encoding="utf-8"))
        if size is None:
            raise ValueError(f"{link} does not say how large it is")
        return {"src": static(link), "width": size[1], "height": size[2]}

    def text_of(self, link: str) -> str | None:
        example = example_at((self.folder / link.partition("#")[0]).resolve())
        return example.data.decode() if example else None


def address_of_file(path: Path) -> str:
    if path in (INDEX, FOLDER):
        return reverse("docs")
    if path in (EXAMPLES, EXAMPLES / "README.md"):
        return reverse("examples")
    if example := example_at(path):
        return address_of_example(example)
    if path.parent == FOLDER and path.name in FILES:
        return reverse("docs_file", args=[path.name])
    if path.parent == FOLDER and path.suffix == ".md":
        return address_of_page(path.stem)
    raise ValueError(f"{path} is not on the site")


def example_at(path: Path) -> Example | None:
    return next((example for example in all_examples() if example.path == path), None)


def address_of_example(example: Example) -> str:
    return reverse("example", args=[example.game, example.language, example.path.name])
