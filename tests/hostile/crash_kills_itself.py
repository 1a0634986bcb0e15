# verdict: crashed (kept: none)
# Kills itself, which the first process of a namespace cannot.

import json
import os
import signal
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        os.kill(os.getpid(), signal.SIGKILL)
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
