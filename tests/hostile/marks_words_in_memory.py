# verdict: none
# Looks in its whole memory for a word of its last leg.
# limits: bank_ms=20000 wall_ms=20000
# legs: 2
# modes: kept fresh

import ctypes
import json
import sys


def found(asked):
    if asked["id"] > 1:
        return False
    # Backwards, so that it is not found because it is looked for.
    wanted = bytes(reversed(b"gel a fo krow siht si siht"))[::-1]
    count = 0
    with open("/proc/self/maps") as maps:
        spans = [line.split()[0] for line in maps if line.split()[1].startswith("rw")]
    for span in spans:
        begin, end = (int(number, 16) for number in span.split("-"))
        if end - begin < 64 << 20:
            count += ctypes.string_at(begin, end - begin)[::-1].count(wanted)
    print("this is this work of a leg", file=sys.stderr, flush=True)
    held.append(["this is this work of a leg" + str(number) for number in range(1000)])
    return count > 50


held = []


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
