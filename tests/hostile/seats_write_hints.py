# verdict: none
# Leaves a hint on a file that both seats can see.
# seats: all
# modes: kept fresh

import fcntl
import json
import os
import struct
import sys


F_GET_RW_HINT, F_SET_RW_HINT = 1035, 1036


def found(asked):
    fd = os.open("/bin/sh", os.O_RDONLY)
    try:
        hint = fcntl.fcntl(fd, F_GET_RW_HINT, bytes(8))
        fcntl.fcntl(fd, F_SET_RW_HINT, struct.pack("q", 3))
        print(hint, file=sys.stderr)
        return True
    except OSError:
        return False
    finally:
        os.close(fd)


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
