# verdict: none
# Writes ten megabytes of debug output before its answer.

import json
import os
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        if asked["id"] == 1:
            for _ in range(160):
                os.write(2, b"x" * 65536)
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
