# verdict: memory
# Eats all memory in threads.
# modes: kept fresh

import json
import sys
import threading
import time


def eat():
    eaten = []
    while True:
        eaten.append(bytearray(b"x") * (1 << 20))


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        for _ in range(8):
            threading.Thread(target=eat).start()
        time.sleep(60)
