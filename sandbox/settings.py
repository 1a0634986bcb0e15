"""How a box is made: every setting that keeps a stranger's program in."""

import os
import platform
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sandbox import launcher, seccomp
from sandbox.box import BoxLimits, InfrastructureFault
from sandbox.engine import CONFLICT, Engine, EngineFault

ROLE, WORKER, DEADLINE = "kibitz.role", "kibitz.worker", "kibitz.deadline"
NAME = "kibitz-box-"
OVERTIME_S = 60  # from the moment a box should have ended by itself until it is removed
INODES, LEG_INODES, BUILD_INODES = 1024, 512, 32768
FILES = 128
BUILD_FILES = 1024
# The engine's own list, then what shows the machine or counts for all of it.
MASKED = [
    *("/proc/acpi", "/proc/asound", "/proc/kcore", "/proc/keys", "/proc/latency_stats"),
    *("/proc/timer_list", "/proc/timer_stats", "/proc/sched_debug", "/proc/scsi"),
    *("/sys/firmware", "/sys/devices/virtual/powercap"),
    *("/proc/stat", "/proc/meminfo", "/proc/loadavg", "/proc/vmstat", "/proc/uptime"),
    *("/proc/locks", "/proc/pressure", "/proc/net"),
    *("/proc/sys/fs", "/proc/sys/kernel", "/proc/sys/vm", "/sys/fs/cgroup"),
]
READ_ONLY = ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"]


def this_worker() -> str:
    """Names this process so that another on this machine can see whether it still lives."""
    namespace = Path("/proc/self/ns/pid").stat().st_ino
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    return f"{boot}/{namespace}/{os.getpid()}/{started(os.getpid())}"


def started(pid: int) -> int | None:
    """When a process began, in ticks since the machine did: a process id alone may be used again."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])
    except (FileNotFoundError, ProcessLookupError):  # anything else says nothing of it
        return None


@dataclass(frozen=True)
class BoxSettings:
    """What is the same for all boxes of a worker."""

    image: str
    runtime: str = ""  # the engine's own, or runsc
    uids: range = range(2_000_000, 2_060_000)  # no account of the machine may have one of these
    core: str = ""  # the worker's own, as the engine writes it: 0, 0-1
    lifetime_s: int = 7200  # a box ends then, whatever happens outside
    folder: Path | None = None  # for sockets; the engine must see it under the same path
    architecture: str = field(default_factory=platform.machine)
    worker: str = field(default_factory=this_worker)


def container(
    settings: BoxSettings, mode: str, limits: BoxLimits, uid: int, io: Path | None
) -> dict[str, Any]:
    """The engine's words for a box. `mode` is kept, fresh or build."""
    kept = mode == "kept"
    arguments = [*(["/io/s"] if kept else []), str(settings.lifetime_s)]
    return {
        "Image": settings.image,
        "Cmd": launcher.command("kept" if kept else "fresh", *arguments),
        "User": f"{uid}:{uid}",
        "WorkingDir": "/",
        "StopSignal": "SIGKILL",  # nothing in it is worth waiting for when an engine stops
        "NetworkDisabled": True,
        "Tty": False,
        "OpenStdin": not kept,
        "StdinOnce": not kept,
        "AttachStdin": not kept,
        "AttachStdout": not kept,
        "AttachStderr": False,
        "Labels": {
            ROLE: mode,
            WORKER: settings.worker,
            DEADLINE: str(int(time.time()) + settings.lifetime_s + OVERTIME_S),
        },
        "HostConfig": host_config(settings, mode, limits, uid, io),
    }


def host_config(
    settings: BoxSettings, mode: str, limits: BoxLimits, uid: int, io: Path | None
) -> dict[str, Any]:
    kept = mode == "kept"
    extra = {"kept": seccomp.KEPT_LAUNCHER, "build": seccomp.BUILD}.get(mode, [])
    config: dict[str, Any] = {
        "NetworkMode": "none",
        "ReadonlyRootfs": True,
        "CapDrop": ["ALL"],
        "AutoRemove": True,
        "Init": False,
        "SecurityOpt": [
            "no-new-privileges",
            f"seccomp={seccomp.profile(settings.architecture, extra)}",
        ],
        "Memory": limits.memory_mb << 20,
        "MemorySwap": limits.memory_mb << 20,
        "PidsLimit": limits.processes,
        "Tmpfs": {"/w": tmpfs(mode, limits, uid)},
        "IpcMode": "none",
        "LogConfig": {"Type": "none"},
        "OomScoreAdj": 500,
        "Ulimits": ulimits(mode, limits),
        # Anything hidden in the outer /proc forbids a leg to mount its own.
        "MaskedPaths": [] if kept else MASKED,
        "ReadonlyPaths": [] if kept else READ_ONLY,
        "Binds": [f"{io}:/io:ro"] if io else [],
    }
    if settings.core:
        config["CpusetCpus"] = settings.core
    if settings.runtime:
        config["Runtime"] = settings.runtime
    return config


def leg_bytes(limits: BoxLimits) -> int:
    """In a kept box a third of the disk is new in every leg, the rest holds the bot's files."""
    return (limits.disk_mb << 20) // 3


def tmpfs(mode: str, limits: BoxLimits, uid: int) -> str:
    size = (limits.disk_mb << 20) - (leg_bytes(limits) if mode == "kept" else 0)
    inodes = BUILD_INODES if mode == "build" else INODES + (0 if mode == "kept" else LEG_INODES)
    options = f"rw,exec,nosuid,nodev,noatime,size={size},nr_inodes={inodes},mode=0755"
    return f"{options},uid={uid},gid={uid}"


def ulimits(mode: str, limits: BoxLimits) -> list[dict[str, Any]]:
    build = mode == "build"
    values = {
        "nofile": BUILD_FILES if build else FILES,
        "fsize": limits.disk_mb
        << 20,  # the launcher sets a bot's, which may be built larger than it may write
        "core": 0,
        "memlock": 0,
        "msgqueue": 0,
        "sigpending": 64,
    }
    return [{"Name": name, "Soft": value, "Hard": value} for name, value in values.items()]


def create(
    engine: Engine, settings: BoxSettings, mode: str, limits: BoxLimits, io: Path | None = None
) -> str:
    """Creates a box with a uid that no other box of this engine has: its name holds the uid, and the engine gives
    a name only once."""
    for uid in uids(settings.uids):
        try:
            return engine.create(f"{NAME}{uid}", container(settings, mode, limits, uid, io))
        except EngineFault as fault:
            if fault.status != CONFLICT:
                raise
    raise InfrastructureFault("no uid is left for another box")


def uids(among: range) -> Iterator[int]:
    first = secrets.randbelow(len(among))
    for step in range(len(among)):
        yield among[(first + step) % len(among)]
