# verdict: none
# Looks for memory that both seats see.
# seats: all
# modes: kept fresh

import ctypes
import json
import mmap
import sys


def found(asked):
    try:
        with open("/dev/shm/mark", "x") as file:
            file.write("mark")
        return True
    except OSError:
        pass
    libc = ctypes.CDLL(None)
    if (
        libc.shmget(77, 4096, 0o1666) >= 0
        or libc.msgget(77, 0o1666) >= 0
        or libc.semget(77, 1, 0o1666) >= 0
    ):
        return True
    try:
        mmap.mmap(-1, 4096)
        return True
    except OSError:
        return False


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
