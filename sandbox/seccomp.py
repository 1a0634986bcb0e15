"""Which system calls a program in a box may make: for the engine as a profile, for a launcher as a filter.

Everything not written in seccomp.json is refused. What is left out on purpose: other address families than
AF_UNIX, io_uring, locks (two seats could signal by them), keys, ptrace, memfd, shared anonymous memory (its
inode numbers count kernel-wide, a blackboard for two seats), and every way to a new namespace.
"""

import json
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

TABLE = json.loads((Path(__file__).parent / "seccomp.json").read_text())
ALLOWED: list[str] = [name for group in TABLE["allowed"].values() for name in group]
NUMBERS: dict[str, dict[str, int]] = TABLE["numbers"]
ARCHITECTURES = {
    "x86_64": ("SCMP_ARCH_X86_64", 0xC000003E),
    "aarch64": ("SCMP_ARCH_AARCH64", 0xC00000B7),
}

# What tight leaves out of strict: the makers of kernel-wide inode numbers, and the machine's load and memory.
LOOSE = {
    *("pipe", "pipe2", "socket", "socketpair", "eventfd", "eventfd2", "pidfd_open"),
    *("sysinfo", "utimensat"),
}
KEPT_LAUNCHER = ["mount", "clone", "prctl", "capset", "seccomp"]
# Compilers lock their caches and look at attributes; a build has no opponent it could signal to.
BUILD = [
    *("flock", "fcntl", "fadvise64", "chown", "fchown", "lchown", "fchownat"),
    *("getxattr", "lgetxattr", "fgetxattr", "listxattr", "llistxattr", "flistxattr"),
]

EPERM, ENOSYS = 1, 38
NEW_NAMESPACES, CLONE_PIDFD = 0x7E020000, 0x1000
# The inode number of a pidfd counts the processes of the whole machine.
REFUSED_CLONES = NEW_NAMESPACES | CLONE_PIDFD
MAP_SHARED, MAP_ANONYMOUS = 0x01, 0x20
PR_SET_SECCOMP = 22


class Judged(NamedTuple):
    """A call allowed only if one argument has one of these values."""

    name: str
    argument: int
    values: tuple[int, ...]


JUDGED = (
    Judged("socket", 0, (1,)),
    Judged("socketpair", 0, (1,)),
    Judged("prlimit64", 0, (0,)),
    # Duplicating, the flags of a descriptor and of a file, the size of a pipe.
    Judged("fcntl", 1, (0, 1, 2, 3, 4, 1030, 1032)),
    # Is it a terminal, how large, how much is waiting, (non-)blocking, (not) closed on exec.
    Judged("ioctl", 1, (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)),
    # Death signal, dumpable, names, seccomp and capabilities (reading), no-new-privs, huge pages, own maps' names.
    Judged("prctl", 0, (1, 3, 4, 15, 16, 21, 23, 38, 39, 41, 42, 0x53564D41)),
)

# -- For the engine -----------------------------------------------------------------------------


def profile(architecture: str, extra: Iterable[str] = ()) -> str:
    """The strict list as the engine wants it. `extra` are calls allowed whatever their arguments."""
    whole = [name for name in [*ALLOWED, *extra] if name != "mmap"]
    rules: list[dict[str, Any]] = [allow(whole)]
    both = MAP_SHARED | MAP_ANONYMOUS
    rules += [allow(["mmap"], masked(3, both, flags)) for flags in (0, MAP_SHARED, MAP_ANONYMOUS)]
    if "clone" not in whole:
        rules.append(allow(["clone"], masked(0, REFUSED_CLONES, 0)))
    rules.append({"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": ENOSYS})
    for call in JUDGED:
        # A launcher may put a filter on the bot: that only ever takes away.
        values = (*call.values, PR_SET_SECCOMP) if call.name == "prctl" else call.values
        if call.name not in whole:
            rules += [allow([call.name], equal(call.argument, value)) for value in values]
    return json.dumps(
        {
            "defaultAction": "SCMP_ACT_ERRNO",
            "defaultErrnoRet": EPERM,
            "architectures": [ARCHITECTURES[architecture][0]],
            "syscalls": rules,
        }
    )


def allow(names: list[str], argument: dict[str, Any] | None = None) -> dict[str, Any]:
    rule: dict[str, Any] = {"names": names, "action": "SCMP_ACT_ALLOW"}
    return rule | {"args": [argument]} if argument else rule


def equal(index: int, value: int) -> dict[str, Any]:
    return {"index": index, "value": value, "op": "SCMP_CMP_EQ"}


def masked(index: int, mask: int, value: int) -> dict[str, Any]:
    return {"index": index, "value": mask, "valueTwo": value, "op": "SCMP_CMP_MASKED_EQ"}


# -- For a launcher -----------------------------------------------------------------------------

LOAD, AND, EQUAL, MORE_THAN, AT_LEAST, RETURN = 0x20, 0x54, 0x15, 0x25, 0x35, 0x06
ALLOW, ERRNO, KILL = 0x7FFF0000, 0x00050000, 0x80000000
CALL_AT, ARCHITECTURE_AT, ARGUMENTS_AT = 0, 4, 16
X32_BIT = 0x40000000


class Assembler:
    """Classic BPF, instruction by instruction; a jump says how many instructions it skips."""

    def __init__(self) -> None:
        self.code = bytearray()

    def op(self, code: int, operand: int, if_true: int = 0, if_false: int = 0) -> None:
        self.code += struct.pack("HBBI", code, if_true, if_false, operand)

    def answer(self, verdict: int) -> None:
        self.op(RETURN, verdict)

    def unless(self, number: int, skip: int) -> None:
        self.op(EQUAL, number, 0, skip)

    def allow(self, number: int) -> None:
        self.unless(number, 1)
        self.answer(ALLOW)

    def allow_span(self, first: int, last: int) -> None:
        self.op(AT_LEAST, first, 0, 2)
        self.op(MORE_THAN, last, 1, 0)
        self.answer(ALLOW)

    def load_argument(self, index: int) -> None:
        """The lower half: the arguments judged here are int-sized to the kernel, but for flags of clone and mmap,
        whose upper half it ignores or refuses."""
        self.op(LOAD, ARGUMENTS_AT + 8 * index)

    def allow_if_masked(self, number: int, index: int, mask: int, refused: int | None) -> None:
        """Allows a call whose masked argument is not `refused`; with None, is 0."""
        self.unless(number, 5)
        self.load_argument(index)
        self.op(AND, mask)
        if refused is None:
            self.op(EQUAL, 0, 0, 1)
        else:
            self.op(EQUAL, refused, 1, 0)
        self.answer(ALLOW)
        self.answer(ERRNO | EPERM)

    def allow_values(self, number: int, index: int, values: tuple[int, ...]) -> None:
        self.unless(number, 2 + 2 * len(values))
        self.load_argument(index)
        for value in values:
            self.allow(value)
        self.answer(ERRNO | EPERM)


def spans(numbers: set[int]) -> Iterator[tuple[int, int]]:
    """Neighbouring numbers together: a short program is quickly taken on, and that happens in every leg."""
    for first in sorted(number for number in numbers if number - 1 not in numbers):
        last = first
        while last + 1 in numbers:
            last += 1
        yield first, last


def program(architecture: str, tight: bool) -> bytes:
    """The list as a program of the kernel's filter machine, to be taken on by a process for good."""
    numbers, refused = NUMBERS[architecture], LOOSE if tight else set()
    code = Assembler()
    code.op(LOAD, ARCHITECTURE_AT)
    code.op(EQUAL, ARCHITECTURES[architecture][1], 1, 0)
    code.answer(KILL)
    code.op(LOAD, CALL_AT)
    code.op(AT_LEAST, X32_BIT, 0, 1)
    code.answer(KILL)
    # Even a mapping of /dev/zero makes an inode if it is shared, so tight allows no shared one at all.
    shared = MAP_SHARED if tight else MAP_SHARED | MAP_ANONYMOUS
    code.allow_if_masked(numbers["mmap"], 3, shared, refused=shared)
    whole = {
        numbers[name] for name in ALLOWED if name in numbers and name not in refused | {"mmap"}
    }
    for first, last in spans(whole):
        code.allow_span(first, last)
    code.unless(numbers["clone3"], 1)
    code.answer(ERRNO | ENOSYS)
    code.allow_if_masked(numbers["clone"], 0, REFUSED_CLONES, refused=None)
    for call in JUDGED:
        if call.name not in refused:
            code.allow_values(numbers[call.name], call.argument, call.values)
    code.answer(ERRNO | EPERM)
    return bytes(code.code)
