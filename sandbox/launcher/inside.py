"""What both launchers do: unpack a bot's folder, give up what is left to give up, become the bot."""

import atexit
import builtins
import ctypes
import gc
import marshal
import os
import random
import resource
import signal
import site
import struct
import sys
import types
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from tarfile import TarFile, TarInfo

BOT, LEG, COMPILED = "/w/bot", "/w/leg", "/w/.main"
UNPACK_CPU_S = 10
COMPILED_FILES = 100
FILE_BYTES = 8 << 20  # the largest file that a bot may write
PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 4, 22, 38
SECCOMP_MODE_FILTER = 2
# What bots import most: loaded once here instead of in every leg.
USUAL = "bisect collections copy dataclasses enum functools heapq itertools json math operator re string time typing"
# What every interpreter has loaded before its first line.
FIRST = "abc builtins codecs encodings genericpath io marshal os posix posixpath site stat sys time zipimport"

OUT_OF_SIGHT: list[types.ModuleType] = []
libc = ctypes.CDLL(None, use_errno=True)


def warm_up() -> None:
    """Makes this interpreter what a bot would find: the site's paths, `exit`, the usual modules."""
    site.main()
    for name in USUAL.split():
        __import__(name)
    os.environ.clear()
    os.environ.update(HOME=LEG, TMPDIR=LEG, PATH="/usr/local/bin:/usr/bin:/bin", LANG="C.UTF-8")
    gc.collect()
    gc.freeze()


def checked(result: int, what: object) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def put(path: str, text: str) -> None:
    fd = os.open(path, os.O_WRONLY)
    os.write(fd, text.encode())
    os.close(fd)


def die_first() -> None:
    """Short of memory, the kernel ends this process before the launcher."""
    put("/proc/self/oom_score_adj", "1000")


def hide_memory(hide: bool = True) -> None:
    """Nobody with our uid may read our memory or open our descriptors. A child takes it back."""
    libc.prctl(PR_SET_DUMPABLE, int(not hide), 0, 0, 0)


class Filter:
    """The system calls that a process may make, laid out for the kernel before there is a leg that waits for it."""

    def __init__(self, program: bytes) -> None:
        self.code = ctypes.create_string_buffer(program, len(program))
        self.head = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(self.code))

    def take(self) -> None:
        """From here on only these calls, children too."""
        checked(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no-new-privileges")
        checked(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, self.head, 0, 0), "seccomp")


def machine() -> str:
    return os.uname().machine


# -- The bot's folder -----------------------------------------------------------------------------


def in_child(work: Callable[[], None], calls: Filter) -> bool:
    """Whether `work` ended well, in a process of its own: no byte of it comes back to us."""
    pid = os.fork()
    if pid:
        return os.waitpid(pid, 0)[1] == 0
    status = 1
    try:
        hide_memory(False)
        die_first()
        resource.setrlimit(resource.RLIMIT_CPU, (UNPACK_CPU_S, UNPACK_CPU_S))
        calls.take()
        work()
        status = 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(status)


def unpack(archive: IO[bytes], folder: str) -> None:
    """Files, folders and links that stay inside; of everything else nothing, silently."""
    import tarfile  # no leg needs it in its memory

    os.umask(0o022)
    with tarfile.open(fileobj=archive, mode="r|*") as tar:
        for member in tar:
            path = os.path.normpath(os.path.join(folder, member.name.lstrip("/")))
            if inside(path, folder) and inside(os.path.realpath(os.path.dirname(path)), folder):
                unpack_member(tar, member, path, folder)


def unpack_member(tar: "TarFile", member: "TarInfo", path: str, folder: str) -> None:
    if member.isdir():
        os.makedirs(path, exist_ok=True)
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.lexists(path):
        os.unlink(path)
    if member.issym():
        target = os.path.normpath(os.path.join(os.path.dirname(path), member.linkname))
        if inside(target, folder):
            os.symlink(member.linkname, path)
    elif content := tar.extractfile(member) if member.isreg() else None:
        with open(path, "wb") as out:
            while chunk := content.read(1 << 16):
                out.write(chunk)
        os.chmod(path, 0o755 if member.mode & 0o111 else 0o644)


def inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + "/")


def compile_all(command: list[str]) -> None:
    """Compiles a Python bot once instead of in every leg; what cannot be compiled is left to the leg."""
    main = python_file(command)
    with open(main, "rb") as source:
        code = compile(source.read(), main, "exec", dont_inherit=True)
    with open(COMPILED, "wb") as out:
        marshal.dump(code, out)
    import py_compile

    left = COMPILED_FILES
    for folder, _, names in os.walk(BOT):
        for name in names:
            if name.endswith(".py") and left:
                left -= 1
                path = os.path.join(folder, name)
                mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
                py_compile.compile(path, quiet=2, invalidation_mode=mode)


# -- Becoming the bot -------------------------------------------------------------------------------


def python_file(command: list[str]) -> str:
    """The file of a command that can be run without starting an interpreter, else ""."""
    if command[0] != "python3" or len(command) < 2 or command[1].startswith("-"):
        return ""
    return os.path.join(BOT, command[1].replace("{bot}", BOT))


def arguments(command: list[str]) -> list[str]:
    """The command with the bot's folder filled in; `./x` and Python's file are looked for in it."""
    words = [word.replace("{bot}", BOT) for word in command]
    if words[0].startswith("./"):
        words[0] = os.path.join(BOT, words[0][2:])
    if path := python_file(command):
        words[1] = path
    return words


def become(command: list[str], calls: Filter) -> NoReturn:
    """The last words of a launcher's child: streams are in place, the folder is the leg's."""
    words, path = arguments(command), python_file(command)
    try:
        code = compiled(path) if path else None
        if not path:
            # Ignored signals would stay ignored in another program; an interpreter ignores SIGPIPE anyway.
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
        calls.take()
        if path:
            os._exit(run_python(words[1:], code))
        os.execvp(words[0], words)
    except BaseException as error:
        os.write(2, f"{words[0]}: {error}\n".encode("utf-8", "replace"))
    finally:
        os._exit(127)


def compiled(path: str) -> types.CodeType | None:
    try:
        with open(COMPILED, "rb", buffering=0) as file:
            code = marshal.loads(file.read())
    except (OSError, ValueError, EOFError, TypeError):
        return None
    return code if isinstance(code, types.CodeType) else None


def run_python(words: list[str], code: types.CodeType | None) -> int:
    """Runs a file as `python3 FILE` would; gives the exit status."""
    random.seed()
    own_modules_first(sys.path[0])
    status = 0
    try:
        if code is None:
            with open(words[0], "rb") as source:
                code = compile(source.read(), words[0], "exec", dont_inherit=True)
        exec(code, sys.modules["__main__"].__dict__)
    except SystemExit as leaving:
        status = exit_status(leaving.code)
    except BaseException as error:
        behind = error.__traceback__.tb_next if error.__traceback__ else None
        sys.excepthook(type(error), error.with_traceback(behind), behind)
        status = 1
    return finish(status)


def own_modules_first(folder: str) -> None:
    """A bot's own module comes before one of the library, loaded or not."""
    for entry in os.listdir(folder):
        name = entry.removesuffix(".py")
        if name in sys.modules and name not in FIRST.split():
            del sys.modules[name]


def set_stage(command: list[str]) -> None:
    """All that a Python bot finds and that is the same in every leg. Nothing of a launcher is left in sight."""
    path = python_file(command)
    if not path:
        return
    hidden = [name for name in sys.modules if name.partition(".")[0] == "sandbox"]
    OUT_OF_SIGHT.extend(sys.modules.pop(name) for name in hidden)
    sys.argv = arguments(command)[1:]
    sys.path.insert(0, os.path.dirname(path))
    main = types.ModuleType("__main__")
    main.__dict__.update(__file__=path, __builtins__=builtins, __cached__=None)
    OUT_OF_SIGHT.append(sys.modules["__main__"])
    sys.modules["__main__"] = main
    streams()


def streams() -> None:
    """The standard streams as an interpreter makes them in the locale C.UTF-8."""
    replace = {"encoding": "utf-8", "closefd": False, "newline": "\n"}
    sys.stdin = sys.__stdin__ = open(0, errors="surrogateescape", **replace)  # type: ignore[call-overload,misc]
    sys.stdout = sys.__stdout__ = open(1, "w", errors="surrogateescape", **replace)  # type: ignore[call-overload,misc]
    sys.stderr = sys.__stderr__ = open(2, "w", errors="backslashreplace", buffering=1, **replace)  # type: ignore[call-overload,misc]


def exit_status(code: object) -> int:
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 255
    sys.stderr.write(f"{code}\n")
    return 1


def finish(status: int) -> int:
    """What an interpreter does at its end: waits for threads, runs what was registered, flushes."""
    try:
        if "threading" in sys.modules:
            sys.modules["threading"]._shutdown()
        atexit._run_exitfuncs()
        sys.stdout.flush()
    except BaseException as error:
        sys.excepthook(type(error), error, error.__traceback__)
        return 120
    return status
