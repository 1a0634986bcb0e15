# verdict: none
# Leaves a child that is stopped.
# modes: kept fresh local

import json
import os
import signal
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        if asked["id"] == 1 and os.fork() == 0:
            os.kill(os.getpid(), signal.SIGSTOP)
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
