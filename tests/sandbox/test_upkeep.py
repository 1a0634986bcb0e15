"""What is done for boxes in the background: dead workers' boxes go, and the image stays in memory."""

import ctypes
import mmap
import os
from pathlib import Path

import pytest

from sandbox import upkeep
from sandbox.box import BoxLimits
from sandbox.settings import BoxSettings, create, this_worker
from tests.sandbox.bots import all_boxes, eventually, unavailable


def pages_in_memory(path: Path) -> int:
    size = path.stat().st_size
    found = (ctypes.c_ubyte * -(-size // mmap.PAGESIZE))()
    with path.open("rb") as file, mmap.mmap(file.fileno(), size, mmap.MAP_PRIVATE) as mapped:
        address = ctypes.addressof(ctypes.c_char.from_buffer(mapped))
        ctypes.CDLL(None).mincore(ctypes.c_void_p(address), ctypes.c_size_t(size), found)
    return sum(page & 1 for page in found)


@pytest.fixture
def seldom_read(engine, how):
    """A file of the image that no box needs, where the engine keeps it."""
    kept = engine.call("GET", f"/images/{how.image}/json")["GraphDriver"]["Data"]
    layers = [Path(layer) for layer in kept.get("LowerDir", "").split(":") if layer]
    found = [path for layer in layers for path in layer.glob("usr/share/common-licenses/GPL-3")]
    if not found:
        unavailable("this engine does not show us the files of an image")
    return found[0]


def test_files_that_nobody_reads_are_in_memory_all_the_same(kept, seldom_read):
    fd = os.open(seldom_read, os.O_RDONLY)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(fd)
    assert pages_in_memory(seldom_read) == 0
    upkeep.read_image(kept)
    assert pages_in_memory(seldom_read) == -(-seldom_read.stat().st_size // mmap.PAGESIZE)


def test_the_dead_are_looked_for_again_and_again(kept, engine, how, monkeypatch):
    monkeypatch.setattr(upkeep, "EVERY_S", 0.1)
    monkeypatch.setattr(upkeep, "read_image", lambda sandbox: None)
    dead = BoxSettings(how.image, worker=this_worker().rsplit("/", 1)[0] + "/1")
    background = upkeep.Upkeep(kept)
    try:
        for _ in range(2):
            box = create(engine, dead, "fresh", BoxLimits())
            assert eventually(lambda box=box: box not in all_boxes(engine), 10)
    finally:
        background.close()
        background.join()
