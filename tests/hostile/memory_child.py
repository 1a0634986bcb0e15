# verdict: none
# Lets a child eat all memory and goes on without it.
# modes: kept fresh

import json
import os
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        if os.fork() == 0:
            eaten = []
            while True:
                eaten.append(bytearray(b"x") * (1 << 20))
        os.wait()
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
