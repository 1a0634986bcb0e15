"""A bot's debug output: drained for as long as it comes, kept at both ends."""

import os
import threading

KEPT_BYTES = 32 * 1024  # at the beginning, and again at the end
CHUNK_BYTES = 65536


class DebugOutput:
    """The first and the last bytes of what was written."""

    def __init__(self) -> None:
        self.first = bytearray()
        self.last = bytearray()
        self.dropped = 0

    def add(self, chunk: bytes) -> None:
        room = KEPT_BYTES - len(self.first)
        self.first += chunk[:room]
        self.last += chunk[room:]
        excess = len(self.last) - KEPT_BYTES
        if excess > 0:
            del self.last[:excess]
            self.dropped += excess

    def kept(self) -> bytes:
        gap = b"\n[... %d bytes left out ...]\n" % self.dropped if self.dropped else b""
        return bytes(self.first) + gap + bytes(self.last)


class Drain(threading.Thread):
    """Reads a pipe to its end, so that whoever writes never waits."""

    def __init__(self, fd: int) -> None:
        super().__init__(daemon=True)
        self.fd = fd
        self.output = DebugOutput()
        self.start()

    def run(self) -> None:
        with os.fdopen(self.fd, "rb", buffering=0) as pipe:
            while chunk := os.read(pipe.fileno(), CHUNK_BYTES):
                self.output.add(chunk)
