# verdict: startup
# Greets before it is ready.

import sys

print("Welcome to my bot, version 3!")
print('{"type":"ready"}', flush=True)
sys.stdin.read()
