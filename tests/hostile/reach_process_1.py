# verdict: none
# Reads and changes process 1, where that is not itself.
# modes: kept fresh

import json
import os
import sys


def found(asked):
    if os.getpid() == 1:
        return False
    for name, mode in (
        ("mem", "r+b"),
        ("mem", "rb"),
        ("environ", "rb"),
        ("maps", "rb"),
        ("auxv", "rb"),
        ("oom_score_adj", "w"),
    ):
        try:
            with open(f"/proc/1/{name}", mode) as file:
                if mode == "w":
                    file.write("1000")
                    file.flush()
                else:
                    file.read(1)
            return True
        except (OSError, ValueError):
            continue
    for name in ("fd", "cwd", "root", "exe", "ns/pid", "task/1/fd"):
        try:
            os.listdir(f"/proc/1/{name}") if name.endswith("fd") else os.readlink(f"/proc/1/{name}")
            return True
        except OSError:
            continue
    return False


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
