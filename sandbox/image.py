"""The image of the box: made from its files when they have changed, and asked which languages it has.

Its name holds a hash of its files, so an image that is there is the right one and nothing is built twice.
"""

import fcntl
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import docker
from docker.errors import DockerException
from requests.exceptions import RequestException

from sandbox.box import InfrastructureFault
from sandbox.engine import Engine
from sandbox.runtimes import RUNTIMES

Progress = Callable[[str], None]

ROOT = Path(__file__).parent.parent
VAR = ROOT / "var" / "box"
BASE = ("debian", "bookworm-slim")
SUITE = "bookworm"
STAGES = ("python", "full")  # the first is quickly there
PULL_SILENCE_SECONDS = 20
BUILD_SILENCE_SECONDS = 600  # unpacking and committing a gigabyte says nothing for a while
PROGRESS_SECONDS = 5
LINE_CHARACTERS = 100
OWN_TO_A_HOST = (
    *("./dev/*", "./proc/*", "./sys/*", "./etc/hostname", "./etc/resolv.conf"),
    *("./var/cache/apt/*", "./var/lib/apt/lists/*"),
)
PROXIES = ("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")
PROBE = """
import json, subprocess, sys
said = {}
for name, command in json.loads(sys.argv[1]).items():
    try:
        run = subprocess.run(command, capture_output=True, text=True)
        said[name] = (run.stdout or run.stderr).splitlines()[0] if run.returncode == 0 else None
    except (OSError, IndexError):
        said[name] = None
print(json.dumps(said))
"""


# -- Its name -----------------------------------------------------------------------------------


@cache
def files() -> dict[str, bytes]:
    """All that the image is made from, by its place in the build."""
    images = ROOT / "sandbox" / "images"
    found = {path.name: path for path in images.iterdir() if path.is_file()}
    found |= {path.relative_to(ROOT).as_posix(): path for path in (ROOT / "games").rglob("*.py")}
    return {name: path.read_bytes() for name, path in sorted(found.items())}


def tag(stage: str, parts: dict[str, bytes] | None = None) -> str:
    digest = hashlib.sha256()
    for name, content in (files() if parts is None else parts).items():
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    name = f"kibitz-box:{digest.hexdigest()[:12]}"
    return name if stage == "full" else f"{name}-{stage}"


# -- Having it ----------------------------------------------------------------------------------


def ensure(stage: str = "full", progress: Progress = print) -> str:
    """The name of the image, which is made first if it is not there."""
    name = tag(stage)
    if not is_there(name):
        with only_one(), engine(BUILD_SILENCE_SECONDS) as client:
            if not is_there(name):  # somebody else may have made it while we waited
                ensure_base(client, progress)
                build(client, stage, name, progress)
    return name


def newest() -> str | None:
    """The fullest image that is there now; None before the first is made."""
    return next((tag(stage) for stage in reversed(STAGES) if is_there(tag(stage))), None)


def is_there(name: str) -> bool:
    return Engine().has_image(name)


@contextmanager
def engine(silence_seconds: int) -> Iterator[docker.DockerClient]:
    """The engine for long calls that say how they get on."""
    try:
        with closing(docker.from_env(timeout=silence_seconds)) as client:
            yield client
    except (DockerException, RequestException) as error:
        why = getattr(error, "explanation", None) or error
        raise InfrastructureFault(f"the Docker engine: {why}") from None


@contextmanager
def only_one() -> Iterator[None]:
    """Two builds at once would do all the work twice."""
    VAR.mkdir(parents=True, exist_ok=True)
    with (VAR / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def build(client: docker.DockerClient, stage: str, name: str, progress: Progress) -> None:
    progress(f"Making {name} ...")
    began = time.monotonic()
    steps = client.api.build(
        fileobj=io.BytesIO(context(files())),
        custom_context=True,
        target=stage,
        tag=name,
        network_mode="host",
        # Known to every build without being declared, and kept out of the image.
        buildargs={name: os.environ[name] for name in PROXIES if name in os.environ},
        labels={"kibitz.box": stage},
        rm=True,
        forcerm=True,
        decode=True,
    )
    follow(steps, progress)
    progress(f"{name} is ready after {time.monotonic() - began:.0f} s.")


def context(parts: dict[str, bytes]) -> bytes:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as tar:
        for name, content in parts.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(content), 0o644
            tar.addfile(entry, io.BytesIO(content))
    return raw.getvalue()


def follow(steps: Iterable[dict[str, Any]], progress: Progress) -> None:
    """Tells every step, and of what is said within one a line now and then; all of it if it fails."""
    said: list[str] = []
    told = time.monotonic()
    for step in steps:
        if "error" in step:
            raise InfrastructureFault("\n".join([*said[-30:], step["error"].strip()]))
        for line in step.get("stream", step.get("status", "")).splitlines():
            said.append(line)
            due = time.monotonic() - told >= PROGRESS_SECONDS
            if line.startswith(("Step ", "Left out")) or (due and line.strip()):
                progress(f"  {line[:LINE_CHARACTERS]}")
                told = time.monotonic()


# -- What it starts from ------------------------------------------------------------------------


def ensure_base(client: docker.DockerClient, progress: Progress) -> None:
    name = ":".join(BASE)
    if is_there(name):
        return
    progress(f"Pulling {name} ...")
    try:
        pull()
    except InfrastructureFault as fault:
        progress(f"{name} cannot be pulled: {fault}")
        stand_in(client, progress)


def pull() -> None:
    with engine(PULL_SILENCE_SECONDS) as client:
        follow(client.api.pull(BASE[0], tag=BASE[1], stream=True, decode=True), lambda line: None)


def stand_in(client: docker.DockerClient, progress: Progress) -> None:
    """The same system from Debian's packages, under the same name."""
    if not shutil.which("debootstrap") or os.geteuid() != 0:
        raise InfrastructureFault(
            f"{':'.join(BASE)} is not there. Load it into the engine by hand (docker load), or on "
            "Debian install debootstrap and run `make box` as root, which makes a stand-in."
        )
    progress("Making a stand-in with debootstrap, which takes a minute or two ...")
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="kibitz-base-") as folder:
        run_debootstrap(Path(folder), progress)
        import_system(client, Path(folder))


def run_debootstrap(folder: Path, progress: Progress) -> None:
    command = ["debootstrap", "--variant=minbase", SUITE, str(folder)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout
        follow(({"stream": line} for line in process.stdout), progress)
    if process.returncode != 0:
        log = folder / "debootstrap" / "debootstrap.log"
        last = log.read_text(errors="replace")[-2000:] if log.exists() else ""
        raise InfrastructureFault(f"debootstrap failed.\n{last}")


def import_system(client: docker.DockerClient, folder: Path) -> None:
    command = [
        "tar",
        "-C",
        str(folder),
        *(f"--exclude={name}" for name in OWN_TO_A_HOST),
        "-c",
        ".",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        client.api.import_image_from_stream(process.stdout, repository=BASE[0], tag=BASE[1])
    if process.returncode != 0:
        raise InfrastructureFault("tar could not pack the system that debootstrap made.")


# -- What it has --------------------------------------------------------------------------------


def languages(name: str) -> dict[str, str | None]:
    """What each language of the image says of its version; None for those that are not there."""
    with engine(BUILD_SILENCE_SECONDS) as client:
        known = VAR / f"{client.images.get(name).id.removeprefix('sha256:')[:12]}.json"
        commands = {runtime.name: runtime.version_command for runtime in RUNTIMES}
        with suppress(OSError, ValueError):
            said: dict[str, str | None] = json.loads(known.read_text())
            if said.keys() == commands.keys():
                return said
        said = probe(client, name, commands)
        with suppress(OSError):  # asked again next time
            VAR.mkdir(parents=True, exist_ok=True)
            known.write_text(json.dumps(said))
        return said


def probe(
    client: docker.DockerClient, name: str, commands: dict[str, tuple[str, ...]]
) -> dict[str, str | None]:
    words = ["python3", "-c", PROBE, json.dumps(commands)]
    said: dict[str, str | None] = json.loads(
        client.containers.run(name, words, remove=True, network_disabled=True)
    )
    return said


def main() -> None:
    """Makes all images, or those of the stages that are named."""

    def show(line: str) -> None:
        print(line, flush=True)

    try:
        for stage in sys.argv[1:] or STAGES:
            name = ensure(stage, show)
        for runtime in RUNTIMES if name == tag("full") else ():
            version = languages(name)[runtime.name]
            missing = "not in the box: its bots cannot be built or played here"
            show(f"  {runtime.title:<12}{version or missing}")
    except InfrastructureFault as fault:
        sys.exit(f"The image of the box cannot be made. {fault}")
    show(f"The box is ready: {name}")


if __name__ == "__main__":
    main()
