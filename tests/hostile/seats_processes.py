# verdict: none
# Looks for processes that are not its own, and signals them.
# seats: all
# modes: kept fresh

import json
import os
import sys


def found(asked):
    own = {os.getpid(), 1}
    if {int(name) for name in os.listdir("/proc") if name.isdigit()} - own:
        return True
    for pid in set(range(2, 3000)) - own:
        try:
            os.kill(pid, 0)
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
