# verdict: none
# Adds keys that nobody knows, one of them empty.

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        answer = json.dumps({"id": asked["id"], "move": asked["legal"][0]})
        sys.stdout.buffer.write(
            answer[:-1].encode() + b',"":0,"ID":2,"type":"move","x":-0.0}' + b"\n"
        )
        sys.stdout.buffer.flush()
