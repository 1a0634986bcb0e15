"""What the site and its workers say to each other, version 1; both sides read it through this module.

A worker claims a job (POST /worker/claim) and is given its Ticket. Meanwhile it reports Progress
(/worker/progress), and in the end one Record (/worker/record), or it gives the job back
(/worker/give-back). All of it is JSON, packed with gzip where it is long, with the worker's token in
`Authorization: Bearer`. The queue carries a job's kind, id and attempt, nothing else.

A field that the reader does not know is refused: it may change the meaning of all the others. So a new
field is a new version, and the site speaks a new one only when its workers do.
"""

import gzip
import zlib
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from games.player import Limits

VERSION: Literal[1] = 1

CLAIM = "/worker/claim"
PROGRESS = "/worker/progress"
RECORD = "/worker/record"
GIVE_BACK = "/worker/give-back"

TASKS = {"match": "kibitz.match", "check": "kibitz.check", "unit": "kibitz.unit"}
# In the order in which they are served: for the first two somebody waits, the last takes what is left.
QUEUES = {"check": "checks", "newcomer": "newcomers", "match": "matches", "unit": "comparisons"}
# Of matches with a person at the table, which have workers of their own: people take their time.
PEOPLE = "people"

MOST_BYTES = 24 * 2**20  # of any message, unpacked; a record with all that is private fits
DEBUG_BYTES = 4 * 2**20  # of debug output in one record, shared out evenly
NOTES_BYTES = 2 * 2**20  # of notes, likewise
PLAIN_BYTES = 8 * 2**10  # longer messages are packed
PROGRESS_LINES = 500
LOG_LINES = 5000
LINE_LETTERS = 1000
ARCHIVE_BYTES = 4 * 2**20

Kind = Literal["match", "check", "unit"]
Mode = Literal["kept", "fresh", "bubblewrap", "plain"]
Id = Annotated[str, Meta(pattern="^[0-9A-Za-z_-]{1,64}$")]
Count = Annotated[int, Meta(ge=1, le=2**31)]
Seat = Annotated[int, Meta(ge=0, lt=16)]
Index = Annotated[int, Meta(ge=-1, le=10**6)]
Ms = Annotated[float, Meta(ge=0)]
LimitMs = Annotated[int, Meta(ge=0, le=24 * 3600 * 1000)]
Name = Annotated[str, Meta(min_length=1, max_length=100)]
Line = Annotated[str, Meta(max_length=LINE_LETTERS)]
Text = Annotated[str, Meta(max_length=2**20)]
Hex256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Moment = Annotated[str, Meta(max_length=40)]
Table = Annotated[list[Seat], Meta(min_length=1, max_length=16)]
Languages = Annotated[dict[Name, Line], Meta(max_length=50)]

Message = TypeVar("Message")


class Malformed(ValueError):
    """A message that is not in the contract; says where it is not."""


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """A piece of a message."""


# -- The job and its claim ------------------------------------------------------------------------


class Job(Part, frozen=True):
    """One attempt at a match, a check or a unit of a comparison."""

    kind: Kind
    id: Id
    attempt: Count

    def __str__(self) -> str:
        return f"{self.kind} {self.id}, attempt {self.attempt}"


class Claim(Part, frozen=True):
    """Asks for a job's ticket. The same claim asked twice is answered twice: an answer may get
    lost. The site may refuse a mode it does not trust."""

    job: Job
    claim: Id
    worker: Name
    mode: Mode
    version: Literal[1] = VERSION


# -- Tickets --------------------------------------------------------------------------------------


class Archive(Part, frozen=True):
    """Where a version's archive is to be had; its name serves to recognise a single source file."""

    address: Annotated[str, Meta(min_length=1, max_length=2000)]
    sha256: Hex256
    file_name: Annotated[str, Meta(min_length=1, max_length=200)]


class Clocks(Part, frozen=True):
    """The limits that bots are told."""

    start_ms: LimitMs
    bank_ms: LimitMs
    increment_ms: LimitMs
    wall_ms: LimitMs
    line_bytes: Annotated[int, Meta(ge=1, le=2**20)]

    @classmethod
    def of(cls, limits: Limits) -> "Clocks":
        return cls(**{key: getattr(limits, key) for key in cls.__struct_fields__})

    @property
    def limits(self) -> Limits:
        return Limits(**msgspec.structs.asdict(self))


class Ticket(Part, frozen=True, tag_field="kind"):
    """What to play. The lease is how long the site waits for a sign of life."""

    id: Id
    attempt: Count
    lease_s: Annotated[float, Meta(gt=0, le=3600)]
    game: Name
    options: dict[Name, str | int]
    seed: Hex256
    limits: Clocks


class Chair(Part, frozen=True):
    """Where a person is asked, and how long a bot may take for an answer at a table with one."""

    name: Annotated[str, Meta(pattern="^[0-9a-f]{40,64}$")]
    bots_wall_ms: LimitMs


class MatchTicket(Ticket, frozen=True, tag="match"):
    """A match; `legs` is how many of them, all if None. In the lineup null is whoever sits on the
    chair, and the limits are then those of that person."""

    lineup: Annotated[list[Archive | None], Meta(min_length=2, max_length=16)]
    legs: Count | None = None
    chair: Chair | None = None
    version: Literal[1] = VERSION


class CheckTicket(Ticket, frozen=True, tag="check"):
    """A new version, to be checked at a table of so many players."""

    archive: Archive
    players: Annotated[int, Meta(ge=2, le=16)]
    version: Literal[1] = VERSION


class UnitTicket(Ticket, frozen=True, tag="unit"):
    """A unit of a comparison: one deal played twice. The table says who sits where in the first game;
    in the second the pair has exchanged seats."""

    table: Annotated[list[Archive], Meta(min_length=2, max_length=16)]
    pair: tuple[Seat, Seat]
    version: Literal[1] = VERSION

    def __post_init__(self) -> None:
        if self.pair[0] == self.pair[1] or max(self.pair) >= len(self.table):
            raise ValueError("the pair are two seats of the table")


AnyTicket = MatchTicket | CheckTicket | UnitTicket


# -- Progress -------------------------------------------------------------------------------------


class Progress(Part, frozen=True):
    """A sign of life, which renews the lease, with what a check has to say so far."""

    job: Job
    state: Literal["started", "alive"]
    lines: Annotated[list[Line], Meta(max_length=PROGRESS_LINES)] = []
    version: Literal[1] = VERSION


# -- Records --------------------------------------------------------------------------------------


class Decision(Part, frozen=True):
    """As in a replay, like all the parts of a leg."""

    seats: Table
    moves: Annotated[list[Line], Meta(max_length=16)]
    cpu_ms: Annotated[list[Ms | None], Meta(max_length=16)]
    wall_ms: Annotated[list[Ms | None], Meta(max_length=16)]


class Faulted(Part, frozen=True):
    decision: Index
    seat: Seat
    kind: Name


class Note(Part, frozen=True):
    decision: Index
    seat: Seat
    note: Line


class FaultShown(Part, frozen=True):
    """A fault as its owner sees it: the question, and the first bytes of what came, escaped."""

    decision: Index
    seat: Seat
    kind: Name
    why: Text
    question: dict[str, Any]
    came: Annotated[str, Meta(max_length=8000)]


class Private(Part, frozen=True):
    """What only the owners of the bots in a leg may see, each its own; debug output by seat."""

    notes: list[Note]
    faults: Annotated[list[FaultShown], Meta(max_length=16)]
    debug: Annotated[list[Text], Meta(max_length=16)]


class LegRecord(Part, frozen=True):
    """A leg as it stands in a replay, and what is private of it."""

    seating: Table
    decisions: list[Decision]
    faults: Annotated[list[Faulted], Meta(max_length=16)]
    events: list[dict[str, Any]]
    scores: Annotated[list[int], Meta(max_length=16)]
    ranks: Annotated[list[Count], Meta(max_length=16)]
    private: Private

    @property
    def entry(self) -> dict[str, Any]:
        """The leg of the public replay."""
        whole = as_json(self)
        del whole["private"]
        return whole


class Record(Part, frozen=True, tag_field="kind"):
    """What came of a job, who did it, and how the bots were kept."""

    id: Id
    attempt: Count
    worker: Name
    mode: Mode
    languages: Languages
    played_at: Moment

    @property
    def job(self) -> Job:
        kind: Any = type(self).__struct_config__.tag
        return Job(kind, self.id, self.attempt)


class MatchRecord(Record, frozen=True, tag="match"):
    """A match from beginning to end."""

    limits: Clocks
    legs: Annotated[list[LegRecord], Meta(min_length=1, max_length=64)]
    version: Literal[1] = VERSION


class Step(Part, frozen=True):
    """One thing that was looked at in a check."""

    name: Name
    outcome: Literal["passed", "failed", "skipped"]
    detail: Text = ""


class CheckRecord(Record, frozen=True, tag="check"):
    """The verdict on a new version, and the sentence that tells its author; `leg` is the one that
    was played, if it came to that."""

    verdict: Literal["ready", "rejected"]
    language: Annotated[str, Meta(max_length=100)]
    sentence: Text
    steps: Annotated[list[Step], Meta(max_length=50)]
    log: Annotated[list[Line], Meta(max_length=LOG_LINES)]
    leg: LegRecord | None = None
    version: Literal[1] = VERSION


class UnitRecord(Record, frozen=True, tag="unit"):
    """The two games of a unit, each the first leg of a match of those at its table."""

    limits: Clocks
    legs: Annotated[list[LegRecord], Meta(min_length=2, max_length=2)]
    version: Literal[1] = VERSION


AnyRecord = MatchRecord | CheckRecord | UnitRecord


class GiveBack(Part, frozen=True):
    """An attempt that failed on our side; nobody has lost anything."""

    job: Job
    reason: Literal["sandbox", "archive", "ticket", "error"]
    why: Line
    worker: Name
    version: Literal[1] = VERSION


# -- Texts that fit -------------------------------------------------------------------------------


UNSHOWABLE = {code: "\ufffd" for code in range(32) if chr(code) not in "\n\t"}
NOTE_KEYS_BYTES = 40  # what a note takes beside its text


def cut(text: str, most: int = LINE_LETTERS) -> str:
    """A text of at most so many letters, without what cannot be stored or shown."""
    short = text if len(text) <= most else f"{text[: most - 1]}…"
    return short.translate(UNSHOWABLE)


def lines_of(text: str) -> list[str]:
    """A log as lines that fit into a message."""
    return [cut(line) for line in text.splitlines()]


def within(lines: list[str]) -> list[str]:
    """A log that fits into a record: its beginning and its end."""
    if len(lines) <= LOG_LINES:
        return lines
    half = LOG_LINES // 2 - 1
    return [*lines[:half], f"[... {len(lines) - 2 * half} lines ...]", *lines[-half:]]


def middle_out(raw: bytes, most: int) -> str:
    """Output as text of at most so many bytes; what is too much is missing in the middle."""
    if len(raw) > most:
        gap = b"\n[... cut ...]\n"
        half = max(0, most - len(gap)) // 2
        raw = raw[:half] + gap + raw[len(raw) - half :]
    text = cut(raw.decode("utf-8", "replace"), most)
    # What cannot be shown takes three bytes instead of one.
    return text.encode()[:most].decode("utf-8", "ignore")


def notes_within(notes: Iterable[Mapping[str, Any]], most: int) -> list[Note]:
    """Each seat's notes until they are too many bytes: nobody can crowd out another's."""
    kept, used = [], dict[int, int]()
    for note in notes:
        text = cut(note["note"])
        used[note["seat"]] = used.get(note["seat"], 0) + len(text.encode()) + NOTE_KEYS_BYTES
        if used[note["seat"]] <= most:
            kept.append(Note(note["decision"], note["seat"], text))
    return kept


# -- As bytes -------------------------------------------------------------------------------------


def as_json(part: Struct) -> dict[str, Any]:
    """A piece of a message as it stands in JSON."""
    whole: dict[str, Any] = msgspec.to_builtins(part)
    return whole


def encode(message: Struct) -> bytes:
    """A message as JSON, read back once, so that nothing wrong is ever sent."""
    raw = msgspec.json.encode(message)
    decode(type(message), raw)
    return raw


def pack(raw: bytes) -> tuple[bytes, dict[str, str]]:
    """A body and its headers, packed if it is long."""
    headers = {"Content-Type": "application/json"}
    if len(raw) <= PLAIN_BYTES:
        return raw, headers
    return gzip.compress(raw, 6, mtime=0), headers | {"Content-Encoding": "gzip"}


def unpack(body: bytes, encoding: str | None, most: int = MOST_BYTES) -> bytes:
    """The JSON of a body, however far it would unfold."""
    if encoding in (None, "", "identity"):
        return body
    if encoding != "gzip":
        raise Malformed(f"packed as {cut(str(encoding), 40)}; the contract has gzip")
    unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        raw = unpacker.decompress(body, most + 1)
    except zlib.error as error:
        raise Malformed(f"not gzip: {error}") from None
    if len(raw) <= most and not unpacker.eof:
        raise Malformed("cut off")
    return raw


def decode(kind: type[Message], raw: bytes) -> Message:
    """A message of that kind (or of those), or Malformed."""
    if len(raw) > MOST_BYTES:
        raise Malformed(f"more than {MOST_BYTES:,} bytes")
    try:
        return msgspec.json.decode(raw, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(str(error)) from None


def decode_ticket(raw: bytes) -> AnyTicket:
    return decode(AnyTicket, raw)  # type: ignore[arg-type]


def decode_record(raw: bytes) -> AnyRecord:
    return decode(AnyRecord, raw)  # type: ignore[arg-type]
