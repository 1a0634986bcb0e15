# verdict: none
# Changes its own files, for the next leg to find.
# modes: kept fresh

import json
import os
import sys


def found(asked):
    folder = os.path.dirname(os.path.abspath(__file__))
    tries = [
        lambda: open(__file__, "a").close(),
        lambda: open(f"{folder}/mark", "w").close(),
        lambda: os.rename(__file__, f"{folder}/other.py"),
        lambda: os.mkdir(f"{folder}/mark"),
        lambda: os.remove(__file__),
    ]
    for one in tries:
        try:
            one()
            return True
        except OSError:
            continue
    return False


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
