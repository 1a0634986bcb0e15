# verdict: stalled
# Is ready and reads nothing.
# limits: wall_ms=1000

import time

print('{"type":"ready"}', flush=True)
time.sleep(60)
