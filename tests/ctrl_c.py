"""Ctrl-C for the programs that tests start."""

import signal


def heeded():
    """To be done in a new process. A suite in the background of a shell ignores Ctrl-C, and whoever it starts inherits that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
