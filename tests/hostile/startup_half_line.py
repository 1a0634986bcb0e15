# verdict: startup
# Says a half of ready and waits for applause.
# limits: start_ms=800

import sys
import time

sys.stdout.write('{"type":"re')
sys.stdout.flush()
time.sleep(60)
