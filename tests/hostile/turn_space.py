# verdict: out-of-turn
# Writes a single space after its answer.
# opponent: slow

import json
import os
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
        os.write(1, b" ")
