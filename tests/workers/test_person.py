"""A person is asked and answers through the log of a chair, whatever breaks meanwhile."""

import json
import signal
import threading
import time
from dataclasses import replace

import pytest

from games import game_named
from games.player import Fault, Limits
from tests.workers.conftest import until
from workers import chair, contract
from workers.app import queue_settings
from workers.bench import EXAMPLES
from workers.chair import LEAVE, Chair
from workers.desk import Unreachable
from workers.inside import Inside, choose_of
from workers.person import Person
from workers.referee import play_match

NAME = "c" * 64
GAME, OPTIONS, SEED = game_named("color-stock"), {"rounds": 3}, bytes(32)
LIMITS = Limits(wall_ms=60_000)
RANDOM = choose_of(EXAMPLES / "color-stock" / "python" / "random_bot.py")
START = b'{"type":"start"}\n'


def move(number):
    return b'{"type":"move","id":%d}\n' % number


def answer(number, move="red+red"):
    return json.dumps({"id": number, "move": move}).encode()


@pytest.fixture
def seat(broker):
    return Chair(chair.opened(broker), NAME)


def sit(seat, look_up=lambda: None):
    person = Person(seat, look_up)
    person.start(START, LIMITS)
    return person


def kinds(seat):
    return [entry.kind for entry in seat.entries()]


class Page(threading.Thread):
    """Answers every question with its first legal move, after what `before` does with it."""

    def __init__(self, seat, before=lambda question: None):
        super().__init__(daemon=True)
        self.seat = seat
        self.before = before
        self.answered = []
        self.start()

    def run(self):
        at = chair.BEGINNING
        while True:
            for entry in self.seat.awaited(at, 100):
                at = entry.at
                if entry.kind == "told" and entry.message["type"] == "end":
                    return
                if entry.kind == "told" and entry.message["type"] == "move":
                    self.before(entry.message)
                    self.answered.append(entry.message["id"])
                    self.seat.add("said", answer(entry.message["id"], entry.message["legal"][0]))


def play(person):
    [leg] = play_match(
        GAME, OPTIONS, [lambda: person, lambda: Inside(RANDOM)], SEED, limits=LIMITS, legs=1
    )
    return leg.leg


def test_what_was_said_to_a_question_is_its_answer(seat):
    person = sit(seat)
    threading.Timer(0.05, lambda: seat.add("said", answer(1))).start()
    reply = person.ask(move(1), LIMITS)
    assert (reply.line, reply.cpu_ms) == (answer(1), None)
    assert 0 < reply.wall_ms < LIMITS.wall_ms
    assert [entry.line for entry in seat.entries()] == [START, move(1), answer(1)]


def test_an_answer_to_an_old_question_and_a_second_one_are_none(seat):
    person = sit(seat)
    threading.Timer(0.05, lambda: [seat.add("said", answer(1, said)) for said in "ab"]).start()
    assert person.ask(move(1), LIMITS).line == answer(1, "a")
    threading.Timer(0.05, lambda: [seat.add("said", answer(n, "c")) for n in (1, 3, 2)]).start()
    assert person.ask(move(2), LIMITS).line == answer(2, "c")


def test_who_says_nothing_for_the_whole_time_has_stalled(seat):
    with pytest.raises(Fault, match="no answer within 50 ms") as fault:
        sit(seat).ask(move(1), replace(LIMITS, wall_ms=50))
    assert fault.value.kind == "stalled"
    assert kinds(seat) == ["told", "told", "gone"]


@pytest.mark.parametrize("when", ["before the question", "meanwhile"])
def test_who_leaves_has_closed_the_seat(seat, when):
    person = sit(seat)
    threading.Timer(0.05 if when == "meanwhile" else 0, lambda: seat.add("said", LEAVE)).start()
    if when == "before the question":
        until(lambda: "said" in kinds(seat))
    with pytest.raises(Fault, match="left the table") as fault:
        person.ask(move(1), LIMITS)
    assert fault.value.kind == "crashed"


def test_whoever_has_no_reason_to_wait_any_more_does_not(seat):
    def look_up():
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        sit(seat, look_up).ask(move(1), LIMITS)


def test_a_whole_leg_is_played_and_told_to_its_end(seat):
    page = Page(seat)
    leg = play(Person(seat, lambda: None))
    page.join()
    assert leg.faults == []
    told = [entry.message for entry in seat.entries() if entry.kind == "told"]
    assert (told[0]["type"], told[-1]["type"]) == ("start", "end")
    assert page.answered == [message["id"] for message in told[1:-1]]


class Killed(Exception):
    """What becomes of a worker whose machine loses power."""


def killed_after(seat, questions):
    """Plays until so many questions have been put, and leaves no trace but the log."""

    def look_up():
        if sum(entry.kind == "told" for entry in seat.entries()) > questions:
            raise Killed

    with pytest.raises(Killed):
        play(Person(seat, look_up))


def test_another_worker_takes_up_a_game_where_it_was_left(seat):
    pauses = threading.Event()
    page = Page(seat, lambda question: question["id"] == 3 and pauses.wait(30))
    killed_after(seat, 3)
    pauses.set()
    leg = play(Person(seat, lambda: None))
    page.join()
    assert page.answered == sorted(set(page.answered))
    assert leg.faults == []
    assert kinds(seat).count("told") == len(page.answered) + 2


def test_a_game_that_goes_another_way_is_told_anew_from_there(seat):
    person = sit(seat)
    threading.Timer(0.05, lambda: seat.add("said", answer(1))).start()
    person.ask(move(1), LIMITS)
    person.tell(move(2))
    other = sit(seat)
    assert other.ask(move(1), LIMITS).line == answer(1)
    threading.Timer(0.05, lambda: seat.add("said", answer(9))).start()
    other.ask(move(9), LIMITS)
    lines = [entry.line for entry in seat.entries()]
    assert lines == [START, move(1), answer(1), move(9), answer(9)]


def test_a_fault_is_the_same_when_it_is_played_again(seat):
    with pytest.raises(Fault):
        sit(seat).ask(move(1), replace(LIMITS, wall_ms=1))
    with pytest.raises(Fault) as fault:
        sit(seat).ask(move(1), LIMITS)
    assert fault.value.kind == "stalled"


def test_time_in_which_redis_was_away_costs_nothing_and_nothing_is_lost(seat, redis_server):
    person = sit(seat)

    def trouble():
        until(lambda: len(seat.entries()) == 2)
        redis_server.kill()
        time.sleep(3)  # as long as the person has
        redis_server.start()
        seat.add("said", answer(1))

    thread = threading.Thread(target=trouble)
    thread.start()
    assert person.ask(move(1), replace(LIMITS, wall_ms=3000)).line == answer(1)
    thread.join()


def test_a_log_that_redis_has_lost_is_written_down_again(seat, client):
    person = sit(seat)

    def lose():
        until(lambda: len(seat.entries()) == 2)
        client.flushall()
        until(lambda: len(seat.entries()) == 2)
        seat.add("said", answer(1))

    threading.Thread(target=lose).start()
    assert person.ask(move(1), LIMITS).line == answer(1)


def test_without_redis_the_match_is_given_back(seat, redis_server, monkeypatch):
    monkeypatch.setattr("workers.person.AWAY_S", 0.1)
    person = sit(seat)
    redis_server.kill()
    with pytest.raises(Unreachable, match="nobody can sit on the chair"):
        person.ask(move(1), LIMITS)
    redis_server.start()


# -- Workers for people ---------------------------------------------------------------------------


@pytest.fixture
def table(site, crew, broker):
    """Makes a match with a person on the second seat, and sends it."""

    def table(job_id, bot):
        named = contract.Chair(job_id * 64, bots_wall_ms=30_000)
        job = site.add_match(job_id, [bot, None], legs=1, chair=named, options={"rounds": 3})
        crew.send(job, contract.PEOPLE)
        return Chair(chair.opened(broker), named.name)

    return table


def test_people_who_think_hold_up_nobody(site, crew, table):
    slow, quick = table("a", site.quick_bot), table("b", site.quick_bot)
    crew.start(processes=2, KIBITZ_PEOPLE="2")
    until(lambda: len(slow.entries()) == 2, 60)
    Page(quick)
    until(lambda: site.states() == {"a": "playing", "b": "finished"}, 60)
    slow.add("said", LEAVE)
    until(lambda: site.states()["a"] == "finished", 60)
    [leg] = site.jobs["match", "a"].record.legs
    assert [fault.kind for fault in leg.faults] == ["crashed"]


def test_bots_are_told_their_own_limits(site, crew, table):
    telling = site.quick_bot.replace(
        b"import json, sys",
        b'import json, sys\nsys.stderr.write(sys.stdin.readline())\nprint(\'{"type":"ready"}\', flush=True)',
    )
    page = Page(table("a", telling))
    crew.start(KIBITZ_PEOPLE="1")
    until(lambda: site.states() == {"a": "finished"}, 60)
    [leg] = site.jobs["match", "a"].record.legs
    assert '"wall_ms":30000' in leg.private.debug[leg.seating.index(0)]
    assert page.seat.entries()[0].message["limits"]["wall_ms"] == 60_000


def test_a_worker_that_ends_waits_for_nobody_and_another_goes_on(site, crew, table):
    seat = table("a", site.quick_bot)
    site.sweep_with(lambda job: crew.send(job, contract.PEOPLE))
    pauses = threading.Event()
    page = Page(seat, lambda question: question["id"] == 2 and pauses.wait(60))
    worker = crew.start("one", KIBITZ_PEOPLE="1")
    until(lambda: page.answered == [1] and len(seat.entries()) == 4, 60)
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(60) == 0
    assert site.jobs["match", "a"].given_back[0].why == "the worker was stopped"
    crew.start("two", KIBITZ_PEOPLE="1")
    until(lambda: site.states() == {"a": "playing"}, 60)
    pauses.set()
    until(lambda: site.states() == {"a": "finished"}, 60)
    assert page.answered == sorted(set(page.answered))
    assert site.jobs["match", "a"].record.legs[0].faults == []


def test_a_worker_for_people_plays_nothing_else():
    settings = queue_settings("redis://", 1, people=7)
    assert [queue.name for queue in settings["task_queues"]] == [contract.PEOPLE]
    assert (settings["worker_pool"], settings["worker_concurrency"]) == ("threads", 7)
    assert not settings["worker_cancel_long_running_tasks_on_connection_loss"]
