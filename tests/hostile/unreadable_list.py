# verdict: unreadable
# Answers in a list.
# modes: kept plain

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        answer = json.dumps({"id": asked["id"], "move": asked["legal"][0]})
        sys.stdout.buffer.write(b"[" + answer.encode() + b"]" + b"\n")
        sys.stdout.buffer.flush()
