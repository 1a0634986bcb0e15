# verdict: stalled
# Waits for a child that never ends.
# limits: wall_ms=1000

import json
import os
import sys
import time

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        if os.fork() == 0:
            time.sleep(60)
        os.wait()
