"""Two workers play on while they, or the broker, are killed again and again: nothing is lost, nothing counts twice."""

import itertools
from contextlib import suppress
from hashlib import sha256

import pytest
from kombu.exceptions import OperationalError

from tests.sandbox.bots import eventually

TICKETS, MANY_TICKETS = 200, 2000
LEASE_S = 4.0
RESEND_S = 15.0
CLAIMS_A_LIFE = 40  # so there are five lives at least, three of which are cut short
NAMES = ("one", "two")
LIFE_S, BROKER_LIFE_S = 6.0, 2.0
MOST_S = 300.0  # far more than it takes, for machines that have other things to do


@pytest.mark.timeout(3 * MOST_S)
def test_every_ticket_has_a_valid_record_in_the_end_while_workers_are_being_killed(site, crew):
    site.claims_a_life = CLAIMS_A_LIFE
    add_tickets(site, crew, TICKETS)
    killed = kill(site, crew, worn_out(site), KIBITZ_SANDBOX="auto")
    check_records(site)
    assert killed >= 3


@pytest.mark.chaos
@pytest.mark.timeout(5 * MOST_S)
def test_in_boxes_one_worker_is_killed_every_few_seconds(site, crew):
    """The clock does not wait until anything was done, not even until a worker is up."""
    add_tickets(site, crew, MANY_TICKETS)
    killed = kill(site, crew, in_turn(site), processes=2, KIBITZ_SANDBOX="docker")
    check_records(site)
    assert site.modes_seen == {"kept"}
    assert killed >= 3


@pytest.mark.chaos
@pytest.mark.timeout(MOST_S + 60)
def test_the_broker_is_killed_every_few_seconds(site, crew, redis_server):
    add_tickets(site, crew, TICKETS)
    for name in NAMES:
        crew.start(name)
    deaths = 0
    while not finished(site, BROKER_LIFE_S):
        redis_server.kill()
        redis_server.start()
        deaths += 1
    check_records(site)
    assert deaths >= 3


def add_tickets(site, crew, number_of_them):
    site.lease_s, site.resend_s = LEASE_S, RESEND_S
    for number in range(number_of_them):
        seed = sha256(str(number).encode()).hexdigest()
        site.add_match(f"m{number}", [site.quick_bot] * 2, legs=1, seed=seed)

    def send(job):
        with suppress(OperationalError):  # sent again, when it has waited for long enough
            crew.send(job)

    site.sweep_with(send)


def kill(site, crew, victims, **settings):
    """Kills one worker after the other in the middle of its work, and starts it again."""
    workers = {name: crew.start(name, **settings) for name in NAMES}
    killed = 0
    for name in victims:
        crew.kill(workers[name])
        workers[name] = crew.start(name, **settings)
        killed += 1
    return killed


def worn_out(site):
    """Whoever has claimed its share of tickets since it was started. The site gives nobody more and
    hears no more of it, so each life ends in the middle of a match, however fast or slow all are."""
    while True:
        worn = site.until(lambda: done(site) or [*filter(site.has_lived, NAMES)], MOST_S)
        if done(site):
            return
        yield worn[0]
        site.begin_life(worn[0])


def in_turn(site):
    """One after the other, every few seconds."""
    for name in itertools.cycle(NAMES):
        if finished(site, LIFE_S):
            return
        yield name


def finished(site, seconds):
    return eventually(lambda: done(site), seconds)


def done(site):
    return set(site.states().values()) == {"finished"}


def check_records(site):
    entries = list(site.jobs.values())
    assert {entry.records for entry in entries} == {1}
    assert not any(leg.faults for entry in entries for leg in entry.record.legs)
    assert {entry.record.worker for entry in entries} == set(NAMES)
    assert any(entry.attempt > 1 for entry in entries)
