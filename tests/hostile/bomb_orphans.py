# verdict: none
# Starts processes that start processes and end first.
# modes: kept fresh

import json
import os
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        for _ in range(50):
            try:
                child = os.fork()
            except OSError:
                break
            if child == 0:
                try:
                    os.fork()
                finally:
                    os._exit(0)
            os.waitpid(child, 0)
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
