# verdict: stalled
# Writes half an answer and no more.
# limits: wall_ms=1000

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        sys.stdout.write('{"id":1,')
        sys.stdout.flush()
