"""Runs the tests with all they need: `python -m tests.services PYTEST-ARGUMENTS`.

On Debian as root it installs what is missing, starts a Docker engine if none answers, makes the image of the boxes
and starts a PostgreSQL server, which KIBITZ_TEST_POSTGRESQL names; elsewhere it says loudly what the tests will have
to leave out. What it started, it stops.
"""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sandbox import image
from sandbox.box import InfrastructureFault
from sandbox.choice import engine_answers

ROOT = Path(__file__).parent.parent
ENGINE_LOG = ROOT / "var" / "dockerd.log"
ENGINE_SECONDS = 90
PID_FILES = {
    Path("/var/run/docker.pid"): "dockerd",
    Path("/var/run/docker/containerd/containerd.pid"): "containerd",
}
PACKAGES = {
    "dockerd": "docker.io",
    "docker-compose": "docker-compose",
    "debootstrap": "debootstrap",
    "redis-server": "redis-server",
    "initdb": "postgresql",
    "bwrap": "bubblewrap",
    "chromium": "chromium",
    "curl": "curl",
}
POSTGRESQL_SECONDS = 30
POSTGRESQL_SETTINGS = {
    "listen_addresses": "",
    "max_connections": "200",
    # What a power cut would destroy is thrown away anyway.
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
}
SAME_ON_ANY_DATABASE = (
    "tests/platform/api/test_conformance.py",
    "tests/platform/api/test_docs_page.py",
    "tests/platform/pages/test_browser.py",
    "tests/platform/pages/test_browser_pages.py",
    "tests/platform/pages/test_docs.py",
    "tests/platform/pages/test_playing.py",
    "tests/platform/pages/test_replay_browser.py",
    "tests/platform/static",
    "tests/platform/test_settings.py",
)
NO_CLUSTER = Path("/etc/postgresql-common/createcluster.conf")


def say(text: str) -> None:
    print(text, flush=True)


def search_everywhere() -> None:
    """Daemons and database servers are not on the path of ordinary users."""
    servers = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    paths = [os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin", *map(str, servers)]
    os.environ["PATH"] = ":".join(paths)


def install_missing() -> None:
    missing = [package for program, package in PACKAGES.items() if not shutil.which(program)]
    if not missing:
        return
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        say(f"NOT INSTALLED, and not tested then: {', '.join(missing)}. Install them to test all.")
        return
    say(f"Installing {', '.join(missing)} ...")
    if "postgresql" in missing and not NO_CLUSTER.exists():
        NO_CLUSTER.parent.mkdir(exist_ok=True)
        NO_CLUSTER.write_text("create_main_cluster = false\n")
    quiet = {"DEBIAN_FRONTEND": "noninteractive"} | os.environ
    subprocess.run(["apt-get", "update", "-qq"], check=True, env=quiet)
    command = ["apt-get", "install", "-y", "-qq", *missing]
    subprocess.run(command, check=True, env=quiet, stdout=subprocess.DEVNULL)
    search_everywhere()


@contextmanager
def engine() -> Iterator[None]:
    """A Docker engine that answers, if there can be one."""
    if engine_answers() or os.geteuid() != 0 or not shutil.which("dockerd"):
        yield
        return
    say("Starting a Docker engine ...")
    remove_stale_pid_files()
    ENGINE_LOG.parent.mkdir(exist_ok=True)
    with ENGINE_LOG.open("w") as log:
        daemon = subprocess.Popen(["dockerd"], stdout=log, stderr=log, start_new_session=True)
    try:
        await_engine(daemon)
        yield
    finally:
        daemon.terminate()
        daemon.wait(ENGINE_SECONDS)


def remove_stale_pid_files() -> None:
    """An engine that was killed leaves them, and the next one takes whatever process has that
    number now for its predecessor."""
    for path, name in PID_FILES.items():
        with suppress(OSError, ValueError):
            process = Path("/proc") / str(int(path.read_text()))
            if not process.exists() or (process / "comm").read_text().strip() != name:
                path.unlink()


def await_engine(daemon: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + ENGINE_SECONDS
    while not engine_answers():
        if daemon.poll() is not None or time.monotonic() > deadline:
            say(f"THE DOCKER ENGINE DOES NOT START; {ENGINE_LOG} says why.")
            return
        time.sleep(0.2)


def make_image() -> None:
    try:
        for stage in image.STAGES:
            image.ensure(stage, say)
    except InfrastructureFault as fault:
        say(f"NO IMAGE OF THE BOXES, so they are not tested: {fault}")


# -- PostgreSQL -----------------------------------------------------------------------------------


@contextmanager
def postgresql() -> Iterator[None]:
    """A server of our own at a socket in a folder of its own, if there can be one."""
    if os.environ.get("KIBITZ_TEST_POSTGRESQL") or not shutil.which("initdb"):
        yield
        return
    with tempfile.TemporaryDirectory(prefix="kz-", dir="/tmp") as name:
        folder, log = Path(name), Path(name) / "log"
        user = unprivileged(folder)
        make_cluster(folder, user)
        with log.open("w") as out:
            settings = [f"--{key}={value}" for key, value in POSTGRESQL_SETTINGS.items()]
            command = ["postgres", "-D", f"{name}/data", "-k", name, *settings]
            server = subprocess.Popen(command, stdout=out, stderr=out, cwd=name, **user)
        try:
            if answers(folder, server):
                os.environ["KIBITZ_TEST_POSTGRESQL"] = (
                    f"postgres://kibitz@{quote(name, '')}/postgres"
                )
            else:
                say(f"POSTGRESQL DOES NOT START, so it is not tested:\n{log.read_text()}")
            yield
        finally:
            os.environ.pop("KIBITZ_TEST_POSTGRESQL", None)
            server.send_signal(signal.SIGINT)  # without waiting for its clients
            server.wait(POSTGRESQL_SECONDS)


def unprivileged(folder: Path) -> dict[str, Any]:
    """Whom the server runs as, who gets the folder: it refuses to be root."""
    if os.geteuid() != 0:
        return {}
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    owner = known.get("postgres") or known["nobody"]
    os.chown(folder, owner.pw_uid, owner.pw_gid)
    return {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}


def make_cluster(folder: Path, user: dict[str, Any]) -> None:
    options = ["--username=kibitz", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"]
    command = ["initdb", "-D", f"{folder}/data", "--no-sync", *options]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder, **user)


def answers(folder: Path, server: "subprocess.Popen[bytes]") -> bool:
    deadline = time.monotonic() + POSTGRESQL_SECONDS
    asking = ["pg_isready", "--quiet", "--host", str(folder)]
    while subprocess.run(asking, check=False).returncode != 0:
        if server.poll() is not None or time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


def main() -> int:
    search_everywhere()
    install_missing()
    with engine(), postgresql():
        make_image()
        return run(sys.argv[1:]) or run_on_postgresql(sys.argv[1:])


def run(arguments: list[str], **environment: str) -> int:
    tests = [sys.executable, "-m", "pytest", *arguments]
    return subprocess.run(tests, cwd=ROOT, env=os.environ | environment, check=False).returncode


def run_on_postgresql(arguments: list[str]) -> int:
    """The tests of the site once more, on its other database."""
    address = os.environ.get("KIBITZ_TEST_POSTGRESQL")
    if not address:
        say("NOT TESTED: the site on PostgreSQL. Install its server to test all.")
        return 1 if os.environ.get("CI") else 0
    say("Once more the tests of the site, on PostgreSQL ...")
    left_out = [f"--ignore={path}" for path in SAME_ON_ANY_DATABASE]
    return run([*arguments, "tests/platform", *left_out], KIBITZ_DATABASE=address)


if __name__ == "__main__":
    sys.exit(main())
