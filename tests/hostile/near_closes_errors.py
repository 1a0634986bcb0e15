# verdict: none
# Closes its debug output.

import json
import os
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        if asked["id"] == 1:
            os.close(2)
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
