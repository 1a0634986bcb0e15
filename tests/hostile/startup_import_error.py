# verdict: startup
# Wants a module that is nowhere.

import a_module_that_is_nowhere  # noqa: F401
