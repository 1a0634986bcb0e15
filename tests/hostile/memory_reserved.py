# verdict: none
# Reserves much more memory than there is, and uses none of it.
# modes: kept fresh

import json
import mmap
import sys

reserved = []

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        reserved.append(
            mmap.mmap(-1, 4 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)
        )
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
