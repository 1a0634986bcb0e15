# verdict: crashed
# Closes its output and thinks on.
# limits: wall_ms=2000
# modes: kept fresh local

import json
import os
import sys
import time

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        os.close(1)
        time.sleep(60)
