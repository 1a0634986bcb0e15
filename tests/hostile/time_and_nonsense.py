# verdict: time (local: unreadable)
# Thinks too long, and then says nonsense.
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
        print("nonsense", flush=True)
