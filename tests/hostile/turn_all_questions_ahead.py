# verdict: out-of-turn
# Answers all questions as soon as it is ready.

import json
import sys

print('{"type":"ready"}', flush=True)
for number in range(1, 9):
    print(json.dumps({"id": number, "move": "red+red"}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
