# verdict: none
# Fills its disk.
# modes: kept fresh

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        try:
            for number in range(100):
                with open(f"fill{number}", "wb") as file:
                    file.write(bytes(1 << 20))
        except OSError:
            pass
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
