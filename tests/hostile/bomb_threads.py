# verdict: none
# Starts as many threads as it can.
# modes: kept fresh

import json
import sys
import threading
import time

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        try:
            while asked["id"] == 1:
                threading.Thread(target=time.sleep, args=[60], daemon=True).start()
        except RuntimeError:
            pass
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
