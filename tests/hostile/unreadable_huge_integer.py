# verdict: unreadable
# Notes a number of four thousand digits.
# modes: kept plain

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        answer = json.dumps({"id": asked["id"], "move": asked["legal"][0]})
        sys.stdout.buffer.write(answer[:-1].encode() + b',"note":' + b"9" * 4000 + b"}" + b"\n")
        sys.stdout.buffer.flush()
