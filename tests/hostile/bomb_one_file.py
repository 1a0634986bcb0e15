# verdict: none
# Writes one file as large as it may.
# modes: kept fresh local

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        try:
            with open("large", "wb") as file:
                while True:
                    file.write(bytes(1 << 16))
        except OSError:
            pass
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
