# verdict: stalled
# Waits for the end of its input before it answers.
# limits: wall_ms=1000

import sys

print('{"type":"ready"}', flush=True)
sys.stdin.read()
