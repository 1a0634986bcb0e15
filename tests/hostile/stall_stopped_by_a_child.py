# verdict: stalled (kept: none)
# Has a child that stops it.
# limits: wall_ms=1000
# modes: kept fresh plain

import json
import os
import signal
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        if os.fork() == 0:
            os.kill(os.getppid(), signal.SIGSTOP)
            os._exit(0)
        os.wait()
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
