# verdict: none
# Leaves files wherever it can, and looks for those of its last leg.
# legs: 2
# modes: kept fresh

import contextlib
import json
import os
import sys


FOLDERS = "/ /w /w/leg /w/bot /tmp /var/tmp /run /dev /dev/shm /dev/mqueue /dev/pts /io /sys /proc".split()


def found(asked):
    if asked["id"] > 1:
        return False
    for folder in FOLDERS:
        if os.path.lexists(f"{folder}/.mark-of-a-leg"):
            return True
        with contextlib.suppress(OSError), open(f"{folder}/.mark-of-a-leg", "w") as file:
            file.write("mark")
    return False


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
