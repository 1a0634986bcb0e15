# verdict: none
# Makes as many files as there is room for.
# modes: kept fresh

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        try:
            for number in range(5000):
                open(f"file{number}", "w").close()
        except OSError:
            pass
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
