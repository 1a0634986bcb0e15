"""Every event is explained: completely, truly, and without telling what nobody can know yet."""

import ast
import random
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from games import GAMES, words
from games.stop_it import CLAIM, PASS
from games.words import Sentence, listed, narrator_of, say, verdict

NAMES = ["ann", "ben", "cas", "dan", "eve", "fay", "gus", "hal"]
RULES = ("sticheln", "stick-em", "misery")
SETTINGS = [
    *(
        ("sticheln", {"rules": rules, "all_zero_trick": zeros}, players)
        for rules in RULES
        for zeros in ("first", "nobody")
        for players in GAMES["sticheln"].player_counts({"rules": rules})
    ),
    *(("stop-it", {"target": target}, players) for target in (50, 100) for players in (3, 4, 5)),
    *(("color-stock", {"rounds": rounds}, players) for rounds in (1, 3) for players in (2, 3, 4)),
]
SEEDS = range(3)


def random_events(game, options, players, seed):
    dice = random.Random(f"{game}{players}{seed}")
    position = GAMES[game].deal(players, options, dice.randbytes(32))
    events = position.opening()
    while position.asked:
        events += position.play([answer(position, seat, dice) for seat in position.asked])
    return events


def answer(position, seat, dice):
    if position.phase == "window":
        return CLAIM if dice.random() < 0.1 else PASS
    return dice.choice(position.legal(seat))


def told(game, options, players, events):
    narrator = narrator_of(game, options, players)
    return [(event, narrator.tell(event)) for event in events]


@cache
def random_legs():
    return [
        (game, options, players, random_events(game, options, players, seed))
        for game, options, players in SETTINGS
        for seed in SEEDS
    ]


def flat(sentences):
    """Sentences with those inside their parts."""
    for sentence in sentences:
        yield sentence
        yield from flat(sentence.parameters.get("parts", []))


def say_calls():
    source = Path(words.__file__).read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "say":
            yield node


def text(sentences):
    return [sentence.text(NAMES) for sentence in sentences]


# -- All sentences -----------------------------------------------------------------------------


def test_every_message_is_a_literal_that_a_translator_can_find():
    calls = list(say_calls())
    assert len(calls) > 30
    for call in calls:
        assert isinstance(call.args[0], ast.Constant)
        assert isinstance(call.args[0].value, str)


def test_every_place_in_a_message_is_given_where_it_is_said():
    for call in say_calls():
        given = {keyword.arg for keyword in call.keywords}
        named = {name for _, name, _, _ in Formatter().parse(call.args[0].value) if name}
        assert named <= given, call.args[0].value


def test_every_message_of_the_module_is_said_in_some_game():
    said = {s.message for leg in random_legs() for _, ss in told(*leg) for s in flat(ss)}
    written = {call.args[0].value for call in say_calls()}
    rare = {
        " and ",  # joins lists
        "The bot of {player} faulted: from now on the house plays.",
        "{player} takes the trick: only zeros, and {card} was the first.",
        "Only zeros: nobody takes the trick, its cards are out of the round.",
        "{player} takes the trick: all but {card} are zeros.",
    }
    tie_breaks = {message for message in written if "deals and leads: of" in message}
    endings = {m for m in written if " wins with " in m or m.startswith("A draw: ")}
    windows = {message for message in written if "claim" in message}  # no event tells of them
    assert written - said <= rare | tie_breaks | endings | windows


def test_every_event_of_every_game_is_told_in_complete_sentences():
    for game, options, players, events in random_legs():
        for event, sentences in told(game, options, players, events):
            assert sentences, event
            for line in text(sentences):
                assert "{" not in line
                assert line.endswith(".")


def test_a_fault_is_told_even_before_the_first_round():
    for game, options, players in SETTINGS:
        narrator = narrator_of(game, options, players)
        [sentence] = narrator.tell({"event": "faulted", "seat": 1})
        assert sentence.text(NAMES) == "The bot of ben faulted: from now on the house plays."


def test_no_sentence_names_a_card_that_no_event_has_shown():
    for game, options, players, events in random_legs():
        shown = set()
        public = [event for event in events if event["event"] != "dealt"]
        for event, sentences in told(game, options, players, public):
            shown |= cards_of(event)
            for sentence in flat(sentences):
                assert cards_of(sentence.parameters) <= shown, (event, sentence)
            if event["event"] == "scored":
                shown = set()


def cards_of(event):
    """The cards that an event shows, or the parameters of a sentence."""
    hands = [card for hand in event.get("hands", ()) for card in hand]
    return {*event.get("cards", ()), *hands} | ({event["card"]} if "card" in event else set())


def test_the_parts_of_every_score_add_up_to_it():
    for game, options, players, events in random_legs():
        for event, sentences in told(game, options, players, events):
            if event["event"] == "scored":
                scores = [s for s in sentences if "total" in s.parameters]
                assert [added_up(s) for s in scores] == event["scores"]
                assert [s.parameters["total"] for s in scores] == event["totals"]


def added_up(sentence):
    return sum(part.parameters["points"] for part in sentence.parameters.get("parts", []))


def test_the_parts_of_every_gain_and_the_running_score_add_up():
    for game, options, players, events in random_legs():
        running = {}
        for event, sentences in told(game, options, players, events):
            for sentence in sentences:
                if "score" in sentence.parameters:
                    gain, seat = sentence.parameters["points"], sentence.parameters["player"]
                    assert gain == added_up(sentence) or "parts" not in sentence.parameters
                    running[seat] = sentence.parameters["score"]
            if event["event"] == "scored":
                assert all(event["scores"][seat] == score for seat, score in running.items())
                running = {}


def test_the_last_scores_of_a_game_say_that_it_is_over():
    for game, options, players, events in random_legs():
        scored = [
            s for event, s in told(game, options, players, events) if event["event"] == "scored"
        ]
        ends = ["total" not in sentences[-1].parameters for sentences in scored]
        assert ends == [False] * (len(scored) - 1) + [True]


def test_a_narrator_tells_the_same_to_a_watcher_who_saw_no_hand_dealt():
    for game, options, players, events in random_legs():
        public = [event for event in events if event["event"] != "dealt"]
        openly = [t for t in told(game, options, players, events) if t[0]["event"] != "dealt"]
        assert told(game, options, players, public) == openly


# -- Plain text --------------------------------------------------------------------------------


def test_a_sentence_fills_in_names_cards_and_signed_points():
    sentence = say(
        "{player}: {card}, {points}, {total}", player=2, card="green-10", points=-3, total=-7
    )
    assert sentence.text(NAMES) == "cas: green 10, −3, −7"


def test_a_sentence_is_translated_with_its_parts_its_lists_and_its_colours():
    german = {
        "{players}: {parts}": "{parts}: {players}",
        "{count} × {colour}": "{colour} mal {count}",
    }
    german |= {" and ": " und ", "red": "rot"}
    part = say("{count} × {colour}", count=3, colour="red")
    sentence = say("{players}: {parts}", players=[0, 1, 2], parts=[part])
    assert sentence.text(NAMES, lambda m: german.get(m, m)) == "rot mal 3: ann, ben und cas"


def test_pieces_keep_the_order_of_the_translated_message():
    sentence = Sentence("{player} plays {card}.", {"player": 1, "card": "red-7"})
    assert list(sentence.pieces()) == [("player", 1), " plays ", ("card", "red-7"), "."]


@pytest.mark.parametrize(
    ("things", "text"),
    [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_lists_end_with_and(things, text):
    assert listed(things) == text


# -- Sticheln ----------------------------------------------------------------------------------


def trick_told(cards, taker, pain=("red-5", "green-5", "blue-5"), **options):
    """What is said when these cards, led by seat 0, are taken."""
    narrator = narrator_of("sticheln", options, len(cards))
    narrator.tell({"event": "round", "round": 1, "leader": 0})
    narrator.tell({"event": "pain", "cards": list(pain)})
    for seat, card in enumerate(cards):
        narrator.tell({"event": "played", "seat": seat, "card": card})
    return text(narrator.tell({"event": "taken", "seat": taker, "cards": list(cards)}))


@pytest.mark.parametrize(
    ("cards", "taker", "reason"),
    [
        (["red-3", "red-7", "red-0"], 1, "all cards are red, and red 7 is the highest."),
        (
            ["red-3", "red-7", "blue-0"],
            1,
            "zeros apart, all are red, and red 7 is the highest.",
        ),
        (["red-8", "green-2", "red-1"], 1, "only green 2 is neither red nor a zero."),
        (["red-0", "green-0", "red-1"], 2, "all but red 1 are zeros."),
        (["red-0", "green-0", "blue-1"], 2, "only blue 1 is neither red nor a zero."),
        (["red-8", "green-2", "blue-3"], 2, "blue 3 is the highest card that is not red."),
        (
            ["red-8", "green-3", "blue-3"],
            1,
            "green 3 and blue 3 are highest (not red), green 3 was first.",
        ),
        (["red-0", "green-2", "blue-1"], 1, "green 2 is the highest card that is not red."),
        (["red-0", "green-0", "blue-0"], 0, "only zeros, and red 0 was the first."),
    ],
)
def test_the_reason_why_a_card_takes_a_trick(cards, taker, reason):
    assert trick_told(cards, taker)[0] == f"{NAMES[taker]} takes the trick: {reason}"


def test_a_trick_of_zeros_that_nobody_takes_says_so_and_gives_nothing():
    assert trick_told(["red-0", "green-0", "blue-0"], None, all_zero_trick="nobody") == [
        "Only zeros: nobody takes the trick, its cards are out of the round."
    ]


def test_a_painless_trick_counts_its_cards_after_the_pain_card():
    gain = trick_told(["red-8", "blue-2", "red-1"], 1)[1]
    assert gain == "+3 for ben: in this round −2 so far."


def test_a_painful_trick_is_taken_apart():
    gain = trick_told(["green-8", "red-6", "green-0"], 1, pain=("red-5", "green-5", "red-0"))[1]
    assert (
        gain
        == "−7 for ben (−8 for green 8 and green 0, +1 for the rest): in this round −12 so far."
    )


def test_the_best_card_so_far_is_named_until_the_trick_is_full():
    narrator = narrator_of("sticheln", {}, 3)
    narrator.tell({"event": "round", "round": 1, "leader": 0})
    plays = [(0, "red-4"), (1, "green-1"), (2, "blue-8")]
    lines = [text(narrator.tell({"event": "played", "seat": s, "card": c})) for s, c in plays]
    assert lines == [
        ["ann leads red 4."],
        ["ben plays green 1, the best card so far."],
        ["cas plays blue 8."],
    ]


def test_a_zero_as_pain_card_costs_nothing_itself():
    narrator = narrator_of("sticheln", {}, 3)
    narrator.tell({"event": "round", "round": 1, "leader": 0})
    zero, other, _ = text(narrator.tell({"event": "pain", "cards": ["red-0", "blue-4", "red-1"]}))
    assert (
        zero == "The pain card of ann is red 0 and costs nothing, but every red card taken hurts."
    )
    assert other == "The pain card of ben is blue 4: −4, and every blue card taken hurts."


def test_a_round_of_sticheln_is_taken_apart():
    narrator = narrator_of("sticheln", {}, 3)
    narrator.tell({"event": "round", "round": 1, "leader": 0})
    narrator.tell({"event": "pain", "cards": ["red-4", "blue-1", "blue-2"]})
    cards = ["red-7", *[f"green-{value}" for value in range(9)]]
    narrator.position.taken[0] = cards
    scored = {"event": "scored", "round": 1, "scores": [-2, -1, -2], "totals": [-2, -1, -2]}
    line = "ann scores −2: −4 for the pain card, −7 in red, +9 for the rest. Total −2."
    assert text(narrator.tell(scored))[0] == line


@pytest.mark.parametrize(
    ("totals", "last_round", "leader", "reason"),
    [
        ([3, -2, 5], [3, -2, 5], 1, "ben has the lowest total, deals and leads."),
        (
            [1, 1, 5],
            [0, -4, 5],
            1,
            "ben deals and leads: of the lowest totals (ann and ben) the one with the lowest score"
            " in the last round.",
        ),
        (
            [1, 1, 5],
            [1, 1, 5],
            1,
            "ben deals and leads: of those who are lowest in total and in the last round, the first"
            " on the dealer's left.",
        ),
    ],
)
def test_misery_says_why_a_player_deals(totals, last_round, leader, reason):
    narrator = narrator_of("sticheln", {"rules": "misery"}, 3)
    drawn = text(narrator.tell({"event": "round", "round": 1, "leader": 0}))
    assert drawn == ["Round 1.", "ann is drawn as dealer, and leads."]
    narrator.tell({"event": "pain", "cards": ["red-4", "blue-1", "blue-2"]})
    narrator.tell({"event": "scored", "round": 1, "scores": last_round, "totals": totals})
    assert text(narrator.tell({"event": "round", "round": 2, "leader": leader}))[1] == reason


# -- Stop It! ----------------------------------------------------------------------------------


def stop_it_round(players=3):
    narrator = narrator_of("stop-it", {}, players)
    narrator.tell({"event": "round", "round": 1, "leader": 0})
    return narrator


def played(narrator, seat, card, forced=False):
    event = {"event": "played", "seat": seat, "card": card, "forced": forced}
    return text(narrator.tell(event))


def test_a_forced_card_says_that_it_must_be_played():
    narrator = stop_it_round()
    assert played(narrator, 0, "red-2") == ["ann leads red 2."]
    assert played(narrator, 1, "red-3", forced=True) == ["ben has red 3 and must play it."]


def test_a_ten_ends_its_sequence_and_its_player_leads_again():
    narrator = stop_it_round()
    assert played(narrator, 0, "red-10")[1] == "The sequence ends: no card is higher than a ten."
    assert played(narrator, 0, "red-1") == ["ann played last, and leads again with red 1."]


def test_a_sequence_ends_where_the_next_card_has_been_played():
    narrator = stop_it_round()
    played(narrator, 0, "red-10")
    assert played(narrator, 0, "red-9")[1] == "The sequence ends: red 10 has been played already."


def test_a_five_counts_for_its_player():
    assert played(stop_it_round(), 0, "red-5")[1] == "A five: +5 for ann."


def test_a_stop_it_card_stops_a_sequence_and_takes_the_lead():
    narrator = stop_it_round()
    played(narrator, 0, "red-2")
    stopped = text(narrator.tell({"event": "stopped", "seat": 2}))
    assert stopped == ["cas takes a Stop It card (1 left) and stops the red sequence."]
    assert played(narrator, 2, "blue-10")[0] == "cas leads blue 10."
    stopped = text(narrator.tell({"event": "stopped", "seat": 1}))
    assert stopped == ["ben takes a Stop It card (0 left), and the lead."]


@pytest.mark.parametrize(
    ("claimants", "taker", "told"),
    [
        ([], None, ["Nobody claims."]),
        ([1], 1, []),
        ([0, 2], 2, ["ann and cas claim at the same time: cas is drawn from the seed."]),
        ([0], 2, ["ann claims, but another one is drawn."]),
        ([], 2, []),
    ],
)
def test_a_window_tells_who_claimed_as_far_as_that_is_known(claimants, taker, told):
    assert text(stop_it_round().tell_window(claimants, taker)) == told


def stop_it_scored(hands, scores):
    narrator = stop_it_round(len(hands))
    played(narrator, 0, "red-5")
    played(narrator, 1, "blue-5")
    narrator.tell({"event": "out", "seat": 0})
    narrator.tell({"event": "left", "hands": hands})
    scored = {"event": "scored", "round": 1, "scores": scores, "totals": scores}
    return text(narrator.tell(scored))


def test_going_out_is_added_up():
    lines = stop_it_scored([[], ["red-1", "green-5"], ["red-2", "red-3", "blue-6"]], [24, 10, 0])
    assert lines == [
        "ann scores +24: +10 for going out, +4 for the others' cards, +5 for the others' fives,"
        " +5 for own fives. Total 24.",
        "ben scores +10: +5 for own fives, +5 for the fewest cards left. Total 10.",
        "cas scores nothing. Total 0.",
    ]


def test_nobody_scores_for_the_fewest_cards_if_tied():
    lines = stop_it_scored([[], ["red-1"], ["red-2"], ["red-3", "red-4"]], [19, 5, 0, 0])
    assert lines[0] == "Nobody scores for the fewest cards left: ben and cas are tied."


def test_the_game_is_over_when_the_target_is_reached():
    lines = stop_it_scored([[], ["red-1"], ["red-2", "red-3"]], [50, 55, 0])
    assert lines[-1] == "The game is over: ann and ben reached 50."


def test_nothing_is_said_of_who_claimed_in_vain_or_passed():
    assert not any("pass" in call.args[0].value for call in say_calls())


# -- Color Stock -------------------------------------------------------------------------------


def stacked(players, *puts):
    narrator = narrator_of("color-stock", {}, players)
    narrator.tell({"event": "round", "round": 1, "leader": 0})
    for seat, cards in puts:
        told = narrator.tell({"event": "put", "seat": seat, "cards": cards})
    return narrator, text(told)


def test_a_turn_says_what_the_cards_kept_are_worth_now():
    _, lines = stacked(3, (0, ["red", "red"]), (1, ["red", "blue"]))
    assert lines == [
        "ben puts down red and blue.",
        "Each red card kept is now worth 3.",
        "Each blue card kept is now worth 1.",
    ]


def test_a_stack_one_short_of_full_is_a_warning():
    _, lines = stacked(3, *[(0, ["red", "red"])] * 2, (1, ["red", "blue"]))
    assert lines[1] == "Each red card kept is now worth 5; one more on the stack ends the round."


def test_a_full_stack_kills_its_colour_and_gives_a_bonus():
    narrator, lines = stacked(3, *[(0, ["red", "red"])] * 3)
    assert lines[1] == "The red stack is full with 6: red cards are worth nothing."
    over = text(narrator.tell({"event": "over", "seat": 0}))
    assert over == ["ann has ended the round, for a bonus of +2."]


def test_a_hand_is_counted_by_colours():
    narrator, _ = stacked(3, *[(0, ["red", "red"])] * 2, (1, ["blue", "blue"]), (0, ["red", "red"]))
    narrator.tell({"event": "over", "seat": 0})
    hands = [["red", "blue", "blue", "blue"], ["green", "blue"], ["red"]]
    left = text(narrator.tell({"event": "left", "hands": hands}))
    assert left[0] == "ann still has 1 × red, 3 × blue."
    scored = {"event": "scored", "round": 1, "scores": [8, 2, 0], "totals": [8, 2, 0]}
    assert text(narrator.tell(scored)) == [
        "ann scores +8: red nothing (full), blue 3 × 2, +2 for ending the round. Total 8.",
        "ben scores +2: green 1 × 0, blue 1 × 2. Total 2.",
        "cas scores 0: red nothing (full). Total 0.",
    ]


def test_a_round_that_the_pile_ends_gives_no_bonus():
    narrator, _ = stacked(2, *[(0, ["red", "red"])] * 2)
    lines = text(narrator.tell({"event": "turned_up", "cards": ["red", "red"]}))
    assert lines[0] == "Turned up from the pile: red and red."
    over = text(narrator.tell({"event": "over", "seat": None}))
    assert over == ["The pile has ended the round: nobody gets the bonus."]


# -- The verdict -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("totals", "ranks", "line"),
    [
        ([3, 9, -1], [2, 1, 3], "ben wins with 9."),
        ([9, 9, -1], [1, 1, 3], "A draw: ann and ben share the first place with 9."),
        (
            [3, 9, -1],
            [1, 3, 2],
            "ann wins with 3: whoever has more has faulted, and stands behind.",
        ),
        ([3, 9, -1], [1, 1, 1], "A draw: ann, ben and cas faulted last, at the same time."),
    ],
)
def test_the_verdict_says_who_wins_and_why(totals, ranks, line):
    assert verdict(totals, ranks).text(NAMES) == line
