"""Judging an uploaded bot by its listing, before anything of it is unpacked.

A bot comes as a single source file, a zip or a tar.gz. Nothing is written to disk here, and nothing but
`kibitz.toml` is read; the files come out only inside a box.
"""

import gzip
import io
import stat
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import NamedTuple

SETTINGS_FILE = "kibitz.toml"
SETTINGS_BYTES = 4096
ZIP_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}


class Rejected(ValueError):
    """Why an upload cannot be taken, in a sentence that says what to change."""


@dataclass(frozen=True)
class ArchiveLimits:
    """How large a bot may be."""

    archive_bytes: int = 4 * 2**20
    unpacked_bytes: int = 16 * 2**20
    files: int = 500
    ratio: int = 200
    name_length: int = 200
    depth: int = 12


class Member(NamedTuple):
    """One file of an archive as its listing tells."""

    name: str
    size: int


class Listing(NamedTuple):
    """What is in an upload: its kind (file, zip, tar.gz), its files without a common top folder, that
    folder, and the text of its kibitz.toml."""

    kind: str
    files: list[Member]
    top: str
    settings: str | None

    @property
    def names(self) -> list[str]:
        return [member.name for member in self.files]


def judge(data: bytes, file_name: str, limits: ArchiveLimits = ArchiveLimits()) -> Listing:
    """The listing of an upload that may be unpacked in a box; everything else is Rejected."""
    if not data:
        raise Rejected("The file is empty.")
    if len(data) > limits.archive_bytes:
        raise Rejected(
            f"The file has {len(data):,} bytes; a bot may have {limits.archive_bytes:,}. "
            "Leave out what it does not need to run."
        )
    kind = kind_of(data)
    if kind == "file":
        name = PurePosixPath(file_name.replace("\\", "/")).name
        check_name(name, limits)
        return Listing(kind, [Member(name, len(data))], "", None)
    members, settings = listed(data, kind, limits)
    check_members(members, len(data), limits)
    return without_top(kind, members, settings)


def kind_of(data: bytes) -> str:
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "zip"
    if data.startswith(b"\x1f\x8b"):
        return "tar.gz"
    for magic, name in FOREIGN.items():
        if data.startswith(magic):
            raise Rejected(
                f"This is {name}; pack the bot as .zip or .tar.gz, or send one source file."
            )
    if b"\0" in data[:8192]:
        raise Rejected("This is neither a source file nor a .zip or .tar.gz archive.")
    return "file"


FOREIGN = {
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"Rar!": "a rar archive",
    b"BZh": "a bzip2 file",
    b"\xfd7zXZ": "an xz file",
    b"\x28\xb5\x2f\xfd": "a zstd file",
    b"\x7fELF": "a compiled program",
    b"MZ": "a Windows program",
    b"\xca\xfe\xba\xbe": "a Java class or a macOS program",
}


def listed(data: bytes, kind: str, limits: ArchiveLimits) -> tuple[list[Member], dict[str, str]]:
    """The files of an archive, and the text of each kibitz.toml in it, by name."""
    read = zip_members if kind == "zip" else tar_members
    members: list[Member] = []
    settings = {}
    try:
        for member, text in read(data, limits):
            members.append(member)
            if text is not None:
                settings[member.name] = text
            if text and len(text) > SETTINGS_BYTES:
                raise Rejected(f"{SETTINGS_FILE} is longer than {SETTINGS_BYTES} bytes.")
            if len(members) > limits.files:
                raise too_many(limits)
    except UnicodeDecodeError:
        raise Rejected("The archive has a file name that is not UTF-8; rename the file.") from None
    except (
        zipfile.BadZipFile,
        tarfile.TarError,
        EOFError,
        OSError,
        zlib.error,
        ValueError,
    ) as error:
        if isinstance(error, Rejected):
            raise
        raise Rejected(f"The archive is damaged or cut off ({error}); pack it again.") from None
    return members, settings


def too_many(limits: ArchiveLimits) -> Rejected:
    return Rejected(
        f"The archive has more than {limits.files} files; leave out what is not needed."
    )


def zip_members(data: bytes, limits: ArchiveLimits) -> Iterator[tuple[Member, str | None]]:
    # Each entry stands in the directory at the end; counting them first bounds what zipfile builds.
    if data.count(b"PK\x01\x02") > 4 * limits.files:
        raise too_many(limits)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            check_zip_entry(info)
            if info.is_dir():
                check_name(info.filename.rstrip("/"), limits)
                continue
            check_name(info.filename, limits)
            wanted = PurePosixPath(info.filename).name == SETTINGS_FILE
            yield (
                Member(info.filename, info.file_size),
                (archive.open(info).read(SETTINGS_BYTES + 1).decode() if wanted else None),
            )


def check_zip_entry(info: zipfile.ZipInfo) -> None:
    mode = info.external_attr >> 16
    if info.flag_bits & 0x1:
        raise Rejected(f"{shown(info.filename)} is encrypted; pack the archive without a password.")
    if stat.S_ISLNK(mode):
        raise Rejected(f"{shown(info.filename)} is a link; put the file itself into the archive.")
    if mode and not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)) and stat.S_IFMT(mode):
        raise Rejected(f"{shown(info.filename)} is no ordinary file.")
    if info.compress_type not in ZIP_METHODS:
        raise Rejected(
            f"{shown(info.filename)} is packed in an unusual way; use plain zip (deflate)."
        )
    if not info.filename.isascii() and not info.flag_bits & 0x800:
        raise Rejected("The archive has a file name that is not UTF-8; rename the file.")


def tar_members(data: bytes, limits: ArchiveLimits) -> Iterator[tuple[Member, str | None]]:
    room = limits.unpacked_bytes + (limits.files + 64) * 2 * tarfile.BLOCKSIZE
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
        plain = packed.read(room + 1)
        if len(plain) > room:
            raise too_large(limits)
    with tarfile.open(fileobj=io.BytesIO(plain), mode="r:") as archive:
        for info in archive:
            info.name.encode("utf-8")  # tarfile keeps undecodable bytes as half surrogates
            check_name(info.name.removeprefix("./").rstrip("/") or "folder", limits)
            if info.isdir():
                continue
            if info.issym() or info.islnk():
                raise Rejected(
                    f"{shown(info.name)} is a link; put the file itself into the archive."
                )
            if not info.isfile() or info.sparse is not None:
                raise Rejected(f"{shown(info.name)} is no ordinary file.")
            name = info.name.removeprefix("./")
            opened = archive.extractfile(info) if name.endswith(SETTINGS_FILE) else None
            text = opened.read(SETTINGS_BYTES + 1).decode() if opened else None
            yield Member(name, info.size), text


def too_large(limits: ArchiveLimits) -> Rejected:
    return Rejected(
        f"Unpacked, the archive has more than {limits.unpacked_bytes:,} bytes, the most a bot may have."
    )


def check_name(name: str, limits: ArchiveLimits) -> None:
    path = PurePosixPath(name)
    if not name or any(unicodedata.category(letter) in ("Cc", "Cs") for letter in name):
        raise Rejected(f"{shown(name)} is no name for a file.")
    if path.is_absolute() or "\\" in name or name[1:2] == ":":
        raise Rejected(
            f"{shown(name)} is an absolute or a Windows path; use names like bot/main.py."
        )
    if ".." in path.parts:
        raise Rejected(f"{shown(name)} leads out of the archive; leave out '..'.")
    if len(name) > limits.name_length or len(path.parts) > limits.depth:
        raise Rejected(f"{shown(name)} is too long or too deep for a file name.")


def check_members(members: list[Member], packed: int, limits: ArchiveLimits) -> None:
    if not members:
        raise Rejected("There is no file in the archive.")
    unpacked = sum(member.size for member in members)
    if unpacked > limits.unpacked_bytes:
        raise too_large(limits)
    if unpacked > limits.ratio * packed:
        raise Rejected("The archive grows suspiciously when unpacked; leave out large empty files.")
    seen: set[str] = set()
    for member in members:
        if member.name.casefold() in seen:
            raise Rejected(f"{shown(member.name)} stands twice in the archive.")
        seen.add(member.name.casefold())


def without_top(kind: str, members: list[Member], settings: dict[str, str]) -> Listing:
    """Many tools put everything into one folder; the bot is then what is in that folder."""
    tops = {PurePosixPath(member.name).parts[0] for member in members}
    inside = all("/" in member.name for member in members)
    top = f"{tops.pop()}/" if inside and len(tops) == 1 else ""
    files = [Member(member.name.removeprefix(top), member.size) for member in members]
    return Listing(kind, files, top, settings.get(f"{top}{SETTINGS_FILE}"))


def shown(name: str) -> str:
    """A name that may stand in a message: shortened, nothing invisible."""
    return repr(name if len(name) <= 60 else f"{name[:57]}...")
