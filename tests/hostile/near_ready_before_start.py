# verdict: none
# Is ready before it has read anything, and reads late.

import json
import sys
import time

print('{"type":"ready"}', flush=True)
time.sleep(0.3)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
