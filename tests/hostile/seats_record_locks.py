# verdict: none
# Locks parts of files that both seats can see, by every kind of lock.
# seats: all
# modes: kept fresh

import fcntl
import json
import os
import struct
import sys


F_OFD_GETLK, F_OFD_SETLK, F_GETLEASE, F_SETLEASE, F_NOTIFY = 36, 37, 1025, 1024, 1026
held = []


def found(asked):
    whole = struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 0, 0)
    for path in ("/bin/sh", "/etc/passwd", "/usr", "/dev/null", "/dev/zero"):
        held.append(os.open(path, os.O_RDONLY))
        tries = [
            (fcntl.F_SETLK, whole),
            (fcntl.F_GETLK, whole),
            (F_OFD_SETLK, whole),
            (F_OFD_GETLK, whole),
        ]
        tries += [(F_SETLEASE, fcntl.F_RDLCK), (F_GETLEASE, 0), (F_NOTIFY, 1)]
        for command, argument in tries:
            try:
                fcntl.fcntl(held[-1], command, argument)
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
