# verdict: too-long
# Writes a line without an end.
# modes: kept fresh local

import json
import os
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        while True:
            os.write(1, b"x" * 65536)
