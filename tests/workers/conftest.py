"""A broker and a site for the tests of the worker, both real, both private.

The site is a small HTTP server that keeps claims, attempts and leases as the contract says, takes no record
that the rules do not give, and misbehaves on demand.
"""

import io
import math
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import redis
from celery import Celery

from games import game_named, replay
from games.player import Limits
from games.seating import exchanged, lineup_of
from sandbox.box import Program
from sandbox.local import LocalSandbox
from workers import contract
from workers.check import Verdict
from workers.contract import (
    Archive,
    CheckTicket,
    Claim,
    Clocks,
    GiveBack,
    Job,
    MatchTicket,
    Progress,
    UnitTicket,
)

TICKETS = {"match": MatchTicket, "check": CheckTicket, "unit": UnitTicket}
ROOT = Path(__file__).resolve().parents[2]
TOKEN = "a-worker's-token"
VOID_AFTER = 3
QUICK_BOT = b"""
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "end":
        break
    answer = {"type": "ready"}
    if message["type"] == "move":
        answer = {"id": message["id"], "move": message["legal"][0]}
    print(json.dumps(answer), flush=True)
"""
SLOW_BOT = QUICK_BOT.replace(b"import json, sys", b"import json, sys, time").replace(
    b'    if message["type"] == "move":',
    b'    if message["type"] == "move":\n        time.sleep(0.2)',
)


def until(condition, seconds=100.0):
    """What the condition gives once it is true."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        result = condition()
        if result:
            return result
        time.sleep(0.02)
    raise AssertionError(f"not within {seconds} s: {condition}")


# -- The broker -----------------------------------------------------------------------------------


def server_binary():
    for name in ("redis-server", "valkey-server"):
        if found := shutil.which(name):
            return found
    return None


def installed_server():
    found = server_binary()
    if not found and os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = {
            "stdout": subprocess.DEVNULL,
            "env": os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
        }
        subprocess.run(["apt-get", "update"], check=False, timeout=300, **quiet)
        subprocess.run(
            ["apt-get", "install", "-y", "redis-server"], check=False, timeout=600, **quiet
        )
        found = server_binary()
    if not found and os.environ.get("CI"):
        pytest.fail(
            "no redis-server or valkey-server is installed, and here nothing may be skipped"
        )
    if not found:
        pytest.skip("NOT TESTED: install redis-server or valkey-server to test the worker's queue")
    return found


def answering(path, process):
    """Whether the server at that socket is the one that we have started."""
    assert process.poll() is None, process.stdout.read()
    try:
        with redis.Redis(unix_socket_path=str(path)) as client:
            return client.info("server")["process_id"] == process.pid
    except redis.ConnectionError:
        return False


class RedisServer:
    """A server of our own, which writes all down and can be started again after it was killed."""

    def __init__(self, binary):
        self.folder = Path(tempfile.mkdtemp(prefix="kz", dir="/tmp"))
        self.path = self.folder / "r.sock"  # socket paths must be short
        where = ["--port", "0", "--unixsocket", str(self.path), "--unixsocketperm", "700"]
        keeping = ["--appendonly", "yes", "--save", "", "--dir", str(self.folder)]
        self.command = [binary, *where, *keeping]
        self.start()

    @property
    def address(self):
        return f"redis+socket://{self.path}"

    def start(self):
        quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        self.process = subprocess.Popen(self.command, **quiet)
        until(lambda: answering(self.path, self.process))

    def kill(self):
        self.process.kill()
        self.process.communicate()

    def close(self):
        self.kill()
        shutil.rmtree(self.folder)


@pytest.fixture
def redis_server():
    server = RedisServer(installed_server())
    yield server
    server.close()


@pytest.fixture
def broker(redis_server):
    return redis_server.address


@pytest.fixture
def client(broker):
    with redis.Redis(unix_socket_path=broker.removeprefix("redis+socket://")) as client:
        yield client


# -- The site -------------------------------------------------------------------------------------


@dataclass
class Entry:
    """A job as the site keeps it."""

    kind: str
    ticket: dict
    state: str = "waiting"
    attempt: int = 1
    claim: str = ""
    lease_until: float = 0.0
    sent: tuple = (0, 0.0)
    record: object = None
    records: int = 0
    given_back: list = field(default_factory=list)
    said: list = field(default_factory=list)
    beats: list = field(default_factory=list)

    def next_attempt(self):
        self.state, self.attempt, self.claim = "waiting", self.attempt + 1, ""


class Site:
    """Keeps jobs, archives and leases; `trouble` says how the next requests are to go wrong."""

    token = TOKEN
    quick_bot = QUICK_BOT
    slow_bot = SLOW_BOT
    until = staticmethod(until)

    def __init__(self):
        self.jobs = {}
        self.archives = {}
        self.troubles = defaultdict(list)
        self.asked = []
        self.tokens_seen = []
        self.modes_seen = set()
        self.claims = Counter()
        self.claims_before = Counter()  # in former lives
        self.claims_a_life = math.inf
        self.finished = []
        self.lease_s = 30.0
        self.resend_s = 30.0
        self.lock = threading.RLock()
        self.port = 0
        self.server = None
        self.ended = threading.Event()
        self.sweeper = None
        self.start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        self.server = Server(("127.0.0.1", self.port), self)
        self.port = self.server.server_port
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,))
        self.thread.start()

    def stop(self):
        if self.server:
            self.server.shutdown()
            self.thread.join()
            self.server.hang_up()
            self.server.server_close()
            self.server = None

    def close(self):
        self.ended.set()
        if self.sweeper:
            self.sweeper.join()
        self.stop()

    # -- What there is to do --

    def archive(self, data, file_name="bot.py", address=None):
        digest = sha256(data).hexdigest()
        self.archives[digest] = data
        return Archive(address or f"/archives/{digest}?signature=right", digest, file_name)

    def ticket(self, **changed):
        limits = Clocks.of(Limits(start_ms=60_000, wall_ms=60_000))
        return {
            "game": "color-stock",
            "options": {"rounds": 1},
            "seed": sha256(b"seed").hexdigest(),
            "limits": limits,
        } | changed

    def add_match(self, job_id, bots, **changed):
        lineup = [bot and self.archive(bot) for bot in bots]
        self.jobs["match", job_id] = Entry("match", self.ticket(lineup=lineup, **changed))
        return Job("match", job_id, 1)

    def add_check(self, job_id, bot, file_name="bot.py", **changed):
        archive = self.archive(bot, file_name)
        self.jobs["check", job_id] = Entry(
            "check", self.ticket(archive=archive, players=2, **changed)
        )
        return Job("check", job_id, 1)

    def add_unit(self, job_id, bots, pair=(0, 1), **changed):
        table = [self.archive(bot) for bot in bots]
        self.jobs["unit", job_id] = Entry("unit", self.ticket(table=table, pair=pair, **changed))
        return Job("unit", job_id, 1)

    def trouble(self, path, *kinds):
        self.troubles[path].extend(kinds)

    def states(self):
        with self.lock:
            return {job_id: entry.state for (_, job_id), entry in self.jobs.items()}

    def sweep_with(self, send):
        """Sends what waits; again what nobody has claimed for long (its message may have been with a
        worker that died), and with the next attempt what has shown no sign of life for a lease."""

        def sweep():
            while not self.ended.wait(0.1):
                for job in self.overdue():
                    send(job)

        self.sweeper = threading.Thread(target=sweep)
        self.sweeper.start()

    def overdue(self):
        now = time.monotonic()
        with self.lock:
            for (kind, job_id), entry in self.jobs.items():
                if entry.state == "playing" and now > entry.lease_until:
                    entry.next_attempt()
                attempt, at = entry.sent
                late = attempt < entry.attempt or now > at + self.resend_s
                if entry.state == "waiting" and late:
                    entry.sent = (entry.attempt, now)
                    yield Job(kind, job_id, entry.attempt)

    # -- Workers that do not live for ever --

    def has_lived(self, worker):
        """Whether it has claimed all that it may. From then on it does not get through, so whatever
        it is playing is lost with it."""
        return self.claims[worker] >= self.claims_before[worker] + self.claims_a_life

    def begin_life(self, worker):
        with self.lock:
            self.claims_before[worker] = self.claims[worker]

    # -- What a worker says --

    def claimed(self, raw):
        claim = contract.decode(Claim, raw)
        self.modes_seen.add(claim.mode)
        if self.has_lived(claim.worker):
            return 503, b""
        entry = self.jobs.get((claim.job.kind, claim.job.id))
        if entry is None:
            return 404, b""
        again = entry.state == "playing" and entry.claim == claim.claim
        if claim.job.attempt != entry.attempt or not (again or entry.state == "waiting"):
            return 409, b""
        entry.state, entry.claim = "playing", claim.claim
        self.claims[claim.worker] += 1
        entry.lease_until = time.monotonic() + self.lease_s
        about = {"id": claim.job.id, "attempt": entry.attempt, "lease_s": self.lease_s}
        return 200, contract.encode(TICKETS[entry.kind](**about, **entry.ticket))

    def ours(self, job):
        entry = self.jobs.get((job.kind, job.id))
        current = entry and entry.state == "playing" and entry.attempt == job.attempt
        return entry if current else None

    def progressed(self, raw):
        progress = contract.decode(Progress, raw)
        entry = self.ours(progress.job)
        if entry is None:
            return 409, b""
        entry.lease_until = time.monotonic() + self.lease_s
        entry.beats.append(progress.state)
        entry.said.extend(progress.lines)
        return 204, b""

    def recorded(self, raw):
        record = contract.decode_record(raw)
        if self.has_lived(record.worker):
            return 503, b""
        entry = self.ours(record.job)
        if entry is None:
            return 409, b""
        if record.job.kind != "check":
            try:
                for whole in self.replays_of(entry, record):
                    replay.verify(whole)
            except replay.Difference as difference:
                entry.next_attempt()
                return 422, str(difference).encode()
        entry.state, entry.record = "finished", record
        entry.records += 1
        self.finished.append(record.id)
        return 200, b""

    def replays_of(self, entry, record):
        """A match is one; a unit two, of one leg each."""
        if entry.kind == "match":
            return [self.replay_of(entry, record, entry.ticket["lineup"], record.legs)]
        table = entry.ticket["table"]
        tables = (table, exchanged(table, *entry.ticket["pair"]))
        return [
            self.replay_of(entry, record, lineup_of(seats), [leg])
            for seats, leg in zip(tables, record.legs, strict=True)
        ]

    def replay_of(self, entry, record, lineup, legs):
        bots = [
            {"name": f"bot {place}", "author": "alice", "version": 1, "sha256": digest}
            for place, archive in enumerate(lineup)
            for digest in [archive.sha256 if archive else sha256().hexdigest()]
        ]
        built = replay.replay_of(
            game_named(entry.ticket["game"]),
            entry.ticket["options"],
            bytes.fromhex(entry.ticket["seed"]),
            match=record.id,
            played_at=record.played_at,
            limits=asdict(entry.ticket["limits"].limits),
            bots=bots,
            legs=[leg.entry for leg in legs],
        )
        return replay.read(replay.write(built))

    def gave_back(self, raw):
        back = contract.decode(GiveBack, raw)
        entry = self.ours(back.job)
        if entry is None:
            return 409, b""
        entry.given_back.append(back)
        entry.next_attempt()
        if len(entry.given_back) >= VOID_AFTER:
            entry.state = "void"
        return 204, b""


class Server(ThreadingHTTPServer):
    """Listens for one site, and can hang up on everybody."""

    request_queue_size = 64

    def __init__(self, address, site):
        self.site = site
        self.sockets = set()
        super().__init__(address, Handler)

    def handle_error(self, request, client_address):
        error = sys.exc_info()[1]
        if not isinstance(error, OSError):
            super().handle_error(request, client_address)

    def process_request(self, request, client_address):
        self.sockets.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request):
        self.sockets.discard(request)
        super().shutdown_request(request)

    def hang_up(self):
        for request in list(self.sockets):
            self.shutdown_request(request)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 60

    def log_message(self, *words):
        pass

    @property
    def site(self):
        return self.server.site

    def do_GET(self):
        assert "Authorization" not in self.headers
        parts = urlsplit(self.path)
        data = self.site.archives.get(parts.path.rpartition("/")[2])
        trouble = self.next_trouble("/archives")
        if trouble == "truncated":
            self.answer(200, data, cut=len(data) // 2)
        elif trouble == "wrong":
            self.answer(200, data[:-1] + b"#")
        elif trouble:
            self.misbehave(trouble)
        elif data is None or parts.query != "signature=right":
            self.answer(403)
        else:
            self.answer(200, data)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.site.asked.append(self.path)
        self.site.tokens_seen.append(self.headers["Authorization"])
        trouble = self.next_trouble(self.path)
        if trouble and trouble != "deaf":
            self.misbehave(trouble)
        elif self.headers["Authorization"] != f"Bearer {TOKEN}":
            self.answer(401, b"unknown token")
        else:
            answer = self.answered(body)
            if trouble == "deaf":
                self.misbehave("drop")  # done, but the answer gets lost
            else:
                self.answer(*answer)

    def answered(self, body):
        verbs = {
            contract.CLAIM: self.site.claimed,
            contract.PROGRESS: self.site.progressed,
            contract.RECORD: self.site.recorded,
            contract.GIVE_BACK: self.site.gave_back,
        }
        try:
            raw = contract.unpack(body, self.headers["Content-Encoding"])
            with self.site.lock:
                return verbs[self.path](raw)
        except contract.Malformed as error:
            return 400, str(error).encode()

    def next_trouble(self, path):
        waiting = self.site.troubles[path]
        return waiting.pop(0) if waiting else None

    def misbehave(self, trouble):
        self.close_connection = True
        if trouble == "hang":
            self.site.ended.wait(5)
        elif trouble == "nonsense":
            self.answer(200, b'{"kind":"match"}')
        elif trouble != "drop":
            self.answer(int(trouble))

    def answer(self, status, body=b"", cut=None):
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:cut])
        if cut:
            self.close_connection = True


@pytest.fixture
def site():
    site = Site()
    yield site
    site.close()


# -- Workers --------------------------------------------------------------------------------------


class Crew:
    """Worker processes on one broker and one site."""

    until = staticmethod(until)
    kill = staticmethod(lambda process: kill(process))

    def __init__(self, broker, site, folder):
        self.broker = broker
        self.site = site
        self.folder = folder
        self.running = []
        self.queue = Celery("site", broker=broker, set_as_current=False)

    def send(self, job, queue=""):
        """As the site does: by the task's name."""
        self.queue.send_task(
            contract.TASKS[job.kind],
            args=[job.id, job.attempt],
            queue=queue or contract.QUEUES[job.kind],
            ignore_result=True,
        )

    def start(self, name="one", processes=1, **environment):
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        (folder / "tmp").mkdir(exist_ok=True)
        settings = {
            "KIBITZ_BROKER": self.broker,
            "KIBITZ_SITE": self.site.address,
            "KIBITZ_TOKEN": TOKEN,
            "KIBITZ_WORKER_DIR": str(folder),
            "KIBITZ_WORKER_NAME": name,
            "KIBITZ_SANDBOX": "local",
            "TMPDIR": str(folder / "tmp"),
        }
        command = [Path(sys.executable).with_name("celery"), "-A", "workers.app", "worker"]
        options = [
            "-n",
            f"{name}@test",
            "-c",
            str(processes),
            "--without-gossip",
            "--without-mingle",
        ]
        with (folder / "log").open("ab") as log:
            process = subprocess.Popen(
                [*command, *options],
                cwd=ROOT,
                env=os.environ | settings | environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.running.append(process)
        return process

    def log(self, name="one"):
        return (self.folder / name / "log").read_text()

    def close(self):
        for process in self.running:
            kill(process)
        self.queue.close()


def kill(process):
    """Ends a worker with all its children, as a power cut would."""
    if process.poll() is None:
        os.killpg(process.pid, 9)
    process.wait()


@pytest.fixture
def crew(broker, site, tmp_path):
    crew = Crew(broker, site, tmp_path)
    yield crew
    crew.close()


# -- A bench without building ---------------------------------------------------------------------


class PlainBench:
    """Plays single Python files as they are; `fault` is what the sandbox says from then on."""

    languages = {"python": "3"}

    def __init__(self):
        self.sandbox = LocalSandbox()
        self.open_in_sandbox = self.sandbox.open
        self.sandbox.open = self.open
        self.fault = None
        self.opened = 0
        self.before_open = lambda: None

    def open(self, program):
        self.opened += 1
        self.before_open()
        if self.fault:
            raise self.fault
        return self.open_in_sandbox(program)

    def program(self, archive, file_name):
        raw = io.BytesIO()
        with tarfile.open(fileobj=raw, mode="w") as tar:
            info = tarfile.TarInfo(file_name)
            info.size = len(archive)
            tar.addfile(info, io.BytesIO(archive))
        digest = sha256(archive).hexdigest()
        return Program(raw.getvalue(), digest, ("python3", f"{{bot}}/{file_name}"))

    def check(self, ticket, archive, say):
        say("Reading the archive ...\nstarting it ...")
        self.before_open()
        steps = [contract.Step("archive", "passed"), contract.Step("start", "failed", "no answer")]
        return Verdict(False, "python", "The bot did not answer.", steps)

    def close(self):
        self.sandbox.close()


@pytest.fixture
def bench():
    bench = PlainBench()
    yield bench
    bench.close()
