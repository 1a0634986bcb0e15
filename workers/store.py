"""Archives on this machine's disk, by their sha256: fetched once, proved at every use, bounded."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

MOST_BYTES = 2 * 2**30
STALE_S = 3600  # a part that old was left behind by a worker that was killed
PART = ".part"


class Mismatch(Exception):
    """What was fetched is not what the ticket names."""


class Store:
    """A folder of archives, shared by all workers of a machine; the longest unused go first."""

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        self.folder = folder
        self.most_bytes = most_bytes
        folder.mkdir(parents=True, exist_ok=True)

    def archive(self, digest: str, fetch: Callable[[], bytes]) -> bytes:
        """The archive with that sha256, from the disk or else fetched."""
        data = self.kept(digest)
        if data is None:
            data = fetch()
            if sha256(data).hexdigest() != digest:
                raise Mismatch(f"{len(data):,} bytes came that are not the archive {digest[:12]}")
            self.keep(digest, data)
        return data

    def kept(self, digest: str) -> bytes | None:
        path = self.path(digest)
        try:
            data = path.read_bytes()
            os.utime(path)
        except FileNotFoundError:
            return None
        if sha256(data).hexdigest() == digest:
            return data
        path.unlink(missing_ok=True)
        return None

    def keep(self, digest: str, data: bytes) -> None:
        self.make_room(len(data))
        write_whole(self.path(digest), data)

    def path(self, digest: str) -> Path:
        return self.folder / digest

    def make_room(self, wanted: int) -> None:
        """Drops what is too much; a part is left alone while somebody may be writing it."""
        used = wanted
        for changed, size, path in sorted(self.files(), reverse=True):
            if path.suffix == PART:
                gone = changed < time.time() - STALE_S
            else:
                used += size
                gone = used > self.most_bytes
            if gone:
                path.unlink(missing_ok=True)

    def files(self) -> Iterator[tuple[float, int, Path]]:
        """When used last, how large, and where."""
        for path in self.folder.iterdir():
            with suppress(FileNotFoundError):  # another worker is making room too
                about = path.stat()
                yield about.st_mtime, about.st_size, path


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file so that nobody, not even after a crash, sees half of it."""
    part = path.with_name(f"{os.getpid()}-{time.monotonic_ns()}{PART}")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
