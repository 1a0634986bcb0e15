"""Archives are judged by their listing: each refusal has a sentence of its own, nothing is unpacked."""

import gzip
import io
import resource
import stat
import subprocess
import sys
import tarfile
import zipfile

import pytest

from workers.archive import ArchiveLimits, Rejected, judge

BOT = b"print('a bot')\n"
LIMITS = ArchiveLimits()


def zipped(files=(("main.py", BOT),), compression=zipfile.ZIP_DEFLATED):
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", compression) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return raw.getvalue()


def zipped_entry(**changes):
    info = zipfile.ZipInfo("main.py")
    for key, value in changes.items():
        setattr(info, key, value)
    return zipped([(info, BOT)])


def tarred(*entries):
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w:gz") as archive:
        for name, kind, data in entries:
            info = tarfile.TarInfo(name)
            info.type, info.size = kind, len(data) if kind == tarfile.REGTYPE else 0
            info.linkname = "/etc/passwd" if kind in (tarfile.SYMTYPE, tarfile.LNKTYPE) else ""
            archive.addfile(info, io.BytesIO(data))
    return raw.getvalue()


def file(name="main.py", data=BOT):
    return (name, tarfile.REGTYPE, data)


def encrypted():
    data = bytearray(zipped())
    for mark in (b"PK\x03\x04", b"PK\x01\x02"):
        place = data.index(mark) + (6 if mark == b"PK\x03\x04" else 8)
        data[place] |= 1
    return bytes(data)


def misnamed():
    """A zip whose name is neither ASCII nor marked as UTF-8."""
    return zipped([("abcd.py", BOT)]).replace(b"abcd.py", b"\xff\xfe\xfd\xfc.py")


def test_a_single_source_file_is_a_bot():
    listing = judge(BOT, "my_bot.py")
    assert (listing.kind, listing.names) == ("file", ["my_bot.py"])


@pytest.mark.parametrize("pack", [lambda f: zipped(f), lambda f: tarred(*(file(*e) for e in f))])
def test_an_archive_lists_its_files_without_a_common_top_folder(pack):
    listing = judge(pack([("bot/main.py", BOT), ("bot/lib/rules.py", BOT)]), "bot.zip")
    assert listing.names == ["main.py", "lib/rules.py"]
    assert listing.top == "bot/"


def test_files_beside_a_folder_keep_their_paths():
    listing = judge(zipped([("main.py", BOT), ("lib/rules.py", BOT)]), "bot.zip")
    assert (listing.names, listing.top) == (["main.py", "lib/rules.py"], "")


@pytest.mark.parametrize("top", ["", "bot/"])
def test_kibitz_toml_is_read_from_the_topmost_folder_only(top):
    text = 'command = ["python3", "main.py"]\n'
    files = [
        (f"{top}main.py", BOT),
        (f"{top}kibitz.toml", text.encode()),
        (f"{top}sub/kibitz.toml", b"command = 1"),
    ]
    assert judge(zipped(files), "bot.zip").settings == text
    assert judge(tarred(*(file(*entry) for entry in files)), "bot.tar.gz").settings == text


REFUSED = {
    "an empty file": (b"", "empty"),
    "too many bytes": (b"#" * (LIMITS.archive_bytes + 1), "bytes"),
    "a binary": (b"\x7fELF\x02\x01\x01\0", "compiled program"),
    "other binary data": (b"abc\0def", "neither a source file"),
    "a rar archive": (b"Rar!\x1a\x07\x01\0", "rar archive"),
    "an xz file": (b"\xfd7zXZ\0", "xz file"),
    "no file in a zip": (zipped([]), "no file"),
    "no file in a tar": (tarred(("folder", tarfile.DIRTYPE, b"")), "no file"),
    "more files than allowed": (zipped([(f"{n}.py", b"") for n in range(501)]), "more than 500"),
    "20,000 entries": (zipped([(f"{n}", b"") for n in range(20_000)]), "more than 500"),
    "a zip bomb": (zipped([("zeros", bytes(200 << 20))]), "Unpacked"),
    "a small bomb": (zipped([("zeros", bytes(15 << 20))]), "suspiciously"),
    "a tar bomb": (tarred(file(data=bytes(40 << 20))), "Unpacked"),
    "a path that leads out": (zipped([("../main.py", BOT)]), "leads out"),
    "a path that leads out in the middle": (tarred(file("a/../../main.py")), "leads out"),
    "an absolute path": (zipped([("/etc/main.py", BOT)]), "absolute"),
    "an absolute path in a tar": (tarred(file("/etc/main.py")), "absolute"),
    "a Windows path": (zipped([("C:/main.py", BOT)]), "Windows path"),
    "a backslash": (tarred(file("a\\main.py")), "Windows path"),
    "a control character": (tarred(file("a\x1b[31m.py")), "no name"),
    "a very long name": (zipped([("a" * 201, BOT)]), "too long"),
    "a very deep name": (zipped([("a/" * 12 + "main.py", BOT)]), "too deep"),
    "a symbolic link in a zip": (
        zipped_entry(external_attr=(stat.S_IFLNK | 0o777) << 16),
        "is a link",
    ),
    "a device in a zip": (zipped_entry(external_attr=(stat.S_IFCHR | 0o666) << 16), "ordinary"),
    "a symbolic link in a tar": (tarred(file(), ("link", tarfile.SYMTYPE, b"")), "is a link"),
    "a hard link in a tar": (tarred(file(), ("link", tarfile.LNKTYPE, b"")), "is a link"),
    "a device in a tar": (tarred(file(), ("null", tarfile.CHRTYPE, b"")), "ordinary"),
    "a pipe in a tar": (tarred(file(), ("pipe", tarfile.FIFOTYPE, b"")), "ordinary"),
    "an encrypted zip": (encrypted(), "encrypted"),
    "an unusual packing": (zipped(compression=zipfile.ZIP_BZIP2), "unusual"),
    "a name that is not UTF-8": (misnamed(), "not UTF-8"),
    "the same name twice": (tarred(file("Main.py"), file("main.py")), "stands twice"),
    "a truncated zip": (zipped()[:-10], "damaged or cut off"),
    "a truncated tar": (tarred(file(data=bytes(range(256)) * 400))[:-40], "damaged or cut off"),
    "gzip of something else": (gzip.compress(b"not a tar at all" * 100), "damaged or cut off"),
    "a long kibitz.toml": (zipped([("kibitz.toml", b"#" * 5000)]), "longer than 4096"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_bot_is_refused_with_a_sentence(name):
    data, sentence = REFUSED[name]
    with pytest.raises(Rejected, match=sentence) as rejected:
        judge(data, "upload")
    assert str(rejected.value).endswith(".")
    assert str(rejected.value).isprintable()


@pytest.mark.parametrize("cut", range(0, 400, 7))
def test_a_zip_cut_anywhere_is_refused_and_never_breaks_us(cut):
    data = zipped([("main.py", BOT), ("more.py", BOT * 3)])
    with pytest.raises(Rejected):
        judge(data[: min(cut, len(data) - 1)] or b"", "bot.zip")


def test_a_wrong_size_in_a_zip_is_found_when_it_is_unpacked_not_trusted():
    data = zipped([("main.py", BOT)], zipfile.ZIP_STORED)
    lied = data.replace(len(BOT).to_bytes(4, "little"), (9 << 20).to_bytes(4, "little"))
    with pytest.raises(Rejected, match="suspiciously"):
        judge(lied, "bot.zip")


def test_judging_the_worst_archive_takes_little_memory():
    """In a process of its own: 4 MB that would become 4 GB, and a directory full of entries."""
    program = """
import gzip, resource, sys
resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))
from workers.archive import Rejected, judge
bomb = gzip.compress(bytes(1 << 20))
for data in (bomb * 2000, b"PK\\x05\\x06" + b"PK\\x01\\x02" * 900_000):
    try:
        judge(data, "bot")
    except Rejected as rejected:
        print(rejected)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert len(done.stdout.splitlines()) == 2
    assert resource.getrlimit(resource.RLIMIT_AS)[0] != 400 << 20
