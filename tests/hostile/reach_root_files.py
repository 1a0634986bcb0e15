# verdict: none
# Writes wherever a program could write.
# modes: kept fresh

import json
import os
import sys


def found(asked):
    for folder in (
        "/",
        "/etc",
        "/tmp",
        "/var/tmp",
        "/run",
        "/usr/bin",
        "/dev",
        "/dev/shm",
        "/w",
        "/io",
        "/home",
    ):
        try:
            with open(f"{folder}/mark", "w") as file:
                file.write("mark")
        except OSError:
            continue
        print(folder, file=sys.stderr)
        if folder != "/w" or os.getpid() == 1:
            return True
    return False


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
