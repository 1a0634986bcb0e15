# verdict: none
# Makes folders in folders in folders.
# modes: kept fresh local

import json
import os
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        if asked["id"] == 1:
            try:
                for _ in range(2000):
                    os.mkdir("d")
                    os.chdir("d")
            except OSError:
                pass
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
