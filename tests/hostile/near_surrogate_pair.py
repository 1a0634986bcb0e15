# verdict: none
# Notes a whole character in two halves.

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        answer = json.dumps({"id": asked["id"], "move": asked["legal"][0]})
        sys.stdout.buffer.write(answer[:-1].encode() + b',"note":"\\ud83c\\udccf"}' + b"\n")
        sys.stdout.buffer.flush()
