# verdict: none
# Makes itself the worst victim when memory is short, and spreads it over children.
# modes: kept fresh

import json
import os
import sys
import time

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        try:
            with open("/proc/self/oom_score_adj", "w") as file:
                file.write("500")
        except OSError:
            pass
        for _ in range(25 if asked["id"] == 1 else 0):
            if os.fork() == 0:
                eaten = [bytearray(b"x") * (1 << 20) for _ in range(6)]
                time.sleep(60)
        time.sleep(0.5)
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
