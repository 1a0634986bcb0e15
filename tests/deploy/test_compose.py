"""docker-compose.yml on a real engine: up, a bot plays in boxes, down, up again, and nothing is lost."""

import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import time

import docker
import pytest
from docker.errors import DockerException, ImageNotFound

from sandbox import image
from sandbox.box import InfrastructureFault
from sandbox.engine import Engine
from tests.deploy.copying import ROOT, copy_of_the_project, free_port
from tests.deploy.visitor import Visitor
from tests.sandbox.bots import unavailable

STAND_INS = {"postgres:15-bookworm": "postgres", "redis:7-bookworm": "redis"}
STAND_IN = "kibitz.stand-in"
WHEELS = ROOT / "var" / "wheels"
PULL_S = 20
UP_S = 900.0
MATCH_S = 120.0


class Composed:
    """The services of a copy of the project, in a project of their own."""

    def __init__(self, command, folder):
        self.name = f"kibitz-test-{secrets.token_hex(4)}"
        self.port = free_port()
        self.command = [*command, "--project-name", self.name]
        self.folder = folder
        self.site = f"http://localhost:{self.port}"
        clean = {key: value for key, value in os.environ.items() if not key.startswith("KIBITZ")}
        self.environment = clean | {
            "KIBITZ_BUILD_NETWORK": "host",
            "KIBITZ_PORT": str(self.port),
            "KIBITZ_SITE": self.site,
            "KIBITZ_VERSION": "test",
        }

    def __call__(self, *words):
        done = subprocess.run(
            [*self.command, *words],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=UP_S,
            check=False,
        )
        assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def up(self):
        self("up", "--detach", "--build", "--scale", "worker=2")

    def sql(self, question):
        ask = ("psql", "--username", "kibitz", "--no-align", "--tuples-only", "--command", question)
        return self("exec", "-T", "database", *ask).strip()

    def containers(self):
        label = f"label=com.docker.compose.project={self.name}"
        listed = ["docker", "ps", "--all", "--quiet", "--filter", label]
        return subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split()


def compose_command():
    for command in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(command[0]):
            asked = subprocess.run([*command, "version"], capture_output=True, check=False)
            if asked.returncode == 0:
                return command
    return None


def make_stand_ins():
    """For what cannot be pulled: the same from Debian's packages, under the same names."""
    with image.engine(image.BUILD_SILENCE_SECONDS) as client:
        image.ensure_base(client, print)
        for name, source in STAND_INS.items():
            if not is_official(client, name) and not pulled(name):
                client.images.build(
                    path=str(ROOT / "tests" / "deploy" / "stand_ins"),
                    dockerfile=f"{source}.Dockerfile",
                    tag=name,
                    network_mode="host",
                    labels={STAND_IN: source},
                )


def is_official(client, name):
    try:
        return STAND_IN not in client.images.get(name).labels
    except ImageNotFound:
        return False


def pulled(name):
    try:
        docker.from_env(timeout=PULL_S).images.pull(name)
    except (DockerException, OSError):
        return False
    return True


def bring_wheels(folder):
    """All packages for the Python of the image, which may be older than ours."""
    every = re.sub(
        r"(?m)^(\S+==\S+) ; (?!sys_platform).* \\$",
        r"\1 \\",
        (ROOT / "requirements.txt").read_text(),
    )
    WHEELS.mkdir(parents=True, exist_ok=True)
    (WHEELS / "requirements.txt").write_text(every)
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
    command += ["--only-binary", ":all:", "--python-version", "3.11", "--dest", str(folder)]
    command += ["--requirement", str(WHEELS / "requirements.txt"), "--find-links", str(WHEELS)]
    kept = subprocess.run([*command, "--no-index"], capture_output=True, check=False)
    if kept.returncode != 0:
        subprocess.run(command, check=True, capture_output=True)
        for wheel in folder.iterdir():
            shutil.copy(wheel, WHEELS)


@pytest.fixture
def composed(tmp_path):
    command = compose_command()
    try:
        Engine().info()
    except InfrastructureFault as fault:
        unavailable(f"no Docker engine answers: {fault}")
    if command is None:
        unavailable("docker-compose is not installed")
    make_stand_ins()
    copy_of_the_project(tmp_path)
    (tmp_path / "wheels").mkdir()
    bring_wheels(tmp_path / "wheels")
    composed = Composed(command, tmp_path)
    yield composed
    print(composed("logs", "--no-color", "--tail", "40"))  # shown if the test has failed
    composed("down", "--volumes", "--remove-orphans")


@pytest.mark.timeout(1500)
def test_the_services_play_a_bot_in_boxes_and_keep_everything(composed, tmp_path, capsys):
    began = time.monotonic()
    composed.up()
    up_s = time.monotonic() - began
    alice = Visitor(composed.site)
    assert alice.json("/health") == {"database": "answers", "broker": "answers"}
    assert "local sandbox" not in alice.page("/")
    alice.sign_up("alice")
    alice.upload_as_the_readme_says(tmp_path, alice.token())
    uploaded = time.monotonic()
    match = alice.first_rated_match("first", MATCH_S)
    match_s = time.monotonic() - uploaded
    recorded = composed.sql(f"SELECT state, mode FROM tournaments_match WHERE id = {match['id']}")
    assert recorded in ("finished|kept", "finished|fresh")
    a_worker_knows_no_password_of_the_database(composed)
    before = alice.json(f"/api/v1/matches/{match['id']}")
    namespaces = [worker_namespace(composed, number) for number in ("1", "2")]

    composed("down")
    assert composed.containers() == []
    assert boxes_of(namespaces) == []

    composed.up()
    alice = Visitor(composed.site)
    alice.log_in("alice")
    assert alice.json(f"/api/v1/matches/{match['id']}") == before
    assert alice.json("/api/v1/bots/first")["owner"] == "alice"
    with capsys.disabled():
        print(
            f"\ndocker-compose: up after {up_s:.0f} s; first rated match {match_s:.1f} s after the upload."
        )


def a_worker_knows_no_password_of_the_database(composed):
    known = composed("exec", "-T", "worker", "sh", "-c", "env; cat /secrets/*/*")
    assert "redis://" in known
    assert "postgres://" not in known
    assert composed("exec", "-T", "database", "cat", "/secrets/password").strip() not in known


def worker_namespace(composed, number):
    ask = ("stat", "--dereference", "--format", "%i", "/proc/self/ns/pid")
    return composed("exec", "-T", "--index", number, "worker", *ask).strip()


def boxes_of(namespaces):
    """What boxes the workers of these process namespaces have left."""
    boxes = Engine().boxes("kibitz.worker")
    return [
        json.dumps(box)
        for box in boxes
        if box["Labels"]["kibitz.worker"].split("/")[1] in namespaces
    ]
