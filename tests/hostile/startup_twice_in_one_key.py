# verdict: startup
# Says its type twice in one object.

import sys

print('{"type":"ready","type":"ready"}', flush=True)
sys.stdin.read()
