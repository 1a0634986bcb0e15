"""Which sandbox to use on this machine: boxes of a Docker engine if one answers, else processes."""

from collections.abc import Callable

from sandbox import image
from sandbox.box import InfrastructureFault, Sandbox
from sandbox.docker import DockerSandbox
from sandbox.engine import Engine
from sandbox.local import NOT_PROTECTED, LocalSandbox
from sandbox.probes import best_mode
from sandbox.settings import BoxSettings

KINDS = ("auto", "docker", "local")

Say = Callable[[str], None]


def open_sandbox(kind: str, say: Say) -> tuple[Sandbox, str]:
    """A sandbox, and the name of what builds depend on in it; says what is worth knowing."""
    if kind != "local" and (kind == "docker" or engine_answers()):
        return open_docker(say)
    sandbox = LocalSandbox()
    say(NOT_PROTECTED[sandbox.mode])
    return sandbox, f"local {sandbox.mode}"


def engine_answers() -> bool:
    try:
        Engine().info()
    except InfrastructureFault:
        return False
    return True


def open_docker(say: Say, runtime: str = "", core: str = "") -> tuple[DockerSandbox, str]:
    """Boxes of the fullest image there is; the small one is made first if there is none."""
    name = image.newest() or image.ensure("python", say)
    how, engine = BoxSettings(name, runtime, core=core), Engine()
    best = best_mode(engine, how)
    for reason in best.reasons:
        say(f"No kept boxes here: {reason}")
    return DockerSandbox(how, best.mode, engine), name
