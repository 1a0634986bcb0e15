# verdict: none
# Is ready with keys nobody knows, in another line ending.

import json
import sys

sys.stdout.write('\t {"version": [1, {"a": null}], "type" : "ready"} \r\n')
sys.stdout.flush()
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        print(json.dumps({"id": asked["id"], "move": asked["legal"][0]}), flush=True)
