# verdict: none
# Notes what its dice say, which may not be the same in the next leg.
# legs: 2
# notes: differ

import json
import os
import random
import sys
import tempfile
import uuid


def note():
    return " ".join(map(repr, (random.random(), uuid.uuid4(), os.urandom(4), tempfile.mktemp())))


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        answer = {"id": asked["id"], "move": asked["legal"][0], "note": note()}
        print(json.dumps(answer), flush=True)
