"""What a container of ours does: `python -m deploy.container secrets|site|scheduler|boxes|worker|people`."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from deploy import commands, secrets

PORT = 8000


def become(command: list[str]) -> None:
    """So that signals reach the program itself."""
    os.execv(command[0], command)  # noqa: S606


def site() -> None:
    """Brings the database up to date first: there is one site, and everybody else waits for it."""
    subprocess.run(commands.migrate(), check=True)
    subprocess.run(commands.prepare(os.environ["KIBITZ_TOKEN_FILE"]), check=True)
    become(commands.site("0.0.0.0", PORT))  # noqa: S104


def hand_out_secrets() -> None:
    secrets.hand_out(os.environ, Path("/given"), Path("/secrets"))


def people() -> None:
    os.environ.setdefault("KIBITZ_PEOPLE", commands.PEOPLE)
    become(commands.people())


PARTS: dict[str, Callable[[], None]] = {
    "secrets": hand_out_secrets,
    "site": site,
    "scheduler": lambda: become(commands.scheduler()),
    "boxes": lambda: become(commands.boxes()),
    "worker": lambda: become(commands.worker()),
    "people": people,
}


def main() -> None:
    [part] = sys.argv[1:] or [""]
    if part not in PARTS:
        sys.exit(f"{part!r} is no part of Kibitz. The parts are: {', '.join(PARTS)}")
    try:
        PARTS[part]()
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)


if __name__ == "__main__":
    main()
