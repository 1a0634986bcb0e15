# verdict: out-of-turn
# Writes a blank line after its answer.
# opponent: slow

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
        print(flush=True)
