"""`make run` as somebody who has just cloned the project meets it, from the first start to the next one."""

import json
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from tests.ctrl_c import heeded
from tests.deploy.copying import copy_of_the_project, free_port
from tests.deploy.visitor import PASSWORD, Visitor
from tests.deploy.watching import alive, mentioning, until

START_S = 240.0  # the environment is made as well
STOP_S = 120.0
MATCH_S = 240.0
AIM_S = 5.0
# Whoever runs the tests in the background has it ignored, in all that they start.
CTRL_C_WORKS = ("env", "--default-signal=INT")


class Clone:
    """A clone of the project that belongs to somebody who is not root, with a home of its own."""

    def __init__(self, home):
        self.home = home
        self.folder = home / "kibitz"
        self.folder.mkdir()
        copy_of_the_project(self.folder)
        self.port = free_port()
        self.site = f"http://localhost:{self.port}"
        self.user = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            self.user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            for path in (home, *home.rglob("*")):
                os.chown(path, nobody.pw_uid, nobody.pw_gid)
        self.running = []

    def start(self, **settings):
        kept = ("PATH", "LANG", "SSL_CERT_FILE", "PIP_CERT", "PIP_FIND_LINKS", "PIP_INDEX_URL")
        environment = {name: os.environ[name] for name in kept if name in os.environ}
        environment |= {"HOME": str(self.home), "TMPDIR": str(self.home / "tmp")}
        environment |= {"KIBITZ_PORT": str(self.port), "KIBITZ_MARK": str(self.home)}
        (self.home / "tmp").mkdir(mode=0o1777, exist_ok=True)
        (self.home / "tmp").chmod(0o1777)
        with (self.home / "log").open("ab") as log:
            run = subprocess.Popen(
                [*CTRL_C_WORKS, "make", "run"],
                cwd=self.folder,
                env=environment | settings,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=heeded,
                **self.user,
            )
        self.running.append(run)
        return run

    @property
    def log(self):
        return (self.home / "log").read_text()

    def started(self, **settings):
        """Starts it and waits until it says where it is."""
        said = len(self.log) if (self.home / "log").exists() else 0
        run = self.start(**settings)
        until(lambda: run.poll() is not None or "Kibitz is at" in self.log[said:], START_S)
        assert run.poll() is None, self.log
        return run

    def refused(self, **settings):
        """What a start says that cannot succeed."""
        said = len(self.log) if (self.home / "log").exists() else 0
        run = self.start(**settings)
        until(lambda: run.poll() is not None, START_S)
        assert run.returncode != 0
        return self.log[said:]

    def press_ctrl_c(self, run):
        """The terminal sends it to everybody in the foreground."""
        os.killpg(run.pid, signal.SIGINT)
        until(lambda: run.poll() is not None, STOP_S)

    def supervisor(self):
        return int((self.folder / "var" / "lock").read_text())

    def processes(self):
        return [pid for pid in mentioning(str(self.home)) if alive(pid)]

    def left_behind(self):
        return [*map(str, self.processes()), *map(str, (self.home / "tmp").iterdir())]

    def close(self):
        for run in self.running:
            if run.poll() is None:
                os.killpg(run.pid, signal.SIGKILL)
            run.wait()
        until(lambda: not self.processes(), STOP_S)


@pytest.fixture
def clone():
    if not shutil.which("curl") or not shutil.which("make"):
        pytest.fail("curl and make are needed to test `make run`")
    with tempfile.TemporaryDirectory(prefix="kz-", dir="/tmp") as name:
        Path(name).chmod(0o755)
        clone = Clone(Path(name))
        yield clone
        clone.close()
        print(clone.log)  # shown if the test has failed


@pytest.mark.timeout(1800)
def test_a_clone_runs_plays_stops_and_goes_on(clone, capsys):
    began = time.monotonic()
    run = clone.started()
    started_s = time.monotonic() - began
    alice = Visitor(clone.site)
    assert "bots run in the local sandbox of this machine" in alice.page("/")
    alice.sign_up("alice")
    token = alice.token()

    uploaded = time.monotonic()
    version = alice.upload_as_the_readme_says(clone.home, token)
    assert (version["bot"], version["number"]) == ("first", 1)
    match = alice.first_rated_match("first", MATCH_S)
    match_s = time.monotonic() - uploaded
    with capsys.disabled():
        print(
            f"\n`make run`: ready after {started_s:.1f} s; first rated match {match_s:.1f} s after "
            f"the upload (aim {AIM_S:g} s)."
        )
    before = alice.json(f"/api/v1/matches/{match['id']}")

    somebody_becomes_admin(clone)
    said = clone.refused(KIBITZ_PORT=str(free_port()))
    assert f"Kibitz runs already with the data in {clone.folder}/var" in said
    a_dead_site_comes_back(clone, alice)

    clone.press_ctrl_c(run)
    assert clone.left_behind() == []

    run = clone.started()
    alice = Visitor(clone.site)
    alice.log_in("alice")
    assert alice.json(f"/api/v1/matches/{match['id']}") == before
    assert alice.json("/api/v1/bots/first")["owner"] == "alice"

    os.kill(clone.supervisor(), signal.SIGKILL)
    until(lambda: not clone.processes(), STOP_S)
    assert clone.left_behind() == []
    assert "Traceback" not in clone.log

    with socket.create_server(("127.0.0.1", clone.port)):
        assert f"KIBITZ_PORT={clone.port + 1} make run" in clone.refused()
    a_newer_database_is_left_alone(clone)


def somebody_becomes_admin(clone):
    """As the run says, beside it."""
    [line] = re.findall(r"To become admin, in another terminal: (.+)", clone.log)
    name = {"DJANGO_SUPERUSER_USERNAME": "olivia", "DJANGO_SUPERUSER_EMAIL": ""}
    subprocess.run(
        f"{line} --no-input",
        shell=True,
        cwd=clone.folder,
        env={**name, "DJANGO_SUPERUSER_PASSWORD": PASSWORD},
        check=True,
        capture_output=True,
        **clone.user,
    )
    olivia = Visitor(clone.site)
    olivia.log_in("olivia")
    assert "/admin/jobs/worker/" in olivia.page("/admin/")


def a_dead_site_comes_back(clone, visitor):
    [site] = [pid for pid in clone.processes() if is_uvicorn(pid)]
    os.kill(site, signal.SIGKILL)
    until(lambda: not alive(site))
    until(lambda: visitor_sees(visitor, "/health"), START_S)
    assert re.search(r"The site has ended, killed by signal 9; it is started again", clone.log)


def is_uvicorn(pid):
    words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    return words[1:3] == [b"-m", b"uvicorn"]


def visitor_sees(visitor, path):
    try:
        return json.loads(visitor.page(path))
    except OSError:
        return None


def a_newer_database_is_left_alone(clone):
    database = clone.folder / "var" / "kibitz.sqlite3"
    python = (
        "import sqlite3, sys; database = sqlite3.connect(sys.argv[1]); "
        'database.execute("INSERT INTO django_migrations (app, name, applied) '
        "VALUES ('ladders', '9999_later', '2030-01-01')\"); database.commit()"
    )
    subprocess.run(["python3", "-c", python, database], check=True)
    said = clone.refused()
    assert "made by a newer Kibitz: it has ladders.9999_later" in said
    assert "Stopped. Nothing is lost" in said
