"""Secrets that are made once and kept in files, each where only its readers find it."""

import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

BYTES = 48
READABLE = 0o444  # by whatever user a container has; only its readers mount the volume
REDIS = """\
requirepass "{password}"
appendonly yes
save ""
maxmemory-policy noeviction
"""


def kept(path: Path) -> str:
    """The secret in a file, which is made first if there is none. It appears there whole or not at all,
    and of several that are made at the same moment one stays."""
    if not path.exists():
        new = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
        new.touch(0o600)
        new.write_text(secrets.token_urlsafe(BYTES), encoding="ascii")
        with suppress(FileExistsError):
            os.link(new, path)
        new.unlink()
    return path.read_text(encoding="ascii").strip()


# -- For containers ---------------------------------------------------------------------------------


def hand_out(environment: Mapping[str, str], given: Path, out: Path) -> None:
    """Writes for every service what it needs to know, and nothing else, into a folder of its own under
    `out`: site, database, broker and worker."""

    def secret(name: str) -> str:
        """From the environment, else from the files that were given, else made by us."""
        variable = f"KIBITZ_{name.upper().replace('-', '_')}"
        if value := environment.get(variable, ""):
            return value
        if (given / name).is_file():
            return (given / name).read_text(encoding="utf-8").strip()
        return kept(out / "site" / f"made-{name}")

    database, broker = secret("database-password"), secret("broker-password")
    broker_address = f"redis://:{quote(broker, safe='')}@broker:6379/0"
    write(out / "site" / "secret-key", secret("secret-key"))
    write(
        out / "site" / "database",
        f"postgres://kibitz:{quote(database, safe='')}@database:5432/kibitz",
    )
    write(out / "site" / "broker", broker_address)
    write(out / "database" / "password", database)
    write(out / "broker" / "redis.conf", REDIS.format(password=escaped(broker)))
    write(out / "broker" / "password", broker)
    write(out / "worker" / "broker", broker_address)


def write(path: Path, text: str) -> None:
    new = path.with_name(f".{path.name}-new")
    new.write_text(f"{text}\n", encoding="utf-8")
    new.chmod(READABLE)
    new.replace(path)


def escaped(password: str) -> str:
    """As between quotes in Redis's settings."""
    return password.replace("\\", "\\\\").replace('"', '\\"')
