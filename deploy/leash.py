"""Runs a command of which nothing may outlive whoever started it: `leash.py FOLDER COMMAND ...`.

Whoever starts it keeps the other end of its standard input open. When that closes, however that came about, the
command is asked to end, then killed, and the folder, if one is named, is removed. SIGTERM asks the command to end,
SIGINT kills it. With it go all its descendants, in whatever session they hide.
"""

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

GRACE_S = 5.0
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # from <linux/prctl.h>


def main() -> int:
    folder, command = sys.argv[1], sys.argv[2:]
    # Orphaned descendants become our children instead of init's, so that they can be found.
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    orders = Orders()
    signal.signal(signal.SIGTERM, lambda *_: orders.give(signal.SIGTERM))
    signal.signal(signal.SIGINT, lambda *_: orders.give(signal.SIGKILL))
    child = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        preexec_fn=lambda: prctl(PR_SET_PDEATHSIG, signal.SIGKILL),
    )
    orders.take(child.pid)
    abandoned = threading.Event()
    threading.Thread(target=end_with_owner, args=(child.pid, abandoned), daemon=True).start()
    status = awaited(child.pid)
    end_the_rest()
    if folder and abandoned.is_set():
        remove(Path(folder))
    return status


class Orders:
    """Signals for the command; those that come before it has started wait for it."""

    def __init__(self) -> None:
        self.waiting: list[signal.Signals] = []
        self.pid = 0

    def give(self, number: signal.Signals) -> None:
        self.waiting.append(number)
        self.deliver()

    def take(self, pid: int) -> None:
        self.pid = pid
        self.deliver()

    def deliver(self) -> None:
        with suppress(IndexError):  # a signal that comes just here may have delivered all
            while self.pid:
                tell(self.pid, self.waiting.pop())


def prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def tell(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def end_with_owner(pid: int, abandoned: threading.Event) -> None:
    os.read(sys.stdin.fileno(), 1)  # nobody writes; it waits for the end
    abandoned.set()
    tell(pid, signal.SIGTERM)
    time.sleep(GRACE_S)
    tell(pid, signal.SIGKILL)


def awaited(pid: int) -> int:
    """The status of the command in the end; orphans that ended meanwhile are forgotten."""
    while True:
        ended, status = os.waitpid(-1, 0)
        if ended == pid:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code


def end_the_rest() -> None:
    """A killed child leaves its own children to us, so there may be several rounds."""
    while True:
        for pid in children():
            tell(pid, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def children() -> Iterator[int]:
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            if int(parent) == os.getpid():
                yield int(folder.name)


def remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    with suppress(OSError):
        folder.parent.rmdir()  # whoever is last; the others find it full


if __name__ == "__main__":
    sys.exit(main())
