# verdict: startup
# Ends at once, with a status of success.
# modes: kept fresh local

import sys

sys.exit(0)
