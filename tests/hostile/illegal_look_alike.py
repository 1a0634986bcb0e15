# verdict: illegal
# Plays a card with a letter that only looks right.
# modes: kept plain

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        sys.stdout.buffer.write(
            json.dumps(
                {"id": asked["id"], "move": asked["legal"][0].replace("e", "\u0435")}
            ).encode()
            + b"\n"
        )
        sys.stdout.buffer.flush()
