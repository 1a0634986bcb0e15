# verdict: none
# Kills everything but itself.
# modes: kept fresh

import json
import os
import signal
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        try:
            os.kill(-1, signal.SIGKILL)
        except ProcessLookupError:
            pass
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
