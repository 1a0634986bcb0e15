"""The monitor of pairs on the site: what is found, when it is looked for, and that a removal settles it."""

from random import Random

import pytest

from ladders.models import Entry, Ladder
from ratings.monitor import LEAST_MATCHES
from tournaments import pairs
from tournaments.models import Match, WatchedPair
from tournaments.rater import Rater
from tournaments.services import make_rated, remove

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(400)]  # many matches are written

MATCHES = 160
HELP = 60


@pytest.fixture
def helped(color_stock, new_bot, alice, bob, finish):
    """A ladder on which one bot scores more whenever a certain other is there."""
    fox, owl = new_bot(alice, "red-fox"), new_bot(bob, "blue-owl")
    chance = Random(4)
    entries = list(Entry.objects.playing().filter(ladder=color_stock).order_by("pk"))
    for _ in range(MATCHES):
        table = chance.sample(entries, color_stock.players)
        match = make_rated(
            ladder=color_stock, table=[(each.plays, each) for each in table], is_newcomers=False
        )
        is_helped = {fox.pk, owl.pk} <= {each.bot_id for each in table}
        finish(match, {"red-fox": HELP} if is_helped else {}, chance)
    return color_stock


def watched():
    rater = Rater()
    Ladder.objects.update(is_stale=True)
    rater.rate_due()
    rater.watch_due()
    return list(WatchedPair.objects.select_related("one", "other"))


def test_a_helper_is_found_and_nobody_else(helped):
    first, *others = watched()
    assert (first.one.name, first.other.name) == ("red-fox", "blue-owl")
    assert first.is_suspicious
    assert first.gain > 0.05
    assert not any(pair.is_suspicious for pair in others)
    assert [pair.z for pair in others] == sorted((pair.z for pair in others), reverse=True)
    assert all(pair.matches >= LEAST_MATCHES for pair in others)


def test_a_pair_shares_the_matches_that_were_counted(helped):
    first, *_ = watched()
    assert first.shared.count() == first.matches
    for match in first.shared:
        assert {first.one_id, first.other_id} <= set(match.seats.values_list("bot", flat=True))


def test_so_many_are_kept_of_a_ladder_as_can_be_looked_at(helped, monkeypatch):
    monkeypatch.setattr(pairs, "SHOWN", 3)
    assert len(watched()) == 3
    assert len(watched()) == 3


def test_without_its_matches_a_pair_is_suspicious_no_more(helped, operator):
    first, *_ = watched()
    for match in first.shared:
        remove(match=match, reason="one helps the other", who=operator)
    assert not any(pair.is_suspicious for pair in watched())
    assert first.shared.count() == 0


def test_pairs_are_looked_at_after_a_fit_and_then_not_for_a_while(helped):
    rater = Rater()
    assert rater.watch_due() == 0
    rater.rate_due()
    board = rater.boards[helped.pk]
    assert [rater.watch(helped.pk, board) for _ in range(2)] == [True, False]
    remove(match=Match.objects.first(), reason="a test", who=None)
    board.rests_until = 0.0
    assert rater.rate_due() == 1
    assert not rater.watch(helped.pk, board)
    board.watched_until = 0.0
    assert [rater.watch(helped.pk, board) for _ in range(2)] == [True, False]


def test_a_pair_that_is_found_again_keeps_its_address(helped):
    first, *_ = watched()
    again, *_ = watched()
    assert again.pk == first.pk
    assert again.found_at > first.found_at


def test_a_ladder_with_few_matches_has_no_pairs(color_stock):
    assert watched() == []
