# verdict: none
# Changes all a process inherits: folder, mask, limits, signals, name.
# legs: 2
# modes: kept fresh

import ctypes
import json
import os
import resource
import signal
import sys


def found(asked):
    if asked["id"] > 1:
        return False
    with open("/proc/self/comm") as file:
        name = file.read().strip()
    umask = os.umask(0o077)
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    here = os.getcwd()
    os.chdir("/")
    ctypes.CDLL(None).prctl(15, b"mark", 0, 0, 0)
    print(name, umask, blocked, soft, here, file=sys.stderr)
    return umask == 0o077 or bool(blocked) or hard == 64 or here == "/" or name == "mark"


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
