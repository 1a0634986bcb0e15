# verdict: startup
# Says ready in plain words.

import sys

print("ready", flush=True)
sys.stdin.read()
