# verdict: startup
# Closes its output and goes on.
# limits: start_ms=2000
# modes: kept fresh local

import os
import time

os.close(1)
time.sleep(60)
