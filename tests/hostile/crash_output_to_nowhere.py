# verdict: crashed
# Puts /dev/null in the place of its output.
# limits: wall_ms=2000
# modes: kept fresh local

import json
import os
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        os.dup2(os.open("/dev/null", os.O_WRONLY), 1)
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
