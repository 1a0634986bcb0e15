"""What can stand in the way of a run. Each is found before anything is changed, and says what to do about it."""

import errno
import fcntl
import os
import shutil
import socket
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import TextIO

LEAST_FREE_BYTES = 512 * 2**20  # below half of that, workers take no jobs
LOCKED_S = 20.0
ENDING_S = 20.0  # what a killed run left may take so long to end


class Obstacle(Exception):
    """The run cannot start; the sentence says why and what to do."""


def known_system() -> None:
    if sys.platform != "linux":
        raise Obstacle(
            "Kibitz runs on Linux: it counts on its processes, namespaces and control groups. "
            "Elsewhere docker-compose runs it in containers; docs/hosting.md says how."
        )


def ready_folder(data: Path) -> None:
    """Makes the folder of all data, or says why it cannot be used."""
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Obstacle(f"The folder {data} cannot be made: {error.strerror}. {ELSEWHERE}") from None
    foreign = [path for path in (data, *data.iterdir()) if not os.access(path, os.R_OK | os.W_OK)]
    if foreign:
        raise Obstacle(
            f"{foreign[0]} may not be written by this user. Was Kibitz run here by somebody else, "
            f"perhaps by root? Run it as that user, or give the files away: chown -R {os.getuid()} {data}"
        )
    free = shutil.disk_usage(data).free
    if free < LEAST_FREE_BYTES:
        raise Obstacle(
            f"Only {free >> 20} MB are left on the disk of {data}, and Kibitz wants "
            f"{LEAST_FREE_BYTES >> 20} MB to begin with. Make room. {ELSEWHERE}"
        )


ELSEWHERE = "Or keep the data in another place: KIBITZ_DATA=/path/to/folder make run"


def lock(data: Path) -> TextIO:
    """Two runs on the same data would play everything twice. The file is locked as long as it is open,
    here or in a process that it was passed to."""
    file = (data / "lock").open("a+", encoding="ascii")
    deadline = time.monotonic() + ENDING_S
    while not is_locked(file):
        owner = owner_of(file)
        if owner or time.monotonic() > deadline:
            file.close()
            raise Obstacle(
                f"Kibitz runs already with the data in {data}"
                + (f" (process {owner})." if owner else ", or a part of it that will not end.")
                + " Stop it first, with Ctrl-C in its terminal. For a second site beside it: "
                "KIBITZ_DATA=/path/to/folder KIBITZ_PORT=8001 make run"
            )
        time.sleep(0.1)
    file.truncate(0)
    file.write(str(os.getpid()))
    file.flush()
    return file


def is_locked(file: TextIO) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def owner_of(file: TextIO) -> int | None:
    """The process that has the lock, if it still lives; what it left may need a moment to end."""
    file.seek(0)
    written = file.read()
    return int(written) if written.isdecimal() and Path("/proc", written).exists() else None


def free_port(bind: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in bind else socket.AF_INET
    with socket.socket(family) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((bind, port))
            listener.listen()
        except OSError as error:
            way_out = WAYS_OUT.get(error.errno or 0, OTHER_ADDRESS).format(another=port + 1)
            raise Obstacle(
                f"The site cannot listen at {bind} port {port}: {error.strerror}. {way_out}"
            ) from None


WAYS_OUT = {
    errno.EADDRINUSE: "Stop what uses it, or take another: KIBITZ_PORT={another} make run",
    errno.EACCES: "Ports below 1024 are kept for root; take another: KIBITZ_PORT=8000 make run",
}
OTHER_ADDRESS = (
    "Name an address of this machine, or listen at all that it has: KIBITZ_BIND=0.0.0.0 make run"
)


def whole_database(path: Path) -> None:
    """An SQLite file that is not there yet is as good."""
    if not path.exists():
        return
    try:
        with closing(sqlite3.connect(path, timeout=LOCKED_S)) as database:
            [(verdict,)] = database.execute("PRAGMA quick_check(1)").fetchall()
    except sqlite3.OperationalError as error:  # locked or out of reach, which is no damage
        raise Obstacle(
            f"The database {path} cannot be read: {error}. Stop what else uses it, and see that it is a "
            "file that this user may read and write."
        ) from None
    except sqlite3.DatabaseError as error:
        verdict = str(error)
    if verdict != "ok":
        raise Obstacle(
            f"The database {path} is damaged: {' '.join(verdict.split())}. Nothing has been changed. Put a backup in "
            f"its place, or begin with a new one: mv {path} {path}.damaged"
        )
