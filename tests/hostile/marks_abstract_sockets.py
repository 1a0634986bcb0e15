# verdict: none
# Leaves a socket in flight, by a name, that nobody can close.
# box: calls=strict
# legs: 2
# modes: kept fresh

import json
import socket
import sys
import time


def found(asked):
    if asked["id"] > 1:
        return False
    server = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    for _ in range(20):
        try:
            server.bind("\0mark of a leg")
            break
        except OSError:
            time.sleep(0.02)  # what is in flight is swept up by the kernel, in its own time
    else:
        return True
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    for sock in (one, other, server):
        socket.send_fds(one, [b"x"], [sock.fileno()])
        socket.send_fds(other, [b"x"], [sock.fileno()])
    held.extend([one, other, server])
    return False


held = []


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
