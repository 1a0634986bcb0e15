# verdict: none
# Reads what its own box has used so far.
# modes: kept fresh

import json
import os
import sys


def found(asked):
    for folder in ("/sys/fs/cgroup", "/sys/kernel", "/sys/class", "/sys/module", "/sys/firmware"):
        try:
            if (
                os.getpid() == 1
                and os.listdir(folder)
                or folder == "/sys/fs/cgroup"
                and os.listdir(folder)
            ):
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
