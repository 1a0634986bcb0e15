# verdict: stalled
# Thinks for ever: without a line, time is not looked at.
# limits: wall_ms=1000 bank_ms=100

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        while True:
            pass
