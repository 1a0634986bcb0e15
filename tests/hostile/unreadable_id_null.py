# verdict: unreadable
# Gives no number of the question.
# modes: kept plain

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        sys.stdout.buffer.write(
            json.dumps({"id": None, "move": asked["legal"][0]}).encode() + b"\n"
        )
        sys.stdout.buffer.flush()
