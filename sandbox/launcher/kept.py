"""Process 1 of a kept box: loads one bot, then runs leg after leg of it, each in namespaces of its own.

It is called with the path of a socket that the worker listens on, and its lifetime in seconds, after which it ends
whatever happens outside. Messages, a packet each:

    ready             from here, with descriptors of the counters of CPU time and out-of-memory kills
    load              JSON with the command and the filters, and a descriptor of the tarred folder
    loaded            JSON, "" or why not
    leg               with the bot's ends of stdin and stdout
    end               the leg is to end now
    ended STATUS      from here, once for every leg, with its debug output

A leg is one clone(): its first process is process 1 of a new pid namespace, sees a new tmpfs at /w/leg, the
bot's folder read-only, /dev read-only, nothing at /sys and a /proc of its own. Killing that process ends the
leg: the kernel kills the rest and drops the tmpfs, so there is nothing to wipe.

Legs are clones of the zygote, which was forked before any of them. No byte a bot wrote, and no number that a
bot can move, may enter its memory: it never reads a bot's files or output, and it does not even learn the
process ids of its children, which count the forks of earlier legs. The supervisor may know all this.
"""

import base64
import ctypes
import json
import os
import select
import signal
import socket
import sys
import time
from contextlib import suppress
from typing import NoReturn

from sandbox.debug import CHUNK_BYTES, DebugOutput
from sandbox.launcher import inside

PACKET_BYTES = 131072
RDONLY, NOSUID, NODEV, NOEXEC, REMOUNT, BIND = 0x1, 0x2, 0x4, 0x8, 0x20, 0x1000
OPTIONS = {
    "nosuid": NOSUID,
    "nodev": NODEV,
    "noexec": NOEXEC,
    "noatime": 0x400,
    "nodiratime": 0x800,
    "relatime": 0x200000,
}
STRICTATIME = 0x1000000
NEW_NAMESPACES = 0x10000000 | 0x20000000 | 0x20000  # user, pid, mount
CLONE_PIDFD, CLONE_PARENT = 0x1000, 0x8000
CALLS = {"x86_64": (56, 126), "aarch64": (220, 91)}  # clone, capset
CAPABILITIES_OF_SELF = (ctypes.c_uint32 * 2)(
    0x20080522, 0
)  # the version of the call, no process id
NO_CAPABILITY = (ctypes.c_uint32 * 6)()
PR_CAPBSET_DROP = 24
CPU_COUNTERS = ("cpuacct/cpuacct.usage", "cpu,cpuacct/cpuacct.usage", "cpu.stat")
MEMORY_COUNTERS = ("memory/memory.oom_control", "memory.events")
NOTHING, OWN_PROC = "/w/.nothing", "/w/.proc"

# -- What a leg sees --------------------------------------------------------------------------------


class Scene:
    """The mounts of a leg, laid out once: what is made ready here costs no leg anything."""

    def __init__(self, leg_bytes: int, leg_inodes: int, own_proc: bool) -> None:
        with open("/proc/self/mountinfo") as lines:
            fields = [line.split() for line in lines]
        options = {field[4]: field[5].split(",") for field in fields}
        # Remounting /dev read-only does not reach what is mounted below it.
        below = [path for path in options if path.startswith("/dev/") and os.path.isdir(path)]
        size = f"size={leg_bytes},nr_inodes={leg_inodes},mode=0700"
        self.mounts = [
            mount("tmpfs", inside.LEG, "tmpfs", NOSUID | NODEV, size),
            *(
                mount("", path, "", BIND | REMOUNT | RDONLY | locked(options[path]))
                for path in ("/w", "/dev")
            ),
            *(hidden(path) for path in below),
            *(process_1_only() if own_proc else [proc("/proc")]),
            hidden("/sys"),
        ]

    def enter(self, uid: int, gid: int) -> None:
        inside.die_first()
        inside.put("/proc/self/uid_map", f"{uid} {uid} 1")
        inside.put("/proc/self/setgroups", "deny")
        inside.put("/proc/self/gid_map", f"{gid} {gid} 1")
        for arguments in self.mounts:
            inside.checked(inside.libc.mount(*arguments), arguments)


def mount(source: str, target: str, kind: str, flags: int, data: str = "") -> tuple[object, ...]:
    """The arguments of the system call."""
    words = [word.encode() or None for word in (source, target, kind, data)]
    return (*words[:3], ctypes.c_ulong(flags), words[3])


def locked(options: list[str]) -> int:
    """A user namespace may not loosen what was mounted with these."""
    flags = sum(flag for name, flag in OPTIONS.items() if name in options)
    return flags if {"noatime", "relatime"} & set(options) else flags | STRICTATIME


def proc(path: str) -> tuple[object, ...]:
    """Read-only, or a bot could make the launcher a better victim than itself when memory is short."""
    return mount("proc", path, "proc", NOSUID | NODEV | NOEXEC | RDONLY, "subset=pid")


def hidden(path: str) -> tuple[object, ...]:
    return mount(NOTHING, path, "", BIND)


def process_1_only() -> list[tuple[object, ...]]:
    """A /proc with nothing but process 1 in it. The number of links of the whole /proc is the number of processes
    of the machine, which two seats could signal by. What is mounted at /sys meanwhile is hidden again."""
    return [
        proc("/sys"),
        mount(OWN_PROC, "/proc", "", BIND),
        mount("/sys/1", "/proc/1", "", BIND),
        # Every entry looked up in these takes a number from a row of the whole machine.
        *(hidden(f"/proc/1/{name}") for name in ("fd", "fdinfo", "task")),
    ]


def make_backdrops() -> None:
    """What legs see in place of what they may not: /w is read-only by the time they see it, and a bind mount costs
    a leg less than a file system of its own."""
    os.mkdir(NOTHING, 0o555)
    os.makedirs(f"{OWN_PROC}/1", 0o555)
    os.symlink("1", f"{OWN_PROC}/self")


def drop_capabilities() -> None:
    """A new user namespace gives all of them, over itself."""
    for capability in range(64):
        if inside.libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0:
            break
    call = CALLS[inside.machine()][1]
    inside.checked(inside.libc.syscall(call, CAPABILITIES_OF_SELF, NO_CAPABILITY), "capset")


# -- The zygote ---------------------------------------------------------------------------------------


class Zygote:
    """Waits for the streams of a leg and clones itself. The child belongs to the supervisor."""

    def __init__(
        self, commands: socket.socket, command: list[str], calls: inside.Filter, scene: Scene
    ) -> None:
        self.commands = commands
        self.command = command
        self.calls = calls
        self.scene = scene
        self.ids = os.getuid(), os.getgid()
        self.pid = os.getpid()
        self.clone = inside.libc["syscall"]
        self.clone.restype = None  # the result is a process id: it must not be stored anywhere
        self.clone_number = CALLS[inside.machine()][0]

    def serve(self) -> NoReturn:
        while True:
            _, streams, _, _ = socket.recv_fds(self.commands, 16, 3)
            if not streams:
                os._exit(0)
            pidfd, error = self.clone_leg()
            if os.getpid() != self.pid:
                self.run(streams)
            for fd in streams:
                os.close(fd)
            if error:
                self.commands.send(b"%d" % error)
            else:
                socket.send_fds(self.commands, [b"0"], [pidfd])
                os.close(pidfd)

    def clone_leg(self) -> tuple[int, int]:
        """A descriptor of the new process and 0, or an error number."""
        pidfd = ctypes.c_int(-1)
        flags = ctypes.c_ulong(NEW_NAMESPACES | CLONE_PIDFD | CLONE_PARENT | signal.SIGCHLD)
        ctypes.set_errno(0)
        self.clone(self.clone_number, flags, None, ctypes.byref(pidfd), None, None)
        return pidfd.value, ctypes.get_errno()

    def run(self, streams: list[int]) -> NoReturn:
        try:
            for number, fd in enumerate(streams):
                os.dup2(fd, number)
            os.closerange(3, 1024)
            self.scene.enter(*self.ids)
            os.chdir(inside.LEG)
            drop_capabilities()
            inside.become(self.command, self.calls)
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(126)


# -- The supervisor -------------------------------------------------------------------------------------


class Supervisor:
    """Process 1: speaks with the worker, ends legs, drains their debug output."""

    def __init__(self, worker: socket.socket, lifetime_s: float) -> None:
        self.worker = worker
        self.deadline = time.monotonic() + lifetime_s
        self.zygote: socket.socket | None = None

    def serve(self) -> NoReturn:
        counters = [os.open(path, os.O_RDONLY) for path in counter_paths()]
        socket.send_fds(self.worker, [b"ready"], counters)
        for fd in counters:
            os.close(fd)
        poll = select.poll()
        poll.register(self.worker, select.POLLIN)
        while True:
            self.ready(poll)
            message, fds, _, _ = socket.recv_fds(self.worker, PACKET_BYTES, 4)
            if not message:
                os._exit(0)
            if message == b"leg":
                self.run_leg(fds)
            elif message != b"end":  # an end of a leg that had ended by itself
                self.worker.send(b"loaded " + self.load(json.loads(message), fds[0]).encode())

    def load(self, order: dict[str, str], archive: int) -> str:
        command = [str(word) for word in order["command"]]
        strict, own = (
            inside.Filter(base64.b64decode(order[name])) for name in ("strict", "filter")
        )
        for folder in (inside.BOT, inside.LEG):
            os.mkdir(folder, 0o755)
        make_backdrops()
        with open(archive, "rb") as file:
            if not inside.in_child(lambda: inside.unpack(file, inside.BOT), strict):
                return "its files cannot be unpacked"
        if inside.python_file(command):
            inside.in_child(lambda: inside.compile_all(command), strict)
        scene = Scene(int(order["leg_bytes"]), int(order["leg_inodes"]), bool(order["own_proc"]))
        self.zygote, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if os.fork() == 0:
            self.zygote.close()
            self.worker.close()
            inside.set_stage(command)
            Zygote(theirs, command, own, scene).serve()
        theirs.close()
        return ""

    def run_leg(self, streams: list[int]) -> None:
        debug_read, debug_write = os.pipe()
        os.fchmod(debug_write, 0o222)
        os.set_blocking(debug_read, False)
        debug = DebugOutput()
        pidfd, error = self.start([*streams, debug_write])
        for fd in (*streams, debug_write):
            os.close(fd)
        status = -1
        if error:
            debug.add(f"no new process: {os.strerror(error)}\n".encode())
        else:
            self.watch(pidfd, debug_read, debug)
            status = end(pidfd)
        drain(debug_read, debug)
        os.close(debug_read)
        self.worker.send(b"ended %d\n" % status + debug.kept())

    def start(self, streams: list[int]) -> tuple[int, int]:
        assert self.zygote
        socket.send_fds(self.zygote, [b"leg"], streams)
        answer, fds, _, _ = socket.recv_fds(self.zygote, 16, 1)
        return (fds[0] if fds else -1), int(answer)

    def watch(self, pidfd: int, debug_read: int, debug: DebugOutput) -> None:
        """Until the bot has ended or is to end."""
        poll = select.poll()
        for fd in (self.worker.fileno(), pidfd, debug_read):
            poll.register(fd, select.POLLIN)
        while True:
            ready = self.ready(poll)
            if self.worker.fileno() in ready:
                if not self.worker.recv(PACKET_BYTES):
                    os._exit(0)
                return
            if debug_read in ready and not read_some(debug_read, debug):
                poll.unregister(debug_read)
            if pidfd in ready:
                return

    def ready(self, poll: select.poll) -> list[int]:
        """Which descriptors there is something to read from; at the end of its lifetime the box ends."""
        found = poll.poll(max(0, self.deadline - time.monotonic()) * 1000)
        if not found:
            os._exit(0)
        return [fd for fd, _ in found]


def end(pidfd: int) -> int:
    """Kills a leg; returns when the whole of its pid namespace is gone."""
    with suppress(ProcessLookupError):
        signal.pidfd_send_signal(pidfd, signal.SIGKILL)
    result = os.waitid(os.P_PIDFD, pidfd, os.WEXITED)
    os.close(pidfd)
    if result is None:
        return -1
    return result.si_status if result.si_code == os.CLD_EXITED else 128 + result.si_status


def read_some(fd: int, debug: DebugOutput) -> bool:
    """Whether the bot may still write."""
    try:
        chunk = os.read(fd, CHUNK_BYTES)
    except BlockingIOError:
        return True
    debug.add(chunk)
    return bool(chunk)


def drain(fd: int, debug: DebugOutput) -> None:
    """What an ended leg has left in its pipe; that has an end, since nobody writes any more."""
    while read_some(fd, debug) and select.select([fd], [], [], 0)[0]:
        pass


def counter_paths() -> list[str]:
    found = []
    for names in (CPU_COUNTERS, MEMORY_COUNTERS):
        paths = [f"/sys/fs/cgroup/{name}" for name in names]
        found += [path for path in paths if os.path.exists(path)][:1]
    return found if len(found) == 2 else []


def main() -> NoReturn:
    # Process 1 gets no signal from inside that it has no handler for.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    inside.warm_up()
    worker = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    worker.connect(sys.argv[1])
    os.umask(0o022)
    Supervisor(worker, float(sys.argv[2])).serve()
