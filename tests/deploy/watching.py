"""Waiting for what must happen, and looking at processes."""

import os
import time
from pathlib import Path


def until(condition, seconds=60.0):
    """What the condition gives once it is true."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        result = condition()
        if result:
            return result
        time.sleep(0.02)
    raise AssertionError(f"not within {seconds} s: {condition}")


def alive(pid):
    """Whether a process runs; one that has ended and waits to be noticed does not."""
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False


def mentioning(word):
    """All processes that have the word in their command line or environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            about = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()
        except OSError:
            continue
        if word.encode() in about and int(process.name) != os.getpid():
            found.append(int(process.name))
    return found
