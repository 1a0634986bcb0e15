# verdict: none
# Writes the letters of its move as escapes.

import json
import sys

print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        sys.stdout.buffer.write(
            (
                '{"id":%d,"mo\\u0076e":"%s"}'
                % (asked["id"], "".join(f"\\u{ord(letter):04x}" for letter in asked["legal"][0]))
            ).encode()
            + b"\n"
        )
        sys.stdout.buffer.flush()
