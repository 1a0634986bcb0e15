"""A wire of two pipes, for a bot that runs under the same kernel."""

import os
from contextlib import suppress

READ_BYTES = 65536


class Pipes:
    """The write end of a bot's input and the read end of its output."""

    waiting = False  # what is in a pipe is seen by whoever waits for it

    def __init__(self, input_fd: int, output_fd: int) -> None:
        self.input_fd = input_fd
        self.output_fd = output_fd
        os.set_blocking(input_fd, False)
        os.set_blocking(output_fd, False)

    def write(self, data: bytes) -> int:
        try:
            return os.write(self.input_fd, data)
        except BlockingIOError:
            return 0
        except BrokenPipeError:
            return len(data)

    def read(self) -> bytes | None:
        try:
            return os.read(self.output_fd, READ_BYTES)
        except BlockingIOError:
            return None

    def confirm_stall(self) -> None:
        pass  # there is nothing between the two ends of a pipe

    def close_input(self) -> None:
        if self.input_fd >= 0:
            os.close(self.input_fd)
            self.input_fd = -1

    def close_streams(self) -> None:
        self.close_input()
        with suppress(OSError):
            os.close(self.output_fd)
