# verdict: startup
# Answers the first question instead of being ready.

import sys

print('{"id":1,"move":"red+red"}', flush=True)
sys.stdin.read()
