# verdict: illegal
# Separates its cards in its own way.
# modes: kept plain

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        sys.stdout.buffer.write(
            json.dumps({"id": asked["id"], "move": asked["legal"][0].replace("+", " + ")}).encode()
            + b"\n"
        )
        sys.stdout.buffer.flush()
