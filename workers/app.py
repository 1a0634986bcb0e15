"""The worker as a Celery app: `celery -A workers.app worker`, with KIBITZ_BROKER, KIBITZ_SITE and
KIBITZ_TOKEN in the environment; each may also stand in a file that NAME_FILE names.

The site's database is the queue of record. A message says only what to ask the site for, so one that is
lost, doubled or late does no harm; the settings below merely keep that rare.
"""

import logging
import os
import socket
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from billiard import current_process
from celery import Celery, Task, signals
from celery.exceptions import Reject
from kombu import Exchange, Queue

from workers.bench import open_bench
from workers.chair import Chair, opened
from workers.contract import PEOPLE, QUEUES, TASKS, Job, Kind
from workers.desk import Desk, NotAdmitted, Spool
from workers.jobs import Courier, NotNow, Worker
from workers.person import Person
from workers.store import Store

log = logging.getLogger("kibitz.worker")

LONGEST_MATCH_S = 2 * 3600
VISIBILITY_S = 3 * LONGEST_MATCH_S
MOST_CHILD_KB = 500_000
OPENING_S = 1800.0  # the image of the boxes may have to be made first
MOST_PEOPLE = 200  # each waits in a thread, and has boxes for the bots at the table
NOT_NOW_S = 5.0  # a job that this worker cannot take now is held so long, then left to others


# -- Settings -------------------------------------------------------------------------------------


class Unset(SystemExit):
    """A setting is missing or wrong; says which, and what it should be."""


@dataclass(frozen=True)
class Settings:
    """What the environment says."""

    site: str
    token: str
    folder: Path
    name: str
    sandbox: str
    runtime: str
    cores: int

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> "Settings":
        return cls(
            site=site_of(environment),
            token=required(environment, "KIBITZ_TOKEN", "this worker's token, made on the site"),
            folder=folder_of(environment),
            name=environment.get("KIBITZ_WORKER_NAME") or socket.gethostname(),
            sandbox=one_of(environment, "KIBITZ_SANDBOX", ("auto", "docker", "local")),
            runtime=environment.get("KIBITZ_RUNTIME") or "",
            cores=cores_of(environment),
        )


def value_of(environment: Mapping[str, str], key: str) -> str:
    """The variable, or what the file named by KEY_FILE says."""
    if path := environment.get(f"{key}_FILE"):
        try:
            return Path(path).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise Unset(f"{key}_FILE cannot be read: {error}") from None
    return environment.get(key, "").strip()


def required(environment: Mapping[str, str], key: str, meaning: str) -> str:
    value = value_of(environment, key)
    if not value:
        raise Unset(f"{key} is not set: it must be {meaning}.")
    return value


def site_of(environment: Mapping[str, str]) -> str:
    meaning = "the site's address, like https://kibitz.example"
    site = required(environment, "KIBITZ_SITE", meaning)
    if not site.startswith(("http://", "https://")):
        raise Unset(f"KIBITZ_SITE is {site!r}: it must be {meaning}.")
    return site


def one_of(environment: Mapping[str, str], key: str, choices: tuple[str, ...]) -> str:
    value = environment.get(key) or choices[0]
    if value not in choices:
        raise Unset(f"{key} is {value!r}: it must be one of {', '.join(choices)}.")
    return value


def cores_of(environment: Mapping[str, str]) -> int:
    """How many cores a match may use; the worker plays as many matches as there are cores for."""
    value, there = environment.get("KIBITZ_CORES") or "1", len(os.sched_getaffinity(0))
    if not value.isdecimal() or not 1 <= int(value) <= there:
        raise Unset(f"KIBITZ_CORES is {value!r}: it must be a number of cores from 1 to {there}.")
    return int(value)


def people_of(environment: Mapping[str, str]) -> int:
    """How many people may play with this worker at once, which then plays nothing else; 0: it plays
    matches of bots."""
    value = environment.get("KIBITZ_PEOPLE") or "0"
    if not value.isdecimal() or int(value) > MOST_PEOPLE:
        raise Unset(f"KIBITZ_PEOPLE is {value!r}: it must be a number from 0 to {MOST_PEOPLE}.")
    return int(value)


def folder_of(environment: Mapping[str, str]) -> Path:
    home = environment.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(environment.get("KIBITZ_WORKER_DIR") or Path(home) / "kibitz-worker")


# -- The queue ------------------------------------------------------------------------------------


def queue_settings(broker: str, matches: int, people: int = 0) -> dict[str, Any]:
    """Of a worker that plays so many matches at once, or with so many people, who mostly think."""
    queues = [PEOPLE] if people else list(QUEUES.values())
    return {
        "broker_url": broker,
        "broker_connection_retry_on_startup": True,
        "broker_transport_options": {
            "visibility_timeout": VISIBILITY_S,
            "unacked_restore_interval": 5,
            "unacked_restore_throttle": 1,
            "queue_order_strategy": "priority",
            "health_check_interval": 25,
            "socket_keepalive": True,
        },
        "result_backend_transport_options": {"visibility_timeout": VISIBILITY_S},
        "visibility_timeout": VISIBILITY_S,
        "task_queues": [
            # Without an exchange of its own each would be bound to that of the default queue.
            Queue(name, Exchange(name), routing_key=name)
            for name in queues
        ],
        "task_default_queue": queues[-1],
        "task_create_missing_queues": False,
        "task_serializer": "json",
        "accept_content": ["json"],
        "task_ignore_result": True,
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "task_time_limit": LONGEST_MATCH_S,
        "worker_concurrency": people or matches,
        "worker_pool": "threads" if people else "prefork",
        "worker_prefetch_multiplier": 1,
        "worker_soft_shutdown_timeout": 30,
        "worker_cancel_long_running_tasks_on_connection_loss": not people,
        "worker_max_tasks_per_child": 200,
        "worker_max_memory_per_child": MOST_CHILD_KB,
        "worker_proc_alive_timeout": OPENING_S,
        "worker_log_format": "%(levelname)s %(processName)s: %(message)s",
    }


def broker_of(environment: Mapping[str, str]) -> str:
    return value_of(environment, "KIBITZ_BROKER") or "redis://localhost:6379/0"


def matches_at_once(environment: Mapping[str, str]) -> int:
    return max(1, len(os.sched_getaffinity(0)) // cores_of(environment))


app = Celery("kibitz", fixups=[])  # or it would load Django where its settings are named
app.conf.update(
    queue_settings(
        broker_of(os.environ),
        matches_at_once(os.environ),
        people_of(os.environ),
    )
)


@app.task(name=TASKS["match"], bind=True)
def match(task: "Task[Any, None]", job_id: str, attempt: int) -> None:
    work(task, "match", job_id, attempt)


@app.task(name=TASKS["check"], bind=True)
def check(task: "Task[Any, None]", job_id: str, attempt: int) -> None:
    work(task, "check", job_id, attempt)


@app.task(name=TASKS["unit"], bind=True)
def unit(task: "Task[Any, None]", job_id: str, attempt: int) -> None:
    work(task, "unit", job_id, attempt)


def work(task: "Task[Any, None]", kind: Kind, job_id: str, attempt: int) -> None:
    try:
        child().worker.do(Job(kind, job_id, attempt))
    except NotNow as reason:
        log.warning("No job is taken now: %s", reason)
        time.sleep(NOT_NOW_S)
        raise Reject(str(reason), requeue=True) from None
    except NotAdmitted as error:
        log.critical("This worker stops: %s. Is KIBITZ_TOKEN right?", error)
        app.control.shutdown(destination=[str(task.request.hostname)])
        raise Reject(str(error), requeue=True) from None


# -- The process that plays -----------------------------------------------------------------------


class Child:
    """What one process of the pool has open, for all its threads."""

    def __init__(self, settings: Settings) -> None:
        desk = Desk(settings.site, settings.token, settings.name)
        spool = Spool(settings.folder / "spool")
        store = Store(settings.folder / "archives")
        redis = opened(broker_of(os.environ))
        self.worker = Worker(
            desk,
            store,
            spool,
            lambda: open_bench(settings.sandbox, settings.folder / "programs", settings.runtime),
            lambda name, look_up: Person(Chair(redis, name), look_up),
            cores=settings.cores,
        )
        self.courier = Courier(spool, desk)
        self.courier.start()

    def open(self) -> None:
        """Opens the sandbox ahead of the first job; if that fails, the first job tries again."""
        try:
            self.worker.prepared()
        except NotNow as reason:
            log.error("No job can be taken yet: %s", reason)

    def close(self) -> None:
        self.courier.stop()
        self.worker.close()
        self.worker.desk.close()


children: list[Child] = []
adding = threading.Lock()


def child() -> Child:
    with adding:
        if not children:
            children.append(Child(Settings.of(os.environ)))
        return children[0]


@signals.worker_init.connect
def settings_are_there(**about: Any) -> None:
    """Before any process is started: a worker without its settings ends with a sentence."""
    Settings.of(os.environ)


places: list[set[int]] = []  # the cores of each process of the pool


def places_of(cores: list[int], for_a_match: int, processes: int) -> list[set[int]]:
    """Cores of its own for every process; all of them for all, where a small pool would leave some idle."""
    if for_a_match * processes < len(cores):
        return [set(cores)] * processes
    last = len(cores) - for_a_match
    groups = [set(cores[at : at + for_a_match]) for at in range(0, last + 1, for_a_match)]
    return [groups[place % len(groups)] for place in range(processes)]


@signals.celeryd_after_setup.connect
def pool_is_about_to_start(instance: Any, **about: Any) -> None:
    cores, for_a_match = sorted(os.sched_getaffinity(0)), cores_of(os.environ)
    places[:] = places_of(cores, for_a_match, int(instance.concurrency))
    if people_of(os.environ):
        child().open()


@signals.worker_process_init.connect
def process_begins(**about: Any) -> None:
    # Boxes run where their worker does: on one core a line to a bot and back takes a fraction of the time.
    os.sched_setaffinity(0, places[current_process().index])  # type: ignore[attr-defined]
    child().open()


@signals.worker_process_shutdown.connect
def process_ends(**about: Any) -> None:
    while children:
        children.pop().close()


@signals.worker_shutting_down.connect
def nobody_is_waited_for(**about: Any) -> None:
    """What people play goes on with another worker, where it is."""
    for each in children:
        each.worker.leaving.set()


@signals.worker_shutdown.connect
def worker_ends(**about: Any) -> None:
    """With people, the only process there is."""
    process_ends()
