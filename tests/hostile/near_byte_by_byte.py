# verdict: none
# Writes its answer byte by byte.

import json
import os
import sys
import time

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        answer = json.dumps({"id": asked["id"], "move": asked["legal"][0]}) + "\n"
        for byte in answer.encode():
            os.write(1, bytes([byte]))
            time.sleep(0.0005)
