# verdict: crashed
# Ends in the middle of its answer.

import json
import os
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        os.write(1, b'{"id":%d,"mo' % asked["id"])
        os._exit(0)
