# verdict: too-long
# Answers in 65,537 bytes.

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        answer = json.dumps({"id": asked["id"], "move": asked["legal"][0]})
        sys.stdout.buffer.write(answer.ljust(65537).encode() + b"\n")
        sys.stdout.buffer.flush()
