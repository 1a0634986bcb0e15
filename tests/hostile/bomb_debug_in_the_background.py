# verdict: none
# Debugs without end while it plays.
# modes: kept fresh local
# limits: bank_ms=20000 wall_ms=20000

import json
import os
import sys
import threading


def flood():
    while True:
        os.write(2, b"x" * 65536)


threading.Thread(target=flood, daemon=True).start()

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
