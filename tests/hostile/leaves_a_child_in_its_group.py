# verdict: none
# Leaves a child that only sleeps.
# modes: kept fresh local

import json
import os
import sys
import time

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        if asked["id"] == 1 and os.fork() == 0:
            time.sleep(60)
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
