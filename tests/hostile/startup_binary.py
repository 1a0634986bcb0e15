# verdict: startup
# Says every byte there is.

import sys

sys.stdout.buffer.write(bytes(range(256)))
sys.stdout.flush()
sys.stdin.read()
