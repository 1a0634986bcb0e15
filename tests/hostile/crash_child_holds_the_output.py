# verdict: crashed
# Ends while a child in a session of its own holds its streams.
# modes: kept fresh bubblewrap

import json
import os
import sys
import time

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        if os.fork() == 0:
            os.setsid()
            time.sleep(60)
        os._exit(0)
