# verdict: stalled
# Sleeps.
# limits: wall_ms=1000
# modes: kept fresh local

import json
import sys
import time

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        time.sleep(60)
