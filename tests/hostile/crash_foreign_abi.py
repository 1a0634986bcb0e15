# verdict: crashed
# Calls the kernel by the numbers of another ABI.
# modes: kept fresh

import ctypes
import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        ctypes.CDLL(None).syscall(0x40000000 + 39)
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
