# verdict: time (local: none)
# Lets the kernel work for it.
# limits: bank_ms=200 wall_ms=60000

import json
import os
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        began = os.times().system
        with open("/dev/zero", "rb", buffering=0) as zero:
            while os.times().system - began < 0.3:
                zero.read(1 << 20)
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
