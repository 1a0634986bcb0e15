# verdict: none
# Opens its own streams the wrong way round.
# modes: kept fresh

import json
import os
import sys


def found(asked):
    if os.getpid() != 1:
        return False  # its own pipes, in a box used once
    for fd, way in (
        (0, os.O_WRONLY),
        (0, os.O_RDWR),
        (1, os.O_RDONLY),
        (1, os.O_RDWR),
        (2, os.O_RDONLY),
    ):
        try:
            os.close(os.open(f"/proc/self/fd/{fd}", way | os.O_NONBLOCK))
            return True
        except OSError:
            continue
        try:
            os.fchmod(fd, 0o666)
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
