# verdict: none
# Looks whether it is more than nobody.
# modes: kept fresh

import json
import os
import sys


def found(asked):
    with open("/proc/self/status") as file:
        status = dict(line.rstrip().split(":\t", 1) for line in file if ":\t" in line)
    if 0 in (*os.getresuid(), *os.getresgid(), *os.getgroups()):
        return True
    powers = [int(status[f"Cap{name}"], 16) for name in ("Inh", "Prm", "Eff", "Bnd", "Amb")]
    return any(powers) or status["NoNewPrivs"] != "1" or status["Seccomp"] != "2"


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
