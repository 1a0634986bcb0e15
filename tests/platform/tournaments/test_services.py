"""Challenges, mending, ratings built anew, house bots and replays."""

import json
from datetime import timedelta

import pytest
import time_machine
from django.core.management import call_command
from django.utils import timezone

from accounts.models import Act
from accounts.services import NotPossible, QuotaReached
from bots.models import Bot, Version
from bots.services import activate, pause, upload
from games import replay
from jobs.models import State, Worker
from ladders.models import Entry, Ladder, Rating
from ladders.services import follow_versions
from ratings.claims import PROVISIONAL_MATCHES
from ratings.scale import FIRST
from tournaments.house import ensure_house
from tournaments.matchmaker import Lobby, make_one
from tournaments.models import Match
from tournaments.rater import Rater
from tournaments.replays import owners_replay, public_replay
from tournaments.services import challenge, requeue, sweep, void
from workers.inside import Inside

pytestmark = pytest.mark.django_db


def draw(ladder, newcomers=False):
    ladder.refresh_from_db()
    return make_one(Lobby(ladder, timezone.now()), newcomers=newcomers)


def house(name):
    return Bot.objects.get(name=f"house-{name}").active_version


# -- Challenges -----------------------------------------------------------------------------------


def test_a_challenge_is_played_and_changes_no_rating(hands, new_bot, alice, color_stock):
    bot = new_bot(alice)
    versions = [bot.active_version, house("good-color-stock")]
    match = challenge(user=alice, versions=versions, options={"rounds": 1})
    assert (match.is_rated, match.players, match.queue) == (False, 2, "newcomers")
    assert hands.play(match).status_code == 200
    assert not Rating.objects.exists()
    assert set(Entry.objects.values_list("rating", flat=True)) == {FIRST}
    assert [seat.rating_after for seat in match.seats.all()] == [None, None]


def test_own_versions_may_be_old_ones_and_meet_each_other(hands, new_bot, alice, color_stock):
    bot = new_bot(alice)
    newer, _ = upload(bot=bot, data=b"print(2)", file_name="bot.py")
    hands.check(newer)
    match = challenge(user=alice, versions=[bot.versions.get(number=1), newer])
    assert match.seats.count() == 2


def test_of_others_only_what_they_let_play_may_be_challenged(hands, new_bot, alice, bob):
    own, rival = new_bot(alice), new_bot(bob, "rival")
    newer, _ = upload(bot=rival, data=b"print(2)", file_name="bot.py")
    with pytest.raises(NotPossible, match="has not passed its check"):
        challenge(user=bob, versions=[own.active_version, newer])
    with pytest.raises(NotPossible, match="does not play at present"):
        challenge(user=alice, versions=[own.active_version, newer])
    hands.check(newer)
    with pytest.raises(NotPossible, match="does not play at present"):
        challenge(user=alice, versions=[own.active_version, rival.versions.get(number=1)])
    pause(bot=rival)
    with pytest.raises(NotPossible, match="does not play at present"):
        challenge(user=alice, versions=[own.active_version, newer])


@pytest.mark.parametrize(
    ("names", "options", "said"),
    [
        (["good-sticheln", "good-stop-it", "random-stop-it"], {}, "bots of one game"),
        ([], {}, "bots of one game"),
        (["good-sticheln", "random-sticheln"], {}, "3 to 8 players"),
        (["good-color-stock", "random-color-stock"], {"rounds": 7}, "one of 3, 1"),
        (["good-color-stock", "random-color-stock"], {"speed": 7}, "no option 'speed'"),
    ],
)
def test_a_table_that_the_rules_do_not_have_is_refused(ladders, alice, names, options, said):
    with pytest.raises(NotPossible, match=said):
        challenge(user=alice, versions=[house(name) for name in names], options=options)


def test_challenges_have_a_quota(ladders, alice, settings):
    settings.QUOTAS = settings.QUOTAS | {"challenges_a_day": 2}
    versions = [house("good-color-stock"), house("random-color-stock")]
    for _ in range(2):
        challenge(user=alice, versions=versions)
    with pytest.raises(QuotaReached, match="2 challenges in 24 hours"):
        challenge(user=alice, versions=versions)
    with time_machine.travel(timezone.now() + timedelta(hours=25)):
        assert challenge(user=alice, versions=versions)


def test_only_so_many_challenges_of_somebody_are_under_way(ladders, alice, bob, operator, settings):
    settings.QUOTAS = settings.QUOTAS | {"challenges_at_once": 1}
    versions = [house("good-color-stock"), house("random-color-stock")]
    first = challenge(user=alice, versions=versions)
    with pytest.raises(QuotaReached, match="1 of your challenges wait or are being played"):
        challenge(user=alice, versions=versions)
    assert challenge(user=bob, versions=versions)
    void(match=first, reason="the engine died", who=operator)
    assert challenge(user=alice, versions=versions)


# -- Mending --------------------------------------------------------------------------------------


def test_a_void_match_can_be_played_after_all_with_the_same_seed(hands, operator, color_stock):
    match = draw(color_stock)
    seed = match.seed
    void(match=match, reason="a power cut", who=operator)
    requeue(match=match, who=operator)
    assert hands.play(match).status_code == 200
    match.refresh_from_db()
    assert (match.seed, match.state) == (seed, State.FINISHED)
    assert list(Act.objects.values_list("verb", flat=True).order_by("id"))[-2:] == [
        "voided",
        "requeued",
    ]


def test_a_match_with_a_result_keeps_it(hands, operator, color_stock):
    match = draw(color_stock)
    hands.play(match)
    with pytest.raises(NotPossible, match="has its result"):
        requeue(match=match, who=operator)
    with pytest.raises(NotPossible, match="finished already"):
        void(match=match, reason="because", who=operator)


def test_who_was_playing_a_voided_match_learns_it_from_the_next_beat(hands, operator, color_stock):
    match = draw(color_stock)
    hands.ticket(match.name)
    name = match.name
    void(match=match, reason="because", who=operator)
    assert hands.progress(name).status_code == 409


# -- Sending --------------------------------------------------------------------------------------


@pytest.fixture
def sent(monkeypatch):
    """What was put into the queues."""
    messages = []

    def keep(name, where):
        messages.append((name.kind, name.attempt, where))
        return True

    monkeypatch.setattr("jobs.services.send", keep)
    return messages


def test_what_waits_is_sent_at_once_and_again_when_it_may_be_lost(
    color_stock, sent, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        draw(color_stock)
    assert sent == [("match", 1, "matches")]
    sweep()
    assert len(sent) == 1
    with time_machine.travel(timezone.now() + timedelta(seconds=21)):
        sweep()
        sweep()
    assert sent == [("match", 1, "matches")] * 2


def test_a_match_that_failed_is_sent_with_its_next_attempt(
    hands, color_stock, sent, django_capture_on_commit_callbacks
):
    match = draw(color_stock)
    hands.ticket(match.name)
    with django_capture_on_commit_callbacks(execute=True):
        hands.give_back(match.name)
    assert sent == [("match", 2, "matches")]


def test_a_broker_that_is_away_stops_nothing(settings, color_stock):
    settings.BROKER = "redis+socket:///nowhere/broker.sock"
    from jobs import queue

    queue.queue.cache_clear()
    try:
        match = draw(color_stock)
        assert queue.send(match.name, match.queue) is False
    finally:
        queue.queue.cache_clear()


# -- Ratings --------------------------------------------------------------------------------------


# -- Versions on ladders --------------------------------------------------------------------------


def entry_of(bot):
    return Entry.objects.select_related("version", "challenger").get(bot=bot)


def test_a_version_that_follows_one_without_a_rank_has_the_place_at_once(
    hands, new_bot, alice, color_stock
):
    bot = new_bot(alice)
    follow_versions()
    hands.play(draw(color_stock, newcomers=True))
    Rater().rate_due()
    first = entry_of(bot)
    assert (first.matches, first.version.number) == (1, 1)
    version, _ = upload(bot=bot, data=b"print(2)", file_name="bot.py")
    hands.check(version)
    follow_versions()
    Rater().rate_due()
    entry = entry_of(bot)
    assert (entry.version, entry.matches, entry.plus_minus) == (version, 0, None)
    assert entry.rating == first.rating  # until it has played it is expected near the one before
    hands.play(draw(color_stock, newcomers=True))
    activate(version=bot.versions.get(number=1))
    follow_versions()
    Rater().rate_due()
    assert (entry_of(bot).version.number, entry_of(bot).matches) == (1, 1)


def test_a_challenger_takes_the_place_of_a_ranked_version_when_it_has_played_enough(
    hands, new_bot, alice, color_stock
):
    bot = new_bot(alice)
    hands.play(draw(color_stock, newcomers=True))
    follow_versions()
    Rater().rate_due()
    Entry.objects.filter(bot=bot).update(rank=2)
    version, _ = upload(bot=bot, data=b"print(2)", file_name="bot.py")
    hands.check(version)
    follow_versions()
    entry = entry_of(bot)
    assert (entry.version.number, entry.challenger, entry.matches_made) == (1, version, 0)
    for _ in range(PROVISIONAL_MATCHES):
        assert version.pk not in entry_of(bot).ratings.filter(matches__gte=20).values("version")
        hands.play(draw(color_stock, newcomers=True))
    Rater().rate_due()
    entry = entry_of(bot)
    assert (entry.version, entry.challenger, entry.matches) == (version, None, 20)


def test_a_match_of_a_version_that_has_been_replaced_counts_for_that_version(
    hands, new_bot, alice, color_stock
):
    bot = new_bot(alice)
    match = draw(color_stock, newcomers=True)
    version, _ = upload(bot=bot, data=b"print(2)", file_name="bot.py")
    hands.check(version)
    follow_versions()
    hands.play(match)
    Rater().rate_due()
    entry = entry_of(bot)
    assert (entry.version, entry.matches) == (version, 0)
    assert entry.ratings.get().version.number == 1


def test_what_is_activated_after_a_ladder_has_closed_changes_nothing_there(
    hands, new_bot, alice, color_stock
):
    bot = new_bot(alice)
    follow_versions()
    Ladder.objects.filter(pk=color_stock.pk).update(
        opens_at=timezone.now() - timedelta(days=2), closes_at=timezone.now() - timedelta(days=1)
    )
    version, _ = upload(bot=bot, data=b"print(2)", file_name="bot.py")
    hands.check(version)
    assert follow_versions() == 0
    assert entry_of(bot).version.number == 1


# -- House bots and what every site has -----------------------------------------------------------


def test_preparing_a_site_twice_is_preparing_it_once(db, tmp_path, capsys):
    token = tmp_path / "token"
    for _ in range(2):
        call_command("prepare", worker_token_file=token)
    assert Ladder.objects.filter(is_standard=True).count() == 5
    assert Bot.objects.filter(is_house=True).count() == 9
    assert Entry.objects.count() == 15
    assert Worker.objects.count() == 1
    assert token.read_text().startswith("kbw_")
    assert token.stat().st_mode & 0o077 == 0
    assert "5 standard ladders and 9 house bots" in capsys.readouterr().out


def test_a_changed_example_is_a_new_version_of_its_house_bot(ladders, monkeypatch):
    from bots.examples import Example

    monkeypatch.setattr(
        Example, "data", property(lambda example: b"# new\n" + bytes(str(example.path), "utf-8"))
    )
    ensure_house()
    bot = Bot.objects.get(name="house-good-sticheln")
    assert [version.number for version in bot.versions.all()] == [2, 1]
    assert bot.active_version.number == 2


def test_every_rule_set_has_its_ladder(ladders):
    rules = {
        ladder.options.get("rules") for ladder in ladders.values() if ladder.game == "sticheln"
    }
    assert rules == {"sticheln", "misery", "stick-em"}
    assert {ladder.game for ladder in ladders.values()} == {"sticheln", "stop-it", "color-stock"}


def test_one_round_of_the_scheduler_makes_matches(ladders):
    call_command("scheduler", once=True)
    assert Match.objects.filter(state=State.WAITING).exists()


# -- Replays --------------------------------------------------------------------------------------


class Chatty(Inside):
    """Says something with every move, and writes debug output."""

    def ask(self, line, limits):
        reply = super().ask(line, limits)
        return reply._replace(line=reply.line[:-1] + b',"note":"my secret plan"}')

    def close(self):
        return b"debug of mine"


def played_with_secrets(hands, match):
    from workers.bench import EXAMPLES
    from workers.inside import choose_of

    choose = choose_of(EXAMPLES / match.game / "python" / "simple_bot.py")
    hands.play(match, [lambda: Chatty(choose)] * match.players)
    match.refresh_from_db()


def test_the_public_replay_verifies_and_has_no_secrets(hands, new_bot, alice, color_stock):
    bot = new_bot(alice)
    match = draw(color_stock, newcomers=True)
    played_with_secrets(hands, match)
    public = public_replay(match)
    whole = replay.read(public)
    replay.verify(whole)
    assert b"secret plan" not in public
    assert b"debug of mine" not in public
    at = match.seats.get(bot=bot).index
    assert whole["bots"][at] == {
        "name": "lucky",
        "author": "alice",
        "version": 1,
        "sha256": bot.active_version.archive_id,
    }
    assert whole["match"] == str(match.pk)


def test_owners_get_what_is_private_of_their_own_seats_only(
    hands, new_bot, alice, bob, color_stock
):
    bot = new_bot(alice)
    match = draw(color_stock, newcomers=True)
    played_with_secrets(hands, match)
    whole = json.loads(owners_replay(match, alice))
    replay.verify(whole)
    at = match.seats.get(bot=bot).index
    for leg, private in zip(whole["legs"], whole["private"], strict=True):
        seat = leg["seating"].index(at)
        assert {note["seat"] for note in private["notes"]} == {seat}
        assert private["debug"] == {str(seat): "debug of mine"}
    strangers = json.loads(owners_replay(match, bob))
    assert strangers["private"] == [{"notes": [], "faults": [], "debug": {}}] * 4


def test_a_renamed_bot_reads_right_in_old_replays(hands, new_bot, alice, color_stock):
    from bots.services import rename

    bot = new_bot(alice)
    match = draw(color_stock, newcomers=True)
    hands.play(match)
    rename(bot=bot, name="fortuna")
    match.refresh_from_db()
    assert "fortuna" in {about["name"] for about in replay.read(public_replay(match))["bots"]}


def test_versions_of_others_are_not_shown_by_number_alone(new_bot, alice):
    assert str(Version.objects.get(bot=new_bot(alice))) == "lucky v1"
