# verdict: time (local: none)
# Thinks in threads.
# limits: bank_ms=200 wall_ms=60000

import json
import sys
import threading
import time


def spin(seconds):
    began = time.process_time()
    while time.process_time() - began < seconds:
        pass


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        threads = [threading.Thread(target=spin, args=[0.3]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
