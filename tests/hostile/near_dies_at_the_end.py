# verdict: none
# Crashes at the last word.

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
    elif asked["type"] == "end":
        raise RuntimeError
