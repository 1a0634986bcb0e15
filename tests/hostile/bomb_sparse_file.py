# verdict: none
# Makes a file that is large only by name.
# modes: kept fresh local

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        try:
            with open("sparse", "wb") as file:
                file.truncate(1 << 40)
        except OSError:
            pass
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
