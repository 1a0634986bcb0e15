"""Bots in every language of the box, from their source to their answers."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from games import GAMES
from games.player import Limits, Reply
from kit import cli
from sandbox import image
from sandbox.bot import Bot
from sandbox.box import Program
from sandbox.docker import DockerSandbox
from sandbox.engine import Engine
from sandbox.recipe import recipe
from sandbox.runtimes import RUNTIMES
from sandbox.settings import BoxSettings
from tests.sandbox.bots import tarred
from workers.inside import Inside, choose_of
from workers.referee import play_match

pytestmark = pytest.mark.timeout(900)  # the first to come makes the image

EXAMPLES = Path(__file__).parents[2] / "examples"
FOLDERS = sorted(path for path in EXAMPLES.glob("*/*") if path.is_dir() and path.name != "python")
PATIENT = Limits(start_ms=30_000, wall_ms=30_000)
SEED = hashlib.sha256(b"languages").digest()

Boxes = dict[str, DockerSandbox]


@pytest.fixture(scope="module")
def boxes(engine: Engine) -> Iterator[Boxes]:
    how = BoxSettings(image.ensure("full"))
    boxes = {mode: DockerSandbox(how, mode, engine, ahead=0) for mode in ("kept", "fresh")}
    yield boxes
    for sandbox in boxes.values():
        sandbox.close()


def made(boxes: Boxes, files: dict[str, str | bytes]) -> Program:
    """The program that comes of these files, built if its language asks for that."""
    found, packed = recipe(list(files)), tarred(files)
    if found.build:
        built = boxes["fresh"].build(packed, found.build, found.build_limits)
        assert built.files is not None, built.log
        packed = built.files
    return Program(packed, hashlib.sha256(packed).hexdigest(), found.command, found.limits)


def question(number: int) -> bytes:
    asked = {"type": "move", "id": number, "legal": [f"red-{number}", "blue-1"], "view": {}}
    return json.dumps(asked, separators=(",", ":")).encode() + b"\n"


@pytest.mark.parametrize("runtime", RUNTIMES, ids=lambda runtime: runtime.name)
def test_the_self_test_of_a_language_is_built_and_answers(boxes, runtime):
    program = made(boxes, dict(runtime.self_test))
    for sandbox in boxes.values():
        bot = sandbox.open(program)
        try:
            assert json.loads(bot.start(b'{"type":"start"}\n', PATIENT).line) == {"type": "ready"}
            for number in range(1, 6):
                answer = json.loads(bot.ask(question(number), PATIENT).line)
                assert answer == {"id": number, "move": f"red-{number}"}
        finally:
            assert bot.close() == b""


def test_there_are_examples_in_every_language():
    languages = {path.name for path in EXAMPLES.glob("*/*") if path.is_dir()}
    assert languages >= {runtime.name for runtime in RUNTIMES}


class Respelled:
    """A bot that gets every second question with its keys in another order, and with spaces."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.start, self.end, self.close = bot.start, bot.end, bot.close
        self.asked = 0

    def ask(self, line: bytes, limits: Limits) -> Reply:
        self.asked += 1
        if self.asked % 2:
            message = json.loads(line)
            spelled = json.dumps(message, sort_keys=True, separators=(" ,  ", " : "))
            line = f" {spelled}\r\n".encode()
        return self.bot.ask(line, limits)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_an_example_plays_two_legs_without_a_fault(boxes, folder):
    game = GAMES[folder.parent.name]
    program = made(boxes, {path.name: path.read_bytes() for path in folder.iterdir()})
    other = choose_of(folder.parent / "python" / "random_bot.py")
    bots = [lambda: Respelled(boxes["kept"].open(program)), *[lambda: Inside(other)] * 2]
    options = game.defaults({})
    for leg in play_match(game, options, bots, SEED, limits=PATIENT, legs=2):
        assert leg.faults == []
        assert leg.debug.get(leg.seating.index(0), b"") == b""


@pytest.mark.parametrize("game", GAMES)
def test_examples_in_files_and_folders_play_by_the_command_and_their_replay_is_right(
    boxes, game, tmp_path
):
    folders = [path for path in FOLDERS if path.parent.name == game]
    bots = [*folders, EXAMPLES / game / "python" / "simple_bot.py"]
    out = tmp_path / "replay.json"
    words = ["play", game, *map(str, bots), "--legs", "1", "--sandbox", "docker", "--out", str(out)]
    played = CliRunner().invoke(cli.main, [*words, "--limits", "start_ms=60000,wall_ms=60000"])
    assert played.exit_code == 0, played.output
    assert json.loads(out.read_bytes())["legs"][0]["faults"] == []
    verified = CliRunner().invoke(cli.main, ["verify", str(out)])
    assert (verified.exit_code, "right" in verified.output) == (0, True)


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"main.c": "int main(void) { return nothing; }"}, "undeclared"),
        ({"Main.java": "class Main { int x = nothing; }"}, "cannot find symbol"),
        ({"main.go": "package main\nfunc main() { nothing() }"}, "undefined: nothing"),
        ({"main.rs": "fn main() { nothing() }"}, "cannot find function `nothing`"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_build_that_fails_tells_what_the_compiler_said(boxes, files, says):
    found = recipe(list(files))
    built = boxes["fresh"].build(tarred(files), found.build, found.build_limits)
    assert built.files is None
    assert says in built.log


GO_TIMER = """
package main

import ("fmt"; "time")

func main() {
    fmt.Scanln()
    time.Sleep(time.Millisecond)
    fmt.Println("awake")
}
"""
CPP_THREADS = """
#include <iostream>
#include <thread>

int main() {
    std::string line;
    std::getline(std::cin, line);
    std::thread([] { std::cout << "awake" << std::endl; }).join();
    std::getline(std::cin, line);
}
"""
PYTHON_LIBRARIES = """
import games.sticheln, numpy
input()
print("awake" if numpy.arange(3).sum() == 3 and games.sticheln.Sticheln.name else "")
input()
"""


@pytest.mark.parametrize(
    ("name", "source"),
    [("main.go", GO_TIMER), ("main.cpp", CPP_THREADS), ("main.py", PYTHON_LIBRARIES)],
    ids=["a timer in Go", "a thread in C++", "numpy and the rules in Python"],
)
def test_what_a_language_is_known_for_works_in_the_box(boxes, name, source):
    program = made(boxes, {name: source})
    for sandbox in boxes.values():
        bot = sandbox.open(program)
        try:
            assert bot.start(b"wake up\n", PATIENT).line == b"awake"
        finally:
            bot.close()
