"""Files by their sha256, through Django's storage: archives and replays, written once, never changed."""

from hashlib import sha256

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from bots.models import Archive


class Missing(Exception):
    """A file that should be there is not, or is not what it was."""


def keep(data: bytes) -> str:
    """Stores bytes under their hash, unless they are there already."""
    digest = sha256(data).hexdigest()
    name = name_of(digest)
    if default_storage.exists(name):
        if default_storage.size(name) == len(data):
            return digest
        default_storage.delete(name)  # half of it, from a machine that went down while writing
    stored = default_storage.save(name, ContentFile(data))
    if stored != name:  # somebody else was quicker
        default_storage.delete(stored)
    return digest


def kept(digest: str) -> bytes:
    try:
        with default_storage.open(name_of(digest)) as file:
            data: bytes = file.read()
    except OSError as error:
        raise Missing(f"{digest[:12]} cannot be read: {error}") from None
    if sha256(data).hexdigest() != digest:
        raise Missing(f"{digest[:12]} is damaged")
    return data


def archive_bytes(archive: Archive) -> bytes:
    return kept(archive.sha256)


def forget(digest: str) -> None:
    default_storage.delete(name_of(digest))


def name_of(digest: str) -> str:
    return f"{digest[:2]}/{digest}"
