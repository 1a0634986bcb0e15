"""Whatever stands in the way of a run is said in a sentence that helps, before anything is changed."""

import errno
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from deploy import obstacles
from deploy.commands import ROOT
from deploy.obstacles import Obstacle
from deploy.run import Settings
from tests.sandbox.bots import unavailable

NOBODY = 65534


def test_a_port_in_use_is_named_with_another_one():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(Obstacle, match=f"port {port}: .* KIBITZ_PORT={port + 1} make run"):
            obstacles.free_port("127.0.0.1", port)
    obstacles.free_port("127.0.0.1", port)


def test_an_address_of_another_machine_cannot_be_listened_at():
    with pytest.raises(Obstacle, match=r"cannot listen at 192\.0\.2\.1 port 8000.* KIBITZ_BIND"):
        obstacles.free_port("192.0.2.1", 8000)


def test_a_port_that_is_roots_is_not_answered_with_the_next_one(monkeypatch):
    def denied(listener, address):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(socket.socket, "bind", denied)
    with pytest.raises(Obstacle, match=r"port 80: Permission denied.* KIBITZ_PORT=8000 make run"):
        obstacles.free_port("127.0.0.1", 80)


def test_a_second_run_on_the_same_data_is_refused_and_told_of_the_first(tmp_path):
    with (
        obstacles.lock(tmp_path),
        pytest.raises(Obstacle, match=rf"runs already .* \(process {os.getpid()}\)"),
    ):
        obstacles.lock(tmp_path)
    obstacles.lock(tmp_path).close()


def test_what_a_killed_run_left_is_waited_for(tmp_path):
    """Its processes have the lock's file, and end a moment later than it."""
    code = "import sys; sys.stdin.read()"
    with obstacles.lock(tmp_path) as lock:
        left = subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, pass_fds=[lock.fileno()]
        )
    (tmp_path / "lock").write_text("999999999")
    waiting = obstacles.is_locked
    seen = []

    def look(file):
        seen.append(waiting(file))
        if len(seen) == 3:
            left.communicate()
        return seen[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(obstacles, "is_locked", look)
        obstacles.lock(tmp_path).close()
    assert seen[:3] == [False] * 3
    assert seen[-1]


def test_a_lock_file_that_was_left_behind_is_no_obstacle(tmp_path):
    (tmp_path / "lock").write_text("1")
    obstacles.lock(tmp_path).close()


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(Obstacle, match=r"cannot be made: .* KIBITZ_DATA="):
        obstacles.ready_folder(tmp_path / "file" / "data")


def test_a_full_disk_is_told_with_what_is_wanted(tmp_path, monkeypatch):
    monkeypatch.setattr(obstacles, "LEAST_FREE_BYTES", 2**60)
    with pytest.raises(Obstacle, match=r"Only \d+ MB are left .* Make room"):
        obstacles.ready_folder(tmp_path)


def test_files_of_another_user_are_named(folder):
    if os.geteuid() != 0:
        unavailable("only root can leave files to somebody else")
    shutil.copytree(ROOT / "deploy", folder / "code" / "deploy")
    (folder / "data").mkdir()
    (folder / "data" / "secret-key").touch(0o600)
    for path in (folder, folder / "data"):
        path.chmod(0o777)
    code = (
        "import sys; from pathlib import Path; from deploy import obstacles\n"
        "try: obstacles.ready_folder(Path(sys.argv[1]))\n"
        "except obstacles.Obstacle as obstacle: print(obstacle)"
    )
    said = subprocess.run(
        ["/usr/bin/python3", "-c", code, str(folder / "data")],
        cwd=folder / "code",
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
        env={},
        capture_output=True,
        text=True,
        check=False,
    )
    assert f"{folder}/data/secret-key may not be written by this user" in said.stdout, said.stderr


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "kibitz.sqlite3"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE cards (name TEXT)")
        database.executemany(
            "INSERT INTO cards VALUES (?)", [(f"red-{n}" * 50,) for n in range(99)]
        )
        database.commit()
    return path


def test_a_whole_database_and_none_at_all_are_no_obstacle(database, tmp_path):
    obstacles.whole_database(database)
    obstacles.whole_database(tmp_path / "not there yet")
    (tmp_path / "empty").touch()
    obstacles.whole_database(tmp_path / "empty")


@pytest.mark.parametrize(("place", "damage"), [(0, b"no database"), (4096, b"\xff" * 4096)])
def test_a_damaged_database_is_told_and_left_as_it_is(database, place, damage):
    raw = bytearray(database.read_bytes())
    raw[place : place + len(damage)] = damage
    database.write_bytes(raw)
    with pytest.raises(Obstacle, match=r"is damaged: .* Nothing has been changed"):
        obstacles.whole_database(database)
    assert database.read_bytes() == raw


def test_a_database_that_somebody_holds_is_not_called_damaged(database, monkeypatch):
    monkeypatch.setattr(obstacles, "LOCKED_S", 0.1)
    with closing(sqlite3.connect(database)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(Obstacle, match=r"cannot be read: database is locked\. Stop what else"):
            obstacles.whole_database(database)
    obstacles.whole_database(database)


def test_a_folder_in_the_place_of_the_database_is_not_called_damaged(tmp_path):
    with pytest.raises(Obstacle, match=r"cannot be read: .* file that this user may read"):
        obstacles.whole_database(tmp_path)


@pytest.mark.parametrize("port", ["many", "0", "70000"])
def test_a_wrong_port_is_named_with_what_it_should_be(port):
    with pytest.raises(Obstacle, match=f"KIBITZ_PORT is '{port}'"):
        Settings.of({"KIBITZ_PORT": port})


def test_a_wrong_sandbox_is_named_with_what_it_should_be():
    with pytest.raises(Obstacle, match="must be auto, docker or local"):
        Settings.of({"KIBITZ_SANDBOX": "none"})


@pytest.mark.parametrize(
    ("bind", "address", "here", "hosts"),
    [
        ("", "http://localhost:8000", "http://127.0.0.1:8000", "localhost,127.0.0.1,[::1]"),
        ("::1", "http://localhost:8000", "http://[::1]:8000", "localhost,127.0.0.1,[::1]"),
        (
            "192.0.2.7",
            "http://192.0.2.7:8000",
            "http://192.0.2.7:8000",
            "*,localhost,127.0.0.1,[::1]",
        ),
        (
            "0.0.0.0",
            f"http://{socket.gethostname()}:8000",
            "http://127.0.0.1:8000",
            "*,localhost,127.0.0.1,[::1]",
        ),
    ],
)
def test_the_address_follows_from_where_the_site_listens(bind, address, here, hosts):
    settings = Settings.of({"KIBITZ_BIND": bind})
    assert (settings.address, settings.here, settings.hosts) == (address, here, hosts)
