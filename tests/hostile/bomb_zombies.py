# verdict: none
# Starts processes that end and are not waited for.
# modes: kept fresh

import json
import os
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        try:
            for _ in range(100):
                if os.fork() == 0:
                    os._exit(0)
        except OSError:
            pass
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
