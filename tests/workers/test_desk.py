"""The desk gets through whatever happens on the way, and says plainly when it cannot."""

import os

import msgspec
import pytest

from workers import contract
from workers.contract import CheckRecord, GiveBack, Job, Malformed, Progress
from workers.desk import Desk, NoArchive, NotAdmitted, Patience, Spool, Unacceptable, Unreachable

PATIENT = Patience(4, first_s=0.01)


@pytest.fixture
def slept():
    return []


@pytest.fixture
def desk(site, slept):
    desk = Desk(
        site.address,
        site.token,
        "one",
        timeout_s=1.0,
        claiming=PATIENT,
        reporting=PATIENT,
        sleep=slept.append,
    )
    yield desk
    desk.close()


@pytest.fixture
def spool(tmp_path):
    return Spool(tmp_path / "spool")


def check_record(job_id="c", attempt=1):
    return CheckRecord(
        id=job_id,
        attempt=attempt,
        worker="one",
        mode="plain",
        languages={"python": "3.11"},
        played_at="2026-11-18T12:00:00Z",
        verdict="ready",
        language="python",
        sentence="All is well.",
        steps=[],
        log=[],
    )


def encoded(job_id="c", attempt=1):
    return contract.encode(check_record(job_id, attempt))


# -- Claims ---------------------------------------------------------------------------------------


def test_a_claim_gives_the_ticket(site, desk):
    job = site.add_match("m", [site.quick_bot] * 2)
    ticket = desk.claim(job, "plain")
    assert (ticket.id, ticket.attempt, ticket.game) == ("m", 1, "color-stock")
    assert site.tokens_seen == [f"Bearer {site.token}"]
    assert site.modes_seen == {"plain"}


def test_a_job_that_is_taken_unknown_or_gone_is_nothing_to_do(site, desk):
    job = site.add_match("m", [site.quick_bot] * 2)
    desk.claim(job, "plain")
    assert desk.claim(job, "plain") is None
    assert desk.claim(Job("match", "m", 2), "plain") is None
    assert desk.claim(Job("match", "unknown", 1), "plain") is None
    site.trouble(contract.CLAIM, "410")
    assert desk.claim(job, "plain") is None


@pytest.mark.parametrize("trouble", ["500", "502", "503", "429", "drop", "hang", "deaf"])
def test_a_claim_gets_through_after_trouble(site, desk, slept, trouble):
    job = site.add_match("m", [site.quick_bot] * 2)
    site.trouble(contract.CLAIM, trouble)
    assert desk.claim(job, "plain").id == "m"
    assert len(slept) == 1


def test_a_site_that_stays_away_is_unreachable_after_some_tries(site, desk, slept):
    job = site.add_match("m", [site.quick_bot] * 2)
    site.stop()
    with pytest.raises(Unreachable, match="ConnectionRefused"):
        desk.claim(job, "plain")
    assert len(slept) == PATIENT.tries - 1


def test_waits_grow_and_no_two_workers_wait_alike():
    first, second = list(Patience(9).waits()), list(Patience(9).waits())
    assert first != second
    assert len(first) == 8
    assert all(0.25 <= wait <= 20 for wait in first)
    assert first[-1] > first[0]


@pytest.mark.parametrize("status", ["401", "403"])
def test_a_worker_that_is_not_admitted_is_told_at_once(site, desk, slept, status):
    site.trouble(contract.CLAIM, status)
    with pytest.raises(NotAdmitted, match=status):
        desk.claim(Job("match", "m", 1), "plain")
    assert slept == []


def test_a_wrong_token_is_not_admitted(site, desk):
    desk.token = "wrong"
    with pytest.raises(NotAdmitted, match="unknown token"):
        desk.claim(Job("match", "m", 1), "plain")


def test_a_ticket_that_cannot_be_read_is_malformed(site, desk):
    site.trouble(contract.CLAIM, "nonsense")
    with pytest.raises(Malformed):
        desk.claim(Job("match", "m", 1), "plain")


def test_a_redirect_is_not_followed_with_the_token(site, desk):
    site.trouble(contract.CLAIM, "302")
    with pytest.raises(Unacceptable, match="302"):
        desk.claim(Job("match", "m", 1), "plain")


# -- Reports --------------------------------------------------------------------------------------


def test_progress_says_whether_the_job_is_still_ours(site, desk):
    job = site.add_check("c", site.quick_bot)
    desk.claim(job, "plain")
    assert desk.progress(Progress(job, "alive", ["one line"]))
    assert site.jobs["check", "c"].said == ["one line"]
    site.jobs["check", "c"].next_attempt()
    assert not desk.progress(Progress(job, "alive"))


def test_a_record_is_taken_once(site, desk):
    job = site.add_check("c", site.quick_bot)
    desk.claim(job, "plain")
    assert desk.record(encoded())
    assert not desk.record(encoded())
    assert site.jobs["check", "c"].records == 1


def test_a_record_whose_answer_was_lost_is_sent_again_and_counts_once(site, desk):
    job = site.add_check("c", site.quick_bot)
    desk.claim(job, "plain")
    site.trouble(contract.RECORD, "deaf")
    assert not desk.record(encoded())
    assert site.jobs["check", "c"].records == 1


def test_a_long_record_travels_packed(site, desk):
    job = site.add_check("c", site.quick_bot)
    desk.claim(job, "plain")
    record = msgspec.structs.replace(check_record(), log=["a line"] * 4000)
    assert desk.record(contract.encode(record))
    assert site.jobs["check", "c"].record == record


def test_a_record_that_the_site_refuses_is_not_sent_again(site, desk, slept):
    site.trouble(contract.RECORD, "422")
    with pytest.raises(Unacceptable, match="422"):
        desk.record(encoded())
    assert slept == []


def test_a_job_can_be_given_back(site, desk):
    job = site.add_check("c", site.quick_bot)
    desk.claim(job, "plain")
    desk.give_back(GiveBack(job, "sandbox", "the engine is down", "one"))
    entry = site.jobs["check", "c"]
    assert (entry.state, entry.attempt, entry.given_back[0].reason) == ("waiting", 2, "sandbox")


def test_a_connection_is_used_again_and_replaced_when_the_site_has_closed_it(site, desk, slept):
    job = site.add_check("c", site.quick_bot)
    desk.claim(job, "plain")
    assert len(desk.idle) == 1
    site.stop()
    site.start()
    assert desk.progress(Progress(job, "alive"))
    assert slept == []


# -- Archives -------------------------------------------------------------------------------------


def test_an_archive_is_fetched_without_the_token(site, desk):
    archive = site.archive(b"a bot")
    assert desk.archive(archive.address) == b"a bot"
    assert desk.archive(site.address + archive.address) == b"a bot"


@pytest.mark.parametrize("trouble", ["truncated", "drop", "503"])
def test_an_archive_that_did_not_come_whole_is_fetched_again(site, desk, slept, trouble):
    archive = site.archive(b"a bot" * 100)
    site.trouble("/archives", trouble)
    assert desk.archive(archive.address) == b"a bot" * 100
    assert len(slept) == 1


def test_an_address_that_is_not_signed_gives_no_archive(site, desk):
    site.archive(b"a bot")
    with pytest.raises(NoArchive, match="403"):
        desk.archive("/archives/whatever?signature=wrong")


def test_an_archive_that_is_too_large_is_not_read(site, desk):
    archive = site.archive(bytes(5000))
    with pytest.raises(NoArchive, match="more than"):
        desk.archive(archive.address, most=4999)


@pytest.mark.parametrize("address", ["file:///etc/passwd", "ftp://example.org/bot"])
def test_only_web_addresses_are_fetched(desk, address):
    with pytest.raises(NoArchive, match="not with http"):
        desk.archive(address)


# -- The spool ------------------------------------------------------------------------------------


def test_records_that_waited_are_delivered_oldest_first(site, desk, spool):
    for age, job_id in enumerate(["b", "a"]):
        job = site.add_check(job_id, site.quick_bot)
        desk.claim(job, "plain")
        spool.put(job, encoded(job_id))
        path = spool.folder / f"check-{job_id}-1.json"
        os.utime(path, (1000 + age, 1000 + age))
    assert [path.name for path in spool.waiting()] == ["check-b-1.json", "check-a-1.json"]
    assert spool.deliver(desk) == 2
    assert set(site.states().values()) == {"finished"}
    assert spool.waiting() == []


def test_a_record_that_is_too_late_is_dropped_quietly(site, desk, spool, caplog):
    job = site.add_check("c", site.quick_bot)
    spool.put(job, encoded())
    assert spool.deliver(desk) == 1
    assert caplog.text == ""
    assert site.states() == {"c": "waiting"}


def test_records_wait_on_while_the_site_is_away(site, desk, spool):
    job = site.add_check("c", site.quick_bot)
    spool.put(job, encoded())
    site.stop()
    with pytest.raises(Unreachable):
        spool.deliver(desk)
    assert len(spool.waiting()) == 1


def test_a_file_that_is_no_record_is_set_aside(desk, spool, caplog):
    (spool.folder / "match-poison-1.json").write_bytes(b"{")
    assert spool.deliver(desk) == 1
    assert spool.waiting() == []
    assert [path.name for path in spool.aside.iterdir()] == ["match-poison-1.json"]
    assert "set aside" in caplog.text


def test_a_record_that_is_refused_is_set_aside_and_the_next_delivered(site, desk, spool):
    for job_id in "ab":
        job = site.add_check(job_id, site.quick_bot)
        desk.claim(job, "plain")
        spool.put(job, encoded(job_id))
    site.trouble(contract.RECORD, "422")
    assert spool.deliver(desk) == 2
    assert sorted(site.states().values()) == ["finished", "playing"]
    assert len(list(spool.aside.iterdir())) == 1


def test_what_is_set_aside_is_bounded(desk, tmp_path):
    spool = Spool(tmp_path / "spool", most_aside=2)
    for number in range(5):
        (spool.folder / f"match-{number}-1.json").write_bytes(b"{")
    spool.deliver(desk)
    assert len(list(spool.aside.iterdir())) == 2


def test_only_one_process_delivers_at_a_time(desk, spool):
    spool.put(Job("check", "c", 1), encoded())
    with spool.alone() as first, spool.alone() as second:
        assert (first, second) == (True, False)
        assert spool.deliver(desk) == 0


def test_a_spool_says_when_it_is_full(tmp_path):
    spool = Spool(tmp_path / "spool", most_bytes=100)
    assert not spool.full
    spool.put(Job("check", "c", 1), encoded())
    assert spool.full
