# verdict: none
# Leaves a process in a session of its own, and looks for one.
# legs: 2
# modes: kept fresh

import json
import os
import sys
import time


def found(asked):
    if asked["id"] > 1:
        return False
    others = {int(name) for name in os.listdir("/proc") if name.isdigit()} - {os.getpid(), 1}
    if others:
        return True
    if os.fork() == 0:
        os.setsid()
        time.sleep(600)
    return False


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
