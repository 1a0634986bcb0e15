"""What runs inside a box as process 1, standard library only, and how its text gets there."""

from pathlib import Path

HERE = Path(__file__).parent
# Carried over with every box, in this order, so that image and worker cannot disagree.
SHARED = {
    "sandbox.debug": HERE.parent / "debug.py",
    "sandbox.launcher.inside": HERE / "inside.py",
}
START = """\
import sys, types
for name, text in {modules!r}:
    module = sys.modules[name] = types.ModuleType(name)
    exec(compile(text, name, "exec"), module.__dict__)
sys.modules["{main}"].main()
"""


def command(mode: str, *arguments: str) -> list[str]:
    """The command line of a box: the launcher's own text is an argument of the interpreter."""
    main = f"sandbox.launcher.{mode}"
    modules = [("sandbox", ""), ("sandbox.launcher", "")]
    modules += [(name, path.read_text()) for name, path in SHARED.items()]
    modules += [(main, (HERE / f"{mode}.py").read_text())]
    text = START.format(modules=modules, main=main)
    return ["python3", "-ISE", "-c", text, *arguments]
