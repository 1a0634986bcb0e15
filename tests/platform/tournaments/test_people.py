"""A person at the table: sits down, sees what a bot would be told, answers, leaves, has a replay."""

import json
import threading
from hashlib import sha256

import pytest
from django.db import IntegrityError, transaction

from accounts.services import NotPossible
from bots.models import Bot
from games import replay
from games.player import Limits
from jobs.models import State
from tests.platform.tournaments.conftest import inside
from tests.workers.conftest import broker, redis_server, until
from tournaments import leaving, people, replays, services
from tournaments.matchmaker import make_matches
from tournaments.models import Match
from workers.chair import Chair, opened
from workers.contract import PEOPLE
from workers.person import Person

__all__ = ["broker", "redis_server"]

pytestmark = pytest.mark.django_db
WALL_MS = services.PERSONS_WALL_MS


@pytest.fixture
def house(ladders):
    """The version of a house bot that plays."""

    def version(game, strength="random"):
        return Bot.objects.get(name=f"house-{strength}-{game}").active_version

    return version


@pytest.fixture
def sit(alice, house, broker, settings):
    settings.BROKER = broker

    def sit_down(game="color-stock", others=1, user=alice, **options):
        versions = [house(game)] * others
        return services.sit_down(user=user, versions=versions, options=options)

    return sit_down


class Play(threading.Thread):
    """A worker that plays a ticket: bots inside the process, and the person through Redis."""

    def __init__(self, hands, match, broker):
        super().__init__(daemon=True)
        self.hands = hands
        self.ticket = hands.ticket(match.name)
        self.chair = Chair(opened(broker), self.ticket.chair.name)
        self.record = None
        self.start()

    def run(self):
        players = [
            inside(self.ticket.game, 2) if archive else lambda: Person(self.chair, lambda: None)
            for archive in self.ticket.lineup
        ]
        self.record = self.hands.record(self.ticket, players)

    def report(self):
        self.join(60)
        return self.hands.report(self.record)


@pytest.fixture
def play(hands, broker):
    return lambda match: Play(hands, match, broker)


def next_question(match, number):
    """The situation in which the question of this number, or a later one, is open, or it is over."""

    def there():
        seen = people.situation(match, 1000)
        return seen if seen.is_over or (seen.question and seen.question["id"] >= number) else None

    return until(there)


def answer_all(match):
    """Plays the first legal move to the end; all situations there were."""
    seen, number = [], 1
    while True:
        seen.append(next_question(match, number))
        if seen[-1].is_over:
            return seen
        number = seen[-1].question["id"] + 1
        people.answer(match=match, number=number - 1, move=seen[-1].question["legal"][0])


# -- Sitting down ---------------------------------------------------------------------------------


def test_a_table_with_a_person_is_one_unrated_leg_in_a_queue_of_its_own(sit, alice):
    match = sit(others=2)
    assert (match.person, match.created_by, match.is_rated) == (alice, alice, False)
    assert (match.queue, match.players, len(match.seatings)) == (PEOPLE, 3, 1)
    assert match.limits == replays.as_json(match.clocks) | {"wall_ms": WALL_MS}
    assert [seat.name for seat in match.seats.all()].count("alice") == 1


def test_the_seat_is_drawn(sit, settings):
    settings.QUOTAS = settings.QUOTAS | {"challenges_a_day": 1000}
    places = set()
    for _ in range(40):
        match = sit()
        places.add(match.seats.get(bot=None).index)
        people.leave(match=match)
    assert places == {0, 1}


def test_nobody_sits_at_two_tables(sit, alice, bob):
    match = sit()
    with pytest.raises(NotPossible, match="Play on there, or leave it first"):
        sit()
    with pytest.raises(IntegrityError), transaction.atomic():
        Match.objects.filter(pk=sit(user=bob).pk).update(person=alice)
    people.leave(match=match)
    assert sit().person == alice


def test_tables_count_as_challenges(sit, settings):
    settings.QUOTAS = settings.QUOTAS | {"challenges_a_day": 1}
    people.leave(match=sit())
    with pytest.raises(NotPossible, match="1 challenges in 24 hours"):
        sit()


def test_who_waits_for_a_table_holds_up_no_ladder(sit, color_stock):
    sit()
    before = Match.objects.count()
    make_matches()
    assert Match.objects.count() > before


def test_a_table_of_too_many_is_refused(sit):
    with pytest.raises(NotPossible, match="is for 2 to 4 players, not 5"):
        sit(others=4)


# -- The ticket -----------------------------------------------------------------------------------


def test_bots_keep_their_usual_time_while_the_person_has_minutes(sit, hands):
    match = sit()
    ticket = hands.ticket(match.name)
    assert ticket.limits.wall_ms == WALL_MS
    assert ticket.chair.bots_wall_ms == Limits().wall_ms
    assert ticket.legs == 1
    assert ticket.lineup.index(None) == match.seats.get(bot=None).index


def test_nobody_can_guess_a_chair(sit, hands, bob, settings):
    ticket = hands.ticket(sit().name)
    assert ticket.chair.name not in (ticket.seed, sha256(bytes.fromhex(ticket.seed)).hexdigest())
    assert people.chair_name(sit(user=bob)) != ticket.chair.name


# -- Playing --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "others", "options"),
    [
        ("color-stock", 1, {"rounds": 1}),
        ("stop-it", 2, {}),
        ("sticheln", 2, {"rules": "misery"}),
    ],
)
def test_a_whole_game_is_played_and_its_replay_is_right(sit, play, alice, game, others, options):
    match = sit(game, others, **options)
    worker = play(match)
    seen = answer_all(match)
    assert worker.report().status_code == 200
    match.refresh_from_db()
    assert match.state == State.FINISHED
    assert match.seats.get(bot=None).faults == 0
    found = replay.read(replays.public_replay(match))
    replay.verify(found)
    assert found["limits"]["wall_ms"] == WALL_MS
    [person] = [bot for bot in found["bots"] if bot["version"] == 0]
    assert person == {"name": "alice", "author": "alice", "version": 0} | {
        "sha256": sha256().hexdigest()
    }
    assert seen[-1].end["scores"] == found["legs"][0]["scores"]


def test_what_is_seen_is_what_a_bot_is_told(sit, play):
    match = sit("sticheln", 3)
    worker = play(match)
    seen = next_question(match, 1)
    [told] = [entry.message for entry in worker.chair.entries() if b'"move"' in entry.line]
    news = people.news(match, seen)
    assert news["question"] == {"id": 1, "legal": told["legal"]}
    assert {key: news["table"][key] for key in told["view"]} == told["view"]
    own = told["view"]["seat"]
    assert [hand for at, hand in enumerate(news["table"]["hands"]) if at != own] == [None] * 3
    cards = [card for event in told["events"] for card in event.get("hand", [])]
    assert set(cards) == set(told["view"]["hand"])
    worker.chair.add("said", b'{"leave":true}')
    worker.join(60)


def test_an_answer_to_another_question_or_with_another_move_is_refused_and_costs_nothing(sit, play):
    match = sit(rounds=1)
    worker = play(match)
    legal = next_question(match, 1).question["legal"]
    with pytest.raises(NotPossible, match="is not among the moves"):
        people.answer(match=match, number=1, move="purple+purple")
    with pytest.raises(NotPossible, match="has been answered already"):
        people.answer(match=match, number=2, move=legal[0])
    people.answer(match=match, number=1, move=legal[0])
    with pytest.raises(NotPossible, match="has been answered already"):
        people.answer(match=match, number=1, move=legal[0])
    answer_all(match)
    worker.report()
    assert match.seats.get(bot=None).faults == 0


def test_who_leaves_is_played_on_by_the_house(sit, play, client, alice):
    match = sit(rounds=1)
    worker = play(match)
    next_question(match, 1)
    match.refresh_from_db()
    people.leave(match=match)
    people.leave(match=match)
    assert worker.report().status_code == 200
    match.refresh_from_db()
    found = replay.read(replays.public_replay(match))
    replay.verify(found)
    assert [fault["kind"] for fault in found["legs"][0]["faults"]] == ["crashed"]
    assert people.situation(match).is_gone


def test_a_table_left_before_it_began_is_void_and_holds_nobody(sit, hands):
    match = sit()
    job = match.name
    people.leave(match=match)
    match.refresh_from_db()
    assert (match.state, match.void_reason) == (State.VOID, "the person left before it began")
    assert hands.claim(job).status_code == 409


def test_without_redis_the_table_says_so_and_loses_nothing(sit, redis_server):
    match = sit()
    redis_server.kill()
    with pytest.raises(NotPossible, match="Nothing is lost; try again in a moment"):
        people.situation(match)
    redis_server.start()
    assert people.situation(match).question is None


def test_an_account_with_a_table_can_be_deleted(sit, alice):
    match = sit()
    leaving.delete_account(user=alice)
    match.refresh_from_db()
    assert match.state == State.VOID
    assert match.seats.get(bot=None).name == f"deleted-{alice.pk}"


def test_the_tables_are_in_the_copy_of_ones_data(sit, alice):
    match = sit()
    about = json.loads(json.dumps(leaving.about_account(alice), default=str))
    assert about["tables"] == [match.pk]


def test_a_page_that_knows_all_is_told_nothing(sit, play):
    match = sit(rounds=1)
    worker = play(match)
    news = people.news(match, next_question(match, 1))
    assert not people.has_news(match, news["at"])
    people.leave(match=match)
    worker.join(60)
    assert people.has_news(match, news["at"])


def test_a_table_is_not_played_again_for_who_sits_at_another(sit):
    match = sit()
    people.leave(match=match)
    sit()
    with pytest.raises(NotPossible, match="You sit at a table already"):
        services.requeue(match=match, who=None)
