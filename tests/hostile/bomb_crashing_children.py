# verdict: none
# Starts processes that crash, all the time.
# modes: kept fresh
# limits: bank_ms=20000 wall_ms=20000

import ctypes
import json
import os
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        if asked["id"] == 1 and os.fork() == 0:
            while True:
                if os.fork() == 0:
                    ctypes.string_at(0)
                os.wait()
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
