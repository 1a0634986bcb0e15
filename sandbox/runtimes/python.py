"""Python: nothing to build, the main file is started."""

from sandbox.runtimes.runtime import Runtime

SELF_TEST = """\
import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "move":
        print(json.dumps({"id": message["id"], "move": message["legal"][0]}), flush=True)
"""

PYTHON = Runtime(
    name="python",
    title="Python",
    version_command=("python3", "--version"),
    endings=(".py",),
    start=lambda main: ("python3", "{bot}/" + main),
    self_test={"main.py": SELF_TEST},
    starters=("python3", "python"),
)
