"""Comparisons on the site: who may, whom they meet, what counts, in which order, and how they end."""

from datetime import timedelta

import msgspec
import pytest
import time_machine
from django.utils import timezone

from accounts.services import NotPossible, QuotaReached
from bots.models import Version
from bots.services import pause, retire
from games import GAMES
from games.player import Fault
from jobs.models import LEASE_S, State, Worker
from ladders.models import Entry, Ladder
from ladders.services import complete_limits, enter, enter_house, make_ladder
from ratings.comparison import LEAST_UNITS, Verdict
from tests.platform.tournaments.test_faults import at_once
from tournaments import comparisons
from tournaments.comparisons import cancel, compare, make_units, words_of
from tournaments.management.commands.scheduler import tick
from tournaments.models import Comparison, Match, Unit
from tournaments.services import sweep
from workers import contract
from workers.bench import EXAMPLES
from workers.contract import Job
from workers.inside import Inside, choose_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def duel(ladders):
    """A ladder for two, of the shortest games there are."""
    ladder = Ladder.objects.create(
        slug="duel",
        title="Duel",
        game="color-stock",
        options=GAMES["color-stock"].complete({"rounds": 1}),
        players=2,
        limits=complete_limits({}),
    )
    enter_house(ladder=ladder)
    return ladder


@pytest.fixture
def bot(new_bot, new_version, alice):
    """Alice's, in two versions."""
    bot = new_bot(alice)
    new_version(bot)
    return bot


def begun(bot, ladder, **changed):
    old, new = bot.versions.filter(state=Version.State.READY).order_by("number")[:2]
    about = {"user": bot.owner, "new": new, "old": old, "ladder": ladder}
    return compare(**(about | changed))


@pytest.fixture
def comparison(bot, duel):
    return begun(bot, duel)


def player(strength, game="color-stock"):
    choose = choose_of(EXAMPLES / game / "python" / f"{strength}_bot.py")
    return lambda: Inside(choose)


def players_of(ticket, new, old, other=None):
    """Who plays on which seat of the first game."""
    table = [other or player("simple")] * len(ticket.table)
    table[ticket.pair[0]], table[ticket.pair[1]] = new, old
    return table


def waiting():
    return list(Unit.objects.filter(state=State.WAITING).order_by("number"))


def play(hands, unit, new=None, old=None):
    ticket = hands.ticket(unit.name)
    players = players_of(ticket, new or player("good"), old or player("random"))
    return hands.report(hands.unit_record(ticket, players))


def play_all(hands, comparison, most=400, **players):
    """Plays until it has ended; how many units that took."""
    for number in range(most):
        comparison.refresh_from_db()
        if not comparison.is_running:
            return number
        if not waiting():
            make_units()
        assert play(hands, waiting()[0], **players).status_code == 200
    raise AssertionError(f"{most} units without an end")


# -- Who may compare what -------------------------------------------------------------------------


def test_an_owner_compares_two_ready_versions(comparison, bot):
    assert comparison.is_running
    assert (comparison.new.number, comparison.old.number) == (2, 1)
    assert comparison.most_games == 4000
    assert words_of(comparison) == "Nothing has been played yet."


def test_versions_are_of_one_bot_of_ones_own(bot, new_bot, new_version, alice, bob, duel):
    other = new_bot(alice, "plucky").versions.get()
    foreign = new_bot(bob, "foreign").versions.get()
    mine = bot.versions.first()
    for new, old in ((mine, other), (mine, foreign), (foreign, foreign)):
        with pytest.raises(NotPossible, match="two versions of one of your bots"):
            compare(user=alice, new=new, old=old, ladder=duel)
    with pytest.raises(NotPossible, match="never better"):
        compare(user=alice, new=mine, old=mine, ladder=duel)


def test_only_versions_that_have_passed_their_check_are_compared(bot, duel):
    Version.objects.filter(bot=bot, number=2).update(state=Version.State.REJECTED)
    old, new = bot.versions.order_by("number")
    with pytest.raises(NotPossible, match="lucky v2 has not passed its check"):
        compare(user=bot.owner, new=new, old=old, ladder=duel)


def test_a_retired_bot_is_not_compared(bot, duel):
    retire(bot=bot)
    with pytest.raises(NotPossible, match="retired"):
        begun(bot, duel)


def test_the_ladder_is_one_of_the_game_that_one_may_see(bot, ladders, operator):
    with pytest.raises(NotPossible, match="is a ladder of stop-it"):
        begun(bot, ladders["stop-it"])
    private = make_ladder(
        created_by=operator,
        title="Closed",
        game="color-stock",
        options={},
        players=3,
        is_public=False,
    )
    with pytest.raises(NotPossible, match="join it with its code first"):
        begun(bot, private)


def test_a_ladder_without_anybody_to_sit_with_is_refused(bot, color_stock):
    Entry.objects.exclude(bot=bot).delete()
    with pytest.raises(NotPossible, match="Nobody on Color Stock could sit with them"):
        begun(bot, color_stock)
    assert not Comparison.objects.exists()


def test_one_comparison_runs_at_a_time(comparison, bot, duel):
    with pytest.raises(
        QuotaReached, match="one comparison running, the most there may be: lucky v2"
    ):
        begun(bot, duel)
    cancel(comparison=comparison)
    assert begun(bot, duel).is_running


def test_so_many_comparisons_begin_in_a_day(comparison, bot, duel, settings):
    settings.QUOTAS = settings.QUOTAS | {"comparisons_a_day": 1}
    cancel(comparison=comparison)
    with pytest.raises(QuotaReached, match="1 comparisons in 24 hours are the most") as refused:
        begun(bot, duel)
    assert refused.value.room_at == comparison.created_at + timedelta(days=1)


# -- Tables ---------------------------------------------------------------------------------------


def rated(ladder, bot, rating):
    entry = enter(ladder=ladder, bot=bot)
    Entry.objects.filter(pk=entry.pk).update(rating=rating)
    return bot.active_version_id


def test_bots_of_other_owners_that_are_about_as_strong_sit_with_the_two(
    bot, new_bot, alice, bob, charlie, operator, color_stock
):
    Entry.objects.filter(bot__is_house=True).update(rating=400)
    rated(color_stock, bot, 1700)
    rated(color_stock, new_bot(alice, "own"), 1700)
    near = {
        rated(color_stock, new_bot(bob, "b-one"), 1510),
        rated(color_stock, new_bot(bob, "b-two"), 1890),
    }
    third = rated(color_stock, new_bot(charlie, "c-one"), 1700)
    rated(color_stock, new_bot(charlie, "far"), 1910)
    paused = new_bot(operator, "resting")
    rated(color_stock, paused, 1700)
    pause(bot=paused)
    comparison = begun(bot, color_stock)
    tables = comparisons.drawn_tables(comparison, 60)
    two = {comparison.new_id, comparison.old_id}
    assert {frozenset(set(table) - two) for table in tables} == {
        frozenset({one, third}) for one in near
    }
    assert len({tuple(sorted(table)) for table in tables}) == 2
    assert {table.index(comparison.new_id) for table in tables} == set(range(4))


def test_house_bots_sit_where_there_are_not_enough(bot, new_bot, bob, color_stock):
    house = Entry.objects.filter(ladder=color_stock, bot__is_house=True)
    house.update(rating=400)
    near = rated(color_stock, new_bot(bob, "near"), 1500)
    comparison = begun(bot, color_stock)
    allowed = set(house.values_list("bot__active_version", flat=True))
    for table in comparisons.drawn_tables(comparison, 20):
        others = set(table) - {comparison.new_id, comparison.old_id}
        assert len(table) == 4
        assert near in others
        assert others - {near} <= allowed


def test_two_alone_need_nobody_else(bot, duel):
    Entry.objects.all().delete()
    comparison = begun(bot, duel)
    assert make_units() > 0
    assert sorted(waiting()[0].table) == sorted([comparison.new_id, comparison.old_id])


# -- Units and their place behind everything else -------------------------------------------------


def test_few_units_wait_at_a_time(comparison, hands):
    assert make_units() == comparisons.LEAST_WAITING
    assert make_units() == 0
    assert [unit.number for unit in waiting()] == list(range(comparisons.LEAST_WAITING))
    assert len({unit.seed for unit in waiting()}) == comparisons.LEAST_WAITING


def test_a_unit_waits_in_the_last_queue_of_all(comparison):
    make_units()
    assert waiting()[0].queue == "comparisons" == list(contract.QUEUES.values())[-1]


def test_the_more_units_are_eaten_the_more_may_wait(comparison, hands, monkeypatch):
    monkeypatch.setattr(comparisons, "LEAST_WAITING", 1)
    monkeypatch.setattr(comparisons, "EATEN_IN_S", 3600.0)
    for made in (1, 1, 2, 3):
        make_units()
        assert len(waiting()) == made
        play(hands, waiting()[0], player("random"), player("random"))


def test_many_units_are_never_ahead_of_the_one_that_is_judged(comparison, hands, monkeypatch):
    monkeypatch.setattr(comparisons, "MOST_AHEAD", 3)
    make_units()
    first, *others = waiting()
    assert len(others) == 2
    for unit in others:
        play(hands, unit)
    assert make_units() == 0
    play(hands, first)
    assert make_units() == 3


def test_no_more_units_are_made_than_may_be_played(comparison, monkeypatch):
    Comparison.objects.update(most_games=2 * 3)
    assert make_units() == 3
    assert make_units() == 0


def test_whoever_has_had_the_fewest_units_is_fed_first(
    comparison, bot, new_bot, new_version, bob, duel
):
    make_units()
    Unit.objects.update(state=State.VOID, finished_at=timezone.now())
    other = new_bot(bob, "second")
    new_version(other)
    second = begun(other, duel)
    make_units()
    assert {unit.comparison for unit in waiting()} == {second}


def test_units_of_suspended_owners_are_made_no_more(comparison):
    comparison.owner.is_active = False
    comparison.owner.save()
    assert make_units() == 0


def test_a_unit_whose_message_may_be_lost_is_sent_again_but_not_as_often_as_a_match(comparison):
    make_units()
    now = timezone.now()
    Unit.objects.update(sent_at=now)
    assert not Unit.objects.unsent(now + timedelta(seconds=59)).exists()
    assert Unit.objects.unsent(now + timedelta(seconds=61)).exists()
    assert (Match.resend_s, Unit.resend_s) == (20.0, 60.0)


def test_the_scheduler_makes_units(comparison):
    tick()
    assert waiting()


# -- Tickets --------------------------------------------------------------------------------------


def test_a_ticket_has_the_rules_of_the_ladder_and_the_seats_of_the_pair(comparison, hands, duel):
    make_units()
    unit = waiting()[0]
    ticket = hands.ticket(unit.name)
    assert (ticket.game, ticket.options, ticket.limits) == (duel.game, duel.options, duel.clocks)
    assert ticket.seed == unit.seed
    assert [archive.sha256 for archive in ticket.table] == [
        Version.objects.get(pk=pk).archive_id for pk in unit.table
    ]
    assert ticket.table[ticket.pair[0]].sha256 == comparison.new.archive_id
    assert ticket.table[ticket.pair[1]].sha256 == comparison.old.archive_id


# -- What counts ----------------------------------------------------------------------------------


def test_a_better_version_is_found_better_and_its_owner_told(comparison, hands, alice):
    units = play_all(hands, comparison)
    played = comparison.played
    assert comparison.state == Comparison.State.FINISHED
    assert (played.units, played.verdict) == (units, Verdict.BETTER)
    assert units >= LEAST_UNITS
    assert words_of(comparison).startswith("The new one is better: +")
    notice = alice.notices.get()
    assert notice.text.startswith("lucky v2 and v1 are compared.\nThe new one is better")
    assert notice.link == f"/comparisons/{comparison.pk}/"


def test_a_worse_version_brings_no_gain(comparison, hands):
    play_all(hands, comparison, new=player("random"), old=player("good"))
    assert comparison.played.verdict is Verdict.NO_GAIN
    assert comparison.played.gain.value < 0


def test_the_same_program_on_the_same_dice_ends_every_unit_even(comparison, hands):
    make_units()
    for unit in waiting():
        play(hands, unit, player("simple"), player("simple"))
    comparison.refresh_from_db()
    assert (comparison.counted, comparison.halves) == (4, 8)
    assert (comparison.margin, comparison.margin_squared) == (0, 0)


def test_without_an_answer_it_ends_at_the_most_games(comparison, hands):
    Comparison.objects.update(most_games=2 * 5)
    assert play_all(hands, comparison, new=player("simple"), old=player("simple")) == 5
    assert comparison.played.verdict is Verdict.TOO_CLOSE
    assert words_of(comparison).startswith("Too close to tell after 10 games")


def test_units_are_judged_in_the_order_of_their_numbers_whichever_is_over_first(comparison, hands):
    make_units()
    first, second, third, _ = waiting()
    play(hands, third)
    play(hands, second)
    comparison.refresh_from_db()
    assert (comparison.judged, comparison.counted) == (0, 0)
    play(hands, first)
    comparison.refresh_from_db()
    assert (comparison.judged, comparison.counted) == (3, 3)
    units = comparison.units.filter(state=State.FINISHED)
    assert comparison.halves == sum(unit.halves for unit in units)
    assert comparison.margin == sum(unit.margin for unit in units)
    assert comparison.margin_squared == sum(unit.margin**2 for unit in units)


def test_what_was_played_beyond_the_answer_counts_for_nothing(comparison, hands):
    Comparison.objects.update(most_games=2 * 2)
    make_units()
    Comparison.objects.update(most_games=4000)
    make_units()
    units = waiting()
    for unit in units[1:]:
        play(hands, unit)
    Comparison.objects.update(most_games=2)
    play(hands, units[0])
    comparison.refresh_from_db()
    assert (comparison.state, comparison.counted) == (Comparison.State.FINISHED, 1)
    assert list(comparison.units.all()) == [units[0]]


def test_a_unit_is_read_off_its_legs(comparison, hands):
    make_units()
    unit = waiting()[0]
    ticket = hands.ticket(unit.name)
    record = hands.unit_record(ticket, players_of(ticket, player("good"), player("random")))
    hands.report(record)
    unit.refresh_from_db()
    new, old = ticket.pair
    first, second = record.legs
    expected = sum(
        (a < b) + (a <= b)
        for a, b in ((first.ranks[new], first.ranks[old]), (second.ranks[old], second.ranks[new]))
    )
    margin = first.scores[new] - first.scores[old] + second.scores[old] - second.scores[new]
    assert (unit.state, unit.halves, unit.margin) == (State.FINISHED, expected, margin)


def test_no_rating_moves_and_no_match_appears(comparison, hands):
    before = list(Entry.objects.order_by("pk").values_list("rating", "matches", "matches_made"))
    make_units()
    for unit in waiting():
        play(hands, unit)
    assert (
        list(Entry.objects.order_by("pk").values_list("rating", "matches", "matches_made"))
        == before
    )
    assert not Match.objects.exists()


# -- Records twice, late or forged ----------------------------------------------------------------


@pytest.fixture
def unit(comparison):
    make_units()
    return waiting()[0]


def test_a_second_record_changes_nothing(hands, unit, comparison):
    record = hands.unit_record(hands.ticket(unit.name))
    assert hands.report(record).status_code == 200
    comparison.refresh_from_db()
    counted = comparison.played
    assert hands.report(record).status_code == 409
    comparison.refresh_from_db()
    assert comparison.played == counted


def test_nobody_reports_for_another_worker(hands, other_hands, unit):
    record = hands.unit_record(hands.ticket(unit.name))
    assert other_hands.report(record).status_code == 409
    assert hands.report(record).status_code == 200


def a_score_one_off(record, forged):
    scores = list(record.legs[1].scores)
    scores[0] += 1
    return forged(record, 1, scores=scores)


def other_ranks(record, forged):
    return forged(record, ranks=[1, 2] if record.legs[0].ranks != [1, 2] else [2, 1])


def another_seating(record, forged):
    return forged(record, seating=[1, 0])


def other_limits(record, forged):
    limits = msgspec.structs.replace(record.limits, bank_ms=60_000)
    return msgspec.structs.replace(record, limits=limits)


@pytest.mark.parametrize("forge", [a_score_one_off, other_ranks, another_seating, other_limits])
def test_a_forged_record_is_refused_and_the_unit_played_again(
    hands, unit, comparison, forged, forge
):
    record = forge(hands.unit_record(hands.ticket(unit.name)), forged)
    answer = hands.report(record)
    assert (answer.status_code, bool(answer.content)) == (422, True)
    unit.refresh_from_db()
    comparison.refresh_from_db()
    assert (unit.state, unit.attempt, unit.halves) == (State.WAITING, 2, None)
    assert comparison.counted == 0
    assert Worker.objects.get().refused_records == 1


# -- Faults ---------------------------------------------------------------------------------------


class Faulty(Inside):
    """Crashes at its first question."""

    def ask(self, line, limits):
        raise Fault("crashed", b"Traceback", "the process ended")


def faulty():
    return Faulty(choose_of(EXAMPLES / "color-stock" / "python" / "simple_bot.py"))


def test_a_fault_is_a_game_lost_and_counted(hands, unit, comparison):
    play(hands, unit, new=faulty, old=player("random"))
    unit.refresh_from_db()
    comparison.refresh_from_db()
    assert (unit.halves, unit.new_faults, unit.old_faults) == (0, 2, 0)
    assert (comparison.new_faults, comparison.old_faults) == (2, 0)
    assert comparison.fault == "v2 faulted: crashed, the process ended"


def test_a_version_that_keeps_faulting_ends_it_and_its_owner_is_told(comparison, hands, alice):
    assert play_all(hands, comparison, new=player("simple"), old=faulty) == 3
    assert comparison.state == Comparison.State.FAULTY
    assert words_of(comparison) == "Stopped: v1 kept faulting, in 6 of 6 games."
    assert "v1 kept faulting" in alice.notices.get().text
    assert not waiting()


def test_faults_of_others_at_the_table_are_no_concern(bot, hands, color_stock):
    comparison = begun(bot, color_stock)
    make_units()
    ticket = hands.ticket(waiting()[0].name)
    players = players_of(ticket, player("simple"), player("simple"), other=faulty)
    assert hands.report(hands.unit_record(ticket, players)).status_code == 200
    comparison.refresh_from_db()
    assert (comparison.counted, comparison.new_faults, comparison.old_faults) == (1, 0, 0)
    assert comparison.fault == ""


# -- What breaks on our side ----------------------------------------------------------------------


def test_a_unit_that_is_given_back_is_played_again_and_counts_once(hands, unit, comparison):
    hands.ticket(unit.name)
    assert hands.give_back(unit.name).status_code == 204
    unit.refresh_from_db()
    assert (unit.state, unit.attempt) == (State.WAITING, 2)
    assert play(hands, unit).status_code == 200
    comparison.refresh_from_db()
    assert comparison.counted == 1


def test_a_unit_whose_worker_dies_is_swept_up(hands, unit):
    hands.ticket(unit.name)
    with time_machine.travel(timezone.now() + timedelta(seconds=LEASE_S - 1)):
        assert hands.progress(unit.name).status_code == 204
    with time_machine.travel(timezone.now() + timedelta(seconds=3 * LEASE_S)):
        sweep()
    unit.refresh_from_db()
    assert (unit.state, unit.attempt, unit.failures) == (State.WAITING, 2, 1)
    assert hands.progress(Job("unit", str(unit.pk), 1)).status_code == 409


def make_void(hands, unit):
    for _ in range(3):
        unit.refresh_from_db()
        hands.ticket(unit.name)
        hands.give_back(unit.name)


def test_a_void_unit_counts_for_nothing_and_the_next_ones_are_judged(hands, unit, comparison):
    others = waiting()[1:]
    for other in others:
        play(hands, other)
    make_void(hands, unit)
    make_units()
    comparison.refresh_from_db()
    assert (comparison.judged, comparison.counted, comparison.voids) == (4, 3, 1)
    assert comparison.is_running


def test_a_void_unit_is_made_up_for(hands, comparison):
    Comparison.objects.update(most_games=2)
    make_units()
    make_void(hands, waiting()[0])
    assert make_units() == 1
    play(hands, waiting()[0])
    comparison.refresh_from_db()
    assert (comparison.counted, comparison.voids) == (1, 1)
    assert comparison.state == Comparison.State.FINISHED


def test_when_too_much_fails_on_our_side_it_ends_and_nobody_is_blamed(
    hands, comparison, monkeypatch, alice
):
    monkeypatch.setattr(comparisons, "MOST_VOIDS", 2)
    make_units()
    for unit in waiting()[:2]:
        make_void(hands, unit)
    Unit.objects.filter(state=State.WAITING).update(state=State.VOID, finished_at=timezone.now())
    make_units()
    comparison.refresh_from_db()
    assert comparison.state == Comparison.State.FAILED
    assert "not to blame" in words_of(comparison)
    assert "not to blame" in alice.notices.get().text


# -- Cancelling -----------------------------------------------------------------------------------


def test_a_cancelled_comparison_keeps_what_is_known_and_plays_no_more(hands, comparison, alice):
    make_units()
    first, second, *_ = waiting()
    play(hands, first)
    late = hands.unit_record(hands.ticket(second.name))
    cancel(comparison=comparison)
    comparison.refresh_from_db()
    assert (comparison.state, comparison.counted) == (Comparison.State.CANCELLED, 1)
    assert words_of(comparison).startswith("Cancelled. Not clear yet:")
    assert hands.progress(second.name).status_code == 409
    assert hands.report(late).status_code == 409
    assert (waiting(), make_units()) == ([], 0)
    assert not alice.notices.exists()


def test_what_has_ended_cannot_be_cancelled(comparison):
    cancel(comparison=comparison)
    with pytest.raises(NotPossible, match="has ended already"):
        cancel(comparison=comparison)


def test_a_record_that_comes_after_the_account_was_deleted_changes_nothing(hands, unit):
    record = hands.unit_record(hands.ticket(unit.name))
    Comparison.objects.all().delete()
    assert hands.report(record).status_code == 409


# -- Several at once ------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_units_recorded_at_the_same_moment_all_count_once(hands, comparison):
    make_units()
    records = [hands.unit_record(hands.ticket(unit.name)) for unit in waiting()]
    reports = [lambda record=record: hands.report(record).status_code for record in records]
    answers = at_once(*reports, *reports)
    assert sorted(answers) == [200] * 4 + [409] * 4
    comparison.refresh_from_db()
    halves = comparison.units.filter(state=State.FINISHED).values_list("halves", flat=True)
    assert (comparison.judged, comparison.counted, comparison.halves) == (4, 4, sum(halves))


@pytest.mark.django_db(transaction=True)
def test_what_is_cancelled_while_records_come_ends_and_nobody_waits_for_ever(hands, comparison):
    make_units()
    records = [hands.unit_record(hands.ticket(unit.name)) for unit in waiting()]
    reports = [lambda record=record: hands.report(record).status_code for record in records]
    answers = at_once(lambda: cancel(comparison=comparison), make_units, *reports)
    assert set(answers[2:]) <= {200, 409}
    comparison.refresh_from_db()
    assert comparison.state == Comparison.State.CANCELLED
    assert comparison.counted == comparison.units.count()
    assert comparison.counted <= answers.count(200)


@pytest.mark.django_db(transaction=True)
def test_two_schedulers_at_once_make_each_unit_once(comparison):
    made = at_once(make_units, make_units, make_units)
    numbers = list(comparison.units.values_list("number", flat=True))
    assert sum(made) == len(numbers)
    assert sorted(numbers) == list(range(len(numbers)))


@pytest.mark.django_db(transaction=True)
def test_of_two_comparisons_begun_at_once_one_begins(bot, duel):
    def begin():
        try:
            return begun(bot, duel).is_running
        except QuotaReached:
            return False

    assert sorted(at_once(begin, begin)) == [False, True]
