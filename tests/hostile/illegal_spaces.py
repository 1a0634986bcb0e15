# verdict: illegal
# Puts spaces around its move.
# modes: kept plain

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        sys.stdout.buffer.write(
            json.dumps({"id": asked["id"], "move": f" {asked['legal'][0]} "}).encode() + b"\n"
        )
        sys.stdout.buffer.flush()
