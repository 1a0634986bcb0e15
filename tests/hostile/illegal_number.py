# verdict: illegal
# Plays a number as a text.
# modes: kept plain

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        sys.stdout.buffer.write(json.dumps({"id": asked["id"], "move": "0"}).encode() + b"\n")
        sys.stdout.buffer.flush()
