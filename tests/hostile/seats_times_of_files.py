# verdict: none
# Moves the times of files that both seats can see.
# seats: all
# modes: kept fresh

import contextlib
import json
import os
import sys


def found(asked):
    for path in ("/bin/sh", "/etc/passwd", "/dev/null", "/", "/usr", "/dev"):
        before = os.stat(path)
        with contextlib.suppress(OSError):
            os.utime(path)
        with contextlib.suppress(OSError), open(path, "rb") as file:
            file.read(1)
        after = os.stat(path)
        if path != "/dev/null" and (after.st_atime_ns, after.st_mtime_ns) != (
            before.st_atime_ns,
            before.st_mtime_ns,
        ):
            print(path, file=sys.stderr)
            return True
    return False


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
