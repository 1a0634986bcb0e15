# verdict: crashed
# Becomes another program, which ends.

import json
import os
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        os.execv("/bin/true", ["true"])
