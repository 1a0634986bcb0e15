# verdict: out-of-turn
# Writes again when somebody else is asked.
# opponent: slow

import json
import sys
import time

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
        time.sleep(0.05)
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
