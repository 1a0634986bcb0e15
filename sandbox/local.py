"""Bots as processes of this machine, for trying things out without a Docker engine.

With bubblewrap a bot sees no network, no home and no other process, and so does a build: nothing but /usr and our
own Python is there. Without it, both are ordinary programs of the user who runs them, in a process group of their
own: run only bots you would run by hand. In both, a bot's memory, files and descriptors are limited, CPU time is
not measured, and a bot that spins slows its opponents down.
"""

import fcntl
import io
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from sandbox.bot import Bot
from sandbox.box import BoxLimits, Built, InfrastructureFault, Program
from sandbox.debug import Drain
from sandbox.pipes import Pipes
from sandbox.runtimes import RUNTIMES

BUILD_SECONDS = 120
FILES = 128
LEG, BOT = "/leg", "/bot"  # under bubblewrap
# The last redirections before a program. Bubblewrap's own processes hold 0, 1 and 2 as long as they live, but no
# other descriptor: so nobody but the bot has its streams, and it is seen when it closes them.
BOT_INPUT, BOT_OUTPUT = 3, 4
STREAMS = f"<&{BOT_INPUT} >&{BOT_OUTPUT} {BOT_INPUT}<&- {BOT_OUTPUT}>&-"
ABOVE_ALL_OF_THESE = 10
NOT_PROTECTED = {
    "bubblewrap": "Bots run on this machine under bubblewrap: without network, home or other processes "
    "in sight, but on its kernel, and without a CPU clock.",
    "plain": "Bots run on this machine as ordinary programs of yours, with nothing between them and your "
    "files. Run only bots you would run by hand.",
}


class LocalSandbox:
    """Starts programs as processes; what it does not protect from is in NOT_PROTECTED."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="kibitz-"))
        self.mode = "bubblewrap" if bubblewrap_works() else "plain"
        self.unpacked: dict[tuple[str, tuple[str, ...]], Path] = {}
        self.lock = threading.Lock()

    def open(self, program: Program) -> Bot:
        files = self.folder_of(program)
        scratch = Path(tempfile.mkdtemp(dir=self.folder))
        try:
            return Bot(LocalWire(self.wrapped(program, files, scratch), scratch))
        except OSError as error:
            remove(scratch)
            raise InfrastructureFault(f"a bot cannot be started: {error}") from None

    def build(self, files: bytes, commands: list[list[str]], limits: BoxLimits) -> Built:
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        try:
            unpack(files, folder)
            log = ""
            for command in commands:
                log += f"$ {' '.join(command)}\n"
                done, said = run_build(self.wrapped_build(command, folder, limits), folder)
                log += said
                if not done:
                    return Built(log, None)
            return Built(log, packed(folder))
        finally:
            remove(folder)

    def languages(self) -> dict[str, str]:
        """The languages that a build finds on this machine, and what they say of their versions."""
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        asked = {
            runtime.name: self.wrapped_build(
                [*runtime.version_command], folder, runtime.build_limits
            )
            for runtime in RUNTIMES
        }
        said = {name: run_build(command, folder) for name, command in asked.items()}
        remove(folder)
        return {name: text.splitlines()[0] for name, (is_there, text) in said.items() if is_there}

    def close(self) -> None:
        remove(self.folder)

    def folder_of(self, program: Program) -> Path:
        """Where a program is unpacked, once for all its legs."""
        # The same bytes under another name are another program.
        key = (program.sha256, program.command)
        with self.lock:
            if key not in self.unpacked:
                folder = Path(tempfile.mkdtemp(dir=self.folder))
                unpack(program.files, folder)
                self.unpacked[key] = folder
            return self.unpacked[key]

    def wrapped(self, program: Program, files: Path, scratch: Path) -> list[str]:
        """The command with all that limits it put in front."""
        command, limits = program.command, program.limits
        if self.mode == "plain":
            return limited(limits, str(scratch), filled(command, str(files)))
        return [
            *bubblewrap(limits, "--ro-bind", files),
            *limited(limits, LEG, filled(command, BOT)),
        ]

    def wrapped_build(self, command: list[str], folder: Path, limits: BoxLimits) -> list[str]:
        if self.mode == "plain":
            return filled(command, str(folder))
        return [*bubblewrap(limits, "--bind", folder), "--chdir", BOT, *filled(command, BOT)]


class LocalWire(Pipes):
    """The pipes to a process, which is ended with its whole group."""

    def __init__(self, command: list[str], scratch: Path) -> None:
        self.scratch = scratch
        self.closed = False
        bot_input, input_fd = os.pipe()
        output_fd, bot_output = os.pipe()
        errors_fd, bot_errors = os.pipe()
        theirs = [bot_input, bot_output, bot_errors]
        try:
            self.pid = spawned(command, environment(scratch), *theirs)
        except OSError:
            theirs += [input_fd, output_fd, errors_fd]
            raise
        finally:
            for fd in theirs:
                os.close(fd)
        super().__init__(input_fd, output_fd)
        self.drain = Drain(errors_fd)
        self.watch = threading.Thread(target=self.end_group, daemon=True)
        self.watch.start()

    def end_group(self) -> None:
        """What a program leaves behind is ended with it, so that its output is seen to end."""
        os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        self.kill_group()

    def kill_group(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    def begin_turn(self) -> int | None:
        return None

    def end_turn(self) -> int | None:
        return None

    def out_of_memory(self) -> bool:
        return False

    def close(self) -> bytes:
        if self.closed:
            return b""
        self.closed = True
        self.kill_group()
        self.watch.join()
        os.waitpid(self.pid, 0)
        self.close_streams()
        self.drain.join(1)
        remove(self.scratch)
        return self.drain.output.kept()


def spawned(command: list[str], given: dict[str, str], *streams: int) -> int:
    """Starts a process with the three streams of a bot at 3, 4 and 2, and nothing at 0 and 1."""
    clear = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, ABOVE_ALL_OF_THESE) for fd in streams]
    places = zip(clear, (BOT_INPUT, BOT_OUTPUT, 2), strict=True)
    try:
        return os.posix_spawnp(
            command[0],
            command,
            given,
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDWR, 0),
                (os.POSIX_SPAWN_DUP2, 0, 1),
                *((os.POSIX_SPAWN_DUP2, fd, place) for fd, place in places),
            ],
            setsid=True,
        )
    finally:
        for fd in clear:
            os.close(fd)


def environment(home: Path) -> dict[str, str]:
    """Nothing of our own: no token, no path but the system's."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(home),
        "TMPDIR": str(home),
        "LANG": "C.UTF-8",
    }


def filled(command: Sequence[str], folder: str) -> list[str]:
    """The command for a folder; Python is the one that runs us."""
    words = [word.replace("{bot}", folder) for word in command]
    return [sys.executable, *words[1:]] if words[0] == "python3" else words


def limited(limits: BoxLimits, home: str, command: list[str]) -> list[str]:
    """The command with its limits, in its folder, with its streams where it expects them."""
    steps = [
        f"cd {shlex.quote(home)}",
        "ulimit -c 0",
        f"ulimit -n {FILES}",
        f"ulimit -d {limits.memory_mb << 10}",
        f"ulimit -f {limits.disk_mb << 11}",  # blocks of half a kilobyte
        f'exec "$@" {STREAMS}',
    ]
    return ["sh", "-c", "; ".join(steps), "sh", *command]


def bubblewrap(limits: BoxLimits, bind: str, files: Path) -> list[str]:
    """`bind` says whether the bot's folder may be written."""
    words = ["bwrap", "--unshare-all", "--die-with-parent", "--cap-drop", "ALL"]
    for name in ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc/alternatives", *own_python()):
        # A link costs next to nothing, a mount a good part of a millisecond.
        linked = Path(name).is_symlink()
        words += ["--symlink", str(Path(name).readlink())] if linked else ["--ro-bind-try", name]
        words.append(name)
    words += ["--proc", "/proc", "--dev", "/dev", bind, str(files), BOT]
    words += ["--size", str(limits.disk_mb << 20), "--tmpfs", LEG]
    return [*words, "--setenv", "HOME", LEG, "--setenv", "TMPDIR", LEG]


def own_python() -> list[str]:
    """Where the Python that runs us is, as far as /usr does not have it."""
    folders = {sys.base_prefix, sys.prefix}
    return sorted(folder for folder in folders if not Path(folder).is_relative_to("/usr"))


@cache
def bubblewrap_works() -> bool:
    if not shutil.which("bwrap"):
        return False
    with tempfile.TemporaryDirectory() as folder:
        trial = [*bubblewrap(BoxLimits(), "--ro-bind", Path(folder)), sys.executable, "-c", ""]
        return subprocess.run(trial, capture_output=True, check=False).returncode == 0


def run_build(command: list[str], folder: Path) -> tuple[bool, str]:
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment(folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=BUILD_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False, f"not done after {BUILD_SECONDS} s\n"
    except OSError as error:
        return False, f"{command[0]}: {error.strerror}\n"
    return done.returncode == 0, done.stdout.decode("utf-8", "replace")


def remove(folder: Path) -> None:
    """Removes a folder, however deep a bot has made it."""
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except RecursionError:
        subprocess.run(["/bin/rm", "-rf", "--", str(folder)], check=False)


def unpack(files: bytes, folder: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO(files)) as tar:
        # Python before 3.11.4 has no such filter; the names were judged before, by their listing.
        tar.extraction_filter = getattr(tarfile, "data_filter", None)
        tar.extractall(folder)  # noqa: S202


def packed(folder: Path) -> bytes:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as tar:
        tar.add(folder, arcname=".")
    return raw.getvalue()
