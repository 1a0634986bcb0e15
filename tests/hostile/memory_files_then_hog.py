# verdict: memory
# Fills its disk first, so that less memory is left.
# modes: kept fresh

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        try:
            with open("fill", "wb") as file:
                while True:
                    file.write(bytes(1 << 16))
        except OSError:
            pass
        eaten = []
        while True:
            eaten.append(bytearray(b"x") * (1 << 20))
