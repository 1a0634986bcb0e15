# verdict: unreadable
# Notes something that is no UTF-8.
# modes: kept plain

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        answer = json.dumps({"id": asked["id"], "move": asked["legal"][0]})
        sys.stdout.buffer.write(b'{"note":"caf\xe9",' + answer[1:].encode() + b"\n")
        sys.stdout.buffer.flush()
