# verdict: none
# Floods after its last answer, when nothing is a fault any more.

import json
import os
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
    elif asked["type"] == "end":
        while True:
            os.write(1, b"x" * 65536)
