# verdict: startup
# Says something else than ready.

import sys

print('{"type":"hello"}', flush=True)
sys.stdin.read()
