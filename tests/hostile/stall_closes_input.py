# verdict: stalled
# Closes its input, so that no question reaches it.
# limits: wall_ms=1000

import os
import time

print('{"type":"ready"}', flush=True)
os.close(0)
time.sleep(60)
