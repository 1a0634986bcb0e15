"""Tables are drawn fairly, and no more of them than the workers can eat."""

from collections import Counter
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.models import Switches
from bots.models import Bot, Version
from bots.services import pause, retire
from jobs.models import State
from ladders.models import Entry
from ladders.services import change_ladder, enter, leave, make_ladder
from ratings.claims import PROVISIONAL_MATCHES
from tournaments.matchmaker import ENOUGH_MATCHES, LEAST_WAITING, Lobby, make_matches, make_one
from tournaments.models import Match, Seat
from tournaments.services import sweep

pytestmark = pytest.mark.django_db


def draw(ladder, newcomers=False):
    ladder.refresh_from_db()
    return make_one(Lobby(ladder, timezone.now()), newcomers=newcomers)


def bots_at(match):
    return [seat.bot for seat in match.seats.select_related("bot__owner").order_by("index")]


def test_an_empty_queue_is_filled_ladder_by_ladder(ladders):
    assert make_matches() == LEAST_WAITING
    assert set(Match.objects.values_list("ladder__slug", flat=True)) <= set(ladders)
    assert Match.objects.values("ladder").distinct().count() == LEAST_WAITING
    assert make_matches() == 0


def test_the_queue_is_as_deep_as_what_was_eaten_lately(hands, color_stock):
    for _ in range(LEAST_WAITING + 2):
        hands.play(draw(color_stock))
    make_matches()
    assert Match.objects.filter(state=State.WAITING).count() == LEAST_WAITING + 2


def test_no_ladder_starves_another(ladders):
    for _ in range(10):
        make_matches()
        Match.objects.filter(state=State.WAITING).update(
            state=State.VOID, finished_at=timezone.now()
        )
    counts = Counter(Match.objects.values_list("ladder__slug", flat=True))
    assert set(counts) == set(ladders)
    assert max(counts.values()) - min(counts.values()) <= 1


def test_the_operator_can_stop_matchmaking(ladders):
    Switches.objects.create(pk=1, matchmaking=False)
    assert make_matches() == 0


def test_a_table_is_full_and_its_empty_seats_are_the_houses(new_bot, alice, color_stock):
    bot = new_bot(alice)
    at_table = bots_at(draw(color_stock, newcomers=True))
    assert len(at_table) == color_stock.players
    assert bot in at_table
    assert all(other.is_house for other in at_table if other != bot)


def test_house_bots_may_sit_at_a_table_several_times(operator, ladders):
    ladder = make_ladder(created_by=operator, title="Eight", game="sticheln", options={}, players=8)
    at_table = bots_at(draw(ladder))
    assert len(at_table) == 8
    assert {bot.name for bot in at_table} <= {
        f"house-{s}-sticheln" for s in ("random", "simple", "good")
    }


def test_two_bots_of_one_owner_never_meet_in_a_rated_match(new_bot, alice, bob, color_stock):
    own = [new_bot(alice, f"alpha-{letter}") for letter in "xyz"]
    new_bot(bob, "rival")
    for _ in range(30):
        at_table = bots_at(draw(color_stock, newcomers=True))
        assert sum(bot in own for bot in at_table) <= 1


def test_those_with_the_fewest_matches_come_first(new_bot, alice, bob, color_stock):
    old, new = new_bot(alice, "veteran"), new_bot(bob, "novice")
    Entry.objects.filter(bot=old).update(matches_made=5)
    for _ in range(5):
        assert new in bots_at(draw(color_stock, newcomers=True))
    assert Entry.objects.get(bot=new).matches_made == 5


def test_newcomers_have_a_queue_of_their_own(new_bot, alice, color_stock):
    bot = new_bot(alice)
    make_matches()
    own = Match.objects.filter(seats__bot=bot, is_newcomers=True)
    assert own.exists()
    assert {match.queue for match in own} == {"newcomers"}
    Entry.objects.filter(bot=bot).update(matches_made=PROVISIONAL_MATCHES)
    assert draw(color_stock, newcomers=True) is None


@pytest.mark.parametrize("how", ["paused", "retired", "left", "suspended", "unchecked"])
def test_who_does_not_play_is_not_drawn(new_bot, alice, color_stock, how):
    bot = new_bot(alice)
    if how == "paused":
        pause(bot=bot)
    elif how == "retired":
        retire(bot=bot)
    elif how == "left":
        leave(entry=Entry.objects.get(bot=bot))
    elif how == "suspended":
        alice.is_active = False
        alice.save()
    else:
        Bot.objects.filter(pk=bot.pk).update(active_version=None)
    assert draw(color_stock, newcomers=True) is None
    for _ in range(5):
        assert bot not in bots_at(draw(color_stock))


def test_a_ladder_without_house_bots_waits_for_a_full_table(new_bot, alice, color_stock):
    new_bot(alice)
    Bot.objects.filter(is_house=True).update(state="retired")
    assert draw(color_stock, newcomers=True) is None


def test_a_settled_ladder_plays_on_at_its_leisure(color_stock):
    Entry.objects.update(matches_made=ENOUGH_MATCHES)
    assert draw(color_stock) is not None
    color_stock.refresh_from_db()
    assert draw(color_stock) is None
    with time_machine.travel(timezone.now() + timedelta(seconds=61)):
        assert draw(color_stock) is not None


def test_a_closed_ladder_begins_no_more_matches(hands, color_stock):
    waiting, playing = draw(color_stock), draw(color_stock)
    record = hands.record(hands.ticket(playing.name))
    change_ladder(ladder=color_stock, closes_at=timezone.now() + timedelta(milliseconds=1))
    with time_machine.travel(timezone.now() + timedelta(seconds=1)):
        sweep()
        assert hands.report(record).status_code == 200  # begun before it closed
    waiting.refresh_from_db()
    assert (waiting.state, waiting.void_reason) == (State.VOID, "the ladder has closed")


def test_a_ladder_that_has_not_opened_makes_no_matches(operator, ladders):
    make_ladder(
        created_by=operator,
        title="Later",
        game="color-stock",
        options={},
        players=4,
        opens_at=timezone.now() + timedelta(hours=1),
    )
    make_matches()
    assert not Match.objects.filter(ladder__slug="later").exists()


def test_the_seed_is_new_each_time_and_its_hash_is_there_from_the_beginning(color_stock):
    from hashlib import sha256

    first, second = draw(color_stock), draw(color_stock)
    assert first.seed != second.seed
    assert sha256(bytes.fromhex(first.seed)).hexdigest() == first.seed_sha256


def test_a_new_version_plays_from_the_next_match_on(hands, new_bot, alice, color_stock):
    from bots.services import upload

    bot = new_bot(alice)
    before = draw(color_stock, newcomers=True)
    version, _ = upload(bot=bot, data=b"print(2)", file_name="bot.py")
    hands.check(version)
    after = draw(color_stock, newcomers=True)
    numbers = [Seat.objects.get(match=match, bot=bot).version.number for match in (before, after)]
    assert numbers == [1, 2]
    assert Version.objects.get(pk=version.pk).is_active


def test_a_bot_on_a_second_ladder_plays_on_both(new_bot, alice, operator, color_stock):
    other = make_ladder(
        created_by=operator, title="Duel", game="color-stock", options={}, players=2
    )
    bot = new_bot(alice)
    enter(ladder=other, bot=bot)
    assert bot in bots_at(draw(other, newcomers=True))
    assert bot in bots_at(draw(color_stock, newcomers=True))
