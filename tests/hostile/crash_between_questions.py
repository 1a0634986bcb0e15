# verdict: crashed
# Ends a while after its answer, when nobody asks.
# opponent: slow

import json
import os
import sys
import threading

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
        threading.Timer(0.05, os._exit, [0]).start()
        sys.stdin.close()
