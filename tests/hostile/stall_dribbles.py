# verdict: stalled
# Writes a byte now and then, and never the end of the line.
# limits: wall_ms=1000

import json
import os
import sys
import time

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        while True:
            os.write(1, b" ")
            time.sleep(0.02)
