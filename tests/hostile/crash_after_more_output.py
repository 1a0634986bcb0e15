# verdict: crashed
# Answers, writes on and ends: that it ended counts before what it wrote.
# opponent: slow

import json
import os
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
        os.write(1, b"one more thing")
        os._exit(0)
