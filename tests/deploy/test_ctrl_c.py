"""Ctrl-C is heard whenever it is pressed."""

import subprocess
import sys

from deploy.commands import ROOT
from deploy.ctrl_c import CtrlC
from tests.ctrl_c import heeded

# Presses it at the nth line of a wait, in whatever module that line is.
PRESSED_WITHIN = """
import signal, sys
from deploy.ctrl_c import CtrlC

def press_at(number):
    ctrl_c, lines = CtrlC(), 0
    ctrl_c.listen()

    def traced(frame, event, argument):
        nonlocal lines
        lines += event == "line"
        if event == "line" and lines == number:
            signal.raise_signal(signal.SIGINT)
        return traced

    sys.settrace(traced)
    waited = ctrl_c.wait(0.001)
    sys.settrace(None)
    return lines, waited, ctrl_c.stopping

lines, waited, stopping = press_at(0)
assert (waited, stopping) == (False, False)
for number in range(1, lines + 1):
    assert press_at(number)[2], number
print(lines)
"""


def test_the_first_stops_and_the_second_hurries():
    ctrl_c = CtrlC()
    ctrl_c.press()
    assert (ctrl_c.stopping, ctrl_c.hurry) == (True, False)
    ctrl_c.press()
    assert (ctrl_c.stopping, ctrl_c.hurry) == (True, True)
    ctrl_c.press()
    assert ctrl_c.hurry


def test_who_has_been_asked_waits_no_more():
    ctrl_c = CtrlC()
    ctrl_c.press()
    assert ctrl_c.wait(1000)


def test_it_is_heard_at_every_moment_of_a_wait():
    done = subprocess.run(
        [sys.executable, "-c", PRESSED_WITHIN],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=heeded,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 3
