# verdict: none
# Becomes a new interpreter in the middle of the game.

import json
import os
import sys

REST = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
"""

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        if asked["id"] == 1:
            print(json.dumps({"id": 1, "move": asked["legal"][0]}), flush=True)
            os.execv(sys.executable, [sys.executable, "-c", REST])
