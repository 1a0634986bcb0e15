"""A job ends in exactly one record, or is given back without anybody losing."""

import threading

import pytest

from games.player import Limits
from sandbox.box import InfrastructureFault
from workers import contract
from workers.contract import Clocks, Job
from workers.desk import Desk, NotAdmitted, Patience, Spool
from workers.jobs import Courier, NotNow, Rest, Worker
from workers.store import Store

PATIENT = Patience(3, first_s=0.01)
NOTING_BOT = b"""
import json, sys
print("thinking\\0aloud", file=sys.stderr)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "end":
        break
    answer = {"type": "ready"}
    if message["type"] == "move":
        answer = {"id": message["id"], "move": message["legal"][0], "note": "the first"}
    print(json.dumps(answer), flush=True)
"""


def nobody(name, look_up):
    raise AssertionError("no person is at these tables")


CRASHING_BOT = b"raise SystemExit('no thanks')"
ILLEGAL_BOT = NOTING_BOT.replace(b'message["legal"][0]', b'"purple+purple"')


@pytest.fixture
def desk(site):
    desk = Desk(
        site.address,
        site.token,
        "one",
        timeout_s=2.0,
        claiming=PATIENT,
        reporting=PATIENT,
        sleep=lambda seconds: None,
    )
    yield desk
    desk.close()


@pytest.fixture
def worker(desk, bench, tmp_path):
    store, spool = Store(tmp_path / "archives"), Spool(tmp_path / "spool")
    return Worker(desk, store, spool, lambda: bench, nobody, least_free_bytes=0)


# -- Matches --------------------------------------------------------------------------------------


def test_a_match_ends_in_a_record_that_the_rules_give(site, worker):
    worker.do(site.add_match("m", [site.quick_bot, NOTING_BOT]))
    entry = site.jobs["match", "m"]
    assert (entry.state, entry.records) == ("finished", 1)
    assert entry.beats[0] == "started"
    assert len(entry.record.legs) == 2
    assert entry.record.worker == "one"
    assert entry.record.mode in ("bubblewrap", "plain")
    assert entry.record.limits.limits == Limits(start_ms=60_000, wall_ms=60_000)


def test_a_record_holds_notes_and_debug_output_by_seat(site, worker):
    worker.do(site.add_match("m", [site.quick_bot, NOTING_BOT]))
    first, second = site.jobs["match", "m"].record.legs
    assert (first.seating, second.seating) == ([0, 1], [1, 0])
    assert first.private.debug == ["", "thinking\ufffdaloud\n"]
    assert second.private.debug == ["thinking\ufffdaloud\n", ""]
    assert {note.seat for note in first.private.notes} == {1}
    assert first.private.notes[0].note == "the first"


def test_only_so_many_legs_are_played_as_the_ticket_says(site, worker):
    worker.do(site.add_match("m", [site.quick_bot] * 2, legs=1))
    assert len(site.jobs["match", "m"].record.legs) == 1


@pytest.mark.parametrize(("bot", "kind"), [(CRASHING_BOT, "startup"), (ILLEGAL_BOT, "illegal")])
def test_a_bots_fault_stands_in_the_record_and_is_not_tried_again(site, worker, bot, kind):
    worker.do(site.add_match("m", [site.quick_bot, bot]))
    entry = site.jobs["match", "m"]
    assert (entry.state, entry.attempt) == ("finished", 1)
    leg = entry.record.legs[0]
    assert [fault.kind for fault in leg.faults] == [kind]
    assert leg.private.faults[0].question["type"] in ("start", "move")
    assert leg.ranks == [1, 2]


def test_an_archive_is_fetched_once_for_many_matches(site, worker):
    worker.do(site.add_match("m1", [site.quick_bot] * 2))
    site.archives.clear()
    job = Job("match", "m2", 1)
    site.jobs["match", "m2"] = type(site.jobs["match", "m1"])(
        "match", site.jobs["match", "m1"].ticket
    )
    worker.do(job)
    assert site.states() == {"m1": "finished", "m2": "finished"}


# -- Units of a comparison ------------------------------------------------------------------------


def test_a_unit_ends_in_a_record_of_two_games_that_the_rules_give(site, worker):
    worker.do(site.add_unit("u", [site.quick_bot, NOTING_BOT, site.quick_bot], pair=(1, 2)))
    entry = site.jobs["unit", "u"]
    assert (entry.state, entry.records, entry.beats[0]) == ("finished", 1, "started")
    first, second = entry.record.legs
    assert first.seating == second.seating
    assert first.private.debug == ["", "thinking\ufffdaloud\n", ""]
    assert second.private.debug == ["", "", "thinking\ufffdaloud\n"]


def test_a_fault_of_one_of_the_pair_stands_in_both_games(site, worker):
    worker.do(site.add_unit("u", [CRASHING_BOT, site.quick_bot]))
    first, second = site.jobs["unit", "u"].record.legs
    assert [(fault.seat, fault.kind) for fault in first.faults] == [(0, "startup")]
    assert [(fault.seat, fault.kind) for fault in second.faults] == [(1, "startup")]
    assert (first.ranks, second.ranks) == ([2, 1], [1, 2])


def test_a_unit_is_given_back_when_the_machine_fails(site, worker, bench):
    bench.fault = InfrastructureFault("the engine is gone")
    worker.do(site.add_unit("u", [site.quick_bot] * 2))
    entry = site.jobs["unit", "u"]
    assert (entry.state, entry.attempt, entry.record) == ("waiting", 2, None)
    assert [back.reason for back in entry.given_back] == ["sandbox"]


# -- Twice, late, or taken away -------------------------------------------------------------------


def test_the_same_job_twice_is_played_once(site, worker, bench):
    job = site.add_match("m", [site.quick_bot] * 2)
    worker.do(job)
    opened = bench.opened
    worker.do(job)
    assert (site.jobs["match", "m"].records, bench.opened) == (1, opened)


def test_a_job_of_an_old_attempt_is_not_played(site, worker, bench):
    job = site.add_match("m", [site.quick_bot] * 2)
    site.jobs["match", "m"].attempt = 2
    worker.do(job)
    assert bench.opened == 0


def test_a_record_of_an_old_attempt_is_dropped(site, worker, bench, tmp_path):
    job = site.add_match("m", [site.quick_bot] * 2)
    bench.before_open = lambda: site.jobs["match", "m"].__setattr__("attempt", 2)
    worker.do(job)
    assert site.jobs["match", "m"].records == 0
    assert worker.spool.waiting() == []


def test_a_lost_lease_ends_the_match_early(site, worker):
    site.lease_s = 0.3
    job = site.add_match("m", [site.slow_bot] * 2)
    entry = site.jobs["match", "m"]
    playing = threading.Thread(target=worker.do, args=[job])
    playing.start()
    site.until(lambda: "started" in entry.beats)
    entry.next_attempt()
    playing.join(30)
    assert not playing.is_alive()
    assert contract.RECORD not in site.asked
    assert contract.GIVE_BACK not in site.asked


def test_a_lease_is_renewed_for_as_long_as_a_match_takes(site, worker):
    site.lease_s = 0.6
    worker.do(site.add_match("m", [site.slow_bot] * 2, legs=1))
    entry = site.jobs["match", "m"]
    assert entry.beats.count("alive") >= 2
    assert entry.state == "finished"


# -- What fails on our side -----------------------------------------------------------------------


def test_a_fault_of_the_sandbox_is_given_back_and_nobody_loses(site, worker, bench):
    job = site.add_match("m", [site.quick_bot] * 2)
    bench.fault = InfrastructureFault("the engine is down")
    worker.do(job)
    entry = site.jobs["match", "m"]
    assert (entry.state, entry.attempt, entry.record) == ("waiting", 2, None)
    assert [(back.reason, back.why) for back in entry.given_back] == [
        ("sandbox", "the engine is down")
    ]


def test_after_a_fault_of_the_sandbox_nothing_is_claimed_for_a_while(site, worker, bench):
    worker.do(site.add_match("m", [site.quick_bot] * 2))
    bench.fault = InfrastructureFault("the engine is down")
    worker.do(site.add_match("m2", [site.quick_bot] * 2))
    claims = site.asked.count(contract.CLAIM)
    with pytest.raises(NotNow, match="the engine is down"):
        worker.do(site.add_match("m3", [site.quick_bot] * 2))
    assert site.asked.count(contract.CLAIM) == claims


def test_rests_grow_and_end():
    rest = Rest()
    rest.check()
    seconds = []
    for _ in range(10):
        rest = rest.longer("why")
        seconds.append(rest.seconds)
    assert seconds[:3] == [5, 10, 20]
    assert seconds[-1] == 300


def test_a_sandbox_that_cannot_be_opened_means_not_now(site, desk, tmp_path):
    def closed():
        raise InfrastructureFault("no engine")

    worker = Worker(
        desk, Store(tmp_path / "a"), Spool(tmp_path / "s"), closed, nobody, least_free_bytes=0
    )
    with pytest.raises(NotNow, match="no engine"):
        worker.do(site.add_match("m", [site.quick_bot] * 2))
    assert site.asked == []


@pytest.mark.parametrize("trouble", ["wrong", "403", "truncated"])
def test_an_archive_that_cannot_be_had_is_given_back(site, worker, trouble):
    job = site.add_match("m", [site.quick_bot] * 2)
    site.trouble("/archives", *[trouble] * 3)
    worker.do(job)
    assert [back.reason for back in site.jobs["match", "m"].given_back] == ["archive"]


def test_a_ticket_that_cannot_be_read_is_given_back(site, worker):
    job = site.add_match("m", [site.quick_bot] * 2)
    site.trouble(contract.CLAIM, "nonsense")
    worker.do(job)
    assert site.asked == [contract.CLAIM, contract.GIVE_BACK]


def test_a_game_that_this_worker_does_not_have_is_given_back(site, worker):
    worker.do(site.add_match("m", [site.quick_bot] * 2, game="skat"))
    assert [back.reason for back in site.jobs["match", "m"].given_back] == ["ticket"]


def test_an_error_of_ours_is_given_back_with_its_name(site, worker, bench, caplog):
    job = site.add_match("m", [site.quick_bot] * 2)
    bench.program = None
    worker.do(job)
    (back,) = site.jobs["match", "m"].given_back
    assert back.reason == "error"
    assert back.why.startswith("TypeError")
    assert "Traceback" in caplog.text


def test_a_full_disk_means_not_now(site, worker):
    worker.least_free_bytes = 2**60
    with pytest.raises(NotNow, match="left on the disk"):
        worker.do(site.add_match("m", [site.quick_bot] * 2))
    assert site.asked == []


def test_a_full_spool_means_not_now(site, worker):
    worker.spool.most_bytes = 0
    with pytest.raises(NotNow, match="records wait"):
        worker.do(site.add_match("m", [site.quick_bot] * 2))


def test_a_site_that_is_away_means_not_now(site, worker):
    job = site.add_match("m", [site.quick_bot] * 2)
    site.stop()
    with pytest.raises(NotNow, match="cannot be reached"):
        worker.do(job)


# -- Records that cannot be delivered -------------------------------------------------------------


def test_a_record_waits_on_disk_while_the_site_is_away_and_is_delivered_later(site, worker):
    job = site.add_match("m", [site.quick_bot] * 2)
    site.trouble(contract.RECORD, "500", "drop", "503")
    worker.do(job)
    assert len(worker.spool.waiting()) == 1
    assert site.states() == {"m": "playing"}
    courier = Courier(worker.spool, worker.desk, every_s=0.05)
    courier.start()
    site.until(lambda: site.states() == {"m": "finished"})
    courier.stop()
    assert worker.spool.waiting() == []


def test_a_courier_survives_a_site_that_is_away(site, worker):
    worker.do(site.add_match("m1", [site.quick_bot] * 2))
    site.trouble(contract.RECORD, "500", "500", "500", "500", "drop", "401")
    worker.do(site.add_match("m2", [site.quick_bot] * 2))
    courier = Courier(worker.spool, worker.desk, every_s=0.02)
    courier.start()
    site.until(lambda: site.states()["m2"] == "finished")
    courier.stop()


def test_a_record_of_a_worker_that_is_no_longer_admitted_is_kept(site, worker):
    site.trouble(contract.RECORD, "401")
    with pytest.raises(NotAdmitted):
        worker.do(site.add_match("m", [site.quick_bot] * 2))
    assert len(worker.spool.waiting()) == 1


def test_a_record_that_the_rules_do_not_give_is_refused_and_not_kept(site, worker, caplog):
    job = site.add_match("m", [site.quick_bot] * 2)
    site.trouble(contract.RECORD, "422")
    worker.do(job)
    assert worker.spool.waiting() == []
    assert "not taken" in caplog.text


# -- Checks ---------------------------------------------------------------------------------------


def test_a_check_ends_in_its_verdict(site, worker):
    worker.do(site.add_check("c", site.quick_bot))
    record = site.jobs["check", "c"].record
    assert (record.verdict, record.language) == ("rejected", "python")
    assert record.sentence == "The bot did not answer."
    assert [(step.name, step.outcome) for step in record.steps] == [
        ("archive", "passed"),
        ("start", "failed"),
    ]
    assert record.log == ["Reading the archive ...", "starting it ..."]


def test_an_author_can_follow_the_lines_of_a_check(site, worker, bench):
    job = site.add_check("c", site.quick_bot)
    entry = site.jobs["check", "c"]
    bench.before_open = lambda: site.until(lambda: len(entry.said) == 2)
    worker.do(job)
    assert entry.said == ["Reading the archive ...", "starting it ..."]


# -- Hostile amounts ------------------------------------------------------------------------------


def test_however_much_a_bot_says_the_record_can_be_delivered(site, worker):
    flood = NOTING_BOT.replace(b'"the first"', b'"\\U0001f0a1" * 200').replace(
        b'"thinking\\0aloud"', rb'"\0" * 3_000_000'
    )
    limits = Clocks.of(Limits(start_ms=60_000, wall_ms=60_000))
    worker.do(site.add_match("m", [flood] * 3, limits=limits))
    entry = site.jobs["match", "m"]
    assert entry.state == "finished"
    assert len(contract.encode(entry.record)) < contract.MOST_BYTES
    assert all(entry.record.legs[0].private.debug)
