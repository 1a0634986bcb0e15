# verdict: too-long
# Writes nothing but white space, for ever.

import json
import os
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        while True:
            os.write(1, b" \t\r" * 1000)
