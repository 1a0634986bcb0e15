"""What the tests of running Kibitz share."""

import io
import os
import tempfile
from pathlib import Path

import pytest

from deploy.lines import Lines
from deploy.processes import Task


@pytest.fixture
def folder():
    """A short path: that of a socket may have only 107 bytes."""
    with tempfile.TemporaryDirectory(prefix="kz-", dir="/tmp") as path:
        yield Path(path)


@pytest.fixture
def lines():
    """What a run shows, as a text."""
    return Lines(io.StringIO())


@pytest.fixture
def shell(tmp_path):
    """A task that runs a script."""

    def task(script, **about):
        return Task("worker", ["sh", "-c", script], dict(os.environ), **about)

    return task
