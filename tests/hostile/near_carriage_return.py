# verdict: none
# Ends its lines as another system does.

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        answer = json.dumps({"id": asked["id"], "move": asked["legal"][0]})
        sys.stdout.buffer.write(answer.encode() + b"\r" + b"\n")
        sys.stdout.buffer.flush()
