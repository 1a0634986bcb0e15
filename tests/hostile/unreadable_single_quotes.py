# verdict: unreadable
# Prints a dictionary of Python.
# modes: kept plain

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        answer = json.dumps({"id": asked["id"], "move": asked["legal"][0]})
        sys.stdout.buffer.write(str(json.loads(answer)).encode() + b"\n")
        sys.stdout.buffer.flush()
