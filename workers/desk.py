"""The worker's side of the site: claims, progress, records and archives over HTTP.

Every request may be sent again: the site answers the same claim twice, and a second record changes
nothing. So whatever fails on the way is tried again, and a record that cannot be delivered waits on disk.
"""

import fcntl
import http.client
import logging
import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from workers import contract
from workers.contract import AnyTicket, Claim, GiveBack, Job, Malformed, Progress
from workers.store import write_whole

log = logging.getLogger("kibitz.worker")

TIMEOUT_S = 20.0
ANSWER_BYTES = 2**20  # of any answer but an archive
IDLE_CONNECTIONS = 4
MOST_WAIT_S = 60.0

NOTHING_TO_DO = {HTTPStatus.CONFLICT, HTTPStatus.NOT_FOUND, HTTPStatus.GONE}
NOT_US = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}
PASSING = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS}
BROKEN = (OSError, http.client.HTTPException)


class Unreachable(Exception):
    """The site does not answer, or not sensibly, for now."""


class NotAdmitted(Exception):
    """The site does not take this worker: a wrong or withdrawn token, or a mode it does not trust."""


class Unacceptable(Exception):
    """The site has read the message and will never take it."""


class NoArchive(Exception):
    """An archive cannot be had at its address."""


class Answer(NamedTuple):
    status: int
    body: bytes
    wait_s: float  # what the site asks for before the next try


@dataclass(frozen=True)
class Patience:
    """How often something is tried, and how long to wait in between: twice as long each time, and
    never all workers at the same moment."""

    tries: int
    first_s: float = 0.5
    most_s: float = 20.0

    def waits(self) -> Iterator[float]:
        for number in range(self.tries - 1):
            yield min(self.most_s, self.first_s * 2**number) * random.uniform(0.5, 1)


CLAIMING = Patience(4)
REPORTING = Patience(5)
ONCE = Patience(1)


class Desk:
    """Talks to the site with a worker's token; may be used by several threads."""

    def __init__(
        self,
        site: str,
        token: str,
        worker: str,
        *,
        timeout_s: float = TIMEOUT_S,
        claiming: Patience = CLAIMING,
        reporting: Patience = REPORTING,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.site = site.rstrip("/") + "/"
        self.token = token
        self.worker = worker
        self.timeout_s = timeout_s
        self.claiming = claiming
        self.reporting = reporting
        self.sleep = sleep
        self.idle: list[Connection] = []

    # -- What is said --------------------------------------------------------------------------

    def claim(self, job: Job, mode: contract.Mode) -> AnyTicket | None:
        """The job's ticket, or None if there is nothing to do; Malformed if it cannot be read."""
        claim = Claim(job, os.urandom(8).hex(), self.worker, mode)
        answer = self.post(contract.CLAIM, contract.encode(claim), self.claiming)
        if answer.status in NOTHING_TO_DO:
            return None
        ticket = contract.decode_ticket(answer.body)
        if (ticket.id, ticket.attempt) != (job.id, job.attempt):
            raise Malformed(f"a ticket for {ticket.id}, attempt {ticket.attempt}")
        return ticket

    def progress(self, progress: Progress) -> bool:
        """Whether the job is still ours."""
        answer = self.post(contract.PROGRESS, contract.encode(progress), ONCE)
        return answer.status not in NOTHING_TO_DO

    def record(self, raw: bytes, patience: Patience | None = None) -> bool:
        """Delivers an encoded record; False if the site has no use for it any more."""
        answer = self.post(contract.RECORD, raw, patience or self.reporting)
        return answer.status not in NOTHING_TO_DO

    def give_back(self, back: GiveBack) -> None:
        self.post(contract.GIVE_BACK, contract.encode(back), self.claiming)

    def archive(self, address: str, most: int = contract.ARCHIVE_BYTES) -> bytes:
        """The bytes at a signed address; it needs no token, and none is shown to it."""
        url = urljoin(self.site, address)
        try:
            answer = self.persist(lambda: self.exchange("GET", url, most=most), self.claiming)
        except Unacceptable as error:
            raise NoArchive(str(error)) from None
        if answer.status != HTTPStatus.OK:
            raise NoArchive(f"the archive's address answers {answer.status}")
        return answer.body

    def close(self) -> None:
        while self.idle:
            self.idle.pop().close()

    # -- How it is said ------------------------------------------------------------------------

    def post(self, path: str, raw: bytes, patience: Patience) -> Answer:
        body, headers = contract.pack(raw)
        headers["Authorization"] = f"Bearer {self.token}"
        url = urljoin(self.site, path.lstrip("/"))
        answer = self.persist(lambda: self.exchange("POST", url, body, headers), patience)
        if answer.status in NOT_US:
            raise NotAdmitted(f"{self.site} answers {answer.status}: {said(answer)}")
        if answer.status >= 300 and answer.status not in NOTHING_TO_DO:
            raise Unacceptable(f"{path} answers {answer.status}: {said(answer)}")
        return answer

    def persist(self, send: Callable[[], Answer], patience: Patience) -> Answer:
        """Tries until there is an answer that another try would not change."""
        waits = patience.waits()
        while True:
            wait_s = 0.0
            try:
                answer = send()
                if answer.status < 500 and answer.status not in PASSING:
                    return answer
                wait_s, problem = answer.wait_s, f"answers {answer.status}"
            except BROKEN as error:
                problem = f"cannot be reached: {type(error).__name__}: {error}"
            pause_s = next(waits, None)
            if pause_s is None:
                raise Unreachable(f"{self.site} {problem}")
            self.sleep(max(pause_s, wait_s))

    def exchange(
        self,
        method: str,
        url: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
        most: int = ANSWER_BYTES,
    ) -> Answer:
        """One request. A connection kept from before may have been closed meanwhile; then another
        one is tried at once."""
        parts = urlsplit(url)
        target = parts._replace(scheme="", netloc="", fragment="").geturl() or "/"
        while True:
            connection, kept = self.connection(parts.scheme, parts.netloc)
            try:
                connection.request(method, target, body, headers or {})
                answer = read_answer(connection.getresponse(), most)
            except BROKEN as error:
                connection.close()
                if kept and isinstance(error, ConnectionError):
                    continue
                raise
            except BaseException:
                connection.close()
                raise
            self.keep(connection)
            return answer

    def connection(self, scheme: str, host: str) -> tuple["Connection", bool]:
        """A connection to a host, and whether it was used before."""
        for connection in list(self.idle):
            if (connection.scheme, connection.netloc) == (scheme, host):
                with suppress(ValueError):  # another thread has just taken it
                    self.idle.remove(connection)
                    return connection, True
        if scheme not in CONNECTIONS:
            raise Unacceptable(f"an address that begins with {scheme!r}, not with http")
        return CONNECTIONS[scheme](host, self.timeout_s), False

    def keep(self, connection: "Connection") -> None:
        if connection.sock is not None and len(self.idle) < IDLE_CONNECTIONS:
            self.idle.append(connection)
        else:
            connection.close()


class Connection(http.client.HTTPConnection):
    """A connection that may be used again, and knows for what."""

    scheme = "http"

    def __init__(self, netloc: str, timeout_s: float) -> None:
        super().__init__(netloc, timeout=timeout_s)
        self.netloc = netloc


class SecureConnection(Connection, http.client.HTTPSConnection):
    scheme = "https"
    default_port = http.client.HTTPS_PORT


CONNECTIONS = {kind.scheme: kind for kind in (Connection, SecureConnection)}


def read_answer(response: http.client.HTTPResponse, most: int) -> Answer:
    body = response.read(most + 1)
    if len(body) > most:
        raise Unacceptable(f"an answer of more than {most:,} bytes")
    if response.length:
        raise http.client.IncompleteRead(body, response.length)
    wait = response.getheader("Retry-After", "")
    return Answer(response.status, body, min(float(wait), MOST_WAIT_S) if wait.isdecimal() else 0)


def said(answer: Answer) -> str:
    return contract.cut(answer.body[:500].decode("utf-8", "replace"), 200)


# -- Records that wait ----------------------------------------------------------------------------


class Spool:
    """Records on disk that could not be delivered, shared by all workers of a machine. What the site
    will never take is set aside for somebody to look at."""

    def __init__(self, folder: Path, most_bytes: int = 2**30, most_aside: int = 50) -> None:
        self.folder = folder
        self.aside = folder / "aside"
        self.most_bytes = most_bytes
        self.most_aside = most_aside
        self.aside.mkdir(parents=True, exist_ok=True)

    @property
    def full(self) -> bool:
        sizes = (size_of(path) for path in self.waiting())
        return sum(sizes) >= self.most_bytes

    def waiting(self) -> list[Path]:
        """The oldest first, as far as they still exist."""
        return by_age(self.folder)

    def put(self, job: Job, raw: bytes) -> None:
        write_whole(self.folder / f"{job.kind}-{job.id}-{job.attempt}.json", raw)

    def deliver(self, desk: Desk) -> int:
        """Delivers all that waits, unless another process is at it; gives how many are gone. Ends
        with Unreachable at the first that does not get through."""
        gone = 0
        with self.alone() as alone:
            for path in self.waiting() if alone else []:
                self.deliver_one(path, desk)
                gone += 1
        return gone

    def deliver_one(self, path: Path, desk: Desk) -> None:
        try:
            raw = path.read_bytes()
            contract.decode_record(raw)
            desk.record(raw, ONCE)
            path.unlink()
        except (Malformed, Unacceptable) as error:
            log.error("The record %s is set aside: %s", path.name, error)
            path.replace(self.aside / path.name)
            for old in by_age(self.aside)[: -self.most_aside]:
                old.unlink(missing_ok=True)

    @contextmanager
    def alone(self) -> Iterator[bool]:
        with (self.folder / "lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            yield True


def size_of(path: Path) -> int:
    with suppress(FileNotFoundError):
        return path.stat().st_size
    return 0


def by_age(folder: Path) -> list[Path]:
    ages = []
    for path in folder.glob("*.json"):
        with suppress(FileNotFoundError):
            ages.append((path.stat().st_mtime_ns, path))
    return [path for _, path in sorted(ages)]
