# verdict: none
# Asks for the address of a name and for the machine's own services.
# box: calls=strict
# modes: kept fresh

import json
import socket
import sys


def found(asked):
    for host, port in (("example.com", 80), ("169.254.169.254", 80), ("127.0.0.1", 2375)):
        try:
            socket.create_connection((host, port), 0.2).close()
            return True
        except OSError:
            continue
    return False


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
