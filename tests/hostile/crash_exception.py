# verdict: crashed
# Raises in the middle of its game.

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        raise RuntimeError(asked["id"])
