# verdict: none
# Counts the machine's processes by the links of /proc.
# seats: all
# modes: kept fresh

import json
import os
import sys
import time


def found(asked):
    before = os.stat("/proc").st_nlink
    for _ in range(5):
        child = os.fork()
        if child == 0:
            time.sleep(0.3)
            os._exit(0)
    after = os.stat("/proc").st_nlink
    return os.getpid() == 1 and after != before


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
