# verdict: none
# Leaves children spinning outside its turns, and is frozen there.
# modes: kept fresh
# limits: bank_ms=20000 wall_ms=20000

import json
import os
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        if asked["id"] == 1:
            for _ in range(4):
                if os.fork() == 0:
                    while True:
                        pass
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
