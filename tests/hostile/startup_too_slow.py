# verdict: startup
# Is ready when it is too late.
# limits: start_ms=800

import sys
import time

time.sleep(1.5)
print('{"type":"ready"}', flush=True)
sys.stdin.read()
