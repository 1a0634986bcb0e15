# verdict: crashed
# Answers once and leaves as if all were well.
# modes: kept fresh local

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
        sys.exit(0)
