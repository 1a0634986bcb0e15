# verdict: none
# Starts as many processes as it can, and they too.
# modes: kept fresh
# limits: bank_ms=20000 wall_ms=20000

import json
import os
import sys
import time

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        if asked["id"] == 1:
            for _ in range(100):
                try:
                    if os.fork() == 0:
                        while True:
                            try:
                                os.fork()
                            except OSError:
                                time.sleep(0.01)
                except OSError:
                    break
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
