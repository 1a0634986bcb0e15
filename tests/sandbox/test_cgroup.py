"""What the kernel counts of a box reads the same in both versions of its control groups."""

import os

import pytest

from sandbox.cgroup import RESTLESS_NS, Cgroup, Turns

FILES = {
    1: {
        "cpuacct.usage": "1234567000\n",
        "memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n",
        "freezer.state": "THAWED\n",
    },
    2: {
        "cpu.stat": "usage_usec 1234567\nuser_usec 1000000\nsystem_usec 234567\nnr_periods 0\n",
        "memory.events": "low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 0\n",
        "cgroup.freeze": "0\n",
    },
}
FROZEN = {1: "FROZEN", 2: "1"}
THAWED = {1: "THAWED", 2: "0"}


@pytest.fixture(params=FILES)
def version(request):
    return request.param


@pytest.fixture
def box(version, tmp_path):
    """The control files of a box, as one version of the kernel's groups lays them out."""
    for name, text in FILES[version].items():
        (tmp_path / name).write_text(text)
    group = Cgroup(0)
    names = ("cpuacct", "memory", "freezer") if version == 1 else ("",)
    group.folders = dict.fromkeys(names, tmp_path)
    return group


@pytest.fixture
def counters(box):
    counters = box.counters()
    yield counters
    counters.close()


def set_cpu(version, folder, ns):
    name, text = (
        ("cpuacct.usage", f"{ns}\n") if version == 1 else ("cpu.stat", f"usage_usec {ns // 1000}\n")
    )
    (folder / name).write_text(text)


def test_cpu_time_is_in_nanoseconds(counters):
    assert counters.cpu_ns() == 1_234_567_000


def test_only_killed_processes_count_as_out_of_memory(counters):
    assert counters.memory_kills() == 2


def test_counters_of_a_box_that_is_gone_say_nothing(counters):
    counters.close()
    assert counters.cpu_ns() is None
    assert counters.memory_kills() == 0


def test_a_box_is_stopped_and_goes_on(version, box):
    freezer = box.freezer()
    freezer.freeze()
    assert freezer.frozen
    assert freezer.file.read_text().startswith(FROZEN[version])
    freezer.thaw()
    assert not freezer.frozen
    assert freezer.file.read_text().startswith(THAWED[version])


def test_who_thinks_out_of_turn_is_stopped_from_then_on(version, box, counters, tmp_path):
    turns = Turns(counters, box.freezer())
    turns.begin()
    turns.end()
    assert not turns.freezer.frozen
    set_cpu(version, tmp_path, 1_234_567_000 + 2 * RESTLESS_NS)
    turns.begin()
    turns.end()
    assert turns.freezer.frozen
    turns.begin()
    assert not turns.freezer.frozen


def test_a_box_out_of_sight_has_no_counters_and_no_brake():
    nowhere = Cgroup(0)
    assert nowhere.counters().cpu_ns() is None
    freezer = nowhere.freezer()
    freezer.freeze()
    assert not freezer.frozen


def test_this_process_has_its_counters_where_the_kernel_says():
    own = Cgroup(os.getpid())
    assert "" in own.folders or "cpuacct" in own.folders
