# verdict: none
# Puts white space around everything.

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        answer = json.dumps({"id": asked["id"], "move": asked["legal"][0]})
        sys.stdout.buffer.write(b" \t\r " + answer.replace(":", " :\t").encode() + b" \t" + b"\n")
        sys.stdout.buffer.flush()
