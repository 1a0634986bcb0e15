# verdict: unreadable
# Gives true for one.
# modes: kept plain

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        sys.stdout.buffer.write(
            json.dumps({"id": True, "move": asked["legal"][0]}).encode() + b"\n"
        )
        sys.stdout.buffer.flush()
