# verdict: startup
# Is ready in a line of one byte too many.

import sys

print('{"type":"ready"}'.ljust(65537), flush=True)
sys.stdin.read()
