# verdict: none
# Mounts, unmounts and changes its root.
# modes: kept fresh

import ctypes
import json
import sys


def found(asked):
    libc = ctypes.CDLL(None)
    return (
        libc.mount(b"tmpfs", b"/w/leg", b"tmpfs", 0, None) == 0
        or libc.mount(b"proc", b"/w/leg", b"proc", 0, None) == 0
        or libc.mount(None, b"/", None, 32, None) == 0
        or libc.umount2(b"/proc", 2) == 0
        or libc.chroot(b"/w") == 0
    )


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
