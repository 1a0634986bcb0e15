"""Removes boxes that nobody will end any more: their worker is dead, or their time is over."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any

from sandbox import settings
from sandbox.box import InfrastructureFault
from sandbox.cgroup import Cgroup
from sandbox.engine import Engine

HANDS = 4


def reap(engine: Engine) -> None:
    """Others may be at it at the same moment. A box that cannot be removed holds up no other."""
    abandoned = [str(box["Id"]) for box in engine.boxes(settings.ROLE) if is_abandoned(box)]
    with ThreadPoolExecutor(HANDS) as hands:
        list(hands.map(partial(remove, engine), abandoned))


def is_abandoned(box: dict[str, Any]) -> bool:
    labels = box["Labels"]
    deadline = int(labels.get(settings.DEADLINE, 0))
    return time.time() > deadline or is_dead(labels.get(settings.WORKER, ""))


def is_dead(worker: str) -> bool:
    """Whether a worker is known to have ended; of one that we cannot see, nothing is known."""
    ours, theirs = settings.this_worker().split("/"), worker.split("/")
    if len(theirs) != len(ours) or theirs[:2] != ours[:2]:
        return False
    return str(settings.started(int(theirs[2]))) != theirs[3]


def remove(engine: Engine, box: str) -> None:
    for step in (thaw, Engine.kill, Engine.remove):
        with suppress(InfrastructureFault):
            step(engine, box)


def thaw(engine: Engine, box: str) -> None:
    """A box that its worker had stopped between turns could not even die."""
    freezer = Cgroup(int(engine.inspect(box)["State"]["Pid"])).freezer()
    freezer.frozen = freezer.file is not None
    freezer.thaw()
