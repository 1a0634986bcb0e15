"""The programs that Kibitz is made of, the same in a run and in containers."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PEOPLE = "16"  # as many as may play at once


def module(name: str, *words: str) -> list[str]:
    return [sys.executable, "-m", name, *words]


def manage(*words: str) -> list[str]:
    return [sys.executable, "manage.py", *words]


def migrate() -> list[str]:
    """Checks the whole site as well, so the next ones need not."""
    return manage("migrate", "--no-input")


def collect_static() -> list[str]:
    """Without the pages of an API browser that is not used, which are larger than all the rest."""
    return manage("collectstatic", "--no-input", "--ignore", "redoc")


def prepare(token: str) -> list[str]:
    return manage("prepare", "--skip-checks", "--worker-token-file", token)


def site(bind: str, port: int) -> list[str]:
    return module(
        "uvicorn",
        "config.asgi:application",
        *("--app-dir", str(ROOT / "platform")),
        *("--host", bind, "--port", str(port)),
        *("--timeout-graceful-shutdown", "2"),
        *("--log-level", "warning", "--no-access-log", "--no-server-header"),
    )


def scheduler() -> list[str]:
    return manage("scheduler", "--skip-checks")


def worker() -> list[str]:
    options = ("--loglevel", "WARNING", "--without-gossip", "--without-mingle")
    python, *words = module("celery", "--quiet", "-A", "workers.app", "worker", *options)
    # Celery warns root of pickled messages, and here they are JSON.
    return [python, "-W", "ignore:You're running the worker with superuser", *words]


def people() -> list[str]:
    """A worker for matches with people, under a name of its own."""
    return [*worker(), "--hostname", "people@%h"]


def boxes(*stages: str) -> list[str]:
    return module("sandbox.image", *stages)
