"""The few calls of the Docker Engine that boxes need, over its unix socket. No call waits without a limit.

The command-line client costs tens of milliseconds of CPU for each call; this costs microseconds.
"""

import http.client
import json
import os
import socket
from typing import Any
from urllib.parse import quote, urlencode

from sandbox.box import InfrastructureFault

VERSION = "/v1.41"
DEFAULT_SOCKET = "/var/run/docker.sock"
CALL_S = 10.0
START_S = 30.0
GONE, CONFLICT = 404, 409


class EngineFault(InfrastructureFault):
    """The engine refused, failed or did not answer; `status` is its HTTP status, 0 if there was none."""

    def __init__(self, why: str, status: int = 0) -> None:
        super().__init__(why)
        self.status = status


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str, timeout_s: float) -> None:
        super().__init__("engine")
        self.path = path
        self.timeout_s = timeout_s

    def connect(self) -> None:
        self.sock = connected(self.path, self.timeout_s)


class Engine:
    """One engine. Every call has a connection of its own, so it can be used from several threads."""

    def __init__(self, address: str | None = None) -> None:
        address = address or os.environ.get("DOCKER_HOST") or f"unix://{DEFAULT_SOCKET}"
        if not address.startswith("unix://"):
            raise EngineFault(f"only engines at a unix socket can be used, not {address}")
        self.path = address.removeprefix("unix://")
        self.call_s = CALL_S

    # -- Boxes --------------------------------------------------------------------------------------

    def create(self, name: str, body: dict[str, Any]) -> str:
        """Gives the id. A name that is taken is a CONFLICT."""
        query = urlencode({"name": name})
        return str(self.call("POST", f"/containers/create?{query}", body, START_S)["Id"])

    def start(self, box: str) -> None:
        self.call("POST", f"/containers/{box}/start", timeout_s=START_S)

    def kill(self, box: str) -> None:
        """Ends a box at once; one that has ended already is as good."""
        self.unless_gone("POST", f"/containers/{box}/kill")

    def remove(self, box: str) -> None:
        self.unless_gone("DELETE", f"/containers/{box}?force=1&v=1")

    def inspect(self, box: str) -> dict[str, Any]:
        return dict(self.call("GET", f"/containers/{box}/json"))

    def boxes(self, label: str) -> list[dict[str, Any]]:
        """All with this label (a name, or name=value), running or not."""
        query = urlencode({"all": 1, "filters": json.dumps({"label": [label]})})
        return list(self.call("GET", f"/containers/json?{query}"))

    def attach(self, box: str) -> socket.socket:
        """A connection to the streams of a box: raw bytes in, framed bytes out."""
        path = f"{VERSION}/containers/{quote(box)}/attach?stream=1&stdin=1&stdout=1"
        try:
            return attached(self.path, path, self.call_s)
        except OSError as error:
            raise EngineFault(f"attach: {error}") from error

    def killed_for_memory(self, box: str, since_s: float) -> bool:
        """Whether a box that may be gone by now ran out of memory; the engine remembers its last events."""
        filters = json.dumps({"container": [box], "event": ["oom"]})
        query = urlencode({"since": f"{since_s:.3f}", "until": "0s", "filters": filters})
        return bool(self.raw("GET", f"/events?{query}").strip())

    # -- The engine itself ----------------------------------------------------------------------------

    def info(self) -> dict[str, Any]:
        return dict(self.call("GET", "/info"))

    def has_image(self, image: str) -> bool:
        try:
            self.call("GET", f"/images/{quote(image)}/json")
        except EngineFault as fault:
            if fault.status == GONE:
                return False
            raise
        return True

    # -- Calling --------------------------------------------------------------------------------------

    def unless_gone(self, method: str, path: str) -> None:
        try:
            self.call(method, path)
        except EngineFault as fault:
            if fault.status not in (GONE, CONFLICT):
                raise

    def call(
        self, method: str, path: str, body: object = None, timeout_s: float | None = None
    ) -> Any:
        raw = self.raw(method, path, body, timeout_s)
        try:
            return json.loads(raw) if raw else None
        except ValueError as error:
            raise EngineFault(f"{method} {path.partition('?')[0]}: {error}") from error

    def raw(
        self, method: str, path: str, body: object = None, timeout_s: float | None = None
    ) -> bytes:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"} if data else {}
        connection = UnixConnection(self.path, timeout_s or self.call_s)
        try:
            connection.request(method, VERSION + path, data, headers)
            response = connection.getresponse()
            raw = response.read()
        except (OSError, http.client.HTTPException) as error:
            raise EngineFault(f"{method} {path.partition('?')[0]}: {error!r}") from error
        finally:
            connection.close()
        if response.status >= 400:
            said = raw[:300].decode("utf-8", "replace").strip()
            raise EngineFault(f"{method} {path.partition('?')[0]}: {said}", response.status)
        return raw


def connected(path: str, timeout_s: float) -> socket.socket:
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        sock.settimeout(timeout_s)
        sock.connect(path)
    except BaseException:
        sock.close()
        raise
    return sock


def attached(engine: str, path: str, timeout_s: float) -> socket.socket:
    """Takes a connection over from HTTP."""
    sock = connected(engine, timeout_s)
    try:
        request = f"POST {path} HTTP/1.1\r\nHost: engine\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n"
        sock.sendall(f"{request}Content-Length: 0\r\n\r\n".encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            # Byte by byte: what follows the head is the box's.
            byte = sock.recv(1)
            if not byte or len(head) > 65536:
                raise OSError("the engine closed the connection")
            head += byte
        if not head.startswith((b"HTTP/1.1 101", b"HTTP/1.1 200")):
            raise OSError(head.partition(b"\r\n")[0].decode("latin-1"))
    except BaseException:
        sock.close()
        raise
    return sock
