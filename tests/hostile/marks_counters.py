# verdict: none
# Notes every number that counts what it has done, after doing much.
# legs: 2
# notes: same
# modes: kept

import json
import os
import sys


def note():
    """What the first question finds; the second makes the numbers move for the next leg."""
    if asked["id"] > 1:
        for number in range(100):
            child()
            open(f"file{number}", "w").close()
        return ""
    open("first", "w").close()
    numbers = [os.getpid(), child(), os.stat("first").st_ino, os.stat("/w").st_ino]
    numbers += [
        os.stat(path).st_atime_ns for path in ("/w", "/w/bot", __file__, "/dev/null", "/dev")
    ]
    numbers += [
        os.stat(path).st_mtime_ns for path in ("/w", "/w/bot", __file__, "/dev/null", "/dev")
    ]
    found = os.statvfs("/w")
    return " ".join(map(str, [*numbers, found.f_bfree, found.f_ffree]))


def child():
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return pid


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        answer = {"id": asked["id"], "move": asked["legal"][0], "note": note()}
        print(json.dumps(answer), flush=True)
