# verdict: none
# Answers in 65,536 bytes, the last of them a carriage return.

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        answer = json.dumps({"id": asked["id"], "move": asked["legal"][0]})
        sys.stdout.buffer.write(answer.ljust(65535).encode() + b"\r" + b"\n")
        sys.stdout.buffer.flush()
