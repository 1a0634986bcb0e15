# verdict: none
# Sleeps for longer than it has CPU time.
# limits: bank_ms=200 wall_ms=60000

import json
import sys
import time

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        time.sleep(0.4)
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
