# verdict: memory (local: crashed)
# Ends by itself after a child of it was killed for memory.

import json
import os
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        if os.fork() == 0:
            eaten = []
            while True:
                eaten.append(bytearray(b"x") * (1 << 20))
        os.wait()
        sys.exit(0)
