"""The pages for bot authors tell the truth: every example is made again, every table compared."""

import json
import os
import random
import re
import subprocess
import sys
from dataclasses import asdict
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pytest

from games import GAMES, replay
from games.base import NO_SEED
from games.cards import colour, value
from games.chance import Stream
from games.leg import Answer, Leg
from games.seating import seatings
from workers.inside import Inside, choose_of
from workers.lines import Unreadable, read_answer
from workers.referee import Limits, PlayedLeg, Reply, line_of, play_match

DOCS = Path(__file__).resolve().parents[2] / "docs"
EXAMPLES = DOCS.parent / "examples"
VECTORS = json.loads((DOCS / "vectors.json").read_text(encoding="utf-8"))
SEED = bytes(range(32))
ONE_ROUND = {"rounds": 1}
TITLES = {game.name: game.title for game in GAMES.values()}


# -- Reading a page -------------------------------------------------------------------------------


class Page(NamedTuple):
    """Code blocks as (language, text) and tables as lists of rows, by the headings they are under."""

    text: str
    blocks: dict[tuple[str, ...], list[tuple[str, str]]]
    tables: dict[tuple[str, ...], list[list[list[str]]]]

    def code(self, language, *headings):
        return [text for found, text in self.blocks.get(headings, []) if found == language]

    def examples(self, *headings):
        return [json.loads(text) for text in self.code("json", *headings)]

    def rows(self, *headings, table=0):
        return self.tables[headings][table][2:]

    def columns(self, *headings, table=0):
        """The rows by what stands in their first column between backticks."""
        return {names_in(row[0])[0]: row for row in self.rows(*headings, table=table)}


def read_page(name):
    text = (DOCS / name).read_text(encoding="utf-8")
    blocks, tables, headings, fence, in_table = {}, {}, (), None, False
    for line in text.splitlines():
        if line.startswith("```"):
            if fence is None:
                fence = (line[3:], [])
            else:
                code = "".join(f"{code_line}\n" for code_line in fence[1])
                blocks.setdefault(headings, []).append((fence[0], code))
                fence = None
        elif fence is not None:
            fence[1].append(line)
        elif line.startswith("#"):
            marks, _, title = line.partition(" ")
            headings = (*headings[: len(marks) - 2], title) if len(marks) > 1 else ()
        elif line.startswith("|"):
            found = tables.setdefault(headings, [])
            if not in_table:
                found.append([])
            found[-1].append([cell.strip() for cell in line.strip("|").split("|")])
        in_table = fence is None and line.startswith("|")
    return Page(text, blocks, tables)


def names_in(cell):
    return re.findall("`([^`]+)`", cell)


PAGE = read_page("protocol.md")
FIRST_BOT_PAGE = read_page("first-bot.md")
[FIRST_BOT] = PAGE.code("python", "A first bot")
[REFERENCE] = PAGE.code("python", "From a seed to cards")
STUBBORN_BOT = FIRST_BOT.replace('message["legal"][0]', '"red+yellow"')


# -- Playing the legs of the page -----------------------------------------------------------------


class Process:
    """A player behind real pipes, with clocks that always say the same."""

    def __init__(self, program, heard):
        self.heard = heard
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([sys.executable, program], stdin=pipe, stdout=pipe)

    def say(self, line):
        self.heard.append(json.loads(line))
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def start(self, line, limits):
        self.say(line)
        return Reply(self.process.stdout.readline().removesuffix(b"\n"), None, 0.0)

    def ask(self, line, limits):
        self.say(line)
        return Reply(self.process.stdout.readline().removesuffix(b"\n"), 1.25, 2.5)

    def end(self, line):
        self.say(line)
        self.process.stdin.close()
        assert self.process.wait(timeout=10) == 0

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


class Played(NamedTuple):
    """A leg, and every message each of its bots got."""

    leg: PlayedLeg
    heard: list[list[dict]]

    def messages(self, seat, kind):
        return [message for message in self.heard[seat] if message["type"] == kind]

    def question(self, example):
        questions = self.messages(example["view"]["seat"], "move")
        return questions[example["id"] - 1]


def play(folder, game, options, programs):
    heard = [[] for _ in programs]
    paths = []
    for seat, program in enumerate(programs):
        paths.append(folder / f"{game}-{seat}.py")
        paths[-1].write_text(program, encoding="utf-8")
    bots = [lambda seat=seat: Process(paths[seat], heard[seat]) for seat in range(len(programs))]
    [leg] = play_match(GAMES[game], options, bots, SEED, limits=Limits(), legs=1)
    return Played(leg, heard)


@pytest.fixture(scope="module")
def legs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("legs")
    return {
        "sticheln": play(folder, "sticheln", {}, [FIRST_BOT] * 3),
        "stop-it": play(folder, "stop-it", {}, [FIRST_BOT] * 3),
        "color-stock": play(folder, "color-stock", ONE_ROUND, [STUBBORN_BOT, FIRST_BOT]),
    }


# -- The first bot and the messages ---------------------------------------------------------------


def test_the_first_bot_has_ten_lines():
    assert FIRST_BOT.count("\n") == 10


@pytest.mark.parametrize("game", GAMES)
def test_the_first_bot_plays_a_whole_leg_without_a_fault(legs, game):
    played = legs[game]
    assert played.leg.leg.position.over
    assert [fault["seat"] for fault in played.leg.leg.faults if fault["seat"] > 0] == []
    assert all(played.messages(seat, "end") for seat in range(1, len(played.heard)))


def test_the_start_message_is_what_seat_1_got(legs):
    assert PAGE.examples("Messages", "start") == legs["color-stock"].messages(1, "start")


def test_every_key_of_start_is_explained(legs):
    [start] = legs["color-stock"].messages(1, "start")
    rows = PAGE.columns("Messages", "start")
    assert set(rows) == set(start)
    assert names_in(rows["limits"][1]) == list(start["limits"])
    assert list(PAGE.columns("Clock")) == list(start["limits"])


def test_ready_and_answer_are_what_the_first_bot_writes(tmp_path, legs):
    program = tmp_path / "first_bot.py"
    program.write_text(FIRST_BOT, encoding="utf-8")
    lines = b"".join(line_of(message) for message in legs["color-stock"].heard[1])
    written = subprocess.run([sys.executable, program], input=lines, capture_output=True)
    first, second = written.stdout.splitlines()[:2]
    assert PAGE.examples("Messages", "ready") == [json.loads(first)]
    assert PAGE.examples("Messages", "answer")[0] == json.loads(second)


def test_the_answer_with_a_note_is_read_as_the_page_says():
    [_, noted] = PAGE.code("json", "Messages", "answer")
    said = read_answer(noted.encode())
    assert (said.id, said.move) == (1, "red+red")
    assert said.note == json.loads(noted)["note"] != ""
    assert set(PAGE.columns("Messages", "answer")) == set(json.loads(noted))


def test_the_question_is_what_seat_1_got(legs):
    [example] = PAGE.examples("Messages", "move")
    assert example == legs["color-stock"].question(example)
    assert set(PAGE.columns("Messages", "move")) == set(example)


def test_the_end_is_what_seat_1_got(legs):
    [example] = PAGE.examples("Messages", "end")
    assert [example] == legs["color-stock"].messages(1, "end")
    assert set(PAGE.columns("Messages", "end")) == set(example)


# -- Faults ---------------------------------------------------------------------------------------


def test_every_kind_of_fault_is_explained_in_the_order_of_judging():
    rows = PAGE.columns("Faults")
    assert tuple(rows) == replay.FAULT_KINDS
    assert all(when and advice for _, when, advice in rows.values())


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b" \t",
        b"[1]",
        b'{"id":1,"move":"claim"}{}',
        b'\xef\xbb\xbf{"id":1,"move":"claim"}',
        b'{"id":1,"move":"\xff"}',
        b'{"id":1,"id":1,"move":"claim"}',
        b'{"id":1,"move":"claim","x":[{"a":1,"a":2}]}',
        b'{"id":1,"move":"claim","x":NaN}',
        b'{"id":1,"move":"claim","x":-Infinity}',
        b'{"id":1,"move":"claim","x":1e400}',
        b'{"id":1,"move":"claim","x":' + b"[" * 32 + b"]" * 32 + b"}",
        rb'{"id":1,"move":"claim","x":"\u0000"}',
        rb'{"id":1,"move":"claim","x":"\ud800"}',
        b'{"id":1.0,"move":"claim"}',
        b'{"id":"1","move":"claim"}',
        b'{"id":-1,"move":"claim"}',
        b'{"id":true,"move":"claim"}',
        b'{"move":"claim"}',
        b'{"id":1}',
        b'{"id":1,"move":7}',
    ],
)
def test_what_the_page_calls_unreadable_is(line):
    with pytest.raises(Unreadable):
        read_answer(line)


@pytest.mark.parametrize(
    "line",
    [
        b' \t{ "move" : "claim", "id" : 1 }\r',
        b'{"id":1,"move":"claim","x":' + b"[" * 31 + b"]" * 31 + b"}",
        b'{"id":1,"move":"claim","note":{"no":"text"},"more":null}',
    ],
)
def test_what_the_page_allows_is_read(line):
    assert read_answer(line) == (1, "claim", "")


# -- Moves and cards ------------------------------------------------------------------------------


def deck_rows():
    """Every row of the deck table, as (game, options, cells)."""
    for row in PAGE.rows("Moves and cards", table=1):
        for name in names_in(row[0]):
            if name in ("stop-it", "color-stock"):
                yield name, {}, row
            else:
                yield "sticheln", {"rules": name}, row


@pytest.mark.parametrize(("game", "options", "row"), list(deck_rows()))
def test_a_deck_is_as_the_table_says(game, options, row):
    players = int(row[1])
    position = GAMES[game].deal(players, options, SEED)
    deck = position.deck(players, position.options)
    assert row[2].split(", ") == list(dict.fromkeys(map(colour, deck)))
    if game != "color-stock":
        values = sorted(set(map(value, deck)))
        assert row[3] == f"{values[0]} to {values[-1]}"
        assert len(deck) == len(values) * len(row[2].split(", "))
    sizes = sorted({len(hand) for hand in position.hands}, reverse=True)
    assert row[4] == " or ".join(map(str, sizes))
    assert int(row[5]) == len(deck) - position.cards_dealt


def test_the_deck_table_has_every_number_of_players():
    said = {(game, *options.values(), int(row[1])) for game, options, row in deck_rows()}
    assert said == {
        (name, *([rules] if name == "sticheln" else []), players)
        for name, game in GAMES.items()
        for rules in game.choices.get("rules", [""])
        for players in game.player_counts(
            game.complete({"rules": rules} if name == "sticheln" else {})
        )
    }


def test_every_option_is_in_the_table_with_its_values():
    said = {
        (names_in(game)[0], names_in(option)[0]): names_in(values.partition(";")[0])
        for game, option, values in PAGE.rows("Moves and cards", table=2)
    }
    assert said == {
        (name, option): [json.dumps(value) for value in values]
        for name, game in GAMES.items()
        for option, values in game.choices.items()
    }


# -- Views and events -----------------------------------------------------------------------------

TABLES = [
    ("sticheln", 3, {}),
    ("sticheln", 4, {"rules": "stick-em"}),
    ("sticheln", 7, {"rules": "misery"}),
    ("stop-it", 3, {}),
    ("stop-it", 5, {}),
    ("color-stock", 2, {}),
    ("color-stock", 3, {}),
    ("color-stock", 4, ONE_ROUND),
]


def random_leg(game, players, options):
    """All views and events of a leg in which seat 0 faults at its first question."""
    dice = random.Random(f"{game} {players}")
    position = GAMES[game].deal(players, options, NO_SEED)
    leg, views = Leg(position, 0, {}), []
    while not position.over:
        views += [position.view(seat) for seat in position.asked]
        answers = {
            seat: Answer(dice.choice(position.legal(seat)), 0.0, 0.0) for seat in leg.to_answer
        }
        faults = {0: "illegal"} if answers.pop(0, None) else {}
        leg.decide(answers, faults)
    return views, leg.events


@pytest.fixture(scope="module")
def random_legs():
    """The views and events of each game, over several legs."""
    found = {name: ([], []) for name in GAMES}
    for game, players, options in TABLES:
        for seen, new in zip(found[game], random_leg(game, players, options), strict=True):
            seen += new
    return found


@pytest.mark.parametrize("game", GAMES)
def test_the_example_of_a_view_is_a_question_of_the_leg(legs, game):
    [example] = PAGE.examples("Views", TITLES[game])
    assert example == legs[game].question(example)


@pytest.mark.parametrize("game", GAMES)
def test_every_key_of_a_view_is_explained_and_no_other(random_legs, game):
    common, own = PAGE.columns("Views", "All games"), PAGE.columns("Views", TITLES[game])
    for view in random_legs[game][0]:
        assert set(view) == set(common) | set(own)
        assert f'"{view["phase"]}"' in names_in(own["phase"][1])
        for key, entries in view.items():
            inner = {name for entry in listed(entries) for name in entry}
            assert inner <= set(names_in((own | common)[key][1]))


def listed(entries):
    """The objects in a list."""
    return [entry for entry in entries if isinstance(entry, dict)] if type(entries) is list else []


@pytest.mark.parametrize("game", GAMES)
def test_every_event_is_explained_with_its_keys_and_no_other(random_legs, game):
    tables = PAGE.columns("Events", "All games") | PAGE.columns("Events", TITLES[game])
    said = {name: {"event", *names_in(row[1])} for name, row in tables.items()}
    produced = {}
    for event in random_legs[game][1]:
        assert set(event) == said[event["event"]]
        produced[event["event"]] = True
    assert set(produced) == set(said)


@pytest.mark.parametrize("game", ["sticheln", "stop-it"])
def test_the_examples_of_events_happened_in_the_leg_in_this_order(legs, game):
    examples, events = PAGE.examples("Events", TITLES[game])[0], legs[game].leg.leg.events
    rest = iter(events)
    assert all(example in rest for example in examples)
    assert {event["event"] for event in examples} == {event["event"] for event in events}


def test_the_undealt_cards_are_those_of_seven_players():
    [_, example] = PAGE.examples("Events", "Sticheln")
    opening = GAMES["sticheln"].deal(7, {}, SEED).opening()
    assert example == [event for event in opening if event["event"] == "undealt"]


# -- From a seed to cards -------------------------------------------------------------------------

VECTOR_TABLES = ("From a seed to cards", "Test vectors")


@pytest.fixture(scope="module")
def reference():
    names = {}
    exec(compile(REFERENCE, "protocol.md", "exec"), names)
    return names


def draw_below(reference, label, m, count):
    words = reference["stream"](SEED, label)
    return [reference["below"](m, words) for _ in range(count)]


def shuffled(reference, label, things):
    things = list(things)
    reference["shuffle"](things, reference["stream"](SEED, label))
    return things


def draws_of_the_vectors():
    """Label, m and number of every single draw in vectors.json."""
    for draw in VECTORS["dealers"]:
        yield draw["label"], draw["players"], draw["dealer"]
    for draw in VECTORS["claims"]:
        yield draw["label"], len(draw["claimants"]), draw["claimants"].index(draw["taker"])
    for draw in VECTORS["house"]:
        yield draw["label"], draw["legal_moves"], draw["index"]
    for draw in VECTORS["dice"]:
        yield draw["label"], 2**31, draw["dice"]


def test_the_reference_is_short():
    assert len([line for line in REFERENCE.splitlines() if line]) <= 15


def test_the_seed_of_the_page_is_that_of_the_vectors():
    [text] = PAGE.code("text", *VECTOR_TABLES)
    assert text.split() == ["seed", SEED.hex(), "sha256", sha256(SEED).hexdigest()]
    assert (VECTORS["seed"], VECTORS["seed_sha256"]) == (SEED.hex(), sha256(SEED).hexdigest())


def test_the_reference_gives_the_words(reference):
    rows = PAGE.rows(*VECTOR_TABLES, table=0)
    said = {names_in(label)[0]: names_in(words)[0].split() for label, words in rows}
    assert said == {vector["label"]: vector["words"] for vector in VECTORS["streams"]}
    for label, words in said.items():
        found = islice(reference["stream"](SEED, label), len(words))
        assert [f"{word:016x}" for word in found] == words


def test_the_reference_gives_the_numbers_below_m(reference):
    rows = PAGE.rows(*VECTOR_TABLES, table=1)
    said = {int(m): [int(number) for number in numbers.split()] for m, numbers in rows}
    assert said == {vector["m"]: vector["numbers"] for vector in VECTORS["below"]}
    assert {vector["label"] for vector in VECTORS["below"]} == {"test"}
    for m, numbers in said.items():
        assert draw_below(reference, "test", m, len(numbers)) == numbers


def test_the_reference_passes_words_over(reference):
    [[m, numbers]] = PAGE.rows(*VECTOR_TABLES, table=2)
    [m], numbers = names_in(m), names_in(numbers)[0].split()
    [vector] = VECTORS["below_with_words_passed_over"]
    assert vector == {"label": "test", "m": m, "numbers": numbers}
    assert int(m, 16) == 2**63 + 1
    found = draw_below(reference, "test", int(m, 16), len(numbers))
    assert [f"{number:016x}" for number in found] == numbers
    words = list(islice(reference["stream"](SEED, "test"), 5))
    assert [word >= int(m, 16) for word in words] == [True] * 4 + [False]


def test_the_reference_shuffles(reference):
    rows = PAGE.rows(*VECTOR_TABLES, table=3)
    said = {names_in(label)[0]: [int(thing) for thing in things.split()] for label, things in rows}
    assert said == {vector["label"]: vector["shuffled"] for vector in VECTORS["shuffles"]}
    for label, things in said.items():
        assert shuffled(reference, label, range(10)) == things


def test_the_reference_deals(reference):
    rows = PAGE.rows(*VECTOR_TABLES, table=4)
    said = {names_in(label)[0]: (int(count), cards.split()) for label, count, cards in rows}
    assert set(said) == {vector["label"] for vector in VECTORS["deals"]}
    for vector in VECTORS["deals"]:
        game, (count, first) = GAMES[vector["game"]], said[vector["label"]]
        deck = game.deck(vector["players"], vector["options"])
        dealt = shuffled(reference, vector["label"], deck)
        assert (len(dealt), dealt[: len(first)]) == (count, first)
        assert dealt == vector["shuffled"]
        position = game.deal(vector["players"], vector["options"], SEED)
        hands, left_over = position.deal_of(vector["round"])
        assert (vector["hands"], vector["left_over"]) == (hands, left_over)


def test_the_reference_draws(reference):
    rows = PAGE.rows(*VECTOR_TABLES, table=5)
    said = [(names_in(label)[0], int(m), int(number)) for label, m, number, _ in rows]
    assert said == list(draws_of_the_vectors())
    for label, m, number in said:
        assert draw_below(reference, label, m, 1) == [number]


def test_the_reference_agrees_with_the_rules_engine(reference):
    for label in ("test", "a", "stop-it/3/target=50/deal/9"):
        for m in (1, 2, 7, 2**31, 2**63 + 1, 2**64):
            stream = Stream(SEED, label)
            assert draw_below(reference, label, m, 20) == [stream.below(m) for _ in range(20)]
        things = list(range(114))
        Stream(SEED, label).shuffle(things)
        assert shuffled(reference, label, range(114)) == things


def test_the_seating_table_has_every_leg():
    said = {
        int(bots): [[int(bot) for bot in row] for row in names_in(rows)]
        for bots, _, rows in PAGE.rows("Seating")
    }
    assert said == {players: seatings(players) for players in range(2, 9)}
    assert [int(legs) for _, legs, _ in PAGE.rows("Seating")] == [
        len(rows) for rows in said.values()
    ]
    assert said == {vector["players"]: vector["legs"] for vector in VECTORS["seatings"]}


# -- The replay file ------------------------------------------------------------------------------


def entry(name, program):
    return {
        "name": name,
        "author": "",
        "version": 0,
        "sha256": sha256(program.encode()).hexdigest(),
    }


def test_the_replay_is_that_of_the_leg(legs):
    [example] = PAGE.examples("Replay file")
    played = legs["color-stock"].leg
    assert example == replay.replay_of(
        GAMES["color-stock"],
        ONE_ROUND,
        SEED,
        match=sha256(SEED).hexdigest()[:16],
        played_at=example["played_at"],
        limits=asdict(Limits()),
        bots=[entry("stubborn", STUBBORN_BOT), entry("first", FIRST_BOT)],
        legs=[replay.leg_entry(played.seating, played.leg)],
    )


def test_the_replay_is_right():
    [text] = PAGE.code("json", "Replay file")
    replay.verify(replay.read(text.encode()))


def test_every_key_of_a_replay_is_explained():
    said = [
        {name for row in PAGE.rows("Replay file", table=table) for name in names_in(row[0])}
        for table in range(5)
    ]
    keys = (replay.KEYS, replay.BOT_KEYS, replay.LEG_KEYS, replay.DECISION_KEYS, replay.FAULT_KEYS)
    assert said == [set(expected) for expected in keys]


def test_the_house_moves_as_the_page_says(reference, legs):
    label, number, count, move = re.search(
        r"the label `([^`]+)` gives (\d+) below (\d+), .*? legal moves is `([^`]+)`",
        " ".join(PAGE.text.split()),
    ).groups()
    assert draw_below(reference, label, int(count), 1) == [int(number)]
    assert legs["color-stock"].leg.leg.decisions[2]["moves"] == [move]


# -- Commands -------------------------------------------------------------------------------------


def sessions(page):
    """Every console block, as the commands in it and what they print."""
    for headings, blocks in page.blocks.items():
        for language, text in blocks:
            if language == "console":
                lines = text.splitlines()
                commands = [line[2:] for line in lines if line.startswith("$ ")]
                printed = [line for line in lines if not line.startswith("$ ")]
                yield pytest.param(commands, printed, id=f"{headings[-1]}: {commands[-1][:20]}")


def run(folder, commands, typed=""):
    bin_folder = str(Path(sys.executable).parent)
    return subprocess.run(
        ["/bin/sh", "-c", "\n".join(commands)],
        cwd=folder,
        env=os.environ | {"PATH": os.pathsep.join([bin_folder, os.environ["PATH"]])},
        input=typed,
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize(("commands", "printed"), list(sessions(PAGE)))
def test_a_command_prints_what_the_page_shows(tmp_path, commands, printed):
    [match] = PAGE.code("json", "Replay file")
    (tmp_path / "match.json").write_text(match, encoding="utf-8")
    answer = run(tmp_path, commands)
    assert (answer.stdout.splitlines(), answer.stderr) == (printed, "")


# -- Your first bot in five minutes ---------------------------------------------------------------


@pytest.fixture
def desk(tmp_path):
    """A folder with the files that a reader has saved by the end of the page."""
    [first] = FIRST_BOT_PAGE.code("python", "1. Write it")
    [leg] = FIRST_BOT_PAGE.code("text", "3. Play a whole leg")
    [second] = FIRST_BOT_PAGE.code("python", "4. Look at the cards")
    (tmp_path / "first_bot.py").write_text(first, encoding="utf-8")
    (tmp_path / "leg.jsonl").write_text(leg, encoding="utf-8")
    (tmp_path / "second_bot.py").write_text(second, encoding="utf-8")
    return tmp_path


def test_both_pages_have_the_same_first_bot(desk):
    assert (desk / "first_bot.py").read_text(encoding="utf-8") == FIRST_BOT


def test_the_leg_to_read_is_that_of_the_other_page(desk, legs):
    lines = (desk / "leg.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == legs["color-stock"].heard[1]


@pytest.mark.parametrize(("commands", "printed"), list(sessions(FIRST_BOT_PAGE)))
def test_a_command_of_the_first_steps_works(desk, commands, printed):
    """Lines that are messages to the bot are typed; the others are printed. A block that shows
    nothing has only to succeed."""
    typed = [line for line in printed if '"start"' in line or '"legal"' in line]
    answer = run(desk, commands, typed="".join(f"{line}\n" for line in typed))
    assert answer.returncode == 0, answer.stderr
    if printed:
        assert answer.stdout.splitlines() == [line for line in printed if line not in typed]


def test_the_second_bot_is_ahead_of_random_players_as_often_as_the_page_says(desk):
    choose = choose_of(desk / "second_bot.py")
    rivals = choose_of(EXAMPLES / "stop-it" / "python" / "random_bot.py")
    bots = [lambda: Inside(lambda view, legal, dice: choose(view, legal))]
    bots += [lambda: Inside(rivals)] * 2
    ahead = []
    for seed in range(8):
        for played in play_match(GAMES["stop-it"], {}, bots, bytes([seed] * 32), limits=Limits()):
            own, *others = (played.leg.ranks[played.seating.index(bot)] for bot in range(3))
            ahead += [(own < other) + (own == other) / 2 for other in others]
    times = int(re.search(r"more than (\d+) times in 100", FIRST_BOT_PAGE.text).group(1))
    assert 100 * sum(ahead) > times * len(ahead)


def test_the_table_of_examples_names_files_that_are_there():
    names = FIRST_BOT_PAGE.columns("5. See how others do it")
    assert set(names) == {path.name for path in (EXAMPLES / "stop-it" / "python").glob("*.py")}


@pytest.mark.parametrize("page", [PAGE, FIRST_BOT_PAGE], ids=["protocol", "first-bot"])
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)]+)\)", page.text):
        name, _, anchor = target.partition("#")
        text = (DOCS / name).read_text(encoding="utf-8") if name else page.text
        if anchor:
            headings = re.findall("^#+ (.+)$", text, re.MULTILINE)
            assert anchor in [heading.lower().replace(" ", "-") for heading in headings]
