# verdict: none
# Debugs in bytes that are no text.

import json
import os
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        os.write(2, bytes(range(256)) * 10)
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
