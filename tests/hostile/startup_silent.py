# verdict: startup
# Reads and never says a word.
# limits: start_ms=800
# modes: kept fresh local

import sys
import time

for _ in sys.stdin:
    pass
time.sleep(60)
