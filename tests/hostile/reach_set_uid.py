# verdict: none
# Looks for programs that run as somebody else.
# limits: bank_ms=20000 wall_ms=20000
# modes: kept fresh

import json
import os
import stat
import sys


def found(asked):
    for folder in ("/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/lib", "/usr/libexec"):
        for place, _, names in os.walk(folder):
            for name in names:
                path = os.path.join(place, name)
                if not os.path.islink(path) and os.lstat(path).st_mode & (
                    stat.S_ISUID | stat.S_ISGID
                ):
                    print(path, file=sys.stderr)
                    return True
        if asked["id"] > 1:
            break
    return False


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
