# verdict: none
# Sends process 1 every signal there is.
# modes: kept fresh

import json
import os
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        for number in range(1, 65):
            try:
                if os.getpid() != 1:
                    os.kill(1, number)
            except OSError:
                pass
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
