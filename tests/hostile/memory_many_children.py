# verdict: none
# Lets three children, and theirs, eat all memory together.
# modes: kept fresh
# limits: bank_ms=20000 wall_ms=20000

import json
import os
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        children = [os.fork() for _ in range(3 if asked["id"] == 1 else 0)]
        if 0 in children:
            eaten = []
            while True:
                eaten.append(bytearray(b"x") * (1 << 20))
        for child in children:
            os.waitpid(child, 0)
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
