# verdict: none
# Notes ten thousand characters.
# modes: kept plain

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        sys.stdout.buffer.write(
            json.dumps(
                {"id": asked["id"], "move": asked["legal"][0], "note": "\U0001f0cf" * 10000},
                ensure_ascii=False,
            ).encode()
            + b"\n"
        )
        sys.stdout.buffer.flush()
