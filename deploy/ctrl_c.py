"""Ctrl-C: the first asks a run to stop, the next one to hurry."""

import signal
import time


class CtrlC:
    """What was asked for so far. No event of `threading` may keep it: who presses interrupts the very thread that
    may hold the lock of the event, and would wait for itself for ever."""

    def __init__(self) -> None:
        self.stopping = False
        self.hurry = False

    def listen(self) -> None:
        """Also to those who end a run in other ways, unless they are to be ignored."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, lambda *_: self.press())

    def press(self) -> None:
        self.stopping, self.hurry = True, self.stopping

    def wait(self, seconds: float) -> bool:
        """Whether to stop, known after so long at the latest."""
        if not self.stopping:
            time.sleep(seconds)
        return self.stopping
