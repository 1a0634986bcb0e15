# verdict: crashed
# Leaves a child behind that would play on very well.
# opponent: slow
# modes: kept fresh local

import json
import os
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        if asked["id"] == 2 and os.fork():
            os._exit(0)
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
