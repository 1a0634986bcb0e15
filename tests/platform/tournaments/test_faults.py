"""Whatever fails on the way, each match ends with exactly one result, and the ratings are those of a run in
which nothing failed, to the bit."""

import threading
from datetime import timedelta
from functools import partial
from hashlib import sha256

import msgspec
import pytest
import time_machine
from django.db import OperationalError, connection
from django.utils import timezone

from accounts.services import NotPossible
from bots.models import Version
from bots.services import make_bot, upload
from jobs.models import LEASE_S, State
from jobs.services import sweep_expired
from ladders.models import Entry, Ladder, Rating
from ladders.services import follow_versions
from ratings.log import BEFORE_THE_FIRST
from tournaments.models import LogLine, Match, Seat
from tournaments.rater import Rater
from tournaments.services import make_rated, sweep, void
from workers.contract import Job

pytestmark = pytest.mark.django_db

MATCHES = 4
RATED = ("rating", "plus_minus", "matches", "faults", "places", "trend")


@pytest.fixture
def season(color_stock, monkeypatch):
    """Makes the same matches, with the same seeds, each time it is called."""

    def make():
        LogLine.objects.all().delete()
        Match.objects.all().delete()
        Rating.objects.all().delete()
        Ladder.objects.update(counted_lines=0, fitted_lines=0, last_hash=BEFORE_THE_FIRST)
        Entry.objects.update(rating=1500.0, plus_minus=None, matches=0, faults=0, trend=[])
        entries = list(color_stock.entries.order_by("bot__name").select_related("bot"))
        table = [entries[0], entries[1], entries[2], entries[0]]
        seeds = iter(sha256(str(number).encode()).digest() for number in range(MATCHES))
        monkeypatch.setattr("tournaments.services.secrets.token_bytes", lambda size: next(seeds))
        return [
            make_rated(
                ladder=color_stock,
                table=[(entry.bot.active_version, entry) for entry in table],
                is_newcomers=False,
            )
            for _ in range(MATCHES)
        ]

    return make


def numbers():
    """All that came of a season, without what differs from run to run."""
    follow_versions()
    Rater().rate_due()
    entries = Entry.objects.filter(ratings__matches__gt=0).order_by("bot__name")
    seats = Seat.objects.order_by("match", "index")
    return (
        list(entries.values_list("bot__name", *RATED)),
        list(seats.values_list("index", "bot__name", "points", "rating_before", "rating_after")),
        Match.objects.filter(state=State.FINISHED).count(),
    )


def later(seconds):
    return time_machine.travel(timezone.now() + timedelta(seconds=seconds))


def nothing(hands, others, match):
    """The run that all others are compared with."""


def a_record_comes_twice(hands, others, match):
    record = hands.record(hands.ticket(match.name))
    assert hands.report(record).status_code == 200
    assert hands.report(record).status_code == 409


def a_worker_dies_between_playing_and_reporting(hands, others, match):
    late = hands.record(hands.ticket(match.name))
    with later(LEASE_S + 1):
        sweep()
    match.refresh_from_db()
    assert others.play(match).status_code == 200
    assert hands.report(late).status_code == 409  # its spool is delivered after all


def an_old_attempt_reports_while_the_next_one_plays(hands, others, match):
    late = hands.record(hands.ticket(match.name))
    with later(LEASE_S + 1):
        sweep()
    match.refresh_from_db()
    record = others.record(others.ticket(match.name))
    assert hands.report(late).status_code == 409
    assert others.report(record).status_code == 200


def a_record_is_forged(hands, others, match):
    record = hands.record(hands.ticket(match.name))
    leg = record.legs[0]
    wrong = msgspec.structs.replace(leg, scores=[score + 1 for score in leg.scores])
    forged = msgspec.structs.replace(record, legs=[wrong, *record.legs[1:]])
    assert hands.report(forged).status_code == 422


def the_match_is_given_back(hands, others, match):
    hands.ticket(match.name)
    assert hands.give_back(match.name).status_code == 204


def the_message_comes_twice(hands, others, match):
    hands.ticket(match.name, "first")
    assert others.claim(match.name, "second").status_code == 409
    assert hands.claim(match.name, "third").status_code == 409
    with later(LEASE_S + 1):
        sweep()


def the_answer_to_the_claim_is_lost(hands, others, match):
    hands.ticket(match.name, "mine")
    hands.ticket(match.name, "mine")
    with later(LEASE_S + 1):
        sweep()


def an_operator_voids_it_and_has_it_played_after_all(hands, others, match):
    from tournaments.services import requeue

    record = hands.record(hands.ticket(match.name))
    void(match=match, reason="by mistake", who=None)
    assert hands.report(record).status_code == 409
    requeue(match=match, who=None)


def the_database_fails_while_writing(hands, others, match):
    record = hands.record(hands.ticket(match.name))
    whole = Seat.objects.bulk_update
    Seat.objects.bulk_update = failing
    hands.http.raise_request_exception = False
    try:
        assert hands.report(record).status_code == 500  # the worker tries again
    finally:
        Seat.objects.bulk_update = whole
    match.refresh_from_db()
    assert (match.state, match.legs_sha256) == (State.PLAYING, "")
    assert hands.report(record).status_code == 200


def failing(*args, **about):
    raise OperationalError("the database is away")


MISHAPS = [
    a_record_comes_twice,
    a_worker_dies_between_playing_and_reporting,
    an_old_attempt_reports_while_the_next_one_plays,
    a_record_is_forged,
    the_match_is_given_back,
    the_message_comes_twice,
    the_answer_to_the_claim_is_lost,
    an_operator_voids_it_and_has_it_played_after_all,
    the_database_fails_while_writing,
]


def run(season, hands, others, mishap):
    for match in season():
        mishap(hands, others, match)
        match.refresh_from_db()
        if match.state != State.FINISHED:
            assert others.play(match).status_code == 200
    return numbers()


@pytest.mark.parametrize("mishap", MISHAPS)
def test_there_is_one_result_and_it_is_the_right_one(season, hands, other_hands, mishap):
    undisturbed = run(season, hands, other_hands, nothing)
    assert undisturbed[2] == MATCHES
    assert len({rating for _, rating, *_ in undisturbed[0]}) > 2
    assert run(season, hands, other_hands, mishap) == undisturbed


# -- Several at once ------------------------------------------------------------------------------


def at_once(*jobs):
    """Runs each in a thread and with a connection of its own; what they gave."""
    begin, gave = threading.Barrier(len(jobs)), [None] * len(jobs)

    def run_one(place, job):
        begin.wait()
        try:
            gave[place] = job()
        finally:
            connection.close()

    threads = [threading.Thread(target=run_one, args=pair) for pair in enumerate(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return gave


@pytest.mark.django_db(transaction=True)
def test_two_sweepers_at_once_take_a_match_back_once(season, hands):
    match = season()[0]
    hands.ticket(match.name)
    Match.objects.update(lease_until=None, state=State.WAITING)
    Match.objects.filter(pk=match.pk).update(
        state=State.PLAYING, lease_until=timezone.now() - timedelta(seconds=1)
    )
    swept = at_once(*[lambda: sweep_expired(kind=Match, then=lambda match: None)] * 4)
    match.refresh_from_db()
    assert sum(swept) == 1
    assert (match.attempt, match.failures) == (2, 1)


@pytest.mark.django_db(transaction=True)
def test_a_record_that_comes_several_times_at_once_counts_once(season, hands, other_hands):
    match = season()[0]
    record = hands.record(hands.ticket(match.name))
    answers = at_once(*[lambda: hands.report(record).status_code] * 4)
    assert sorted(answers) == [200, 409, 409, 409]
    follow_versions()
    Rater().rate_due()
    assert set(Entry.objects.filter(seats__match=match).values_list("matches", flat=True)) == {1}


@pytest.mark.django_db(transaction=True)
def test_a_job_claimed_by_many_at_once_is_given_to_one(season, hands, other_hands):
    match = season()[0]
    claims = [lambda: hands.claim(match.name, "a"), lambda: other_hands.claim(match.name, "b")]
    statuses = [answer.status_code for answer in at_once(*claims)]
    assert sorted(statuses) == [200, 409]


@pytest.mark.django_db(transaction=True)
def test_matches_recorded_at_the_same_moment_never_lose_a_rating(season, hands):
    matches = season()
    records = [hands.record(hands.ticket(match.name)) for match in matches]
    answers = at_once(
        *[lambda record=record: hands.report(record).status_code for record in records]
    )
    assert answers == [200] * MATCHES
    follow_versions()
    Rater().rate_due()
    assert set(
        Entry.objects.filter(seats__match__in=matches).values_list("matches", flat=True)
    ) == {MATCHES}
    changes = Seat.objects.filter(match__in=matches).values_list("rating_before", "rating_after")
    assert all(after is not None for _, after in changes)


@pytest.mark.django_db(transaction=True)
def test_of_two_owners_who_upload_the_same_bytes_at_once_one_is_refused(alice, bob):
    bots = [
        make_bot(owner=owner, game="color-stock", name=name)
        for owner, name in ((alice, "red-fox"), (bob, "blue-owl"))
    ]

    def try_upload(bot):
        try:
            return upload(bot=bot, data=b"print(1)", file_name="bot.py")[1]
        except NotPossible:
            return False

    assert sorted(at_once(*[partial(try_upload, bot) for bot in bots])) == [False, True]
    assert Version.objects.count() == 1


def test_a_message_for_a_job_of_another_kind_is_nothing(hands, season):
    match = season()[0]
    assert hands.claim(Job("check", str(match.pk), 1)).status_code == 409
