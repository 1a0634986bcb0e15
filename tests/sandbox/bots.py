"""Bots written as short texts, and what the tests of boxes ask again and again."""

import hashlib
import io
import os
import tarfile
import textwrap
import time
from collections.abc import Callable

import pytest

from games.player import Limits
from sandbox.box import BoxLimits, InfrastructureFault, Program
from sandbox.engine import Engine
from sandbox.settings import ROLE, WORKER, this_worker

PATIENT = Limits(start_ms=30000, wall_ms=30000)
READY = 'import sys, os, time\nsys.stdin.readline()\nprint("ready", flush=True)\n'


def unavailable(why: str) -> None:
    """Loudly: what keeps strangers in is not tested then. Never where the tests are to be believed."""
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(f"NOT TESTED: {why}")


def tarred(files: dict[str, str | bytes], executable: tuple[str, ...] = ()) -> bytes:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as tar:
        for name, text in files.items():
            content = text.encode() if isinstance(text, str) else text
            member = tarfile.TarInfo(name)
            member.size = len(content)
            member.mode = 0o755 if name in executable else 0o644
            tar.addfile(member, io.BytesIO(content))
    return raw.getvalue()


def program(source: str | dict[str, str | bytes], *command: str, **limits: int | str) -> Program:
    """A bot of one Python file, or of several files and a command."""
    files = {"main.py": textwrap.dedent(source)} if isinstance(source, str) else source
    packed = tarred(files, tuple(files) if command else ())
    digest = hashlib.sha256(packed).hexdigest()
    return Program(packed, digest, command or ("python3", "main.py"), BoxLimits(**limits))  # type: ignore[arg-type]


def all_boxes(engine: Engine) -> set[str]:
    return {str(box["Id"]) for box in engine.boxes(ROLE)}


def own_boxes(engine: Engine) -> set[str]:
    return {str(box["Id"]) for box in engine.boxes(f"{WORKER}={this_worker()}")}


def eventually(holds: Callable[[], bool], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def wait_for_engine(engine: Engine, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while True:
        try:
            engine.info()
            return
        except InfrastructureFault:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)
