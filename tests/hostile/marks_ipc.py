# verdict: none
# Leaves queues, semaphores and shared memory.
# legs: 2
# modes: kept fresh

import ctypes
import json
import os
import sys


def found(asked):
    libc = ctypes.CDLL(None)
    made = [libc.shmget(78, 4096, 0o1666), libc.msgget(78, 0o1666), libc.semget(78, 1, 0o1666)]
    made.append(libc.mq_open(b"/mark", os.O_CREAT | os.O_RDWR, 0o600, None))
    return any(number >= 0 for number in made)


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
