# verdict: none
# Debugs one byte at a time, a hundred thousand times.
# modes: kept fresh local
# limits: bank_ms=20000 wall_ms=20000

import json
import os
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        for _ in range(20000):
            os.write(2, b"\n")
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
