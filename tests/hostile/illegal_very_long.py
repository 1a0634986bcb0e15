# verdict: illegal
# Plays ten thousand cards.
# modes: kept plain

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        sys.stdout.buffer.write(
            json.dumps({"id": asked["id"], "move": "+".join(["red"] * 10000)}).encode() + b"\n"
        )
        sys.stdout.buffer.flush()
