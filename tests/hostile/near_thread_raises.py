# verdict: none
# Raises, but in a thread only.
# modes: kept fresh local

import json
import sys
import threading


def fail():
    raise RuntimeError


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
