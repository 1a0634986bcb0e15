"""What workers and the site say to each other, seen from the site."""

from datetime import timedelta

import msgspec
import pytest
import time_machine
from django.utils import timezone

from bots.models import Bot, Check, Version
from bots.services import upload_first
from games.player import Fault
from jobs.models import LEASE_S, State, Worker
from jobs.services import revoke_worker
from tournaments.matchmaker import Lobby, make_matches, make_one
from tournaments.models import Match
from tournaments.services import sweep, void
from workers import contract
from workers.check import Verdict
from workers.contract import Job, Step
from workers.inside import Inside

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(color_stock):
    return make_one(Lobby(color_stock, timezone.now()), newcomers=False)


# -- The door -------------------------------------------------------------------------------------


@pytest.mark.parametrize("token", ["", "kbw_short", "kbw_" + "0" * 36])
def test_an_unknown_token_opens_nothing(hands, match, token):
    hands.token = token
    answer = hands.claim(match.name)
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_a_revoked_worker_is_not_let_in(hands, match):
    revoke_worker(worker=Worker.objects.get(), who=None)
    assert hands.claim(match.name).status_code == 401


def test_a_persons_token_is_no_workers_token(hands, alice, match):
    from accounts.services import make_token

    hands.token = make_token(user=alice, name="mine")[1]
    assert hands.claim(match.name).status_code == 401


def test_a_site_of_boxes_turns_local_processes_away(hands, match, settings):
    settings.LOCAL_SANDBOX = False
    hands.mode = "bubblewrap"
    answer = hands.claim(match.name)
    assert (answer.status_code, answer.content.decode()) == (
        403,
        "This site plays in boxes only, not in mode bubblewrap.",
    )
    hands.mode = "kept"
    assert hands.claim(match.name).status_code == 200


def test_a_site_of_boxes_takes_no_record_of_local_processes(hands, match, settings):
    settings.LOCAL_SANDBOX = False
    record = hands.record(hands.ticket(match.name))
    local = msgspec.structs.replace(record, mode="plain")
    assert hands.report(local).status_code == 422
    match.refresh_from_db()
    assert match.state == State.PLAYING
    assert hands.report(record).status_code == 200


@pytest.mark.parametrize("body", [b"", b"{}", b"[" * 10_000, b'{"job":1}'])
def test_what_is_not_in_the_contract_is_refused_with_a_reason(hands, body):
    for path in (contract.CLAIM, contract.PROGRESS, contract.RECORD, contract.GIVE_BACK):
        answer = hands.post(path, body)
        assert answer.status_code == 400
        assert answer.content


# -- Claims ---------------------------------------------------------------------------------------


def test_a_ticket_has_all_that_is_needed_and_the_message_nothing(hands, match):
    ticket = hands.ticket(match.name)
    assert (ticket.seed, ticket.game, ticket.options) == (match.seed, match.game, match.options)
    assert [archive.sha256 for archive in ticket.lineup] == [
        seat.version.archive_id for seat in match.seats.order_by("index")
    ]
    assert msgspec.structs.asdict(match.name) == {
        "kind": "match",
        "id": str(match.pk),
        "attempt": 1,
    }


def test_an_archive_is_had_with_its_signature_only(hands, match, client):
    archive = hands.ticket(match.name).lineup[0]
    answer = client.get(archive.address)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/octet-stream")
    path = archive.address.partition("?")[0]
    assert client.get(path).status_code == 403
    assert client.get(f"{path}?signature={archive.sha256}:x:y").status_code == 403
    with time_machine.travel(timezone.now() + timedelta(hours=3)):
        assert client.get(archive.address).status_code == 403


def test_a_job_is_claimed_once_but_the_same_claim_is_answered_again(hands, other_hands, match):
    first = hands.ticket(match.name, "c1")
    assert hands.ticket(match.name, "c1") == first
    assert hands.claim(match.name, "c2").status_code == 409
    assert other_hands.claim(match.name, "c1").status_code == 409


@pytest.mark.parametrize(
    "job", [Job("match", "0", 1), Job("match", "abc", 1), Job("match", "9" * 30, 1)]
)
def test_an_unknown_job_is_not_to_be_had(hands, job, db):
    assert hands.claim(job).status_code == 409


def test_another_attempt_is_not_to_be_had(hands, match):
    assert hands.claim(Job("match", str(match.pk), 2)).status_code == 409


# -- Leases ---------------------------------------------------------------------------------------


def test_progress_renews_the_lease_and_its_end_starts_the_next_attempt(hands, match):
    hands.ticket(match.name)
    with time_machine.travel(timezone.now() + timedelta(seconds=LEASE_S - 1)):
        assert hands.progress(match.name).status_code == 204
    with time_machine.travel(timezone.now() + timedelta(seconds=LEASE_S + 1)):
        sweep()
        match.refresh_from_db()
        assert (match.state, match.attempt) == (State.PLAYING, 1)
    with time_machine.travel(timezone.now() + timedelta(seconds=3 * LEASE_S)):
        sweep()
    match.refresh_from_db()
    assert (match.state, match.attempt, match.failures) == (State.WAITING, 2, 1)
    assert hands.progress(Job("match", str(match.pk), 1)).status_code == 409


def test_a_match_that_is_given_back_three_times_is_void(hands, match):
    for attempt in (1, 2, 3):
        job = Job("match", str(match.pk), attempt)
        hands.ticket(job)
        assert hands.give_back(job).status_code == 204
        assert hands.give_back(job).status_code == 409
    match.refresh_from_db()
    assert match.state == State.VOID
    assert match.void_reason.endswith("the last one: the engine is gone")
    assert hands.claim(Job("match", str(match.pk), 4)).status_code == 409


def test_a_match_whose_worker_dies_three_times_is_void(hands, match):
    for attempt in (1, 2, 3):
        hands.ticket(Job("match", str(match.pk), attempt))
        with time_machine.travel(timezone.now() + timedelta(seconds=2 * LEASE_S)):
            sweep()
    match.refresh_from_db()
    assert match.state == State.VOID


# -- Records --------------------------------------------------------------------------------------


def test_a_record_is_written_down_with_all_that_belongs_to_it(hands, match):
    assert hands.play(match).status_code == 200
    match.refresh_from_db()
    assert (match.state, match.mode, match.machine) == (State.FINISHED, "kept", "test")
    seats = list(match.seats.all())
    assert all(len(seat.ranks) == len(seat.scores) == 4 for seat in seats)
    assert min(seat.place for seat in seats) == 1
    assert sum(seat.ahead for seat in seats) == pytest.approx(len(seats) / 2)
    assert all(seat.rating_after is not None for seat in seats)


def test_a_second_record_changes_nothing(hands, match):
    record = hands.record(hands.ticket(match.name))
    assert hands.report(record).status_code == 200
    before = results(match)
    assert hands.report(record).status_code == 409
    assert results(match) == before


def test_a_record_of_an_old_attempt_changes_nothing(hands, other_hands, match):
    late = hands.record(hands.ticket(match.name))
    hands.give_back(match.name)
    match.refresh_from_db()
    other_hands.ticket(match.name)
    assert hands.report(late).status_code == 409
    match.refresh_from_db()
    assert (match.state, match.attempt) == (State.PLAYING, 2)


def test_a_record_of_a_void_match_changes_nothing(hands, operator, match):
    record = hands.record(hands.ticket(match.name))
    void(match=match, reason="a power cut", who=operator)
    assert hands.report(record).status_code == 409
    match.refresh_from_db()
    assert (match.state, match.legs_sha256) == (State.VOID, "")


def test_nobody_reports_for_another_worker(hands, other_hands, match):
    record = hands.record(hands.ticket(match.name))
    assert other_hands.report(record).status_code == 409
    assert other_hands.progress(match.name).status_code == 409
    assert other_hands.give_back(match.name).status_code == 409
    assert hands.report(record).status_code == 200


def results(match):
    match.refresh_from_db()
    entries = match.ladder.entries.order_by("pk").values_list("rating", "matches", "faults")
    return (match.state, list(match.seats.values_list("points", "rating_after")), list(entries))


# -- Forged records -------------------------------------------------------------------------------


def a_card_not_held(record, forged):
    decisions = list(record.legs[0].decisions)
    decisions[0] = msgspec.structs.replace(decisions[0], moves=["red+violet"])
    return forged(record, decisions=decisions)


def a_score_one_off(record, forged):
    scores = list(record.legs[1].scores)
    scores[0] += 1
    return forged(record, 1, scores=scores)


def another_rank(record, forged):
    return forged(record, 2, ranks=record.legs[2].ranks[::-1])


def a_missing_event(record, forged):
    return forged(record, events=record.legs[0].events[:-1])


def a_house_move_without_a_fault(record, forged):
    decisions = list(record.legs[3].decisions)
    decisions[-1] = msgspec.structs.replace(decisions[-1], wall_ms=[None])
    return forged(record, 3, decisions=decisions)


def a_fault_that_was_not(record, forged):
    return forged(record, faults=[contract.Faulted(0, 0, "illegal")])


def another_seating(record, forged):
    return forged(record, seating=[1, 0, 2, 3])


def a_leg_too_few(record, forged):
    return msgspec.structs.replace(record, legs=record.legs[:1])


def other_limits(record, forged):
    return msgspec.structs.replace(
        record, limits=msgspec.structs.replace(record.limits, bank_ms=60_000)
    )


@pytest.mark.parametrize(
    "forge",
    [
        a_card_not_held,
        a_score_one_off,
        another_rank,
        a_missing_event,
        a_house_move_without_a_fault,
        a_fault_that_was_not,
        another_seating,
        a_leg_too_few,
        other_limits,
    ],
)
def test_a_forged_record_is_refused_and_the_match_played_again(hands, match, forged, forge):
    record = forge(hands.record(hands.ticket(match.name)), forged)
    before = results(match)[1:]
    answer = hands.report(record)
    assert (answer.status_code, bool(answer.content)) == (422, True)
    assert results(match)[1:] == before
    assert (match.state, match.attempt, match.failures) == (State.WAITING, 2, 1)
    assert Worker.objects.get().refused_records == 1


def test_after_a_refused_record_the_match_is_played_elsewhere(hands, other_hands, match, forged):
    hands.report(a_score_one_off(hands.record(hands.ticket(match.name)), forged))
    match.refresh_from_db()
    Worker.objects.update(last_seen_at=timezone.now())
    assert hands.claim(match.name).status_code == 409
    assert other_hands.play(match).status_code == 200


def test_whoever_is_alone_may_try_again_after_a_refused_record(hands, match, forged):
    hands.report(a_score_one_off(hands.record(hands.ticket(match.name)), forged))
    assert hands.play(match).status_code == 200


# -- Faults ---------------------------------------------------------------------------------------


class Faulty(Inside):
    """Crashes at its first question."""

    def ask(self, line, limits):
        raise Fault("crashed", b"Traceback", "the process ended")


def play_faulty(hands, match, bot, legs_with_faults):
    """Plays a match in which that bot faults in the first so many legs."""
    from workers.bench import EXAMPLES
    from workers.inside import choose_of

    choose = choose_of(EXAMPLES / match.game / "python" / "simple_bot.py")
    left = {"faults": legs_with_faults}

    def faulty():
        left["faults"] -= 1
        return (Faulty if left["faults"] >= 0 else Inside)(choose)

    def sound():
        return Inside(choose)

    seats = match.seats.order_by("index")
    players = [faulty if seat.bot_id == bot.pk else sound for seat in seats]
    assert hands.play(match, players).status_code == 200


def match_of(bot):
    make_matches()
    return Match.objects.filter(seats__bot=bot, state=State.WAITING).first()


def test_a_bot_that_faults_twice_in_a_match_is_paused_and_its_owner_told(
    hands, new_bot, alice, mailoutbox, django_capture_on_commit_callbacks
):
    alice.emailaddress_set.create(email=alice.email, verified=True)
    bot = new_bot(alice)
    match = match_of(bot)
    with django_capture_on_commit_callbacks(execute=True):
        play_faulty(hands, match, bot, 2)
    bot.refresh_from_db()
    assert (bot.state, bot.paused_by) == (Bot.State.PAUSED, Bot.PausedBy.FAULTS)
    assert "crashed" in bot.paused_for
    notice = alice.notices.get()
    assert "crashed" in notice.text
    assert notice.link == f"/matches/{match.pk}/"
    assert "lucky is paused" in mailoutbox[0].subject
    assert match.seats.get(bot=bot).faults == 2


def test_one_fault_is_forgiven(hands, new_bot, alice):
    bot = new_bot(alice)
    play_faulty(hands, match_of(bot), bot, 1)
    bot.refresh_from_db()
    assert bot.state == Bot.State.ACTIVE


def test_a_paused_bot_is_drawn_no_more_and_the_ladder_goes_on(hands, new_bot, alice):
    bot = new_bot(alice)
    play_faulty(hands, match_of(bot), bot, 4)
    Match.objects.exclude(state=State.FINISHED).delete()
    assert make_matches() > 0
    assert not Match.objects.filter(seats__bot=bot).exclude(state=State.FINISHED).exists()


def test_a_new_version_lets_a_faulty_bot_play_again(hands, new_bot, alice):
    from bots.services import upload

    bot = new_bot(alice)
    play_faulty(hands, match_of(bot), bot, 4)
    version, _ = upload(bot=bot, data=b"print('mended')", file_name="bot.py")
    hands.check(version)
    bot.refresh_from_db()
    assert (bot.state, bot.active_version) == (Bot.State.ACTIVE, version)


# -- Checks ---------------------------------------------------------------------------------------


@pytest.fixture
def version(alice, ladders):
    return upload_first(
        owner=alice, game="stop-it", name="lucky", data=b"print(1)", file_name="bot.py"
    )


def test_a_version_that_passes_is_active_and_entered_at_once(hands, version):
    assert hands.check(version).status_code == 200
    version.refresh_from_db()
    bot = version.bot
    assert (version.state, version.language, version.verdict) == (
        Version.State.READY,
        "python",
        "Ready to play.",
    )
    assert bot.active_version == version
    assert [entry.ladder.slug for entry in bot.entries.all()] == ["stop-it"]


def test_a_version_that_fails_is_rejected_and_its_owner_told(hands, version, alice):
    verdict = Verdict(False, "", "No ready line came.", [Step("start", "failed", "silence")])
    assert hands.check(version, verdict).status_code == 200
    version.refresh_from_db()
    assert version.state == Version.State.REJECTED
    assert version.steps == [{"name": "start", "outcome": "failed", "detail": "silence"}]
    assert "No ready line came." in alice.notices.get().text
    assert not version.bot.entries.exists()


def test_the_log_of_a_check_grows_while_it_runs(hands, version):
    check = version.check_job
    hands.ticket(check.name)
    hands.progress(check.name, ["building", "starting"])
    hands.progress(check.name, ["playing"])
    assert [line.text for line in check.lines.all()] == ["building", "starting", "playing"]


def test_a_check_that_fails_on_our_side_can_be_had_again(hands, version, alice):
    from bots.services import upload

    for attempt in (1, 2, 3):
        job = Job("check", str(version.check_job.pk), attempt)
        hands.ticket(job)
        hands.give_back(job)
    version.refresh_from_db()
    assert version.state == Version.State.REJECTED
    assert version.verdict.startswith("This is not your bot's fault: 3 attempts failed on our side")
    again, is_new = upload(bot=version.bot, data=b"print(1)", file_name="bot.py")
    assert (again, is_new) == (version, False)
    check = Check.objects.get(version=version)
    assert (check.state, check.attempt) == (State.WAITING, 5)
    assert hands.check(again).status_code == 200


def test_a_retired_bot_stays_retired_whatever_its_check_says(hands, version):
    from bots.services import retire

    retire(bot=version.bot)
    assert hands.check(version).status_code == 200
    version.bot.refresh_from_db()
    assert version.bot.state == Bot.State.RETIRED
    assert version.bot.active_version is None
