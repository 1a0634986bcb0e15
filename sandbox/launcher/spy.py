"""A bot that looks for anything its earlier legs could have left, and leaves all it can. Runs inside a box.

It answers three questions, a JSON line each: `look` (all that can be seen), `act` (leave marks, the given word
among them) and `find` (whether the word, told backwards, is anywhere in the memory).
"""

import ctypes
import errno
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PLACES = ("/", "/w", "/w/bot", "/w/leg", "/dev", "/tmp", "/run", "/var/tmp", "/io", "/etc", "/sys")
OF_PROCESS_1 = (
    "limits",
    "status",
    "oom_score_adj",
    "comm",
    "cmdline",
    "environ",
    "cgroup",
)
NEW_IN_LEG = (
    "/w/leg",
    "/proc",
    "/sys",
    "/dev/pts",
    "/dev/mqueue",
)  # mounted anew, so their times are new
# What differs between two runs of any program.
VOLATILE = ("Vm", "Rss", "voluntary", "nonvoluntary", "HugetlbPages")
FORKS, FILES, HEAP_MB = 100, 100, 24


def tried(look: Callable[[], Any]) -> Any:
    try:
        return look()
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, "?")


# -- What can be seen ---------------------------------------------------------------------------------


def entries() -> dict[str, Any]:
    """Every entry of the places where something could have been left."""
    seen = {}
    for place in PLACES:
        names = tried(lambda place=place: sorted(os.listdir(place)))  # type: ignore[misc]
        for name in [".", *(names if isinstance(names, list) else ())]:
            path = f"{place}/{name}".replace("//", "/")
            seen[path] = tried(lambda path=path: of_file(path))  # type: ignore[misc]
    return seen


def of_file(path: str) -> list[int]:
    found = os.lstat(path)
    facts = [found.st_mode, found.st_uid, found.st_nlink, found.st_size]
    if path.startswith(NEW_IN_LEG):
        return facts
    return [*facts, found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_atime_ns]


def process_1() -> dict[str, Any]:
    return {name: tried(lambda name=name: lines(f"/proc/1/{name}")) for name in OF_PROCESS_1}  # type: ignore[misc]


def lines(path: str) -> list[str]:
    text = Path(path).read_text(errors="replace")
    return [line for line in text.splitlines() if not line.startswith(VOLATILE)]


def child() -> int:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return pid


def file_number() -> int:
    path = Path("probe")
    path.touch()
    number = path.stat().st_ino
    path.unlink()
    return number


def free(path: str) -> list[int]:
    found = os.statvfs(path)
    return [found.f_bfree, found.f_ffree]


def readable(path: str) -> str:
    return tried(lambda: "read" if Path(path).read_bytes() else "empty") or ""


def look() -> dict[str, Any]:
    seen: dict[str, Any] = {f"entry {path}": found for path, found in entries().items()}
    seen |= {f"/proc/1/{name}": text for name, text in process_1().items()}
    counters = (
        "stat",
        "meminfo",
        "loadavg",
        "vmstat",
        "uptime",
        "locks",
        "net/dev",
        "sys/fs/file-nr",
    )
    seen |= {f"counter /proc/{name}": readable(f"/proc/{name}") for name in counters}
    cgroups = (
        "cpuacct/cpuacct.usage",
        "cpu.stat",
        "memory/memory.max_usage_in_bytes",
        "memory.peak",
    )
    seen |= {f"counter {name}": readable(f"/sys/fs/cgroup/{name}") for name in cgroups}
    seen["pid"] = os.getpid()
    seen["pid of a child"] = child()
    seen["inode of a file"] = file_number()
    seen["processes"] = sorted(name for name in os.listdir("/proc") if name.isdigit())
    seen["descriptors"] = [fd for fd in range(128) if tried(lambda fd=fd: os.fstat(fd)) != "EBADF"]  # type: ignore[misc]
    seen["free in /w"], seen["free in the leg"] = free("/w"), free(".")
    seen["environment"] = dict(os.environ)
    seen["ids"] = [*os.getresuid(), *os.getresgid(), *os.getgroups()]
    seen["umask"] = os.umask(0o022)
    seen["priority"] = os.getpriority(os.PRIO_PROCESS, 0)
    seen["folder"] = os.getcwd()
    return seen


# -- What can be left -----------------------------------------------------------------------------------


def act(word: str) -> dict[str, Any]:
    """Forks, files, touches, memory, debug output; gives the ways by which something got out."""
    for _ in range(FORKS):
        child()
    for number in range(FILES):
        Path(f"file{number}").write_text(word)
    touched = {}
    for path in ("/w", "/w/bot", __file__, "/dev/null", "/tmp", "/"):
        touched[f"touch {path}"] = tried(lambda path=path: os.utime(path))  # type: ignore[misc]
        touched[f"mark in {path}"] = tried(lambda path=path: Path(f"{path}/mark").write_text(word))  # type: ignore[misc]
    for path in ("/dev/fd", "/dev/stdin"):
        tried(lambda path=path: os.readlink(path))  # type: ignore[misc]
    Path(__file__).read_bytes()
    (HERE / "data").read_bytes()
    touched |= left_in_kernel()
    hoard = bytearray(HEAP_MB << 20)
    hoard[::4096] = b"x" * len(hoard[::4096])
    for _ in range(50):
        sys.stderr.write(f"{word}\n")
        sys.stderr.flush()
        time.sleep(0.0005)
    if os.fork() == 0:
        os.setsid()
        time.sleep(600)
    return touched


def left_in_kernel() -> dict[str, Any]:
    """Queues, keys and shared memory that outlive a process."""
    libc = ctypes.CDLL(None, use_errno=True)

    def made(name: str, *arguments: Any) -> None:
        if getattr(libc, name)(*arguments) < 0:
            raise OSError(ctypes.get_errno(), name)

    return {
        "shared memory": tried(lambda: made("shmget", 77, 4096, 0o1600)),
        "message queue": tried(lambda: made("msgget", 77, 0o1600)),
        "semaphore": tried(lambda: made("semget", 77, 1, 0o1600)),
        "posix queue": tried(
            lambda: made("mq_open", b"/mark", os.O_CREAT | os.O_RDWR, 0o600, None)
        ),
        "shared file": tried(lambda: Path("/dev/shm/mark").write_text("x") and None),
    }


# -- What is still in memory -----------------------------------------------------------------------------


def find(backwards: str) -> bool:
    """The word itself must not get into our memory by looking for it."""
    wanted, found = backwards.encode(), []
    for line in Path("/proc/self/maps").read_text().splitlines():
        span, rights, *_ = line.split()
        if rights.startswith("rw"):
            begin, end = (int(number, 16) for number in span.split("-"))
            found.append(ctypes.string_at(begin, end - begin))
    return any(wanted in piece[::-1] for piece in found)


ANSWERS: dict[str, Callable[..., Any]] = {"look": look, "act": act, "find": find}
if __name__ == "__main__":
    for question in sys.stdin:
        words = question.split()
        print(json.dumps(ANSWERS[words[0]](*words[1:])), flush=True)
