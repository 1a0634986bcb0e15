# verdict: none
# Is ready in the longest line there may be.

import json
import sys

print('{"type":"ready"}'.ljust(65536), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
