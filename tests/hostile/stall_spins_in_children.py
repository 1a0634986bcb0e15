# verdict: stalled
# Thinks for ever in many processes.
# limits: wall_ms=1000
# modes: kept fresh bubblewrap

import json
import os
import sys

first = os.getpid()

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        for _ in range(20):
            os.fork()
            if os.getpid() != first:
                break
        while True:
            pass
