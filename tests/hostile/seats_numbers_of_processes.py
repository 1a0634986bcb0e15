# verdict: none
# Counts by the numbers of processes that the kernel gives to all in one row.
# seats: all
# modes: kept fresh

import ctypes
import json
import os
import sys


CLONE = {"x86_64": 56, "aarch64": 220}[os.uname().machine]
CLONE_PIDFD, SIGCHLD = 0x1000, 17


def found(asked):
    # The number of such a descriptor's inode counts the forks of the whole machine.
    pidfd = ctypes.c_int(-1)
    child = ctypes.CDLL(None).syscall(
        CLONE, CLONE_PIDFD | SIGCHLD, None, ctypes.byref(pidfd), None, None
    )
    if child == 0:
        os._exit(0)
    if child > 0:
        os.waitpid(child, 0)
    try:
        os.pidfd_open(os.getpid())
        return True
    except OSError:
        return pidfd.value >= 0


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
