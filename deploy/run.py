"""The command behind `make run`: site, scheduler, worker and broker on this machine, until Ctrl-C.

It makes ready what is not there, starts everything in order, shows what each has to say, starts again what dies
and stops everything in the reverse order.
"""

import http.client
import os
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

from deploy import broker, commands, obstacles, secrets
from deploy.broker import Broker, NoServer
from deploy.commands import ROOT
from deploy.ctrl_c import CtrlC
from deploy.lines import Lines
from deploy.obstacles import Obstacle
from deploy.processes import KeepsDying, Process, Service, Task, how
from sandbox.box import InfrastructureFault
from sandbox.engine import Engine

BROKER_S, SITE_S, STEP_S = 60.0, 60.0, 3600.0
LAST_MATCHES_S = 30.0
TEMPORARY, LONG_PATH = "/tmp", 60  # noqa: S108  # what is put below must fit into the path of a socket
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104
WORKERS = ("worker", "people")
SITES_OWN = ("KIBITZ_SECRET_KEY", "KIBITZ_DATABASE", "KIBITZ_MAIL_PASSWORD")


class Stopped(Exception):
    """Somebody has pressed Ctrl-C."""


class Failed(Exception):
    """Something that must be done before the start has failed; says what."""


@dataclass(frozen=True)
class Settings:
    """What the environment says."""

    data: Path
    bind: str
    port: int
    broker: str
    sandbox: str
    people: str
    environment: Mapping[str, str]

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> "Settings":
        port = environment.get("KIBITZ_PORT") or "8000"
        if not port.isdecimal() or not 1 <= int(port) <= 65535:
            raise Obstacle(f"KIBITZ_PORT is {port!r}: it must be a number from 1 to 65535.")
        sandbox = environment.get("KIBITZ_SANDBOX") or "auto"
        if sandbox not in ("auto", "docker", "local"):
            raise Obstacle(f"KIBITZ_SANDBOX is {sandbox!r}: it must be auto, docker or local.")
        return cls(
            data=Path(environment.get("KIBITZ_DATA") or ROOT / "var").absolute(),
            bind=environment.get("KIBITZ_BIND") or "127.0.0.1",
            port=int(port),
            broker=value_of(environment, "KIBITZ_BROKER"),
            sandbox=sandbox,
            people=environment.get("KIBITZ_PEOPLE") or commands.PEOPLE,
            environment=environment,
        )

    @property
    def is_shared(self) -> bool:
        """Whether other machines can reach the site."""
        return self.bind not in ("localhost", "::1") and not self.bind.startswith("127.")

    @property
    def here(self) -> str:
        """Where this machine finds the site."""
        return at("127.0.0.1" if self.bind in EVERYWHERE else self.bind, self.port)

    @property
    def address(self) -> str:
        """Where people find it."""
        if given := self.environment.get("KIBITZ_SITE"):
            return given
        if self.bind in EVERYWHERE:
            return at(socket.gethostname(), self.port)
        return at(self.bind if self.is_shared else "localhost", self.port)

    @property
    def debug(self) -> str:
        return (self.environment.get("KIBITZ_DEBUG") or "0").lower()

    @property
    def hosts(self) -> str:
        given = self.environment.get("KIBITZ_HOSTS") or ("*" if self.is_shared else "")
        return ",".join([*given.split(","), *LOOPBACK]).strip(",")

    @property
    def database(self) -> Path | None:
        """The SQLite file, unless another database is named."""
        if self.environment.get("KIBITZ_DATABASE") or self.environment.get("KIBITZ_DATABASE_FILE"):
            return None
        return self.data / "kibitz.sqlite3"

    @property
    def token(self) -> Path:
        return self.data / "worker-token"

    @property
    def manage(self) -> str:
        """How somebody calls manage.py on the same data."""
        own = "" if self.data == ROOT / "var" else f"KIBITZ_DATA={self.data} "
        return f"{own}.venv/bin/python manage.py"


def value_of(environment: Mapping[str, str], key: str) -> str:
    """The variable, or what the file named by KEY_FILE says."""
    path = environment.get(f"{key}_FILE")
    try:
        return Path(path).read_text(encoding="utf-8").strip() if path else environment.get(key, "")
    except OSError as error:
        raise Obstacle(f"{key}_FILE cannot be read: {error}") from None


def without(environment: Mapping[str, str], *keys: str) -> dict[str, str]:
    dropped = {key + ending for key in keys for ending in ("", "_FILE")}
    return {key: value for key, value in environment.items() if key not in dropped}


def at(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class Run:
    """One run from its start to its end."""

    def __init__(
        self, settings: Settings, lines: Lines, folder: Path, lock: int, ctrl_c: CtrlC
    ) -> None:
        self.settings = settings
        self.lines = lines
        self.folder = folder
        self.lock = lock
        self.ctrl_c = ctrl_c
        self.services: list[Service] = []
        self.boxes: Process | None = None

    def say(self, text: str) -> None:
        self.lines.say("kibitz", text)

    def until(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Waits for something; whether it has happened in time."""
        deadline = time.monotonic() + seconds
        while not condition():
            if self.ctrl_c.wait(0.05):
                raise Stopped
            if time.monotonic() > deadline:
                return False
        return True

    # -- Starting -----------------------------------------------------------------------------------

    def start(self) -> None:
        sandbox = self.chosen_sandbox()
        for name in ("broker", "worker", "files"):
            (self.settings.data / name).mkdir(mode=0o700, exist_ok=True)
        address = self.settings.broker or self.start_broker()
        site = self.site_environment(address, sandbox)
        self.make_ready(site)
        self.start_site(site)
        self.begin("scheduler", commands.scheduler(), site)
        if sandbox == "docker":
            self.make_first_boxes()
        self.start_worker(address, sandbox)
        if self.settings.people != "0":
            self.start_people(address, sandbox)
        self.welcome(sandbox)

    def chosen_sandbox(self) -> str:
        """Boxes if an engine answers this user, else processes of this machine."""
        wanted = self.settings.sandbox
        if wanted == "local":
            return "local"
        try:
            Engine().info()
        except InfrastructureFault as fault:
            if wanted == "docker":
                raise Obstacle(
                    f"KIBITZ_SANDBOX is docker, but no engine can be used: {fault}. Start one, or let "
                    "this user use it, or play without boxes: KIBITZ_SANDBOX=local make run"
                ) from None
            self.say(f"No boxes, since no Docker engine can be used here: {fault}")
            return "local"
        return "docker"

    def begin(self, name: str, command: list[str], environment: Mapping[str, str]) -> Service:
        return self.begin_task(Task(name, command, environment))

    def begin_task(self, task: Task) -> Service:
        service = Service(task, self.lines, self.lock)
        self.services.append(service)
        service.start()
        return service

    def start_broker(self) -> str:
        own = self.folder / "broker"
        own.mkdir(mode=0o700)
        embedded = Broker(self.settings.data / "broker", own / "socket")
        command = embedded.command(broker.server())
        environment = self.settings.environment
        service = self.begin_task(Task("broker", command, environment, own, quiet=True))
        if not self.up(service, embedded.answers, BROKER_S) and (aside := embedded.put_aside()):
            self.say(f"The broker cannot read its data, which is now in {aside}; it starts afresh.")
            service.stop(self.ctrl_c)
            service.start()
            self.up(service, embedded.answers, BROKER_S)
        if not embedded.answers():
            self.give_up(service)
        return embedded.address

    def up(self, service: Service, answers: Callable[[], bool], seconds: float) -> bool:
        """Whether a service answers, at the latest after so long; not if it ends first."""

        def ended() -> bool:
            return service.process is None or service.process.status is not None

        return self.until(lambda: ended() or answers(), seconds) and not ended()

    def give_up(self, service: Service) -> None:
        process = service.process
        assert process
        service.stop(self.ctrl_c)
        process.tell_why()
        raise Failed(f"The {service.task.name} does not start. Its lines above say why.")

    def site_environment(self, address: str, sandbox: str) -> dict[str, str]:
        settings = self.settings
        environment = {
            **without(settings.environment, "KIBITZ_BROKER"),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "KIBITZ_BROKER": address,
            "KIBITZ_DATA": str(settings.data),
            "KIBITZ_DEBUG": settings.debug,
            "KIBITZ_HOSTS": settings.hosts,
            "KIBITZ_LOCAL_SANDBOX": "1" if sandbox == "local" else "0",
            "KIBITZ_SITE": settings.address,
            "PYTHONUNBUFFERED": "1",
        }
        if not {"KIBITZ_SECRET_KEY", "KIBITZ_SECRET_KEY_FILE"} & environment.keys():
            environment["KIBITZ_SECRET_KEY"] = secrets.kept(settings.data / "secret-key")
        return environment

    def make_ready(self, environment: Mapping[str, str]) -> None:
        is_new = self.settings.database and not self.settings.database.exists()
        self.say("Making the database ..." if is_new else "Starting ...")
        steps = [commands.migrate()]
        if self.settings.debug in ("0", "false"):
            steps.append(commands.collect_static())
        self.together(steps, environment)
        self.together([commands.prepare(str(self.settings.token))], environment)

    def together(self, steps: list[list[str]], environment: Mapping[str, str]) -> None:
        """Does several things at the same time, and all of them before anything else."""
        running = [
            Process(Task("prepare", command, environment, quiet=True), self.lines, self.lock)
            for command in steps
        ]
        try:
            self.until(lambda: all(process.status is not None for process in running), STEP_S)
        finally:
            for process in running:
                process.end()
        for process in running:
            if process.status != 0:
                process.tell_why()
                command = " ".join(process.task.command[1:3])
                raise Failed(
                    f"`{command}` has ended {how(process.status)}. Its lines above say why."
                )

    def start_site(self, environment: Mapping[str, str]) -> None:
        command = commands.site(self.settings.bind, self.settings.port)
        service = self.begin("site", command, environment)
        if not self.up(service, lambda: self.health() == "", SITE_S):
            self.say(f"The site is not well: {self.health()}")
            self.give_up(service)

    def health(self) -> str:
        """What the site lacks; nothing if it is well."""
        host, _, port = self.settings.here.removeprefix("http://").rpartition(":")
        with closing(http.client.HTTPConnection(host.strip("[]"), int(port), timeout=5)) as site:
            try:
                site.request("GET", "/health")
                answer = site.getresponse()
                said = answer.read().decode("utf-8", "replace")
            except (OSError, http.client.HTTPException) as error:
                return f"it cannot be reached: {error}"
        return "" if answer.status == HTTPStatus.OK else f"{answer.status} {said}"

    def start_worker(self, address: str, sandbox: str) -> None:
        self.begin_worker("worker", commands.worker(), address, sandbox)

    def start_people(self, address: str, sandbox: str) -> None:
        """A worker of their own: people take their time, and hold up no match of bots."""
        people = {"KIBITZ_PEOPLE": self.settings.people}
        self.begin_worker("people", commands.people(), address, sandbox, people)

    def begin_worker(
        self,
        name: str,
        command: list[str],
        address: str,
        sandbox: str,
        more: Mapping[str, str] | None = None,
    ) -> None:
        """It runs strangers' code, and gets nothing that is the site's alone."""
        own = self.folder / name
        own.mkdir(mode=0o700)
        environment = {
            **without(self.settings.environment, "KIBITZ_BROKER", "KIBITZ_PEOPLE", *SITES_OWN),
            "KIBITZ_BROKER": address,
            "KIBITZ_SANDBOX": sandbox,
            "KIBITZ_SITE": self.settings.here,
            "KIBITZ_TOKEN_FILE": str(self.settings.token),
            "KIBITZ_WORKER_DIR": str(self.settings.data / "worker"),
            "PYTHONUNBUFFERED": "1",
            "TMPDIR": str(own),
            **(more or {}),
        }
        self.begin_task(Task(name, command, environment, own, LAST_MATCHES_S))

    def welcome(self, sandbox: str) -> None:
        address = self.settings.address.rstrip("/")
        self.say(f"Kibitz is at {address}/ and the house bots are playing.")
        if sandbox == "local":
            self.say(
                "Bots run without boxes: let nobody upload whom you would not let run programs here."
            )
        self.say(f"To become admin, in another terminal: {self.settings.manage} createsuperuser")
        self.say(
            f"then log in at {address}/admin/. Ctrl-C stops all; the next `make run` goes on from there."
        )

    # -- Boxes --------------------------------------------------------------------------------------

    def make_first_boxes(self) -> None:
        """Python alone is quickly there; the other languages are made while its bots play."""
        from sandbox import image

        ready = image.newest()
        if ready == image.tag("full"):
            return
        if ready is None:
            self.say(f"Making the boxes. Meanwhile the site is at {self.settings.address}/")
            first = self.image("python")
            try:
                self.until(lambda: first.status is not None, STEP_S)
            finally:
                first.end()
            if first.status != 0:
                raise Failed(
                    "The boxes cannot be made; the lines above say why. `make box` tries again. "
                    "To play without boxes: KIBITZ_SANDBOX=local make run"
                )
        self.boxes = self.image("full")

    def image(self, stage: str) -> Process:
        task = Task("boxes", commands.boxes(stage), self.settings.environment)
        return Process(task, self.lines, self.lock)

    def look_after_boxes(self) -> None:
        """When all languages are there, the worker starts again and uses them."""
        if self.boxes is None or self.boxes.status is None:
            return
        boxes, self.boxes = self.boxes, None
        boxes.end()
        if boxes.status == 0:
            for worker in self.services:
                if worker.task.name in WORKERS:
                    worker.stop(self.ctrl_c)
                    if not self.ctrl_c.stopping:
                        worker.start()
        else:
            self.say(
                "Only Python bots can be played. `make box` tries again to make the other languages."
            )

    # -- Going on and stopping ----------------------------------------------------------------------

    def keep_going(self) -> None:
        while self.lines.wanted and not self.ctrl_c.wait(0.2):
            for service in self.services:
                service.look_after()
            self.look_after_boxes()

    def stop(self) -> None:
        self.ctrl_c.stopping = True
        if self.boxes:
            self.boxes.end()
        while self.services:
            self.services.pop().stop(self.ctrl_c)
        shutil.rmtree(self.folder, ignore_errors=True)


def short_folder() -> Path:
    """A folder of our own for sockets, whose paths must be short."""
    usual = tempfile.gettempdir()
    return Path(
        tempfile.mkdtemp(prefix="kibitz-", dir=TEMPORARY if len(usual) > LONG_PATH else usual)
    )


def main() -> int:
    os.umask(0o077)  # all that is kept is its owner's alone
    lines, ctrl_c = Lines(), CtrlC()
    ctrl_c.listen()
    try:
        obstacles.known_system()
        settings = Settings.of(os.environ)
        obstacles.ready_folder(settings.data)
        with obstacles.lock(settings.data) as lock:
            obstacles.free_port(settings.bind, settings.port)
            if settings.database:
                obstacles.whole_database(settings.database)
            return do(Run(settings, lines, short_folder(), lock.fileno(), ctrl_c))
    except Obstacle as obstacle:
        lines.say("kibitz", str(obstacle))
        return 1


def do(run: Run) -> int:
    status = 0
    try:
        run.start()
        run.keep_going()
    except Stopped:
        pass
    except (Failed, KeepsDying, NoServer, Obstacle) as error:
        run.say(str(error))
        status = 1
    run.say("Stopping. Matches in play are finished first; Ctrl-C again to hurry.")
    run.stop()
    run.say("Stopped. Nothing is lost" + ("." if status else ": `make run` goes on from here."))
    return status


if __name__ == "__main__":
    sys.exit(main())
