# verdict: unreadable
# Gives the number of the question with a point.
# modes: kept plain

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        sys.stdout.buffer.write(
            json.dumps({"id": float(asked["id"]), "move": asked["legal"][0]}).encode() + b"\n"
        )
        sys.stdout.buffer.flush()
