# verdict: none
# Spins in a thread all the time outside its turns, and is frozen there.

import json
import sys
import threading
import time


def ponder():
    while True:
        idle.wait()


idle = threading.Event()
threading.Thread(target=ponder, daemon=True).start()
idle.set()

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        idle.clear()
        time.sleep(0.001)
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
        idle.set()
