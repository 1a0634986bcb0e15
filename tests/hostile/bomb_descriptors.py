# verdict: none
# Opens files until it may open no more.
# modes: kept fresh local

import json
import os
import sys

opened = []

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        try:
            while True:
                opened.append(os.dup(0))
        except OSError:
            pass
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
