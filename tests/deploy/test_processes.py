"""A process that dies is started again; one that keeps dying ends the run with a sentence."""

import os
import signal
import threading

import pytest

from deploy import processes
from deploy.ctrl_c import CtrlC
from deploy.processes import KeepsDying, Process, Service
from tests.deploy.watching import alive, until


@pytest.fixture
def service(lines, shell, monkeypatch):
    """A service that hardly pauses, and is stopped in the end."""
    monkeypatch.setattr(processes, "FIRST_PAUSE_S", 0.01)
    services = []

    def start(script, **about):
        service = Service(shell(script, **about), lines)
        service.start()
        services.append(service)
        return service

    yield start
    ctrl_c = CtrlC()
    ctrl_c.hurry = True
    for one in services:
        one.stop(ctrl_c)


def shown(lines):
    return lines.out.getvalue()


def test_every_line_is_shown_with_the_name_of_who_says_it(lines, shell):
    process = Process(shell("echo one; echo two >&2; echo; echo three"), lines)
    assert process.wait(20)
    texts = [line.split(maxsplit=1)[1] for line in shown(lines).splitlines()]
    assert texts == ["worker    one", "worker    two", "worker    three"]


def test_what_a_quiet_one_says_is_shown_only_if_asked(lines, shell):
    process = Process(shell("echo why", quiet=True), lines)
    assert process.wait(20)
    assert shown(lines) == ""
    process.tell_why()
    assert "why" in shown(lines)


def test_a_killed_process_is_started_again(service, lines):
    one = service("echo alive; exec sleep 1000")
    first = one.process.popen.pid
    until(lambda: "alive" in shown(lines))
    one.process.popen.kill()
    until(lambda: one.look_after() or (one.process and one.process.popen.pid != first))
    until(lambda: shown(lines).count("alive") == 2)
    assert "The worker has ended, killed by signal 9; it is started again" in shown(lines)


def test_a_process_that_keeps_dying_is_given_up(service):
    one = service("exit 7")
    with pytest.raises(KeepsDying, match="worker has ended 5 times in a row, with status 7"):
        until(one.look_after)


def test_a_process_that_lived_long_is_not_held_to_its_old_deaths(service, monkeypatch):
    monkeypatch.setattr(processes, "STEADY_S", 0.0)
    one = service("exit 7")
    starts = []
    until(lambda: one.look_after() or (starts.append(one.process) or len(set(starts)) > 8))
    assert one.deaths == 1


def test_a_process_is_asked_to_end_before_it_is_killed(service, lines):
    one = service("trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.05; done")
    until(lambda: "ready" in shown(lines))
    one.stop(CtrlC())
    assert "bye" in shown(lines)


def test_who_keeps_its_output_open_is_not_waited_for(lines, shell, monkeypatch):
    monkeypatch.setattr(processes, "AT_ONCE_S", 0.1)
    process = Process(shell("sleep 1000 & echo $!; wait"), lines)
    until(lambda: shown(lines).strip())
    process.popen.kill()  # the leash, which would have seen to its descendants
    assert process.wait(20)
    left = int(shown(lines).split()[-1])
    assert alive(left)
    os.kill(left, signal.SIGKILL)
    process.reader.join(20)
    assert process.popen.stdout.closed


@pytest.mark.parametrize("patience_s", [0.2, 1000.0])
def test_a_process_that_will_not_end_is_killed_after_a_while_or_in_a_hurry(
    service, lines, patience_s
):
    one = service("trap '' TERM; echo $$; while :; do sleep 0.05; done", patience_s=patience_s)
    until(lambda: shown(lines).strip())
    pid, ctrl_c = int(shown(lines).split()[-1]), CtrlC()
    ctrl_c.press()
    if patience_s > 1:
        threading.Timer(0.2, ctrl_c.press).start()
    one.stop(ctrl_c)
    assert not alive(pid)
