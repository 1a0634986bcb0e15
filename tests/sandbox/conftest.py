"""Boxes of a real engine for the tests of the sandbox, and bots written as short texts."""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sandbox import image as box_image
from sandbox.bot import Bot
from sandbox.box import InfrastructureFault
from sandbox.docker import DockerSandbox
from sandbox.engine import Engine
from sandbox.settings import BoxSettings
from tests.sandbox.bots import program, unavailable

MODES = ("kept", "fresh")


@pytest.fixture(scope="session")
def engine() -> Engine:
    """The engine that answers here; `python -m tests.services` sees to it that there is one."""
    engine = Engine()
    try:
        engine.info()
    except InfrastructureFault as fault:
        unavailable(f"no Docker engine answers: {fault}")
    return engine


@pytest.fixture(scope="session")
def image(engine: Engine) -> str:
    try:
        return box_image.newest() or box_image.ensure("python")
    except InfrastructureFault as fault:
        unavailable(f"no image of the box: {fault}")
        raise


@pytest.fixture(scope="session")
def how(image: str) -> BoxSettings:
    return BoxSettings(image)


@pytest.fixture(scope="session")
def sandboxes(engine: Engine, how: BoxSettings) -> Iterator[dict[str, DockerSandbox]]:
    # None ahead: what is started in the background would be seen by the next test.
    sandboxes = {mode: DockerSandbox(how, mode, engine, ahead=0) for mode in MODES}
    yield sandboxes
    for sandbox in sandboxes.values():
        sandbox.close()


@pytest.fixture(params=MODES)
def sandbox(request: pytest.FixtureRequest, sandboxes: dict[str, DockerSandbox]) -> DockerSandbox:
    return sandboxes[request.param]


@pytest.fixture
def kept(sandboxes: dict[str, DockerSandbox]) -> DockerSandbox:
    return sandboxes["kept"]


@pytest.fixture
def fresh(sandboxes: dict[str, DockerSandbox]) -> DockerSandbox:
    return sandboxes["fresh"]


@pytest.fixture
def opened(sandbox: DockerSandbox) -> Iterator[Callable[..., Bot]]:
    """Opens bots in the sandbox of the test, and closes what it leaves open."""
    bots = []

    def open_bot(source: str, **limits: int | str) -> Bot:
        bots.append(sandbox.open(program(source, **limits)))
        return bots[-1]

    yield open_bot
    for bot in bots:
        bot.close()


@pytest.fixture
def folder() -> Iterator[Path]:
    """A short path: that of a socket may have only 107 bytes."""
    with tempfile.TemporaryDirectory(prefix="kibitz-") as path:
        yield Path(path)
