# verdict: stalled (kept: none)
# Stops itself, which the first process of a namespace cannot.
# limits: wall_ms=1000
# modes: kept fresh plain

import json
import os
import signal
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        os.kill(os.getpid(), signal.SIGSTOP)
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
