# verdict: too-long
# Floods both streams.

import json
import os
import sys
import threading


def flood(stream):
    while True:
        os.write(stream, b"x" * 65536)


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        threading.Thread(target=flood, args=[2], daemon=True).start()
        flood(1)
