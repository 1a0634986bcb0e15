# verdict: stalled
# Ignores every signal it can and sleeps.
# limits: wall_ms=1000
# modes: kept fresh local

import json
import signal
import sys
import time

for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        time.sleep(60)
