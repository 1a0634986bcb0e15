# verdict: crashed (kept: none)
# Has a child that kills everything it can.
# modes: kept fresh bubblewrap

import json
import os
import signal
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        if os.fork() == 0:
            os.kill(-1, signal.SIGKILL)
            os._exit(0)
        os.wait()
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
