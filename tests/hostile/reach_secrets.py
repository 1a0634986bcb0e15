# verdict: none
# Looks for anything told to it by accident: environment, arguments, descriptors.
# modes: kept fresh

import json
import os
import sys


def found(asked):
    wanted = {"HOME", "TMPDIR", "PATH", "LANG", "LC_CTYPE"}
    if set(os.environ) - wanted or sys.argv != [os.path.abspath(__file__)]:
        return True
    extra = [fd for fd in range(3, 1024) if exists(fd)]
    return bool(extra)


def exists(fd):
    try:
        os.fstat(fd)
        return True
    except OSError:
        return False


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
