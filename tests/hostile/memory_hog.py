# verdict: memory (local: crashed)
# Eats all memory when it is asked.
# modes: kept fresh local

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        eaten = []
        while True:
            eaten.append(bytearray(b"x") * (1 << 20))
