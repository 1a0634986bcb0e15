"""The processes of a run: each on a leash, in a session of its own, started again when it dies."""

import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from deploy.commands import ROOT
from deploy.ctrl_c import CtrlC
from deploy.lines import Lines

LEASH = Path(__file__).with_name("leash.py")
LAST_LINES = 30
AT_ONCE_S = 10.0  # for what a killed process leaves behind
STEADY_S = 30.0  # who has lived so long has not died at its start
FIRST_PAUSE_S = 0.5
MOST_DEATHS = 5


class KeepsDying(Exception):
    """A process that ends again and again right after its start."""


@dataclass(frozen=True)
class Task:
    """A command and how it is run. What a quiet one says is shown only if it fails."""

    name: str
    command: list[str]
    environment: Mapping[str, str]
    folder: Path | None = None  # of its own, removed if we are gone before it
    patience_s: float = 10.0  # how long it may take to end when asked
    quiet: bool = False


class Process:
    """A task that has been started."""

    def __init__(self, task: Task, lines: Lines, keep_open: int | None = None) -> None:
        self.task = task
        self.lines = lines
        self.last: deque[str] = deque(maxlen=LAST_LINES)
        self.started_s = time.monotonic()
        leash = [sys.executable, "-IS", str(LEASH), str(task.folder or "")]
        self.popen = subprocess.Popen(
            [*leash, *task.command],
            cwd=ROOT,
            env=task.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            # Ctrl-C is for us alone: who stops when is a matter of order.
            start_new_session=True,
            pass_fds=[] if keep_open is None else [keep_open],
        )
        self.reader = threading.Thread(target=self.relay, name=task.name, daemon=True)
        self.reader.start()

    def relay(self) -> None:
        assert self.popen.stdout
        # Nobody else may close it: that would wait for whoever still has the other end.
        with self.popen.stdout as said:
            for raw in said:
                line = raw.decode("utf-8", "replace")
                self.last.append(line)
                if not self.task.quiet:
                    self.lines.say(self.task.name, line)

    @property
    def status(self) -> int | None:
        """None while it runs."""
        return self.popen.poll()

    def wait(self, seconds: float) -> bool:
        """Whether it has ended, at the latest after so long."""
        try:
            self.popen.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        self.close()
        return True

    def ask_to_end(self) -> None:
        self.popen.terminate()

    def end(self) -> None:
        """Sees to it that it has ended."""
        if not self.wait(0):
            self.kill()

    def kill(self) -> None:
        """With all its descendants, which the leash sees to; if it cannot, it goes too."""
        self.popen.send_signal(signal.SIGINT)
        if not self.wait(AT_ONCE_S):
            self.popen.kill()
            self.wait(AT_ONCE_S)

    def close(self) -> None:
        self.reader.join(AT_ONCE_S)
        assert self.popen.stdin
        self.popen.stdin.close()

    def tell_why(self) -> None:
        """What a quiet one said at its end."""
        if self.task.quiet:
            self.lines.all(self.task.name, self.last)


class Service:
    """A task that should always run. A death is followed by a new start, after a pause that doubles
    as long as it keeps dying young."""

    def __init__(self, task: Task, lines: Lines, keep_open: int | None = None) -> None:
        self.task = task
        self.lines = lines
        self.keep_open = keep_open
        self.deaths = 0
        self.due_s = 0.0
        self.process: Process | None = None

    def start(self) -> None:
        self.process = Process(self.task, self.lines, self.keep_open)

    def look_after(self) -> None:
        """Starts it again if it has died and its pause is over; KeepsDying if that has no sense."""
        if self.process is None:
            if time.monotonic() >= self.due_s:
                self.start()
        elif self.process.status is not None:
            self.died(self.process)

    def died(self, process: Process) -> None:
        process.wait(AT_ONCE_S)
        process.tell_why()
        self.process = None
        steady = time.monotonic() - process.started_s >= STEADY_S
        self.deaths = 1 if steady else self.deaths + 1
        if self.deaths >= MOST_DEATHS:
            raise KeepsDying(
                f"The {self.task.name} has ended {self.deaths} times in a row, "
                f"{how(process.status)}. Its lines above say why."
            )
        pause_s = FIRST_PAUSE_S * 2 ** (self.deaths - 1)
        self.due_s = time.monotonic() + pause_s
        self.lines.say(
            "kibitz",
            f"The {self.task.name} has ended, {how(process.status)}; "
            f"it is started again in {pause_s:g} s.",
        )

    def stop(self, ctrl_c: CtrlC) -> None:
        """Asks it to end, and waits as long as its task says or until there is a hurry."""
        if self.process is None:
            return
        process, self.process = self.process, None
        process.ask_to_end()
        deadline = time.monotonic() + self.task.patience_s
        while not process.wait(0.05):
            if ctrl_c.hurry or time.monotonic() > deadline:
                process.kill()
                return


def how(status: int | None) -> str:
    """A status in words; for a command that was killed the leash gives 128 and the signal's number."""
    if status is not None and 0 <= status <= 128:
        return f"with status {status}"
    return f"killed by signal {abs(status or 0) % 128}"
