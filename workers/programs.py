"""From an upload to a program: judged by its listing, recognised, unpacked and built in a box, kept.

What is built on a worker stays on it: a program is built once for each upload and kind of box.
"""

import io
import os
import tarfile
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from threading import get_ident

from sandbox.box import Built, InfrastructureFault, Program, Sandbox
from sandbox.recipe import Recipe, Unrecognised, recipe
from workers.archive import Listing, Rejected, judge

KEPT_BYTES = 512 * 2**20
UPLOAD, UNPACKER = ".upload", ".unpack.py"

# Runs inside the box, where whatever an archive does harms nobody.
UNPACK = """
import os, shutil, sys, tarfile, zipfile
script, kind, top, upload, out = *sys.argv, ".unpacked"
if kind == "zip":
    with zipfile.ZipFile(upload) as archive:
        archive.extractall(out)
        for entry in archive.infolist():
            if entry.external_attr >> 16 & 0o111 and not entry.is_dir():
                os.chmod(os.path.join(out, entry.filename), 0o755)
else:
    with tarfile.open(upload) as archive:
        archive.extractall(out, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
os.remove(upload)
os.remove(script)
for name in os.listdir(os.path.join(out, top)):
    shutil.move(os.path.join(out, top, name), name)
shutil.rmtree(out)
"""


class NotBuilt(Exception):
    """The build of a bot has failed; `log` is what the compiler said."""

    def __init__(self, log: str) -> None:
        super().__init__("the bot could not be built")
        self.log = log


def prepared(upload: bytes, file_name: str) -> tuple[Listing, Recipe]:
    """What is in an upload and what is to be done with it; Rejected if that cannot be told."""
    listing = judge(upload, file_name)
    try:
        return listing, recipe(listing.names, listing.settings)
    except Unrecognised as error:
        raise Rejected(str(error)) from None


def build(sandbox: Sandbox, upload: bytes, listing: Listing, how: Recipe) -> Built:
    """The bot's folder, tarred; a single file that needs no compiler is ready as it is."""
    if listing.kind == "file":
        files = tar_of({listing.names[0]: upload})
        return sandbox.build(files, how.build, how.build_limits) if how.build else Built("", files)
    files = tar_of({UPLOAD: upload, UNPACKER: UNPACK.encode()})
    unpack = ["python3", UNPACKER, listing.kind, listing.top, UPLOAD]
    return sandbox.build(files, [unpack, *how.build], how.build_limits)


def tar_of(files: dict[str, bytes]) -> bytes:
    """A tar of these files; owners and times are nobody's and never."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name in sorted(files):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(files[name]), 0o644
            tar.addfile(entry, io.BytesIO(files[name]))
    return raw.getvalue()


class Programs:
    """The programs of a worker, built when they are first wanted and kept in a folder."""

    def __init__(self, sandbox: Sandbox, folder: Path, box: str) -> None:
        self.sandbox = sandbox
        self.folder = folder
        self.box = box  # the image, or whatever else a build depends on
        folder.mkdir(parents=True, exist_ok=True)

    def program(self, upload: bytes, file_name: str) -> Program:
        """The bot of an upload that has passed its check. If it cannot be built now, that is no
        fault of its own."""
        try:
            return self.built(upload, file_name)[0]
        except (Rejected, NotBuilt) as error:
            raise InfrastructureFault(f"a checked bot cannot be built here: {error}") from None

    def built(self, upload: bytes, file_name: str) -> tuple[Program, str]:
        """The bot of an upload, and the log of its build; Rejected or NotBuilt if there is none."""
        listing, how = prepared(upload, file_name)
        digest = sha256(upload).hexdigest()
        kept = self.folder / f"{sha256(f'{digest} {self.box} {how}'.encode()).hexdigest()}.tar"
        log, files = "", self.read(kept)
        if files is None:
            built = build(self.sandbox, upload, listing, how)
            if built.files is None:
                raise NotBuilt(built.log)
            log, files = built.log, built.files
            self.keep(kept, files)
        return Program(files, digest, how.command, how.limits), log

    def read(self, kept: Path) -> bytes | None:
        try:
            files = kept.read_bytes()
            os.utime(kept)
            return files
        except FileNotFoundError:
            return None

    def keep(self, kept: Path, files: bytes) -> None:
        """Writes a program down whole, and drops the ones that were not wanted for the longest."""
        part = kept.with_suffix(f".{os.getpid()}-{get_ident()}.part")
        part.write_bytes(files)
        part.replace(kept)
        room = KEPT_BYTES
        for size, _, path in sorted(self.kept(), key=lambda entry: entry[1], reverse=True):
            room -= size
            if room < 0:
                path.unlink(missing_ok=True)

    def kept(self) -> Iterator[tuple[int, float, Path]]:
        for path in self.folder.glob("*.tar"):
            with suppress(FileNotFoundError):  # another process of this worker may drop it
                about = path.stat()
                yield about.st_size, about.st_mtime, path
