# verdict: unreadable
# Floods with lines of one byte.

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        sys.stdout.buffer.write(b"x\n" * 30000 + b"\n")
        sys.stdout.buffer.flush()
