# verdict: none
# Has the kernel lock and call for it.
# box: calls=strict
# seats: all
# modes: kept fresh

import ctypes
import json
import sys


def found(asked):
    parameters = ctypes.create_string_buffer(120)
    return ctypes.CDLL(None).syscall(425, 4, parameters) >= 0


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
