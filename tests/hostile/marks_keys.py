# verdict: none
# Leaves a key on every ring there is.
# legs: 2
# modes: kept fresh

import ctypes
import json
import os
import sys


ADD_KEY, KEYCTL = {"x86_64": (248, 250), "aarch64": (217, 219)}[os.uname().machine]


def found(asked):
    libc = ctypes.CDLL(None)
    for ring in (-1, -2, -3, -4, -5):
        if libc.syscall(ADD_KEY, b"user", b"mark", b"mark", 4, ring) >= 0:
            return True
        if libc.syscall(KEYCTL, 0, ring, 1) >= 0:
            return True
    return False


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
