"""What boxes need from time to time: those of the dead removed, and the files of the image kept in memory.

All boxes read the files of one image, and whether a file is in memory shows in the time it takes to read it: two bots
could talk by files that nobody else reads. Where all of them are in memory, none says anything. They are read in a box
that may have them all, since what is read first in a box is the first to go when that box is short of memory.
"""

import threading
from contextlib import suppress

from sandbox.box import BoxLimits, InfrastructureFault
from sandbox.docker import DockerSandbox
from sandbox.reaper import reap

EVERY_S = 300.0
READER = BoxLimits(memory_mb=4096, processes=8, disk_mb=8, calls="strict")
NO_FILES = bytes(10240)  # an empty tar
# Other file systems than the image's own are left out; what cannot be opened here, no bot can open either.
READ_ALL = """
import os
buffer, device = bytearray(1 << 20), os.stat("/").st_dev
for folder, folders, names in os.walk("/"):
    folders[:] = [name for name in folders if os.lstat(f"{folder}/{name}").st_dev == device]
    for path in filter(os.path.isfile, (f"{folder}/{name}" for name in names)):
        try:
            with open(path, "rb", buffering=0) as file:
                while file.readinto(buffer):
                    pass
        except OSError:
            pass
"""


class Upkeep(threading.Thread):
    """Does all of it at once and then every few minutes, in the background."""

    def __init__(self, sandbox: DockerSandbox) -> None:
        super().__init__(name="upkeep", daemon=True)
        self.sandbox = sandbox
        self.over = threading.Event()
        self.start()

    def run(self) -> None:
        while not self.over.is_set():
            with suppress(InfrastructureFault):  # is told where a box is wanted
                reap(self.sandbox.engine)
                read_image(self.sandbox)
            self.over.wait(EVERY_S)

    def close(self) -> None:
        """Does not wait: an engine that hangs would hold up whoever wants to leave it."""
        self.over.set()


def read_image(sandbox: DockerSandbox) -> None:
    sandbox.build(NO_FILES, [["python3", "-c", READ_ALL]], READER)
