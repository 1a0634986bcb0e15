"""What the kernel counts about a box, and its brake; cgroup version 1 and 2."""

import os
from contextlib import suppress
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
NS_PER_US = 1000
RESTLESS_NS = 5_000_000


class Counters:
    """Open descriptors of a box's counters; they can be read until the box is gone."""

    def __init__(self, cpu_fd: int = -1, memory_fd: int = -1) -> None:
        self.cpu_fd = cpu_fd
        self.memory_fd = memory_fd

    def cpu_ns(self) -> int | None:
        """CPU time of all that ever ran in the box."""
        text = read(self.cpu_fd)
        if text.startswith(b"usage_usec "):
            return int(text.split(maxsplit=2)[1]) * NS_PER_US
        return int(text) if text else None

    def memory_kills(self) -> int:
        """How many processes the memory limit has killed."""
        words = read(self.memory_fd).split()
        return int(words[words.index(b"oom_kill") + 1]) if b"oom_kill" in words else 0

    def close(self) -> None:
        for fd in (self.cpu_fd, self.memory_fd):
            if fd >= 0:
                os.close(fd)
        self.cpu_fd = self.memory_fd = -1


def read(fd: int) -> bytes:
    """Nothing if the counter cannot be read, or not any more."""
    try:
        return os.pread(fd, 4096, 0)
    except OSError:
        return b""


class Freezer:
    """Stops all processes of a box and lets them go on. Where the file cannot be written, does nothing."""

    def __init__(self, file: Path | None) -> None:
        self.file = file if file and os.access(file, os.W_OK) else None
        self.frozen = False

    def freeze(self) -> None:
        if self.file and not self.frozen:
            self.frozen = self.put(b"FROZEN", b"1")

    def thaw(self) -> None:
        if self.frozen:
            self.frozen = not self.put(b"THAWED", b"0")

    def put(self, word: bytes, digit: bytes) -> bool:
        assert self.file
        try:
            fd = os.open(self.file, os.O_WRONLY)
        except OSError:
            return False
        try:
            os.write(fd, word if self.file.name == "freezer.state" else digit)
        except OSError:
            return False
        finally:
            os.close(fd)
        return True


class Turns:
    """The CPU clock of a leg. A bot that burns time outside its turns is stopped there from then on."""

    def __init__(self, counters: Counters, freezer: Freezer) -> None:
        self.counters = counters
        self.freezer = freezer
        self.restless = False
        self.after_ns: int | None = None

    def begin(self) -> int | None:
        self.freezer.thaw()
        now_ns = self.counters.cpu_ns()
        if now_ns is not None and self.after_ns is not None:
            self.restless |= now_ns - self.after_ns > RESTLESS_NS
        return now_ns

    def end(self) -> int | None:
        self.after_ns = self.counters.cpu_ns()
        if self.restless:
            self.freezer.freeze()
        return self.after_ns


class Cgroup:
    """Where the host keeps the control files of a process's box, as far as it shows them to us."""

    def __init__(self, pid: int) -> None:
        self.folders: dict[str, Path] = {}
        with suppress(OSError):
            for line in Path(f"/proc/{pid}/cgroup").read_text().splitlines():
                _, names, path = line.split(":", 2)
                for name in names.split(","):
                    self.folders[name] = ROOT / names / path.lstrip("/")

    def file(self, controller: str, old: str, new: str) -> Path | None:
        """A control file by its name in version 1 and 2."""
        file = self.folders[controller] / old if controller in self.folders else None
        if file is None and "" in self.folders:
            file = self.folders[""] / new
        return file if file and file.exists() else None

    def counters(self) -> Counters:
        cpu = opened(self.file("cpuacct", "cpuacct.usage", "cpu.stat"))
        return Counters(cpu, opened(self.file("memory", "memory.oom_control", "memory.events")))

    def freezer(self) -> Freezer:
        return Freezer(self.file("freezer", "freezer.state", "cgroup.freeze"))


def opened(file: Path | None) -> int:
    with suppress(OSError):
        return os.open(file, os.O_RDONLY) if file else -1
    return -1
