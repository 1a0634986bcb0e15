# verdict: out-of-turn
# Answers a question with a number of a hundred digits.

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        print(json.dumps({"id": 10**100, "move": asked["legal"][0]}), flush=True)
