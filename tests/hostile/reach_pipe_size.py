# verdict: none
# Makes its pipes larger, at the cost of the worker's account.
# modes: kept fresh

import fcntl
import json
import sys


F_SETPIPE_SZ = 1031


def found(asked):
    try:
        return fcntl.fcntl(1, F_SETPIPE_SZ, 1 << 20) > 0
    except OSError:
        return False


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
