# verdict: none
# Reads what the machine is doing.
# modes: kept fresh

import json
import os
import sys


NAMES = (
    "stat meminfo loadavg vmstat uptime locks pressure/cpu net/dev net/unix sys/fs/file-nr sys/fs/inode-nr "
    "sys/kernel/random/boot_id sys/kernel/hostname sys/vm/overcommit_memory kcore keys timer_list sched_debug "
    "kmsg sysvipc/shm interrupts diskstats buddyinfo zoneinfo slabinfo softirqs key-users cgroups"
).split()
FREE = {
    "fresh": {
        "interrupts",
        "diskstats",
        "buddyinfo",
        "zoneinfo",
        "softirqs",
        "key-users",
        "cgroups",
        "sysvipc/shm",
        "net/dev",
        "net/unix",
    }
}


def found(asked):
    for name in NAMES:
        try:
            with open(f"/proc/{name}", "rb") as file:
                if not file.read(1):
                    continue
        except OSError:
            continue
        print(name, file=sys.stderr)
        if os.getpid() == 1 or name not in FREE["fresh"]:
            return True
    return False


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
