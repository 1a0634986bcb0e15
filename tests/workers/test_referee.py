"""The referee: what players are told, how their answers are judged, and that every leg ends."""

import json
from hashlib import sha256
from threading import Event

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from games import GAMES, game_named
from games.leg import Leg
from games.replay import leg_entry, replay_of, verify
from games.seating import seatings
from workers.inside import Inside
from workers.referee import Fault, Limits, Reply, play_match, play_pair

SEED = bytes(range(32))
LIMITS = Limits()
READY = b'{"type":"ready"}'


def answer_to(question, move=None, **more):
    move = question["legal"][0] if move is None else move
    return json.dumps({"id": question["id"], "move": move, **more}).encode()


class Bot:
    """A player that keeps all it is told and answers with the first legal move, in no time; except
    where its script has an answer for a question's id: bytes, a Fault, or a function of it."""

    def __init__(self, script=None, *, ready=READY, cpu_ms=None, wall_ms=1.0):
        self.script = script or {}
        self.ready = ready
        self.cpu_ms = cpu_ms or {}
        self.wall_ms = wall_ms
        self.told = []
        self.closed = 0

    def start(self, line, limits):
        self.told.append(json.loads(line))
        return self.reply(self.ready, None)

    def ask(self, line, limits):
        question = json.loads(line)
        self.told.append(question)
        script = self.script.get(question["id"], answer_to)
        came = script(question) if callable(script) else script
        return self.reply(came, self.cpu_ms.get(question["id"]))

    def reply(self, came, cpu_ms):
        if isinstance(came, Exception):
            raise came
        return Reply(came, cpu_ms, self.wall_ms)

    def end(self, line):
        self.told.append(json.loads(line))

    def close(self):
        self.closed += 1

    def heard(self, kind):
        return [message for message in self.told if message["type"] == kind]


def one_leg(game, bots, *, options=None, limits=LIMITS, watch=lambda leg, events: None):
    """Leg 0 of a match of these bots; `bots` afterwards stand by seat."""
    openers = [lambda bot=bot: bot for bot in bots]
    (played,) = play_match(
        game_named(game), options or {}, openers, SEED, limits=limits, legs=1, watch=watch
    )
    return played


def duel(first=None, second=None, *, rounds=1, limits=LIMITS):
    """One round of Color Stock for two: seat 0 is asked first, then they take turns."""
    bots = [first or Bot(), second or Bot()]
    played = one_leg("color-stock", bots, options={"rounds": rounds}, limits=limits)
    return played, *bots


def fault_of(script=None, **settings):
    """The kind of fault of seat 0's first answer."""
    bot = Bot({1: script} if script is not None else None, **settings)
    played, _, _ = duel(bot)
    return [fault["kind"] for fault in played.leg.faults]


def verified(game, options, legs, players, limits=LIMITS):
    bots = [{"name": "bot", "author": "", "version": 0, "sha256": "0" * 64}] * players
    replay = replay_of(
        game_named(game),
        options,
        SEED,
        match=sha256(SEED).hexdigest()[:16],
        played_at="2024-05-06T07:08:09Z",
        limits=vars(limits),
        bots=bots,
        legs=[leg_entry(played.seating, played.leg) for played in legs],
    )
    verify(json.loads(json.dumps(replay)))
    return True


# -- What a player is told at the start ------------------------------------------------------------


def test_the_start_message_is_exactly_that_of_the_protocol():
    bots = [Bot() for _ in range(4)]
    one_leg("sticheln", bots)
    dice = game_named("sticheln").deal(4, {}, SEED).chance.dice(0, 2)
    # Leg 0 of four bots seats bot 3 on seat 2.
    assert bots[3].told[0] == {
        "type": "start",
        "protocol": 1,
        "game": "sticheln",
        "options": {"rules": "sticheln", "all_zero_trick": "first"},
        "players": 4,
        "seat": 2,
        "dice": dice,
        "limits": {
            "start_ms": 5000,
            "bank_ms": 5000,
            "increment_ms": 50,
            "wall_ms": 10000,
            "line_bytes": 65536,
        },
    }


@pytest.mark.parametrize(
    ("game", "given", "complete"),
    [
        ("sticheln", {"rules": "stick-em"}, {"rules": "stick-em", "all_zero_trick": "nobody"}),
        ("stop-it", {}, {"target": 50}),
        ("color-stock", {"rounds": 1}, {"rounds": 1}),
    ],
)
def test_options_are_complete(game, given, complete):
    bots = [Bot() for _ in range(3)]
    one_leg(game, bots, options=given)
    assert [bot.told[0]["options"] for bot in bots] == [complete] * 3


def test_every_leg_and_seat_has_dice_of_its_own():
    opened = []

    def open_bot():
        opened.append(Bot())
        return opened[-1]

    play_match(game_named("color-stock"), {"rounds": 1}, [open_bot] * 2, SEED, limits=LIMITS)
    chance = game_named("color-stock").deal(2, {"rounds": 1}, SEED).chance
    dice = [bot.told[0]["dice"] for bot in opened]
    assert dice == [chance.dice(leg, seat) for leg in range(2) for seat in range(2)]


def test_a_player_is_told_its_own_limits():
    limits = Limits(start_ms=1, bank_ms=2, increment_ms=3, wall_ms=4, line_bytes=5)
    _, bot, _ = duel(limits=limits)
    assert bot.told[0]["limits"] == vars(limits)


class Lines(Bot):
    """Keeps the lines themselves."""

    def __init__(self):
        super().__init__()
        self.lines = []

    def start(self, line, limits):
        self.lines.append(line)
        return super().start(line, limits)

    def ask(self, line, limits):
        self.lines.append(line)
        return super().ask(line, limits)

    def end(self, line):
        self.lines.append(line)


def test_every_message_is_one_line():
    bot = Lines()
    duel(bot)
    assert len(bot.lines) > 3
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in bot.lines)


# -- What a player is asked ------------------------------------------------------------------------


def test_a_question_has_exactly_its_keys():
    _, bot, _ = duel()
    keys = [set(question) for question in bot.heard("move")]
    assert keys == [{"type", "id", "view", "legal", "events", "bank_ms"}] * len(keys)


def test_ids_count_the_questions_to_this_bot_from_1():
    _, *bots = duel(rounds=3)
    for bot in bots:
        ids = [question["id"] for question in bot.heard("move")]
        assert ids == list(range(1, len(ids) + 1))


@pytest.mark.parametrize("game", GAMES)
def test_the_view_and_the_legal_moves_are_those_of_the_seat(game):
    bots = [Bot() for _ in range(3)]
    one_leg(game, bots)
    position = game_named(game).deal(3, {}, SEED)
    seat = position.asked[0]
    question = bots[seat].heard("move")[0]
    assert question["view"] == position.view(seat)
    assert question["legal"] == position.legal(seat)


def may_know(events, seat):
    return [event for event in events if event["event"] != "dealt" or event["seat"] == seat]


@pytest.mark.parametrize("game", GAMES)
def test_all_events_a_seat_is_told_are_all_it_may_know_each_once_in_order(game):
    bots = [Bot() for _ in range(3)]
    played = one_leg(game, bots)
    for seat, bot in enumerate(bots):
        told = [event for message in bot.told[1:] for event in message["events"]]
        assert told == may_know(played.leg.events, seat)


def test_a_question_tells_only_what_happened_since_the_last_message():
    _, first, _ = duel()
    first_two = first.heard("move")[:2]
    assert [event["event"] for event in first_two[0]["events"]] == ["round", "dealt"]
    assert [event["event"] for event in first_two[1]["events"]] == ["put", "put", "turned_up"]


def test_the_first_question_to_the_second_seat_tells_what_the_first_did():
    _, _, second = duel()
    events = second.heard("move")[0]["events"]
    assert [event["event"] for event in events] == ["round", "dealt", "put"]
    assert events[1]["seat"] == 1


def test_a_simultaneous_decision_tells_nobody_what_another_has_answered():
    bots = [Bot() for _ in range(3)]
    one_leg("sticheln", bots)
    for bot in bots:
        question = bot.heard("move")[0]
        assert [event["event"] for event in question["events"]] == ["round", "dealt"]
        assert question["view"]["pain"] == [None, None, None]


def test_a_simultaneous_decision_tells_nobody_of_a_fault_in_it():
    bots = [Bot({1: b"nonsense"}), Bot(), Bot()]
    one_leg("sticheln", bots)
    assert all(event["event"] != "faulted" for event in bots[2].heard("move")[0]["events"])


def test_the_others_are_told_of_a_fault_with_their_next_question():
    _, _, second = duel(Bot({1: b"nonsense"}))
    assert {"event": "faulted", "seat": 0} in second.heard("move")[0]["events"]


def test_a_fault_at_start_up_is_told_before_the_first_round():
    _, _, second = duel(Bot(ready=b"nonsense"))
    events = second.heard("move")[0]["events"]
    assert [event["event"] for event in events][:2] == ["faulted", "round"]


# -- The end ---------------------------------------------------------------------------------------


def test_the_end_message_has_scores_ranks_and_the_last_events():
    played, bot, _ = duel()
    (end,) = bot.heard("end")
    assert set(end) == {"type", "scores", "ranks", "events"}
    assert (end["scores"], end["ranks"]) == (played.leg.scores, played.leg.ranks)
    assert end["events"][-1]["event"] == "scored"


def test_the_end_message_is_the_last():
    _, *bots = duel()
    assert [bot.told[-1]["type"] for bot in bots] == ["end", "end"]


@pytest.mark.parametrize("game", GAMES)
def test_every_bot_is_closed_once_at_the_end(game):
    bots = [Bot() for _ in range(3)]
    one_leg(game, bots)
    assert [bot.closed for bot in bots] == [1, 1, 1]


def test_a_bot_is_closed_only_after_its_end_message():
    class Last(Bot):
        def close(self):
            self.told.append({"type": "closed"})

    _, bot, _ = duel(Last())
    assert [message["type"] for message in bot.told[-2:]] == ["end", "closed"]


class Trouble(Exception):
    """Something that is not the player's fault."""


@pytest.mark.parametrize("when", ["start", "ask", "end"])
def test_every_bot_is_closed_also_when_the_referee_itself_fails(when):
    class Troubled(Bot):
        def trouble(self, *_):
            raise Trouble

    bot = Troubled()
    setattr(bot, when, bot.trouble)
    bots = [Bot(), bot]
    with pytest.raises(Trouble):
        one_leg("color-stock", bots)
    assert [bot.closed for bot in bots] == [1, 1]


def test_every_bot_opened_is_closed_when_another_cannot_be_opened():
    bot = Bot()

    def trouble():
        raise Trouble

    with pytest.raises(Trouble):
        play_match(game_named("color-stock"), {}, [lambda: bot, trouble], SEED, limits=LIMITS)
    assert bot.closed == 1


def test_nobody_is_closed_while_being_asked_when_another_cannot_be():
    class Asked(Bot):
        """Answers when the other has failed, unless it is closed before."""

        was_closed = Event()
        in_time = False

        def ask(self, line, limits):
            asked.set()
            self.in_time = not self.was_closed.wait(0.3)
            return super().ask(line, limits)

        def close(self):
            self.was_closed.set()
            super().close()

    class Troubled(Bot):
        def ask(self, line, limits):
            assert asked.wait(30)
            raise Trouble

    asked, bots = Event(), [Troubled(), Asked(), Bot()]
    openers = [lambda bot=bot: bot for bot in bots]
    with pytest.raises(Trouble):
        play_match(game_named("sticheln"), {}, openers, SEED, limits=LIMITS, cores=3)
    assert bots[1].in_time
    assert [bot.closed for bot in bots] == [1, 1, 1]


def test_a_bot_that_is_opened_late_is_closed_though_another_could_not_be_opened():
    bot, opening = Bot(), Event()

    def trouble():
        assert opening.wait(30)
        raise Trouble

    def open_late():
        opening.set()
        Event().wait(0.3)  # as long as a box takes: until the other has failed
        return bot

    with pytest.raises(Trouble):
        play_match(
            game_named("color-stock"), {}, [trouble, open_late], SEED, limits=LIMITS, cores=2
        )
    assert bot.closed == 1


def test_every_bot_is_closed_when_the_watcher_fails():
    def trouble(leg, events):
        raise Trouble

    bots = [Bot(), Bot()]
    with pytest.raises(Trouble):
        one_leg("color-stock", bots, watch=trouble)
    assert [bot.closed for bot in bots] == [1, 1]


def test_every_bot_is_opened_anew_for_every_leg():
    opened = [[], [], []]

    def opener(bot):
        def open_bot():
            opened[bot].append(Bot())
            return opened[bot][-1]

        return open_bot

    play_match(
        game_named("color-stock"), {"rounds": 1}, list(map(opener, range(3))), SEED, limits=LIMITS
    )
    assert [len(bots) for bots in opened] == [6, 6, 6]
    assert all(bot.closed == 1 for bots in opened for bot in bots)


def test_every_bot_sits_where_the_seating_says():
    seats = [[], [], []]

    def opener(bot):
        class Seated(Bot):
            def start(self, line, limits):
                seats[bot].append(json.loads(line)["seat"])
                return super().start(line, limits)

        return Seated

    played = play_match(
        game_named("color-stock"), {"rounds": 1}, list(map(opener, range(3))), SEED, limits=LIMITS
    )
    assert [leg.seating for leg in played] == seatings(3)
    assert seats == [[row.index(bot) for row in seatings(3)] for bot in range(3)]


def test_one_leg_is_leg_0():
    played, _, _ = duel()
    assert (played.seating, played.leg.number) == ([0, 1], 0)


def test_all_legs_have_the_same_deals():
    legs = play_match(game_named("stop-it"), {}, [Bot] * 3, SEED, limits=LIMITS)
    first = [
        [event for event in played.leg.events if event["event"] == "dealt"][:3] for played in legs
    ]
    assert len(first) == 6
    assert all(deal == first[0] for deal in first)


def test_the_watcher_sees_every_event_of_the_leg_in_order():
    seen = []
    played = one_leg(
        "color-stock", [Bot(), Bot()], watch=lambda leg, events: seen.append((leg, list(events)))
    )
    assert [event for _, events in seen for event in events] == played.leg.events
    assert {leg for leg, _ in seen} == {0}


# -- A deal played twice ---------------------------------------------------------------------------


def pair_of_games(openers, pair, game="stop-it"):
    return play_pair(game_named(game), {}, openers, pair, SEED, limits=LIMITS)


def test_in_the_second_game_of_a_pair_two_have_exchanged_seats_and_nobody_else():
    seats = {name: [] for name in "abcde"}

    def opener(name):
        class Seated(Bot):
            def start(self, line, limits):
                seats[name].append(json.loads(line)["seat"])
                return super().start(line, limits)

        return Seated

    legs = pair_of_games([opener(name) for name in "abcde"], (3, 1))
    assert seats == {"a": [0, 0], "b": [1, 3], "c": [2, 2], "d": [3, 1], "e": [4, 4]}
    assert [leg.seating for leg in legs] == [seatings(5)[0]] * 2


def test_both_games_of_a_pair_have_the_same_cards_and_dice_on_the_same_seats():
    bots = [Bot() for _ in range(3)]
    legs = pair_of_games([lambda bot=bot: bot for bot in bots], (0, 2))
    dealt = [[event for event in leg.leg.events if event["event"] == "dealt"][:3] for leg in legs]
    assert dealt[0] == dealt[1]
    dice = [{start["seat"]: start["dice"] for start in bot.heard("start")} for bot in bots]
    assert dice[0] == dice[2]


def test_two_copies_of_a_program_without_dice_end_a_pair_even():
    legs = pair_of_games([Bot] * 4, (0, 3))
    assert legs[0].leg.ranks == legs[1].leg.ranks
    assert legs[0].leg.scores == legs[1].leg.scores


def test_each_game_of_a_pair_is_a_replay_of_one_leg():
    for leg in pair_of_games([Bot] * 3, (0, 2)):
        assert verified("stop-it", {}, [leg], 3)


# -- A faulted bot is out --------------------------------------------------------------------------


def test_a_bot_out_gets_no_further_message():
    _, bot, _ = duel(Bot({2: b"nonsense"}), rounds=3)
    assert [message["type"] for message in bot.told] == ["start", "move", "move"]


def test_a_bot_out_is_closed_at_once():
    open_then = []
    bot = Bot({1: b"nonsense"})

    def look(question):
        open_then.append(bot.closed)
        return answer_to(question)

    duel(bot, Bot({1: look}))
    assert open_then == [1]


def test_a_bot_out_is_closed_once():
    _, bot, _ = duel(Bot({1: b"nonsense"}))
    assert bot.closed == 1


def test_a_bot_that_failed_at_start_up_is_closed():
    _, bot, _ = duel(Bot(ready=b"nonsense"))
    assert (bot.closed, len(bot.told)) == (1, 1)


@pytest.mark.parametrize("game", GAMES)
def test_the_leg_is_always_played_to_its_end(game):
    bots = [Bot({1: b"nonsense"}) for _ in range(3)]
    played = one_leg(game, bots)
    assert played.leg.position.over
    assert len(played.leg.faults) == 3


def test_the_house_plays_the_seat_of_a_bot_out():
    played, _, _ = duel(Bot({1: b"nonsense"}))
    mirror = Leg(game_named("color-stock").deal(2, {"rounds": 1}, SEED), 0, {})
    mirror.decide({}, {0: "unreadable"})
    assert played.leg.decisions[0] == mirror.decisions[0]


def test_a_bot_out_ranks_behind():
    played, _, _ = duel(Bot({1: b"nonsense"}))
    assert played.leg.ranks == [2, 1]


def test_a_fault_is_found_only_when_the_seat_is_asked():
    played, bot, _ = duel(Bot({99: b"nonsense"}))
    assert len(bot.heard("move")) < 99
    assert (played.leg.faults, played.faults) == ([], [])


# -- Start-up --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ready",
    [
        READY,
        b' \t{"type" : "ready"}\r',
        b'{"type":"ready","name":"x","protocol":7}',
        b'{"type":"\\u0072eady"}',
    ],
)
def test_the_ready_line_is_read_like_an_answer(ready):
    played, _, _ = duel(Bot(ready=ready))
    assert played.leg.faults == []


@pytest.mark.parametrize(
    "ready",
    [
        pytest.param(b"", id="a blank line"),
        pytest.param(b"ready", id="no JSON"),
        pytest.param(b'"ready"', id="no object"),
        pytest.param(b"[]", id="an array"),
        pytest.param(b"{}", id="no type"),
        pytest.param(b'{"type":"Ready"}', id="another type"),
        pytest.param(b'{"type":null}', id="no text"),
        pytest.param(b'{"type":"ready","type":"ready"}', id="a key twice"),
        pytest.param(b'{"type":"ready"}{}', id="two objects"),
        pytest.param(b'{"type":"ready","x":NaN}', id="NaN"),
        pytest.param(b'\xff{"type":"ready"}', id="no UTF-8"),
        pytest.param(b'{"id":1,"move":"red+red"}', id="an answer instead"),
        *(
            pytest.param(Fault(kind), id=f"the player says {kind}")
            for kind in ("startup", "memory", "crashed", "stalled", "too-long", "out-of-turn")
        ),
    ],
)
def test_whatever_is_wrong_before_the_first_question_is_startup(ready):
    played, _, _ = duel(Bot(ready=ready))
    assert played.leg.faults == [{"decision": -1, "seat": 0, "kind": "startup"}]


def test_a_program_that_could_not_be_started_is_startup():
    def no_program():
        raise Fault("startup", b"", "no such program")

    (played,) = play_match(
        game_named("color-stock"), {}, [Bot, no_program], SEED, limits=LIMITS, legs=1
    )
    assert played.leg.faults == [{"decision": -1, "seat": 1, "kind": "startup"}]


def test_start_up_costs_nothing_of_the_bank():
    class Slow(Bot):
        def start(self, line, limits):
            super().start(line, limits)
            return Reply(READY, 4999.0, 4999.0)

    _, bot, _ = duel(Slow())
    assert bot.heard("move")[0]["bank_ms"] == 5000


def test_all_are_started_before_the_first_question():
    order = []

    class Ordered(Bot):
        def start(self, line, limits):
            order.append("start")
            return super().start(line, limits)

        def ask(self, line, limits):
            order.append("ask")
            return super().ask(line, limits)

    duel(Ordered(), Ordered())
    assert order[:3] == ["start", "start", "ask"]


# -- Judging an answer -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(lambda q: b" \t" + answer_to(q) + b" \t\r", id="white space around it"),
        pytest.param(lambda q: answer_to(q, extra=[{"deep": 1}]), id="other keys"),
        pytest.param(lambda q: answer_to(q, note="why not"), id="a note"),
        pytest.param(lambda q: answer_to(q, note=7), id="a note of another type"),
        pytest.param(lambda q: answer_to(q, x=1e308), id="a large number"),
        pytest.param(lambda q: answer_to(q, x=json.loads("[" * 31 + "]" * 31)), id="nesting of 32"),
        pytest.param(lambda q: answer_to(q, note="🂡"), id="a surrogate pair as an escape"),
        pytest.param(lambda q: answer_to(q, last_move=q["legal"][-1]), id="the move once more"),
    ],
)
def test_a_readable_answer_is_no_fault(answer):
    assert fault_of(answer) == []


@pytest.mark.parametrize(
    "more",
    [
        pytest.param(b',"x":"\xff"', id="not UTF-8"),
        pytest.param(b"}{", id="two objects"),
        pytest.param(b',"move":"red+red"', id="a duplicate key"),
        pytest.param(b',"x":{"a":{"b":1,"b":2}}', id="a duplicate key at any depth"),
        pytest.param(b',"x":NaN', id="NaN"),
        pytest.param(b',"x":Infinity', id="Infinity"),
        pytest.param(b',"x":-Infinity', id="minus Infinity"),
        pytest.param(b',"x":1e309', id="a number that is infinite as a double"),
        pytest.param(b',"x":1' + b"0" * 309, id="an integer that is infinite as a double"),
        pytest.param(b',"x":-1' + b"0" * 5000, id="a very long integer"),
        pytest.param(b',"x":' + b"[" * 32 + b"]" * 32, id="nesting deeper than 32"),
        pytest.param(b',"x":' + b'{"x":' * 32 + b"0" + b"}" * 32, id="objects deeper than 32"),
        pytest.param(b',"x":' + b"[" * 20000 + b"]" * 20000, id="nesting without end"),
        pytest.param(b',"x":"\\ud800"', id="a lone surrogate"),
        pytest.param(b',"x":"\\udc00\\ud800"', id="surrogates the wrong way round"),
        pytest.param(b',"\\ud800":1', id="a lone surrogate in a key"),
        pytest.param(b',"x":"\\u0000"', id="U+0000"),
        pytest.param(b',"note":"\\u0000"', id="U+0000 in the note"),
        pytest.param(b',"x":"\x00"', id="a NUL byte"),
        pytest.param(b",", id="a comma too many"),
    ],
)
def test_an_answer_with_something_unreadable_in_it_is_unreadable(more):
    assert fault_of(lambda question: answer_to(question)[:-1] + more + b"}") == ["unreadable"]


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b" ",
        b"\r",
        b"red+red",
        b"null",
        b"[]",
        b'"red+red"',
        b'\xef\xbb\xbf{"id":1,"move":"red+red"}',
        b'{"move":"red+red"}',
        b'{"id":null,"move":"red+red"}',
        b'{"id":"1","move":"red+red"}',
        b'{"id":true,"move":"red+red"}',
        b'{"id":1.0,"move":"red+red"}',
        b'{"id":1e0,"move":"red+red"}',
        b'{"id":-1,"move":"red+red"}',
        b'{"id":-0,"move":"red+red"}',
        b'{"id":01,"move":"red+red"}',
        b'{"id":[1],"move":"red+red"}',
        b'{"id":1}',
        b'{"id":1,"move":null}',
        b'{"id":1,"move":7}',
        b'{"id":1,"move":["red","red"]}',
        b"{'id':1,'move':'red+red'}",
        b'{"id":1,"move":"red+red"',
    ],
)
def test_an_answer_that_is_not_one_object_with_id_and_move_is_unreadable(line):
    assert fault_of(line) == ["unreadable"]


@pytest.mark.parametrize("number", [0, 2, 10**30])
def test_another_id_is_out_of_turn(number):
    assert fault_of(lambda q: answer_to(q | {"id": number})) == ["out-of-turn"]


@pytest.mark.parametrize(
    "move", ["", "pass", "purple+purple", "RED+RED", " red+red", "red+red+red"]
)
def test_a_move_that_is_not_in_legal_is_illegal(move):
    assert fault_of(lambda q: answer_to(q, move)) == ["illegal"]


def test_a_pair_in_the_other_order_is_illegal():
    def turned(question):
        first, second = question["legal"][1].split("+")
        return answer_to(question, f"{second}+{first}")

    assert fault_of(turned) == ["illegal"]


@pytest.mark.parametrize("kind", ["memory", "crashed", "stalled", "too-long", "out-of-turn"])
def test_a_fault_that_the_player_finds_keeps_its_kind(kind):
    assert fault_of(Fault(kind)) == [kind]


def test_an_earlier_answers_id_is_out_of_turn():
    played, _, _ = duel(Bot({2: lambda q: answer_to(q | {"id": 1})}))
    assert played.leg.faults == [{"decision": 2, "seat": 0, "kind": "out-of-turn"}]


TOO_MUCH = {1: 5000.001}


@pytest.mark.parametrize(
    ("answer", "cpu_ms", "kind"),
    [
        pytest.param(b"nonsense", TOO_MUCH, "time", id="time before unreadable"),
        pytest.param(b'{"id":9,"move":"x"}', TOO_MUCH, "time", id="time before out-of-turn"),
        pytest.param(b'{"id":1,"move":"x"}', TOO_MUCH, "time", id="time before illegal"),
        pytest.param(b'{"id":9}', {}, "unreadable", id="unreadable before out-of-turn"),
        pytest.param(b'{"id":1,"move":"x","x":NaN}', {}, "unreadable", id="unreadable first"),
        pytest.param(b'{"id":9,"move":"x"}', {}, "out-of-turn", id="out-of-turn before illegal"),
    ],
)
def test_if_several_kinds_fit_the_first_in_the_tables_order(answer, cpu_ms, kind):
    assert fault_of(answer, cpu_ms=cpu_ms) == [kind]


def test_of_several_bots_at_one_decision_each_has_its_own_fault():
    bots = [Bot({1: b"nonsense"}), Bot(), Bot({1: lambda q: answer_to(q, "joker")})]
    played = one_leg("sticheln", bots)
    assert played.leg.faults == [
        {"decision": 0, "seat": 0, "kind": "unreadable"},
        {"decision": 0, "seat": 2, "kind": "illegal"},
    ]


# -- The clock -------------------------------------------------------------------------------------


def banks(cpu_ms, **limits):
    """The bank that each of seat 0's questions names; the game is long enough for five."""
    played, bot, _ = duel(Bot(cpu_ms=cpu_ms), rounds=3, limits=Limits(**limits))
    return [question["bank_ms"] for question in bot.heard("move")][:5], played.leg.faults


def test_the_first_question_has_the_whole_bank():
    assert banks({}, bank_ms=700)[0][0] == 700


def test_the_time_is_taken_off_the_bank_and_the_increment_added():
    found, _ = banks({1: 100.5, 2: 20.25}, bank_ms=1000, increment_ms=50)
    assert found[:3] == [1000, 949.5, 979.25]


def test_the_bank_has_no_cap():
    found, _ = banks(dict.fromkeys(range(1, 6), 0.0), bank_ms=100, increment_ms=50)
    assert found == [100, 150, 200, 250, 300]


def test_without_a_cpu_counter_the_bank_stays_what_limits_says():
    found, _ = banks({}, bank_ms=100, increment_ms=50)
    assert found == [100] * 5


def test_exactly_the_bank_is_in_time():
    found, faults = banks({1: 100.0}, bank_ms=100, increment_ms=50)
    assert (found[1], faults) == (50, [])


def test_more_than_the_bank_is_too_late():
    _, faults = banks({1: 100.001}, bank_ms=100, increment_ms=50)
    assert faults == [{"decision": 0, "seat": 0, "kind": "time"}]


def test_the_increment_comes_only_after_the_answer():
    _, faults = banks({1: 120.0}, bank_ms=100, increment_ms=50)
    assert [fault["kind"] for fault in faults] == ["time"]


def test_the_increment_saved_up_may_be_used():
    _, faults = banks({1: 0.0, 2: 150.0}, bank_ms=100, increment_ms=50)
    assert faults == []


def test_each_bot_has_a_bank_of_its_own():
    _, _, second = duel(Bot(cpu_ms=dict.fromkeys(range(1, 9), 60.0)))
    assert {question["bank_ms"] for question in second.heard("move")} == {5000}


def test_the_bank_is_rounded_to_a_thousandth_of_a_millisecond():
    # Left alone, a double ends up a little above 0.7.
    found, _ = banks({1: 0.1, 2: 0.1, 3: 0.1}, bank_ms=1, increment_ms=0)
    assert found[:4] == [1, 0.9, 0.8, 0.7]


def test_times_are_kept_with_the_moves():
    played, _, _ = duel(Bot(cpu_ms={1: 12.5}, wall_ms=14.25))
    decision = played.leg.decisions[0]
    assert (decision["cpu_ms"], decision["wall_ms"]) == ([12.5], [14.25])


def test_a_player_without_a_cpu_counter_has_only_wall_times():
    played, _, _ = duel(Bot(wall_ms=2.5))
    assert (played.leg.decisions[0]["cpu_ms"], played.leg.decisions[0]["wall_ms"]) == (
        [None],
        [2.5],
    )


# -- Notes and what the owner sees of a fault ------------------------------------------------------


def notes_of(note):
    played, _, _ = duel(Bot({1: lambda q: answer_to(q, note=note)}))
    return played.notes


def test_a_note_is_kept_with_its_move():
    assert notes_of("keeping the zero") == [{"decision": 0, "seat": 0, "note": "keeping the zero"}]


def test_a_note_of_200_code_points_is_kept_whole():
    assert notes_of("🂡" * 200)[0]["note"] == "🂡" * 200


def test_a_note_is_cut_beyond_200_code_points():
    assert notes_of("🂡" * 199 + "xyz")[0]["note"] == "🂡" * 199 + "x"


@pytest.mark.parametrize("note", [7, None, True, ["a"], {"a": "b"}])
def test_a_note_of_another_type_is_ignored(note):
    assert notes_of(note) == []


def test_notes_of_one_decision_stand_in_order_of_seats():
    script = {1: lambda q: answer_to(q, note=f"seat {q['view']['seat']}")}
    played = one_leg("sticheln", [Bot(script) for _ in range(3)])
    assert played.notes == [
        {"decision": 0, "seat": seat, "note": f"seat {seat}"} for seat in range(3)
    ]


def test_the_owner_sees_kind_question_and_what_came():
    played, bot, _ = duel(Bot({1: b'{"id":1,"move":"joker"}'}))
    (fault,) = played.faults
    assert (fault["decision"], fault["seat"], fault["kind"]) == (0, 0, "illegal")
    assert fault["question"] == bot.heard("move")[0]
    assert fault["came"] == '{"id":1,"move":"joker"}'


def test_the_owner_sees_the_start_message_of_a_failed_start():
    played, bot, _ = duel(Bot(ready=b"hello"))
    (fault,) = played.faults
    assert (fault["decision"], fault["question"], fault["came"]) == (-1, bot.told[0], "hello")


def test_the_owner_sees_what_the_player_got_before_it_found_the_fault():
    played, _, _ = duel(Bot({1: Fault("too-long", b"aaaa", "too long")}))
    assert played.faults[0]["came"] == "aaaa"


def test_the_owner_sees_the_first_500_bytes():
    played, _, _ = duel(Bot({1: b"a" * 499 + b"bc"}))
    assert played.faults[0]["came"] == "a" * 499 + "b"


def test_what_came_is_escaped():
    played, _, _ = duel(Bot({1: b"\x1b[31m\xff\x00\tred"}))
    assert played.faults[0]["came"] == "\\x1b[31m\\xff\\x00\\tred"


@pytest.mark.parametrize("came", [b"\\xff", b"\xff"])
def test_what_came_can_be_told_apart_when_escaped(came):
    played, _, _ = duel(Bot({1: came}))
    assert played.faults[0]["came"] == {b"\\xff": "\\\\xff", b"\xff": "\\xff"}[came]


def test_notes_and_bytes_are_not_in_the_public_part_of_the_leg():
    played, _, _ = duel(Bot({1: lambda q: answer_to(q, note="secret"), 2: b"secret"}))
    assert "secret" not in json.dumps(leg_entry(played.seating, played.leg))


# -- Players inside the process --------------------------------------------------------------------


def test_a_player_inside_the_process_gets_its_view_legal_moves_and_dice():
    seen = []

    def choose(view, legal, dice):
        seen.append((view["seat"], dice.random()))
        return legal[-1]

    one_leg("color-stock", [Inside(choose), Bot()], options={"rounds": 1})
    again = list(seen)
    seen.clear()
    one_leg("color-stock", [Inside(choose), Bot()], options={"rounds": 1})
    assert seen == again
    assert {seat for seat, _ in seen} == {0}


def test_a_player_inside_the_process_has_only_a_wall_clock():
    played = one_leg("color-stock", [Inside(lambda view, legal, dice: legal[0]), Bot()])
    decision = played.leg.decisions[0]
    assert decision["cpu_ms"] == [None]
    assert decision["wall_ms"][0] >= 0


def test_an_illegal_move_of_a_player_inside_the_process_is_a_fault_like_any_other():
    played = one_leg("color-stock", [Inside(lambda view, legal, dice: "joker"), Bot()])
    assert played.leg.faults == [{"decision": 0, "seat": 0, "kind": "illegal"}]


def test_a_player_inside_the_process_that_is_too_slow_stalls():
    limits = Limits(wall_ms=-1)
    played = one_leg(
        "color-stock", [Inside(lambda view, legal, dice: legal[0]), Bot()], limits=limits
    )
    assert [fault["kind"] for fault in played.leg.faults] == ["stalled"]


# -- Whatever a player does, the leg ends and its replay is right ----------------------------------

MOVES = st.sampled_from(["red+red", "red-1", "claim", "pass", ""])
ANSWERS = st.one_of(
    st.binary(max_size=40).filter(lambda line: b"\n" not in line),
    st.sampled_from(["memory", "crashed", "stalled", "too-long", "out-of-turn"]).map(Fault),
    st.builds(
        lambda number, move: json.dumps({"id": number, "move": move}).encode(),
        st.integers(-1, 12),
        MOVES,
    ),
    st.just(answer_to),
    st.just(lambda question: answer_to(question, question["legal"][-1], note="so be it")),
)
BOTS = st.builds(
    Bot,
    st.dictionaries(st.integers(1, 25), ANSWERS, max_size=6),
    ready=st.one_of(st.just(READY), st.just(READY), st.binary(max_size=20)),
    cpu_ms=st.dictionaries(
        st.integers(1, 25), st.integers(0, 9000).map(lambda time: time / 8), max_size=6
    ),
)
TABLES = st.sampled_from(
    [
        ("sticheln", {}, 3),
        ("sticheln", {"rules": "misery"}, 3),
        ("stop-it", {}, 3),
        ("color-stock", {}, 2),
        ("color-stock", {"rounds": 1}, 4),
    ]
)


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(table=TABLES, bots=st.lists(BOTS, min_size=4, max_size=4))
@example(table=("stop-it", {}, 3), bots=[Bot({1: b"\xff"}, ready=b"") for _ in range(4)])
def test_arbitrary_bytes_at_arbitrary_moments_the_leg_ends_and_its_replay_verifies(table, bots):
    game, options, players = table
    limits = Limits(bank_ms=500, increment_ms=10)
    played = one_leg(game, bots[:players], options=options, limits=limits)
    assert played.leg.position.over
    assert all(bot.closed == 1 for bot in bots[:players])
    assert verified(game, options, [played], players, limits)


def test_the_replay_of_a_whole_match_with_faults_verifies():
    legs = play_match(
        game_named("stop-it"),
        {},
        [Bot, lambda: Bot({5: b"nonsense"}), lambda: Bot(cpu_ms={3: 9000.0})],
        SEED,
        limits=LIMITS,
    )
    assert {fault["kind"] for played in legs for fault in played.leg.faults} == {
        "unreadable",
        "time",
    }
    assert verified("stop-it", {}, legs, 3)
