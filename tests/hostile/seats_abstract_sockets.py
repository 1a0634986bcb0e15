# verdict: none
# Takes a name among sockets and looks for the other's.
# box: calls=strict
# seats: all
# modes: kept fresh

import errno
import json
import socket
import sys


held = []


def found(asked):
    if held:
        return False
    try:
        held.append(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
        held[-1].bind("\0mark of a seat")
        held[-1].listen()
        return False
    except OSError as error:
        return error.errno == errno.EADDRINUSE


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
