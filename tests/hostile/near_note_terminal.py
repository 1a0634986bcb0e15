# verdict: none
# Notes what a terminal would obey.
# modes: kept plain

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        sys.stdout.buffer.write(
            json.dumps(
                {
                    "id": asked["id"],
                    "move": asked["legal"][0],
                    "note": "\x1b[2J\x1b]0;owned\x07<script>",
                }
            ).encode()
            + b"\n"
        )
        sys.stdout.buffer.flush()
