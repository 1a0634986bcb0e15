"""What site and worker say to each other is read strictly, bounded, and the same on both sides."""

import gzip
import json
import zlib

import pytest

from games.player import Limits
from workers import contract
from workers.contract import (
    Archive,
    CheckTicket,
    Claim,
    Clocks,
    Job,
    Malformed,
    MatchTicket,
    UnitTicket,
)

ARCHIVE = Archive("/archives/1", "a" * 64, "bot.py")
TICKET = MatchTicket(
    id="12",
    attempt=2,
    lease_s=30,
    game="color-stock",
    options={"rounds": 1},
    seed="0" * 64,
    limits=Clocks.of(Limits()),
    lineup=[ARCHIVE, ARCHIVE],
)
CHECK = CheckTicket(
    id="c-7",
    attempt=1,
    lease_s=30,
    game="sticheln",
    options={},
    seed="f" * 64,
    limits=Clocks.of(Limits()),
    archive=ARCHIVE,
    players=4,
)
UNIT = UnitTicket(
    id="7",
    attempt=1,
    lease_s=30,
    game="stop-it",
    options={},
    seed="e" * 64,
    limits=Clocks.of(Limits()),
    table=[ARCHIVE] * 3,
    pair=(2, 0),
)


def spoiled(**changed):
    whole = json.loads(contract.encode(TICKET)) | changed
    return json.dumps({key: value for key, value in whole.items() if value != "missing"}).encode()


@pytest.mark.parametrize("ticket", [TICKET, CHECK, UNIT], ids=["match", "check", "unit"])
def test_a_ticket_comes_out_as_it_went_in(ticket):
    assert contract.decode_ticket(contract.encode(ticket)) == ticket


def test_a_ticket_says_its_kind_and_its_version():
    said = json.loads(contract.encode(CHECK))
    assert (said["kind"], said["version"]) == ("check", 1)


def test_the_limits_of_a_ticket_are_the_limits_of_the_referee():
    assert TICKET.limits.limits == Limits()


@pytest.mark.parametrize(
    "changed",
    [
        {"surprise": 1},
        {"version": 2},
        {"kind": "tournament"},
        {"kind": "missing"},
        {"seed": "missing"},
        {"seed": "0" * 63},
        {"seed": "../" + "0" * 61},
        {"id": "../../etc"},
        {"id": ""},
        {"id": 12},
        {"attempt": 0},
        {"attempt": "2"},
        {"attempt": True},
        {"lease_s": 0},
        {"lineup": []},
        {"lineup": [{"address": "/a", "sha256": "a" * 64, "file_name": "b", "x": 1}] * 2},
        {"options": {"rounds": [1]}},
        {"legs": 0},
        {"limits": {}},
    ],
    ids=str,
)
def test_a_ticket_with_something_wrong_in_it_is_refused(changed):
    with pytest.raises(Malformed):
        contract.decode_ticket(spoiled(**changed))


@pytest.mark.parametrize("pair", [[1, 1], [0, 3], [0], [0, 1, 2]], ids=str)
def test_the_pair_of_a_unit_are_two_seats_of_its_table(pair):
    whole = json.loads(contract.encode(UNIT)) | {"pair": pair}
    with pytest.raises(Malformed):
        contract.decode_ticket(json.dumps(whole).encode())


@pytest.mark.parametrize("raw", [b"", b"\xff", b"[", b"null", b"[" * 100_000, b"{}", b'{"id":NaN}'])
def test_what_is_no_message_is_refused(raw):
    with pytest.raises(Malformed):
        contract.decode_ticket(raw)


def test_nothing_wrong_is_ever_sent():
    with pytest.raises(Malformed):
        contract.encode(Claim(Job("match", "1", 0), "c", "worker", "plain"))


def test_a_message_that_is_too_large_is_refused_unread():
    with pytest.raises(Malformed, match="more than"):
        contract.decode_ticket(b" " * (contract.MOST_BYTES + 1))


# -- Packing --------------------------------------------------------------------------------------


def test_only_long_messages_are_packed():
    short, long = b"x" * contract.PLAIN_BYTES, b"x" * (contract.PLAIN_BYTES + 1)
    assert contract.pack(short) == (short, {"Content-Type": "application/json"})
    body, headers = contract.pack(long)
    assert headers["Content-Encoding"] == "gzip"
    assert contract.unpack(body, "gzip") == long


def test_what_would_unfold_without_end_is_read_only_as_far_as_a_message_may_be_long():
    bomb = gzip.compress(bytes(2**20))
    assert len(contract.unpack(bomb, "gzip", most=1000)) == 1001


@pytest.mark.parametrize(
    ("body", "encoding"),
    [(b"no gzip", "gzip"), (gzip.compress(b"x" * 99)[:-9], "gzip"), (zlib.compress(b"x"), "br")],
    ids=["no gzip", "cut off", "another encoding"],  # packed bytes hold the time, and make no name
)
def test_what_cannot_be_unpacked_is_refused(body, encoding):
    with pytest.raises(Malformed):
        contract.unpack(body, encoding)


# -- Texts that fit -------------------------------------------------------------------------------


def test_a_text_is_cut_and_holds_nothing_that_cannot_be_stored():
    assert contract.cut("a\0b\x1bc\n\td") == "a\ufffdb\ufffdc\n\td"
    assert contract.cut("abcdef", 4) == "abc…"


@pytest.mark.parametrize("letter", [b"a", b"\xff", b"\0", "é".encode(), "🂡".encode()])
def test_output_takes_no_more_bytes_than_its_share_whatever_is_in_it(letter):
    text = contract.middle_out(letter * 5000, 1000)
    assert 900 < len(text.encode()) <= 1000


def test_output_that_is_too_long_is_missing_in_the_middle():
    text = contract.middle_out(b"begin" + b"." * 5000 + b"end", 100)
    assert text.startswith("begin")
    assert text.endswith("end")
    assert "cut" in text


def test_notes_of_one_seat_cannot_crowd_out_those_of_another():
    loud = [{"decision": number, "seat": 0, "note": "x" * 200} for number in range(100)]
    quiet = [{"decision": 200, "seat": 1, "note": "mine"}]
    kept = contract.notes_within(loud + quiet, 1000)
    assert [note.seat for note in kept] == [0, 0, 0, 0, 1]


def test_a_long_log_keeps_its_beginning_and_its_end():
    lines = contract.within([str(number) for number in range(20_000)])
    assert (lines[0], lines[-1]) == ("0", "19999")
    assert len(lines) <= contract.LOG_LINES


def test_a_log_of_many_lines_becomes_lines_that_fit():
    assert contract.lines_of("one\r\ntwo\n" + "x" * 2000) == ["one", "two", "x" * 999 + "…"]
