"""Reads what the environment says; a secret may also stand in a file that NAME_FILE names."""

import os
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from django.core.exceptions import ImproperlyConfigured


def switched_on(name: str, *, default: bool) -> bool:
    words = {"1": True, "true": True, "0": False, "false": False}
    word = os.environ.get(name, str(default)).lower()
    if word not in words:
        raise ImproperlyConfigured(f"{name} is {word!r}: say 1 or 0.")
    return words[word]


def value_of(name: str, default: str = "") -> str:
    """The variable, or what the file named by NAME_FILE says."""
    if path := os.environ.get(f"{name}_FILE"):
        try:
            return Path(path).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise ImproperlyConfigured(f"{name}_FILE cannot be read: {error}") from None
    return os.environ.get(name, default)


def words_of(name: str) -> list[str]:
    """Comma-separated words."""
    return [word.strip() for word in os.environ.get(name, "").split(",") if word.strip()]


def number_of(name: str, default: int) -> int:
    word = os.environ.get(name) or str(default)
    if not word.isdecimal():
        raise ImproperlyConfigured(f"{name} is {word!r}: it must be a whole number.")
    return int(word)


def cache_beside(broker: str) -> str:
    """The address of the cache in the same Redis as the broker, in its next database."""
    parts = urlsplit(broker)
    if parts.scheme == "redis+socket":
        return f"unix://{parts.path}?db=1"
    number = int(parts.path.strip("/") or 0) + 1
    return urlunsplit(parts._replace(path=f"/{number}"))
