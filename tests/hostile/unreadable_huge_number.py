# verdict: unreadable
# Notes a number larger than any double.
# modes: kept plain

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        answer = json.dumps({"id": asked["id"], "move": asked["legal"][0]})
        sys.stdout.buffer.write(answer[:-1].encode() + b',"note":1e999}' + b"\n")
        sys.stdout.buffer.flush()
