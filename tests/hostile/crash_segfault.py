# verdict: crashed
# Reads memory that is not there.
# modes: kept fresh local

import ctypes
import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        ctypes.string_at(0)
