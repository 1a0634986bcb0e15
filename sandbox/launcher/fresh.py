"""Process 1 of a fresh box: one bot for one leg, or one build, over the standard streams; then it ends.

It is called with its lifetime in seconds, after which it ends even if everything outside has died. In both
directions go frames: a byte that says what it is, four bytes of length, content.

    in    P  JSON: the command (or the commands of a build) and the filters
          A  the tarred folder
          I  something for the bot to read; C: nothing more will come
          E  the leg is to end now
          T  the folder is wanted back, tarred
    out   R  ready for a program
          L  loaded: nothing, or why not
          O  something the bot has written
          X  the bot has ended, or closed its output: its status, or nothing
          D  the debug output; everything else has ended
          T  a piece of the folder, an empty one at the end

The bot has the same uid as we: our memory and descriptors are hidden from it, and of its signals process 1 gets
only those it has a handler for. A closed input means that nobody is left outside.
"""

import base64
import io
import json
import os
import select
import signal
import struct
import sys
import tarfile
import time
from contextlib import suppress
from typing import Any, NoReturn

from sandbox.debug import CHUNK_BYTES, DebugOutput
from sandbox.launcher import inside

WAITING_BYTES = 1 << 20  # questions that the bot has not read
HEAD = struct.Struct(">cI")


def frame(kind: bytes, content: bytes = b"") -> bytes:
    return HEAD.pack(kind, len(content)) + content


class Host:
    """The frames to and from outside, never waiting; and the lifetime."""

    def __init__(self, lifetime_s: float) -> None:
        self.deadline = time.monotonic() + lifetime_s
        self.came = bytearray()
        self.unsent = bytearray()
        for fd in (0, 1):
            os.set_blocking(fd, False)

    def read(self) -> None:
        with suppress(BlockingIOError):
            chunk = os.read(0, CHUNK_BYTES)
            if not chunk:
                os._exit(0)
            self.came += chunk

    def next_frame(self) -> tuple[bytes, bytes] | None:
        if len(self.came) < HEAD.size:
            return None
        kind, length = HEAD.unpack_from(self.came)
        end = HEAD.size + length
        if len(self.came) < end:
            return None
        content = bytes(self.came[HEAD.size : end])
        del self.came[:end]
        return kind, content

    def wait_for(self, wanted: bytes) -> bytes:
        while True:
            found = self.next_frame()
            if found and found[0] == wanted:
                return found[1]
            if not found:
                self.wait(select.poll())

    def send(self, kind: bytes, content: bytes = b"") -> None:
        self.unsent += frame(kind, content)
        self.write()

    def write(self) -> None:
        with suppress(BlockingIOError):
            while self.unsent:
                del self.unsent[: os.write(1, self.unsent)]

    def flush(self) -> None:
        while self.unsent:
            self.wait(select.poll(), reading=False)

    def wait(self, poll: select.poll, reading: bool = True) -> list[int]:
        """Waits for the host and for what `poll` has; gives what of that is ready."""
        # Nothing asked for still reports a closed end.
        poll.register(0, select.POLLIN if reading else 0)
        if self.unsent:
            poll.register(1, select.POLLOUT)
        left_s = self.deadline - time.monotonic()
        ready = dict(poll.poll(max(0, left_s) * 1000))
        if not ready or ready.get(0, 0) & (select.POLLHUP | select.POLLERR):
            os._exit(0)
        if 0 in ready:
            self.read()
        if 1 in ready:
            self.write()
        return [fd for fd in ready if fd > 2]


class Leg:
    """The bot and its three streams, relayed."""

    def __init__(self, host: Host, order: dict[str, Any]) -> None:
        self.host = host
        self.order = order
        self.waiting = bytearray()
        self.debug = DebugOutput()
        self.input_closed = False
        self.over = False
        # Every child that ends wakes us up, so that orphans never fill the box.
        self.wake, wake_write = os.pipe()
        os.set_blocking(wake_write, False)
        os.set_blocking(self.wake, False)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self.start()

    def start(self) -> None:
        bot_in, self.input = os.pipe()
        self.output, bot_out = os.pipe()
        self.errors, bot_err = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            self.run([bot_in, bot_out, bot_err])
        for fd in (bot_in, bot_out, bot_err):
            os.close(fd)
        for fd in (self.input, self.output, self.errors):
            os.set_blocking(fd, False)
        if "commands" in self.order:
            self.close("output")

    def run(self, streams: list[int]) -> NoReturn:
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            inside.hide_memory(False)
            inside.die_first()
            os.setsid()
            for number, fd in enumerate(streams):
                os.dup2(fd, number)
            os.closerange(3, 1024)
            if "commands" in self.order:
                os._exit(run_build(self.order["commands"]))
            os.chdir(inside.LEG)
            inside.set_stage(self.order["command"])
            calls = inside.Filter(base64.b64decode(self.order["filter"]))
            inside.become(self.order["command"], calls)
        finally:
            os._exit(126)

    def relay(self) -> None:
        while not (self.over and not self.host.unsent):
            ready = self.host.wait(self.interests(), len(self.waiting) < WAITING_BYTES)
            while found := self.host.next_frame():
                self.obey(*found)
            if self.wake in ready:
                self.reap()
            if self.errors in ready:
                self.take_errors()
            if self.output in ready:
                self.take_output()
            if self.input in ready:
                self.feed()

    def interests(self) -> select.poll:
        poll = select.poll()
        poll.register(self.wake, select.POLLIN)
        if self.errors >= 0:
            poll.register(self.errors, select.POLLIN)
        if self.output >= 0 and not self.host.unsent:
            poll.register(self.output, select.POLLIN)
        if self.input >= 0 and self.waiting:
            poll.register(self.input, select.POLLOUT)
        return poll

    def obey(self, kind: bytes, content: bytes) -> None:
        if kind == b"I" and self.input >= 0:
            self.waiting += content
            self.feed()
        elif kind == b"C":
            self.input_closed = True
            self.feed()
        elif kind == b"E":
            self.end()
        elif kind == b"T":
            send_folder(self.host)

    def feed(self) -> None:
        try:
            while self.waiting and self.input >= 0:
                del self.waiting[: os.write(self.input, self.waiting)]
        except BlockingIOError:
            return
        except OSError:
            # The bot has closed its input: no fault, and nobody reads what comes.
            self.close("input")
            self.waiting.clear()
        if self.input_closed:
            self.close("input")

    def take_output(self) -> None:
        with suppress(BlockingIOError):
            chunk = os.read(self.output, CHUNK_BYTES)
            if chunk:
                self.host.send(b"O", chunk)
            else:
                self.close("output")
                self.host.send(b"X")

    def take_errors(self) -> None:
        with suppress(BlockingIOError):
            chunk = os.read(self.errors, CHUNK_BYTES)
            self.debug.add(chunk)
            if not chunk:
                self.close("errors")

    def reap(self) -> None:
        """What has ended is buried; with the bot itself ends all that it has started."""
        with suppress(BlockingIOError):
            os.read(self.wake, CHUNK_BYTES)
        with suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if not pid:
                    return
                if pid == self.pid:
                    self.bot_ended(status)

    def bot_ended(self, status: int) -> None:
        kill_all()
        while self.output >= 0:
            self.take_output_to_end()
        self.host.send(b"X", b"%d" % os.waitstatus_to_exitcode(status))

    def take_output_to_end(self) -> None:
        chunk = b""
        with suppress(BlockingIOError):
            chunk = os.read(self.output, CHUNK_BYTES)
        if chunk:
            self.host.send(b"O", chunk)
        else:
            self.close("output")

    def end(self) -> None:
        kill_all()
        while self.errors >= 0 and select.select([self.errors], [], [], 0)[0]:
            self.take_errors()
        self.host.send(b"D", self.debug.kept())
        self.over = True

    def close(self, stream: str) -> None:
        fd = getattr(self, stream)
        if fd >= 0:
            os.close(fd)
            setattr(self, stream, -1)


def kill_all() -> None:
    with suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL)
    with suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)


def run_build(commands: list[list[str]]) -> int:
    """The commands one after the other, as far as they go well; all they say is the log."""
    os.dup2(2, 1)
    os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
    os.chdir(inside.BOT)
    for command in commands:
        words = [word.replace("{bot}", inside.BOT) for word in command]
        os.write(2, f"$ {' '.join(command)}\n".encode())
        status = os.spawnvp(os.P_WAIT, words[0], words)
        if status:
            os.write(2, f"{words[0]} ended with {status}\n".encode())
            return 1
    return 0


class Pieces(io.RawIOBase):
    """A file whose content goes out frame by frame."""

    def __init__(self, host: Host) -> None:
        self.host = host

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        piece = bytes(data)
        self.host.send(b"T", piece)
        self.host.flush()
        return len(piece)


def send_folder(host: Host) -> None:
    with tarfile.open(fileobj=Pieces(host), mode="w|", bufsize=CHUNK_BYTES) as tar:
        tar.add(inside.BOT, arcname=".", filter=plain)
    host.send(b"T")


def plain(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Files, folders and links; nothing about whose and when."""
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    return member if member.isreg() or member.isdir() or member.issym() else None


def close_folder() -> None:
    """Not for safety, the box is used once: a bot finds the same as in a kept box."""
    for folder, _, names in os.walk(inside.BOT, topdown=False):
        for name in names:
            path = os.path.join(folder, name)
            if not os.path.islink(path):
                os.chmod(path, 0o555 if os.access(path, os.X_OK) else 0o444)
        os.chmod(folder, 0o555)


def load(order: dict[str, Any], archive: bytes) -> str:
    strict = inside.Filter(base64.b64decode(order["strict"]))
    for folder in (inside.BOT, inside.LEG):
        os.mkdir(folder, 0o755)

    def work() -> None:
        inside.unpack(io.BytesIO(archive), inside.BOT)
        if "command" in order:
            close_folder()

    return "" if inside.in_child(work, strict) else "its files cannot be unpacked"


def main() -> NoReturn:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    inside.hide_memory()
    inside.warm_up()
    os.umask(0o022)
    host = Host(float(sys.argv[1]))
    host.send(b"R")
    order = json.loads(host.wait_for(b"P"))
    why = load(order, host.wait_for(b"A"))
    host.send(b"L", why.encode())
    if not why:
        Leg(host, order).relay()
    host.flush()
    os._exit(0)
