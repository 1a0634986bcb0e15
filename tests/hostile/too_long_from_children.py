# verdict: too-long
# Lets children write into its line, all at once.
# modes: kept fresh bubblewrap

import json
import os
import sys
import time

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        for _ in range(8):
            if os.fork() == 0:
                while True:
                    os.write(1, b"x" * 4096)
        time.sleep(60)
