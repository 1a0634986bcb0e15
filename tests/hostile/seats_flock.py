# verdict: none
# Locks whatever both seats can see, and looks for the other's lock.
# seats: all
# modes: kept fresh

import fcntl
import json
import os
import sys


PLACES = [
    "/",
    "/bin/sh",
    "/etc/passwd",
    "/usr/bin",
    "/dev/null",
    "/proc/self/ns/user",
    "/proc/self/ns/time",
    "/proc/self/ns/cgroup",
]
held = []


def found(asked):
    for path in PLACES:
        try:
            held.append(os.open(path, os.O_RDONLY))
            fcntl.flock(held[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return asked["view"]["seat"] == 1
        except OSError:
            continue
    return False


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
