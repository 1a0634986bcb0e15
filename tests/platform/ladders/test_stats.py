"""What a ladder knows beside its standings agrees with the matches from which it was counted."""

import pytest

from ladders.models import Entry, Rating
from ladders.stats import crosstable, details_of, seats_on, share_of
from tests.platform.tournaments.conftest import (
    chance,
    color_stock,
    hands,
    ladders,
    new_bot,
    play,
    rate,
)
from tournaments.models import Match, Seat

__all__ = ["chance", "color_stock", "hands", "ladders", "new_bot", "play"]

pytestmark = pytest.mark.django_db

GOOD, SIMPLE, RANDOM = (f"house-{s}-color-stock" for s in ("good", "simple", "random"))
HOUSE = {GOOD: 20, SIMPLE: 0, RANDOM: -20}


def entry(ladder, name):
    return Entry.objects.get(ladder=ladder, bot__name=name)


# -- Shares ---------------------------------------------------------------------------------------


def test_a_share_of_many_matches_is_surer_than_one_of_few():
    widths = [share_of(n, 600 * n, 400_000 * n).plus_minus for n in (1, 4, 16, 64, 256)]
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < 0.03


def test_few_matches_that_were_all_won_do_not_look_sure():
    share = share_of(2, 2000, 2_000_000)
    assert (share.share, share.high) == (1, 1)
    assert share.low < 0.6


# -- One bot --------------------------------------------------------------------------------------


def test_results_against_a_bot_are_those_of_the_matches(color_stock, play):
    play(color_stock, 40, HOUSE)
    rate()
    good = next(one for one in details_of(entry(color_stock, SIMPLE)).opponents if one.bot == GOOD)
    assert good.is_house
    assert good.result.matches == len(shares(SIMPLE, GOOD))
    mean = sum(shares(SIMPLE, GOOD)) / len(shares(SIMPLE, GOOD))
    assert good.result.share == pytest.approx(mean, abs=0.001)
    assert good.result.low < 0.5


def shares(one, other):
    """In each match the share of the duels that one bot won against another."""
    found = []
    for match in Match.objects.all():
        seats = {name: match.seats.filter(bot__name=name) for name in (one, other)}
        duels = [
            ((own < theirs) + (own <= theirs)) / 2
            for seat in seats[one]
            for rival in seats[other]
            for own, theirs in zip(seat.ranks, rival.ranks, strict=True)
        ]
        if duels:
            found.append(sum(duels) / len(duels))
    return found


def test_results_by_seat_are_those_of_the_legs(color_stock, play):
    play(color_stock, 12, HOUSE)
    rate()
    seats = details_of(entry(color_stock, GOOD)).seats
    own = Seat.objects.filter(bot__name=GOOD)
    assert [result.seat for result in seats] == list(range(color_stock.players))
    assert sum(result.legs for result in seats) == sum(len(seat.scores) for seat in own)
    points = sum(result.points * result.legs for result in seats)
    assert points == pytest.approx(sum(sum(seat.scores) for seat in own))
    assert all(result.share > 0.5 for result in seats)


def test_history_tells_every_rating_with_its_version(color_stock, play):
    for _ in range(3):
        play(color_stock, 3)
        rate()
    history = details_of(entry(color_stock, SIMPLE)).history
    assert [moment.matches for moment in history] == [3, 6, 9]
    assert {moment.version for moment in history} == {1}
    assert history[-1].rating == entry(color_stock, SIMPLE).rating


def test_of_a_bot_that_has_not_played_nothing_is_known(color_stock, new_bot, alice):
    new_bot(alice)
    details = details_of(entry(color_stock, "lucky"))
    assert (details.history, details.opponents, details.seats, details.kinds) == ([], [], [], {})


# -- A ladder -------------------------------------------------------------------------------------


def test_the_crosstable_has_the_first_against_each_other(color_stock, play):
    play(color_stock, 40, HOUSE)
    rate()
    rows = crosstable(color_stock)
    assert [row.entry.rank for row in rows] == [1, 2, 3]
    assert [row.results[at] for at, row in enumerate(rows)] == [None, None, None]
    assert rows[0].results[2].share > 0.5 > rows[2].results[0].share
    for one, other in ((0, 1), (0, 2), (1, 2)):
        there, back = rows[one].results[other], rows[other].results[one]
        assert there.matches == back.matches > 0
        assert there.share + back.share == pytest.approx(1, abs=0.002)


def test_the_crosstable_of_a_ladder_without_ranks_is_empty(color_stock, play):
    play(color_stock, 3)
    rate()
    assert crosstable(color_stock) == []
    assert seats_on(color_stock) == []


def test_seats_of_a_ladder_are_those_of_its_ranked_bots_together(color_stock, play):
    play(color_stock, 30)
    rate()
    rows = Rating.objects.filter(entry__ladder=color_stock, matches__gt=0)
    seats = seats_on(color_stock)
    legs = [sum(row.seats[at][0] for row in rows) for at in range(len(seats))]
    assert [result.legs for result in seats] == legs
    assert sum(result.share for result in seats) / len(seats) == pytest.approx(0.5, abs=0.01)
