"""From records to ratings: the log, the counts, the fit, the standings, and that all of it can be rebuilt."""

import json
import subprocess
import sys
from collections import Counter
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.services import NotPossible
from games.seating import seatings
from ladders.models import Entry, Ladder, Meeting, Rating, RatingPoint
from ladders.services import enter, follow_versions, leave, make_ladder
from ratings.claims import PROVISIONAL_MATCHES
from ratings.log import BEFORE_THE_FIRST, hash_of
from ratings.scale import FIRST
from tests.platform.tournaments.conftest import rate
from tournaments import rater as rating
from tournaments.exporting import export_of
from tournaments.matchmaker import Lobby, make_one
from tournaments.models import LogLine, Match, Seat
from tournaments.rater import Rater
from tournaments.rerating import rerate
from tournaments.services import remove, void

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "docs" / "rerate.py"


def entry(ladder, name):
    return Entry.objects.select_related("version").get(ladder=ladder, bot__name=name)


GOOD, SIMPLE, RANDOM = (f"house-{s}-color-stock" for s in ("good", "simple", "random"))
HOUSE = {GOOD: 20, SIMPLE: 0, RANDOM: -20}


# -- Standings ------------------------------------------------------------------------------------


def test_a_ladder_on_which_nothing_was_played_has_standings_without_ranks(color_stock):
    rate()
    assert [e.rank for e in color_stock.entries.all()] == [None, None, None]
    assert entry(color_stock, GOOD).version == Ladder.objects.get(pk=color_stock.pk).anchor
    assert (entry(color_stock, GOOD).rating, entry(color_stock, SIMPLE).rating) == (FIRST, FIRST)


def test_the_anchor_is_1500_and_the_others_stand_around_it(color_stock, play):
    play(color_stock, 80, HOUSE)
    rate()
    good, simple, random = (entry(color_stock, name) for name in (GOOD, SIMPLE, RANDOM))
    assert (good.rating, good.plus_minus) == (FIRST, 0)
    assert good.rating > simple.rating > random.rating
    assert 0 < simple.plus_minus < 300
    assert [good.rank, simple.rank, random.rank] == [1, 2, 3]
    assert good.best <= 1 <= good.worst <= 3
    assert (good.ahead > 0.9, random.ahead) == (True, None)
    assert good.matches == 80


def test_who_has_played_too_little_has_no_rank(color_stock, play):
    play(color_stock, PROVISIONAL_MATCHES - 1)
    rate()
    assert {e.rank for e in color_stock.entries.all()} == {None}
    assert entry(color_stock, SIMPLE).plus_minus is not None


def test_a_rank_goes_with_whoever_leaves(color_stock, play, new_bot, alice):
    bot = new_bot(alice)
    play(color_stock, 60, {"lucky": 40})
    rate()
    own = entry(color_stock, "lucky")
    assert own.rank == 1
    leave(entry=own)
    rate()
    assert entry(color_stock, "lucky").rank is None
    assert sorted(e.rank for e in color_stock.entries.present()) == [1, 2, 3]
    enter(ladder=color_stock, bot=bot)
    rate()
    assert entry(color_stock, "lucky").rank == 1


def test_an_entry_shows_the_last_ratings_of_its_history(color_stock, play):
    for _ in range(5):
        play(color_stock, 2)
        rate()
    simple = entry(color_stock, SIMPLE)
    points = RatingPoint.objects.filter(rated__entry=simple)
    assert list(points.values_list("matches", flat=True)) == [2, 4, 6, 8, 10]
    assert simple.trend == list(points.values_list("rating", flat=True))


def test_history_grows_ever_more_slowly_but_every_day(color_stock, play):
    play(color_stock, 100)
    rate()
    play(color_stock, 3)
    rate()
    points = RatingPoint.objects.filter(rated__entry=entry(color_stock, SIMPLE))
    assert points.count() == 1
    with time_machine.travel(timezone.now() + timedelta(days=1, minutes=1)):
        play(color_stock, 1)
        rate()
    assert list(points.values_list("matches", flat=True)) == [100, 104]


# -- Special ladders ------------------------------------------------------------------------------


def test_a_bot_that_wins_always_has_a_rating(color_stock, play, new_bot, alice):
    new_bot(alice)
    play(color_stock, 150, {"lucky": 60})
    rate()
    winner = entry(color_stock, "lucky")
    assert winner.rank == 1
    assert winner.places[0] == winner.matches
    assert 1600 < winner.rating < 3000


def test_ties_of_all_move_nobody(color_stock, play, monkeypatch):
    monkeypatch.setattr(Random, "gauss", lambda self, mean, width: mean)
    play(color_stock, 25)
    rate()
    assert {e.rating for e in color_stock.entries.all()} == {FIRST}
    assert {(e.best, e.worst) for e in color_stock.entries.all()} == {(1, 3)}


@pytest.mark.parametrize(("game", "players"), [("sticheln", 8), ("color-stock", 2)])
def test_tables_of_other_sizes_are_rated(operator, ladders, play, game, players):
    ladder = make_ladder(created_by=operator, title="Other", game=game, options={}, players=players)
    play(ladder, 120, {f"house-good-{game}": 9, f"house-random-{game}": -9})
    rate()
    best, last = entry(ladder, f"house-good-{game}"), entry(ladder, f"house-random-{game}")
    assert best.rating - best.plus_minus > last.rating + last.plus_minus


def test_two_ladders_know_nothing_of_each_other(ladders, play):
    play(ladders["color-stock"], 25, HOUSE)
    rate()
    before = numbers(ladders["color-stock"])
    play(ladders["stop-it"], 25)
    rate()
    assert numbers(ladders["color-stock"]) == before


def numbers(ladder):
    fields = ("rating", "plus_minus", "matches", "rank", "ahead", "places", "trend")
    return list(ladder.entries.order_by("pk").values_list("bot__name", *fields))


# -- The log --------------------------------------------------------------------------------------


def test_the_log_is_a_chain_of_the_rated_matches(color_stock, play):
    played = play(color_stock, 3)
    unfinished = make_one(Lobby(color_stock, timezone.now()), newcomers=False)
    rate()
    lines = [json.loads(row.line) for row in color_stock.log.order_by("number")]
    assert [line["match"] for line in lines] == [match.pk for match in played]
    assert [line["previous"] for line in lines] == [
        BEFORE_THE_FIRST,
        *(line["hash"] for line in lines[:-1]),
    ]
    assert all(hash_of(line) == line["hash"] for line in lines)
    assert unfinished.pk not in {line["match"] for line in lines}


def test_void_matches_and_challenges_are_in_no_log(color_stock, play):
    [played] = play(color_stock, 1)
    void(match=make_one(Lobby(color_stock, timezone.now()), newcomers=False), reason="x", who=None)
    Match.objects.filter(pk=played.pk).update(is_rated=False)
    Rater().rate_due()
    assert not LogLine.objects.exists()


def test_a_removed_match_counts_no_more(color_stock, play, operator):
    kept = play(color_stock, 25, HOUSE)
    rate()
    without = numbers(color_stock)
    counts = list(Rating.objects.order_by("pk").values("places", "seats", "faults", "owners_met"))
    meetings = list(Meeting.objects.order_by("pk").values("matches", "thousandths", "squares"))
    [odd] = play(color_stock, 1, {RANDOM: 1000})
    rate()
    assert numbers(color_stock) != without
    remove(match=odd, reason="a helper", who=operator)
    rate()
    assert [row[:-1] for row in numbers(color_stock)] == [row[:-1] for row in without]
    after = list(Rating.objects.order_by("pk").values("places", "seats", "faults", "owners_met"))
    assert after == counts
    left = list(Meeting.objects.order_by("pk").values("matches", "thousandths", "squares"))
    assert left == meetings
    last = json.loads(color_stock.log.get(number=len(kept) + 2).line)
    assert (last["remove"], last["reason"]) == (odd.pk, "a helper")
    with pytest.raises(NotPossible, match="removed already"):
        remove(match=odd, reason="again", who=operator)


def test_a_match_is_removed_before_anybody_has_rated_it(color_stock, play):
    [odd] = play(color_stock, 1)
    remove(match=odd, reason="a helper", who=None)
    rate()
    assert color_stock.log.count() == 2
    assert {e.matches for e in color_stock.entries.all()} == {0}
    assert set(Rating.objects.values_list("matches", flat=True)) == {0}


def test_what_is_not_in_the_ratings_cannot_be_removed(color_stock):
    waiting = make_one(Lobby(color_stock, timezone.now()), newcomers=False)
    with pytest.raises(NotPossible, match="is not in the ratings"):
        remove(match=waiting, reason="too late", who=None)


# -- Counts ---------------------------------------------------------------------------------------


def test_what_is_counted_is_what_the_seats_say(color_stock, play, new_bot, alice, bob):
    new_bot(alice)
    new_bot(bob, "rival")
    play(color_stock, 20)
    rate()
    for rated in Rating.objects.filter(entry__ladder=color_stock).select_related("version"):
        seats = Seat.objects.filter(version=rated.version)
        assert rated.matches == seats.values("match").distinct().count()
        assert sum(rated.places) == seats.count()
        legs = Counter()
        for seat in seats.select_related("match"):
            legs.update(seating.index(seat.index) for seating in seatings(seat.match.players))
        assert [counts[0] for counts in rated.seats] == [legs[at] for at in range(4)]
        points = sum(sum(seat.scores) for seat in seats)
        assert sum(counts[3] for counts in rated.seats) == points


def test_a_meeting_is_the_mean_share_of_the_legs(color_stock, play):
    good, random = entry(color_stock, GOOD), entry(color_stock, RANDOM)
    play(color_stock, 10, HOUSE, table=[good, good, random, entry(color_stock, SIMPLE)])
    rate()
    there = Meeting.objects.get(rated__entry=good, other__entry=random)
    back = Meeting.objects.get(rated__entry=random, other__entry=good)
    assert (there.matches, back.matches) == (10, 10)
    assert abs(there.thousandths + back.thousandths - 10_000) <= 10  # rounding of each match
    assert there.thousandths > 5000
    assert not Meeting.objects.filter(rated=good.ratings.get(), other=good.ratings.get()).exists()


def test_faults_are_counted_by_kind(color_stock, play):
    [match] = play(color_stock, 1)
    seat = match.seats.select_related("bot").first()
    Seat.objects.filter(pk=seat.pk).update(kinds=["time", "", "illegal", "time"])
    rate()
    rated = Rating.objects.get(version=seat.version)
    assert (rated.kinds, rated.faults) == ({"illegal": 1, "time": 2}, 3)
    assert entry(color_stock, seat.bot.name).faults == 3


# -- Again and again ------------------------------------------------------------------------------


def test_a_rater_that_goes_on_finds_what_one_that_begins_anew_finds(color_stock, play):
    follow_versions()
    going_on = Rater()
    for _ in range(4):
        play(color_stock, 6, HOUSE)
        going_on.boards and vars(going_on.boards[color_stock.pk]).update(rests_until=0.0)
        going_on.rate_due()
    found = numbers(color_stock)
    Ladder.objects.update(is_stale=True)
    rate()
    assert numbers(color_stock) == found


def test_the_order_in_which_matches_were_recorded_changes_no_number(color_stock, play):
    played = play(color_stock, 12, HOUSE)
    rate()
    before = [row[:-1] for row in numbers(color_stock)]
    moments = [match.finished_at for match in played]
    for match, moment in zip(played, reversed(moments), strict=True):
        Match.objects.filter(pk=match.pk).update(finished_at=moment, is_logged=False)
    LogLine.objects.all().delete()
    rerate(ladder=color_stock)
    assert json.loads(color_stock.log.get(number=1).line)["match"] == played[-1].pk
    assert [row[:-1] for row in numbers(color_stock)] == before


def test_rating_anew_changes_nothing_and_says_so(color_stock, play, capsys):
    played = play(color_stock, 12, HOUSE)
    remove(match=played[3], reason="a helper", who=None)
    rate()
    before = numbers(color_stock)
    call_command("rerate", "color-stock")
    assert capsys.readouterr().out == (
        "color-stock: 13 lines, 3 versions, 6 pairs; nothing changed\n"
    )
    assert numbers(color_stock) == before


def test_rating_anew_mends_and_names_what_was_wrong(color_stock, play, capsys):
    play(color_stock, 12, HOUSE)
    rate()
    before = numbers(color_stock)
    simple = entry(color_stock, SIMPLE).version
    Rating.objects.filter(version=simple).update(places=[9])
    Meeting.objects.filter(rated__version=simple).update(thousandths=1)
    with pytest.raises(CommandError, match="3 numbers changed"):
        call_command("rerate")
    assert f"color-stock: version {simple.pk}: places was [9], is [" in capsys.readouterr().out
    assert [row[:-1] for row in numbers(color_stock)] == [row[:-1] for row in before]
    assert not rerate(ladder=color_stock).differences


def test_a_forged_result_is_found(color_stock, play):
    played = play(color_stock, 3)
    rate()
    seat = played[1].seats.first()
    Seat.objects.filter(pk=seat.pk).update(scores=[99, 99, 99, 99])
    line = color_stock.log.get(number=3)
    LogLine.objects.filter(pk=line.pk).update(line=line.line.replace('"seed":"', '"seed":"0'))
    assert rerate(ladder=color_stock).differences[:2] == [
        f"line 2 of the log is not what match {played[1].pk} was",
        "line 3 of the log is not what was hashed",
    ]


def test_rerate_names_the_ladders_there_are(ladders):
    with pytest.raises(CommandError, match="There is no ladder chess; there are sticheln, misery"):
        call_command("rerate", "chess")


def test_a_rater_that_fails_begins_anew(color_stock, play, monkeypatch, caplog):
    play(color_stock, 2)
    rater = Rater()
    with monkeypatch.context() as broken:
        broken.setattr(rating, "publish", lambda **about: 1 / 0)
        assert rater.rate_due() == 0
    assert "Color Stock cannot be rated; next try in 30 s" in caplog.text
    assert rater.rate_due() == 0  # it rests
    rate()
    assert entry(color_stock, SIMPLE).matches == 2


def test_after_a_fit_a_ladder_rests(color_stock, play):
    rater = Rater()
    assert rater.rate_due() >= 1
    play(color_stock, 1)
    assert rater.rate_due() == 0
    rater.boards[color_stock.pk].rests_until = 0.0
    assert rater.rate_due() == 1


def test_a_fit_that_was_overtaken_publishes_nothing(color_stock, play):
    play(color_stock, 2)
    rate()
    before = numbers(color_stock)
    Ladder.objects.filter(pk=color_stock.pk).update(counted_lines=1)
    ladder = Ladder.objects.get(pk=color_stock.pk)
    board = rating.Board(ladder)
    board.read_on(ladder)
    known, previous = rating.fitted(ladder, board.results, {})
    rating.publish(ladder=ladder, known=known, previous=previous, lines=2, last_hash="f" * 64)
    assert Ladder.objects.get(pk=ladder.pk).last_hash != "f" * 64
    assert numbers(color_stock) == before


def test_recording_touches_no_row_that_a_fit_writes(hands, color_stock):
    match = make_one(Lobby(color_stock, timezone.now()), newcomers=False)
    record = hands.record(hands.ticket(match.name))
    with CaptureQueriesContext(connection) as asked:
        assert hands.report(record).status_code == 200
    written = [q["sql"] for q in asked if q["sql"].startswith(("UPDATE", "INSERT", "DELETE"))]
    assert written
    assert not any('"ladders_' in sql.partition("WHERE")[0] for sql in written)


def test_a_preview_moves_all_but_the_anchor(hands, color_stock):
    match = make_one(Lobby(color_stock, timezone.now()), newcomers=False)
    hands.play(match)
    color_stock.refresh_from_db()
    for seat in match.seats.all():
        is_anchor = seat.version_id == color_stock.anchor_id
        assert (seat.rating_after == seat.rating_before == FIRST) is is_anchor


# -- The export -----------------------------------------------------------------------------------


def test_anybody_can_work_the_published_numbers_out_again(
    color_stock, play, new_bot, alice, client, tmp_path
):
    new_bot(alice)
    played = play(color_stock, 25, HOUSE)
    remove(match=played[7], reason="a helper", who=None)
    rate()
    export = tmp_path / "export.ndjson"
    answer = client.get("/api/v1/ladders/color-stock/log")
    export.write_bytes(b"".join(answer))
    answer = subprocess.run(
        [sys.executable, SCRIPT, export], capture_output=True, text=True, check=False
    )
    assert answer.stdout.splitlines() == [
        "24 matches, 1 removed, 4 versions",
        "Every number is as published, and the chain is unbroken.",
    ]
    lines = [json.loads(line) for line in export.read_text(encoding="utf-8").splitlines()]
    names = [name for line in lines for name in line.get("names", {}).get("bots", {}).values()]
    assert set(names) == {GOOD, SIMPLE, RANDOM, "lucky"}


def test_an_export_goes_as_far_as_what_is_published(color_stock, play):
    play(color_stock, 3)
    rate()
    play(color_stock, 2)
    rating.log.log_new(color_stock)
    lines = [json.loads(line) for line in b"".join(export_of(color_stock)).splitlines()]
    assert len(lines) == 1 + 3 + 1
    assert lines[-1]["last"] == lines[-2]["hash"]
