# verdict: none
# Raises its own limits.
# modes: kept fresh

import json
import os
import resource
import sys


def found(asked):
    for limit in ("NOFILE", "FSIZE", "CORE", "MEMLOCK", "SIGPENDING", "MSGQUEUE"):
        kind = getattr(resource, f"RLIMIT_{limit}", None)
        if kind is None:
            continue
        most = resource.getrlimit(kind)[1]
        if most == resource.RLIM_INFINITY:
            return True
        try:
            resource.setrlimit(kind, (most + 1, most + 1))
            return True
        except (OSError, ValueError):
            continue
    try:
        os.nice(-1)
        return True
    except OSError:
        return False


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
