# verdict: none
# Leaves a daemon in a session of its own that ignores every signal.
# modes: kept fresh bubblewrap

import json
import os
import signal
import sys
import time

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        if asked["id"] == 1 and os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
                    signal.signal(number, signal.SIG_IGN)
                while True:
                    time.sleep(1)
            os._exit(0)
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
