"""An engine that dies, hangs, refuses or talks nonsense is nobody's fault, and is known to be so in time."""

import itertools
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import docker
import pytest

from games import GAMES
from games.player import Limits
from sandbox import image as box_image
from sandbox.box import InfrastructureFault
from sandbox.docker import DockerSandbox
from sandbox.engine import Engine
from sandbox.probes import best_mode
from sandbox.reaper import reap
from sandbox.runtimes.python import PYTHON
from sandbox.settings import OVERTIME_S, BoxSettings, this_worker
from tests.sandbox.bots import (
    PATIENT,
    READY,
    all_boxes,
    eventually,
    program,
    unavailable,
    wait_for_engine,
)
from workers.referee import play_match

pytestmark = pytest.mark.timeout(300)

LIFETIME_S = 40  # of a box; more than a match here takes on the busiest machine
DISK_MB = 700  # the image, and once more while it is loaded


@pytest.fixture
def stand_in(folder):
    """An engine that says the given bytes to everyone, or nothing."""
    listeners = []

    def start(answer: bytes) -> Engine:
        path = folder / f"{len(listeners)}"
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(path))
        listener.listen()
        listeners.append(listener)
        threading.Thread(target=serve, args=(listener, answer), daemon=True).start()
        return Engine(f"unix://{path}")

    yield start
    for listener in listeners:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()


def serve(listener: socket.socket, answer: bytes) -> None:
    held = []
    try:
        while True:
            connection, _ = listener.accept()
            held.append(connection)
            if answer:
                connection.recv(65536)
                connection.sendall(answer)
                connection.close()
    except OSError:
        for connection in held:
            connection.close()


def test_an_engine_that_is_not_there(folder):
    with pytest.raises(InfrastructureFault):
        Engine(f"unix://{folder}/nothing").info()


def test_only_unix_sockets_can_be_used(monkeypatch):
    monkeypatch.setenv("DOCKER_HOST", "tcp://127.0.0.1:2375")
    with pytest.raises(InfrastructureFault, match="unix socket"):
        Engine()
    monkeypatch.setenv("DOCKER_HOST", "unix:///somewhere/else")
    assert Engine().path == "/somewhere/else"


def test_an_engine_that_never_answers(stand_in):
    engine = stand_in(b"")
    engine.call_s = 0.5
    began = time.monotonic()
    for call in (engine.info, lambda: engine.attach("box")):
        with pytest.raises(InfrastructureFault):
            call()
    assert time.monotonic() - began < 5


@pytest.mark.parametrize(
    "answer",
    [
        b"nonsense\r\n\r\n",
        b"HTTP/1.1 500 no\r\nContent-Length: 22\r\n\r\nno space left on device",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\ncut off",
        b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnope",
    ],
)
def test_an_engine_that_fails(stand_in, answer):
    engine = stand_in(answer)
    with pytest.raises(InfrastructureFault):
        engine.info()
    with pytest.raises(InfrastructureFault):
        DockerSandbox(BoxSettings("image"), "kept", engine)


# -- An engine that may be killed, stopped and filled ---------------------------------------------


class OwnEngine:
    """With its own network, data and socket, on a small disk of its own, and with the image of the boxes."""

    def __init__(self, folder, image):
        self.folder, self.image = folder, image
        self.data = folder / "data"
        self.data.mkdir()
        size = ["-o", f"size={DISK_MB}m"]
        subprocess.run(["mount", "-t", "tmpfs", *size, "kibitz", str(self.data)], check=True)
        self.engine = Engine(f"unix://{folder}/s")
        self.start()

    def start(self):
        # A process that was killed seems to live on until somebody has buried it.
        for pid in ("pid", "run/containerd/containerd.pid"):
            (self.folder / pid).unlink(missing_ok=True)
        where = ["--data-root", str(self.data), "--exec-root", f"{self.folder}/run"]
        reach = ["-H", f"unix://{self.folder}/s", "--iptables=false", "--bridge=none"]
        with (self.folder / "log").open("ab") as log:
            self.daemon = subprocess.Popen(
                ["unshare", "--net", "dockerd", *where, *reach, "--pidfile", f"{self.folder}/pid"],
                stdout=log,
                stderr=log,
            )
        wait_for_engine(self.engine, 60)

    def load(self):
        """Takes the image over from the engine that has it."""
        own = docker.DockerClient(f"unix://{self.folder}/s", timeout=120)
        with closing(docker.from_env(timeout=120)) as other, closing(own):
            own.images.load(other.api.get_image(self.image))

    def kill(self):
        self.daemon.kill()
        self.daemon.wait()

    def close(self):
        self.daemon.send_signal(signal.SIGCONT)
        self.daemon.terminate()
        self.daemon.wait(30)
        subprocess.run(["umount", "--lazy", str(self.data)], check=True)


@pytest.fixture(scope="module")
def own_engine(engine):
    if os.getuid() != 0 or not shutil.which("dockerd") or not shutil.which("unshare"):
        unavailable("an engine of one's own takes root, dockerd and unshare")
    with tempfile.TemporaryDirectory(prefix="kibitz-") as folder:
        own = OwnEngine(Path(folder), box_image.ensure("python"))
        try:
            own.load()
            yield own
        finally:
            own.close()


@pytest.fixture(params=["kept", "fresh"])
def sandbox(request, own_engine):
    """Ends what a test has done to the engine, and then plays a match as if nothing had been."""
    settings = BoxSettings(own_engine.image, lifetime_s=LIFETIME_S)
    sandbox = DockerSandbox(settings, request.param, own_engine.engine, ahead=0)
    yield sandbox
    sandbox.close()
    wait_for_engine(own_engine.engine)
    again = DockerSandbox(settings, request.param, own_engine.engine, ahead=0)
    assert play(again) == []
    again.close()
    assert eventually(lambda: nothing_left(own_engine.engine), LIFETIME_S + OVERTIME_S + 20)


def nothing_left(engine):
    """A box that an engine lost sight of when it went down is gone after its lifetime."""
    reap(engine)
    return not all_boxes(engine)


def play(sandbox, in_the_middle=lambda: None):
    """The faults of a match of two legs; something happens at its fourth decision."""
    decisions = itertools.count()
    [source] = PYTHON.self_test.values()
    bot = program({"main.py": source}, "python3", "{bot}/main.py")
    legs = play_match(
        GAMES["color-stock"],
        {"rounds": 1},
        [lambda: sandbox.open(bot)] * 2,
        bytes(32),
        limits=PATIENT,
        watch=lambda leg, events: in_the_middle() if next(decisions) == 3 else None,
    )
    return [fault for leg in legs for fault in leg.faults]


@contextmanager
def nobodys_fault(sandbox):
    """Only what comes through the engine suffers with it; a kept box plays on."""
    if sandbox.mode == "kept":
        yield
    else:
        with pytest.raises(InfrastructureFault):
            yield


def test_an_engine_killed_in_the_middle_of_a_match(own_engine, sandbox):
    with nobodys_fault(sandbox):
        assert play(sandbox, own_engine.kill) == []
    if own_engine.daemon.poll() is not None:
        own_engine.start()


def test_an_engine_that_hangs_in_the_middle_of_a_match(own_engine, sandbox, monkeypatch):
    player = sandbox.open(program(READY + "for line in sys.stdin: print(line, end='', flush=True)"))
    player.start(b"start\n", PATIENT)
    monkeypatch.setattr(own_engine.engine, "call_s", 1.0)
    own_engine.daemon.send_signal(signal.SIGSTOP)
    try:
        with nobodys_fault(sandbox):
            assert player.ask(b"still there?\n", Limits(wall_ms=1000)).line == b"still there?"
        with pytest.raises(InfrastructureFault):
            own_engine.engine.info()
        player.close()
    finally:
        own_engine.daemon.send_signal(signal.SIGCONT)


def test_an_engine_without_room_for_a_box(own_engine, sandbox):
    with (own_engine.data / "filler").open("wb", buffering=0) as filler, suppress(OSError):
        while True:
            filler.write(bytes(1 << 20))
    try:
        with pytest.raises(InfrastructureFault):
            play(sandbox)
    finally:
        (own_engine.data / "filler").unlink()


def test_an_engine_that_is_not_there_any_more(own_engine):
    settings = BoxSettings("kibitz-box:nothing")
    with pytest.raises(InfrastructureFault, match="no image"):
        DockerSandbox(settings, "kept", own_engine.engine)
    own_engine.kill()
    with pytest.raises(InfrastructureFault):
        own_engine.engine.info()
    assert best_mode(own_engine.engine, settings).mode == "fresh"
    own_engine.start()


def test_an_engine_that_has_as_many_boxes_as_it_may_have(engine, how):
    beyond_the_usual = range(how.uids.stop, how.uids.stop + 1)
    settings = BoxSettings(how.image, uids=beyond_the_usual, worker=f"{this_worker()}/one-only")
    sandbox = DockerSandbox(settings, "kept", engine)
    first = sandbox.open(program(READY))
    with pytest.raises(InfrastructureFault, match="no uid is left"):
        sandbox.open(program(READY + "#second"))
    assert first.start(b"start\n", PATIENT).line == b"ready"
    first.close()
    sandbox.close()
