# verdict: unreadable
# Answers with a blank line.
# modes: kept plain

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        sys.stdout.buffer.write(b" \t " + b"\n")
        sys.stdout.buffer.flush()
