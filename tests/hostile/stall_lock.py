# verdict: stalled
# Waits for a lock that it holds.
# limits: wall_ms=1000

import json
import sys
import threading

lock = threading.Lock()
lock.acquire()

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        lock.acquire()
