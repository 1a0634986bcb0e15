# verdict: out-of-turn
# Floods as soon as it has answered.
# opponent: slow

import json
import os
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
        while True:
            os.write(1, b"x\n" * 30000)
