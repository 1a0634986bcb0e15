# verdict: startup
# Is ready inside a list.

import sys

print('[{"type":"ready"}]', flush=True)
sys.stdin.read()
