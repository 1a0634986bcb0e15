# verdict: out-of-turn
# Answers a question that was not asked yet.

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        both = [{"id": asked["id"] + more, "move": asked["legal"][0]} for more in (0, 1)]
        sys.stdout.write("".join(json.dumps(one) + "\n" for one in both))
        sys.stdout.flush()
