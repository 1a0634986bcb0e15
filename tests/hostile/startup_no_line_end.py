# verdict: startup
# Is ready, but ends before it ends its line.

import sys

sys.stdout.write('{"type":"ready"}')
sys.stdout.flush()
