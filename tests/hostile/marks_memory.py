# verdict: none
# Changes every module it has, and looks for a change.
# legs: 2
# modes: kept fresh

import builtins
import json
import os
import sys


def found(asked):
    if asked["id"] > 1:
        return False
    before = hasattr(builtins, "mark") or "mark" in sys.modules or "MARK" in os.environ
    builtins.mark = sys.modules["mark"] = True
    os.environ["MARK"] = "1"
    for module in {id(module): module for module in sys.modules.values()}.values():
        before = before or getattr(module, "mark_of_a_leg", False)
        try:
            module.mark_of_a_leg = True
        except (AttributeError, TypeError):
            continue
    heap.append("a word that only a leg before can have left".encode() * 100000)
    return before


heap = []


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
