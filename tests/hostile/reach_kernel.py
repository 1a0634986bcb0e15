# verdict: none
# Calls what a program in a box has no business to call.
# modes: kept fresh

import ctypes
import json
import os
import sys


# By number on x86-64 and on ARM; the arguments are such that a call that is allowed says so.
CALLS = {
    "keyctl": (250, 219, 0, -3, 1),
    "add_key": (248, 217, b"user", b"mark", b"mark", 4, -3),
    "request_key": (249, 218, b"user", b"mark", 0, -3),
    "bpf": (321, 280, 0, bytes(64), 64),
    "perf_event_open": (298, 241, bytes(112), 0, -1, -1, 0),
    "userfaultfd": (323, 282, 1),
    "io_uring_setup": (425, 425, 4, bytes(120)),
    "memfd_create": (319, 279, b"mark", 0),
    "memfd_secret": (447, 447, 0),
    "ptrace": (101, 117, 0, 0, 0, 0),
    "process_vm_readv": (310, 270, os.getpid(), None, 0, None, 0, 0),
    "process_vm_writev": (311, 271, os.getpid(), None, 0, None, 0, 0),
    "kcmp": (312, 272, os.getpid(), os.getpid(), 0, 0, 0),
    "fanotify_init": (300, 262, 0, 0),
    "inotify_init1": (294, 26, 0),
    "open_by_handle_at": (304, 265, -100, bytes(64), 0),
    "name_to_handle_at": (303, 264, -100, b"/", bytes(128), bytes(4), 0),
    "personality": (135, 92, 0xFFFFFFFF),
    "syslog": (103, 116, 10, None, 0),
    "mincore": (27, 232, None, 0, None),
    "mlockall": (151, 230, 4),
    "sched_setaffinity": (203, 122, 0, 128, b"\xff" * 128),
    "setpriority": (141, 140, 0, 0, 1),
    "ioprio_set": (251, 30, 1, 0, 0),
    "msgget": (68, 186, 0, 0o1600),
    "semget": (64, 190, 0, 1, 0o1600),
    "shmget": (29, 194, 0, 4096, 0o1600),
    "mq_open": (240, 180, b"mark", 0o102, 0o600, None),
    "landlock_create_ruleset": (444, 444, None, 0, 1),
    "pidfd_getfd": (438, 438, 0, 0, 0),
    "clock_settime": (227, 112, 0, bytes(16)),
    "sethostname": (170, 161, b"mark", 4),
    "quotactl": (179, 60, 0, None, 0, None),
    "swapon": (167, 224, b"/w/leg", 0),
    "init_module": (175, 105, None, 0, b""),
    "kexec_load": (246, 104, 0, 0, None, 0),
    "setuid": (105, 146, 0),
    "fadvise64": (221, 223, 0, 0, 0, 4),
    "readahead": (187, 213, 0, 0, 4096),
    "preadv2": (327, 286, 0, None, 0, 0, 0, 8),
    "vmsplice": (278, 75, 1, None, 0, 0),
    "tee": (276, 77, 0, 1, 0, 0),
    "rseq_slice": (470, 470, 0, 0),
}
EPERM, ENOSYS = 1, 38


def found(asked):
    which = os.uname().machine == "aarch64"
    libc = ctypes.CDLL(None, use_errno=True)
    for name, call in CALLS.items():
        ctypes.set_errno(0)
        result = libc.syscall(call[which], *call[2:])
        if result >= 0 or ctypes.get_errno() not in (EPERM, ENOSYS):
            print(name, result, ctypes.get_errno(), file=sys.stderr)
            return True
    return False


print('{"type":"ready"}', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "move":
        move = "found" if found(asked) else asked["legal"][0]
        print(json.dumps({"id": asked["id"], "move": move}), flush=True)
