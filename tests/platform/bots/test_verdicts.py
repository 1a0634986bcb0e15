"""A verdict in its parts."""

from bots.verdicts import Verdict, verdict_of
from workers.check import Failed
from workers.faults import explained

FAULT = {
    "kind": "illegal",
    "decision": 3,
    "seat": 0,
    "why": "'red-77' is not one of the legal moves",
    "question": {"type": "move", "id": 4},
    "came": '{"id":4,"move":"red-77"}',
}
HOME = "See the same at home: kibitz check bot.py --game stop-it"


def test_a_fault_says_what_was_asked_what_came_and_how_to_see_it():
    said = f"{explained(FAULT)}\nIts debug output:\none\ntwo\n{HOME}"
    assert verdict_of(said) == Verdict(
        "illegal at decision 3, seat 0: 'red-77' is not one of the legal moves.",
        "The move must be one of the texts in the question's legal list, unchanged.",
        '{"type":"move","id":4}',
        '{"id":4,"move":"red-77"}',
        "one\ntwo",
        "kibitz check bot.py --game stop-it",
    )


def test_what_a_compiler_printed_is_told_from_a_sentence():
    verdict = verdict_of(f"The bot could not be built:\n$ gcc bot.c\nbot.c:1: error\n{HOME}")
    assert (verdict.more, verdict.more_is_output) == ("$ gcc bot.c\nbot.c:1: error", True)
    assert not verdict_of(f"{Failed('files', 'The file is empty.')}\n{HOME}").more_is_output


def test_no_verdict_has_no_parts():
    assert verdict_of("") == Verdict("")
