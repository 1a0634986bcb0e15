# verdict: stalled
# Does nothing but debug.
# limits: wall_ms=1000
# modes: kept fresh local

import json
import os
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        while True:
            os.write(2, b"x" * 65536)
