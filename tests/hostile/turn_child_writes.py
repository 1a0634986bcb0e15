# verdict: out-of-turn
# Lets a child write when nobody asks.
# opponent: slow

import json
import os
import sys
import time

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
        if os.fork() == 0:
            os.write(1, b"hello from a child\n")
            os._exit(0)
        os.wait()
