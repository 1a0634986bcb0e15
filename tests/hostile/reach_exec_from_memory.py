# verdict: none
# Runs a program from memory.
# modes: kept fresh

import json
import os
import sys


def found(asked):
    try:
        fd = os.memfd_create("mark")
    except OSError:
        return False
    with open("/bin/true", "rb") as file:
        os.write(fd, file.read())
    child = os.fork()
    if child == 0:
        os.execv(f"/proc/self/fd/{fd}", ["true"])
    return os.waitpid(child, 0)[1] == 0


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
