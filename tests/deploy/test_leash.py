"""Nothing outlives its leash: not a child in a session of its own, not when the owner is killed."""

import signal
import subprocess
import sys

import pytest

from deploy.leash import Orders
from deploy.processes import LEASH
from tests.deploy.watching import alive, until

# A child, and a grandchild that has left the session and has lost its parent.
FAMILY = "setsid sh -c 'sleep 1000 & echo $!' & sleep 1000 & echo $! && wait"


@pytest.fixture
def leashed():
    started = []

    def start(script, folder=""):
        process = subprocess.Popen(
            [sys.executable, "-IS", LEASH, str(folder), "sh", "-c", script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.communicate(timeout=60)


def family_of(leash):
    return [int(leash.stdout.readline()) for _ in range(2)]


def test_a_command_ends_with_its_status(leashed):
    assert leashed("exit 3").wait(60) == 3


def test_a_killed_command_ends_with_128_and_its_signal(leashed):
    assert leashed("kill -9 $$").wait(60) == 128 + signal.SIGKILL


def test_a_signal_that_comes_while_another_is_delivered_does_no_harm():
    orders = Orders()

    class Disturbed(list):
        def pop(self):
            orders.waiting = list(self)
            orders.give(signal.SIGTERM)
            self.clear()
            return super().pop()

    with subprocess.Popen(["sleep", "1000"]) as command:
        orders.waiting = Disturbed([signal.SIGTERM])
        orders.take(command.pid)
        assert command.wait(20) == -signal.SIGTERM
    assert orders.waiting == []


def test_what_a_command_leaves_behind_ends_with_it(leashed):
    leash = leashed("setsid sleep 1000 & echo $!; setsid sleep 1000 & echo $!")
    family = family_of(leash)
    assert leash.wait(60) == 0
    assert not any(map(alive, family))


def test_sigterm_asks_the_command_and_waits_for_it(leashed):
    leash = leashed("trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.05; done")
    assert leash.stdout.readline() == "ready\n"
    leash.terminate()
    assert leash.wait(60) == 0
    assert leash.stdout.read() == "bye\n"


def test_sigint_kills_the_command_with_all_its_descendants(leashed):
    leash = leashed(f"trap '' TERM; {FAMILY}")
    family = family_of(leash)
    leash.send_signal(signal.SIGINT)
    assert leash.wait(60) == 128 + signal.SIGKILL
    assert not any(map(alive, family))


def test_everything_ends_when_the_owner_is_gone_and_its_folder_with_it(leashed, tmp_path):
    own = tmp_path / "run" / "own"
    own.mkdir(parents=True)
    leash = leashed(FAMILY, own)
    family = family_of(leash)
    leash.stdin.close()
    assert leash.wait(60) == 128 + signal.SIGTERM
    leash.stdin = None
    assert not any(map(alive, family))
    assert list(tmp_path.iterdir()) == []


def test_the_folder_stays_while_the_owner_lives(leashed, tmp_path):
    leash = leashed("true", tmp_path)
    assert leash.wait(60) == 0
    assert tmp_path.exists()


def test_a_killed_leash_takes_its_command_along(leashed):
    leash = leashed("echo $$; exec sleep 1000")
    pid = int(leash.stdout.readline())
    leash.kill()
    until(lambda: not alive(pid))
    assert leash.wait(60) == -signal.SIGKILL
