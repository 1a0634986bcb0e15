# verdict: time (local: none)
# Thinks longer than it has time.
# limits: bank_ms=200 wall_ms=60000

import json
import sys
import time


def spin(seconds):
    began = time.process_time()
    while time.process_time() - began < seconds:
        pass


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        spin(0.3)
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
