"""Every setting of a box is in force inside: a bot tries all that it must not be able to do."""

import json

import pytest

from sandbox import seccomp
from sandbox.box import BoxLimits
from sandbox.settings import BoxSettings, container
from tests.sandbox.bots import PATIENT, program

FACTS = r"""
import ctypes, errno, json, os, platform, resource, socket, sys, time

def tried(f):
    try:
        return f()
    except OSError as error:
        return errno.errorcode[error.errno]

libc = ctypes.CDLL(None, use_errno=True)
X86 = platform.machine() == "x86_64"
NUMBERS = dict(flock=(73, 32), ptrace=(101, 117), keyctl=(250, 219), add_key=(248, 217), unshare=(272, 97), setns=(308, 268),
    mount=(165, 40), umount2=(166, 39), pivot_root=(155, 41), chroot=(161, 51), bpf=(321, 280), perf_event_open=(298, 241),
    userfaultfd=(323, 282), io_uring_setup=(425, 425), memfd_create=(319, 279), shmget=(29, 194), msgget=(68, 186), semget=(64, 190),
    mq_open=(240, 180), process_vm_readv=(310, 270), pidfd_getfd=(438, 438), kcmp=(312, 272), syslog=(103, 116), setuid=(105, 146),
    capset=(126, 91), inotify_init1=(294, 26), fanotify_init=(300, 262), mincore=(27, 232), personality=(135, 92), seccomp=(317, 277),
    open_by_handle_at=(304, 265), name_to_handle_at=(303, 264), vmsplice=(278, 75), sethostname=(170, 161), acct=(163, 89), sync=(162, 81),
    setpriority=(141, 140), sched_setaffinity=(203, 122), sched_setscheduler=(144, 119), landlock_create_ruleset=(444, 444), fsopen=(430, 430), clone3=(435, 435))
LOOSE = dict(pipe2=(293, 59), socketpair=(53, 199), sysinfo=(99, 179), pidfd_open=(434, 434), utimensat=(280, 88))

def call(name, *arguments):
    number = {**NUMBERS, **LOOSE}[name][0 if X86 else 1]
    def make():
        buffer = ctypes.create_string_buffer(512)
        given = [ctypes.byref(buffer) if a is None else ctypes.c_long(a) for a in arguments or (0, 0, 0, 0, 0)]
        if libc.syscall(ctypes.c_long(number), *given) < 0:
            raise OSError(ctypes.get_errno(), "")
        return "done"
    return tried(make)

def fill(name):
    with open(name, "wb", buffering=0) as file:
        size = 0
        while True:
            try:
                size += file.write(bytes(65536))
            except OSError as error:
                return size, errno.errorcode[error.errno]

def fill_disk():
    sizes = []
    while True:
        sizes.append(fill("fill%d" % len(sizes)))
        if sizes[-1][1] == "ENOSPC":
            break
    for k in range(len(sizes)):
        os.unlink("fill%d" % k)
    return sum(size for size, _ in sizes)

def largest():
    size, why = fill("large"); os.unlink("large"); return size

def count(make):
    made = []
    try:
        while len(made) < 5000:
            made.append(make(len(made)))
    except OSError as error:
        return len(made), errno.errorcode[error.errno], made
    return len(made), "", made

def inodes():
    n, why, made = count(lambda k: open("i%d" % k, "w").close())
    for k in range(n): os.unlink("i%d" % k)
    return n, why

def forks():
    def fork(_):
        pid = os.fork()
        if pid == 0:
            time.sleep(30); os._exit(0)
        return pid
    n, why, made = count(fork)
    for pid in made: os.kill(pid, 9); os.waitpid(pid, 0)
    return n, why

def descriptors():
    n, why, made = count(lambda _: os.open("/dev/null", os.O_RDONLY))
    for fd in made: os.close(fd)
    return n, why

status = dict(line.split(":\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\t" in line)
facts = {
    "ids": [os.getresuid(), os.getresgid(), os.getgroups()],
    "status": {k: status[k] for k in ("CapEff", "CapPrm", "CapInh", "CapAmb", "NoNewPrivs", "Seccomp")},
    "calls": {name: call(name) for name in NUMBERS},
    "families": {family: tried(lambda: socket.socket(family, socket.SOCK_STREAM) and "done") for family in (1, 2, 10, 16, 17, 38, 40)},
    "fcntl": {number: tried(lambda: __import__("fcntl").fcntl(0, number, 0) and "done") for number in (6, 37, 1024, 1026, 1031)},
    "prlimit of another": tried(lambda: resource.prlimit(1 if os.getpid() != 1 else 2, resource.RLIMIT_CORE)),
    "new user namespace": tried(lambda: libc.syscall(56 if X86 else 220, 0x10000011, 0, 0, 0, 0)),
    "shared anonymous memory": tried(lambda: __import__("mmap").mmap(-1, 4096) and "done"),
    "limits": {name: resource.getrlimit(getattr(resource, "RLIMIT_" + name)) for name in ("NOFILE", "FSIZE", "CORE", "MEMLOCK", "MSGQUEUE", "SIGPENDING")},
    "interfaces": tried(lambda: os.listdir("/sys/class/net")),
    "written": {path: tried(lambda: open(path + "/x", "w")) for path in ("/", "/usr", "/etc", "/tmp", "/var/tmp", "/dev", "/run", "/w/bot", "/proc", "/sys", "/io")},
    "shm": os.path.exists("/dev/shm"),
    "own files": [tried(lambda: open(__file__, "a")), oct(os.stat("/w/bot").st_mode & 0o222)],
    "reopened": [tried(lambda: os.open("/proc/self/fd/0", os.O_WRONLY)), tried(lambda: os.open("/proc/self/fd/1", os.O_RDONLY))],
    "process 1": [tried(lambda: open("/proc/1/mem", "rb+")), tried(lambda: os.listdir("/proc/1/fd"))] if os.getpid() != 1 else [],
    "host": {path: tried(lambda: len(open(path).read())) for path in ("/proc/meminfo", "/proc/stat", "/proc/loadavg", "/proc/uptime", "/proc/sys/kernel/hostname", "/proc/sys/fs/file-nr", "/sys/fs/cgroup/cpuacct/cpuacct.usage", "/sys/fs/cgroup/cpu.stat")},
    "loose": {name: call(name, *args) for name, args in dict(pipe2=(None, 0), socketpair=(1, 1, 0, None), sysinfo=(None,), pidfd_open=(os.getpid(), 0), utimensat=(-100, None, 0, 0)).items()},
    "disk": fill_disk(), "largest": largest(), "inodes": inodes(), "forks": forks(), "descriptors": descriptors(),
    "environment": sorted(os.environ),
}
print(json.dumps(facts), flush=True)
input()
input()
"""


@pytest.fixture(scope="module")
def all_facts(sandboxes):
    found = {}
    for mode, sandbox in sandboxes.items():
        for calls in ("tight", "strict"):
            bot = sandbox.open(program(FACTS, calls=calls))
            try:
                found[mode, calls] = json.loads(bot.start(b"start\n", PATIENT).line)
            finally:
                print(bot.close().decode())
    return found


@pytest.fixture(params=["kept tight", "kept strict", "fresh tight", "fresh strict"])
def facts(request, all_facts):
    return all_facts[tuple(request.param.split())]


def test_a_box_has_a_uid_of_its_own_and_no_other_group(facts, how):
    users, groups, others = facts["ids"]
    assert len({*users, *groups}) == 1
    assert users[0] in how.uids
    assert set(others) <= {users[0]}


def test_two_boxes_never_share_a_uid(all_facts):
    uids = [facts["ids"][0][0] for facts in all_facts.values()]
    assert len(set(uids)) == len(uids)


def test_a_bot_has_no_capability_and_cannot_gain_one(facts):
    status = facts["status"]
    assert {status[name] for name in ("CapEff", "CapPrm", "CapInh", "CapAmb")} == {"0" * 16}
    assert status["NoNewPrivs"] == "1"
    assert status["Seccomp"] == "2"


def test_calls_out_of_the_box_are_refused(facts):
    answers = dict(facts["calls"])
    assert answers.pop("clone3") == "ENOSYS"
    assert set(answers.values()) == {"EPERM"}, answers


def test_there_is_no_network(facts):
    families = facts["families"]
    assert families.pop("1") == ("EPERM" if facts["loose"]["pipe2"] == "EPERM" else "done")
    assert set(families.values()) == {"EPERM"}
    assert facts["interfaces"] in ("ENOENT", ["lo"])


def test_locks_leases_and_larger_pipes_are_refused(facts):
    assert set(facts["fcntl"].values()) == {"EPERM"}


def test_tight_leaves_out_what_counts_for_the_whole_machine(all_facts):
    for mode in ("kept", "fresh"):
        assert set(all_facts[mode, "tight"]["loose"].values()) == {"EPERM"}
        strict = dict(all_facts[mode, "strict"]["loose"])
        assert strict.pop("utimensat") in ("ENOENT", "done")
        assert set(strict.values()) == {"done"}


def test_no_namespace_no_foreign_limit_no_shared_memory(facts):
    assert facts["new user namespace"] in ("EPERM", -1)
    assert facts["prlimit of another"] == "EPERM"
    assert facts["shared anonymous memory"] == "EPERM"
    assert facts["shm"] is False


def test_the_limits_of_a_process_are_set(facts):
    assert facts["limits"] == {
        "NOFILE": [128, 128],
        "FSIZE": [8 << 20, 8 << 20],
        "CORE": [0, 0],
        "MEMLOCK": [0, 0],
        "MSGQUEUE": [0, 0],
        "SIGPENDING": [64, 64],
    }
    opened, why = facts["descriptors"]
    assert 110 < opened <= 125
    assert why == "EMFILE"


def test_nothing_but_the_leg_s_folder_can_be_written(facts):
    assert set(facts["written"].values()) <= {"EROFS", "EACCES", "ENOENT", "EPERM"}, facts[
        "written"
    ]
    assert facts["own files"][0] in ("EROFS", "EACCES")


def test_disk_inodes_and_processes_are_limited(all_facts):
    for (mode, _), facts in all_facts.items():
        disk = 8 << 20 if mode == "kept" else 24 << 20
        assert disk - (1 << 20) < facts["disk"] <= disk
        assert facts["largest"] <= 8 << 20
        inodes, why = facts["inodes"]
        assert 400 < inodes < 1536
        assert why == "ENOSPC"
        forks, why = facts["forks"]
        assert 25 <= forks < 32
        assert why == "EAGAIN"


def test_streams_cannot_be_opened_the_other_way_round(all_facts):
    assert all_facts["kept", "strict"]["reopened"] == ["EACCES", "EACCES"]
    assert all_facts["kept", "tight"]["reopened"] == ["ENOENT", "ENOENT"]


def test_process_1_of_a_fresh_box_is_closed_to_the_bot(all_facts):
    for calls in ("tight", "strict"):
        assert set(all_facts["fresh", calls]["process 1"]) == {"EACCES"}


def test_the_machine_is_out_of_sight(facts):
    sizes = {size for size in facts["host"].values() if not isinstance(size, str)}
    assert sizes <= {0}, facts["host"]


def test_the_environment_holds_nothing_of_the_host(facts):
    assert facts["environment"] == ["HOME", "LANG", "PATH", "TMPDIR"]


def test_the_engine_is_told_every_setting():
    body = container(BoxSettings("image", core="1"), "fresh", BoxLimits(), 2_000_000, None)
    host = body["HostConfig"]
    assert body["NetworkDisabled"] is True
    assert body["User"] == "2000000:2000000"
    assert body["StopSignal"] == "SIGKILL"
    assert (body["OpenStdin"], body["StdinOnce"]) == (True, True)
    assert host["NetworkMode"] == "none"
    assert host["Memory"] == host["MemorySwap"] == 128 << 20
    assert host["PidsLimit"] == 32
    assert (host["IpcMode"], host["LogConfig"], host["OomScoreAdj"]) == (
        "none",
        {"Type": "none"},
        500,
    )
    assert (host["ReadonlyRootfs"], host["CapDrop"], host["AutoRemove"]) == (True, ["ALL"], True)
    assert host["CpusetCpus"] == "1"
    assert host["Init"] is False
    assert "/proc/stat" in host["MaskedPaths"]
    assert host["Binds"] == []


def test_the_written_out_list_has_every_call_for_both_machines():
    for machine in seccomp.ARCHITECTURES:
        profile = json.loads(seccomp.profile(machine))
        assert profile["defaultAction"] == "SCMP_ACT_ERRNO"
        assert len(seccomp.program(machine, tight=False)) % 8 == 0
        assert len(seccomp.program(machine, tight=True)) < 8 * 4096
    missing = set(seccomp.ALLOWED) - set(seccomp.NUMBERS["x86_64"])
    assert not missing
