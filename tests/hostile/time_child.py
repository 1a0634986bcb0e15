# verdict: time (local: none)
# Lets a child think.
# limits: bank_ms=200 wall_ms=60000

import json
import os
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
        if os.fork() == 0:
            spin(0.3)
            os._exit(0)
        os.wait()
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
