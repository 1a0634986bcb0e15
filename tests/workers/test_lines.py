"""Lines of bots: what is unreadable, and what looks like it and must be read."""

import pytest
from hypothesis import given
from hypothesis.strategies import from_regex

from workers.lines import PLAIN, Said, Unreadable, is_ready, read_answer


def nested(levels):
    """An answer that is nested this deep, itself the first level."""
    return b'{"id":1,"move":"pass","x":' + b"[" * (levels - 1) + b"]" * (levels - 1) + b"}"


UNREADABLE = {
    "not UTF-8": b'{"id":1,"move":"pa\xff"}',
    "Latin-1": b'{"id":1,"move":"pass","note":"\xe9"}',
    "UTF-16": '{"id":1,"move":"pass"}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"id":1,"move":"pass"}',
    "an overlong slash": b'{"id":1,"move":"\xc0\xaf"}',
    "a surrogate in UTF-8": b'{"id":1,"move":"\xed\xa0\x80"}',
    "blank": b"",
    "white space only": b" \t\r",
    "no JSON": b"hello",
    "half an object": b'{"id":1,"move":"pass"',
    "an array": b'[{"id":1,"move":"pass"}]',
    "a text": b'"pass"',
    "a number": b"1",
    "null": b"null",
    "two objects": b'{"id":1,"move":"pass"}{"id":2,"move":"pass"}',
    "two objects with a space": b'{"id":1,"move":"pass"} {}',
    "something behind the object": b'{"id":1,"move":"pass"};',
    "something before the object": b'>{"id":1,"move":"pass"}',
    "a comma too many": b'{"id":1,"move":"pass",}',
    "single quotes": b"{'id':1,'move':'pass'}",
    "a comment": b'{"id":1,"move":"pass"}//done',
    "a key without quotes": b'{id:1,"move":"pass"}',
    "other white space": b'\x0b{"id":1,"move":"pass"}',
    "a no-break space": '\u00a0{"id":1,"move":"pass"}'.encode(),
    "a tab in a text": b'{"id":1,"move":"pass","note":"a\tb"}',
    "an escape that JSON has not": rb'{"id":1,"move":"pass","note":"\x41"}',
    "a key twice": b'{"id":1,"id":1,"move":"pass"}',
    "an unknown key twice": b'{"id":1,"move":"pass","x":1,"x":2}',
    "a key twice, once escaped": rb'{"id":1,"move":"pass","\u006dove":"pass"}',
    "a key twice inside": b'{"id":1,"move":"pass","x":[{"y":[{"z":1,"z":1}]}]}',
    "NaN": b'{"id":1,"move":"pass","x":NaN}',
    "Infinity": b'{"id":1,"move":"pass","x":Infinity}',
    "-Infinity": b'{"id":1,"move":"pass","x":[-Infinity]}',
    "a number infinite as a double": b'{"id":1,"move":"pass","x":1e999}',
    "a negative number infinite as a double": b'{"id":1,"move":"pass","x":-1e999}',
    "a whole number infinite as a double": b'{"id":1,"move":"pass","x":1' + b"0" * 309 + b"}",
    "a negative whole number infinite as a double": b'{"id":1,"move":"pass","x":-2'
    + b"0" * 308
    + b"}",
    "a whole number of 10,000 digits": b'{"id":1,"move":"pass","x":' + b"9" * 10_000 + b"}",
    "an infinite id": b'{"id":1' + b"0" * 400 + b',"move":"pass"}',
    "33 levels": nested(33),
    "33 levels of objects": b'{"id":1,"move":"pass","x":' + b'{"x":' * 32 + b"1" + b"}" * 33,
    "30,000 levels": nested(30_000),
    "levels without an end": b'{"id":1,"move":"pass","x":' + b"[" * 30_000,
    "the first half of a pair": rb'{"id":1,"move":"pass","note":"\ud83d"}',
    "the second half of a pair": rb'{"id":1,"move":"pass","note":"\ude00"}',
    "a pair the wrong way round": rb'{"id":1,"move":"pass","note":"\ude00\ud83d"}',
    "half a pair in the move": rb'{"id":1,"move":"\ud83d"}',
    "half a pair in a key": rb'{"id":1,"move":"pass","\ud83d":1}',
    "half a pair far inside": rb'{"id":1,"move":"pass","x":[{"y":["\uDFFF"]}]}',
    "U+0000 escaped": rb'{"id":1,"move":"pass","note":"\u0000"}',
    "U+0000 as a byte": b'{"id":1,"move":"pass","note":"\x00"}',
    "U+0000 in a key": rb'{"id":1,"move":"pass","a\u0000":1}',
    "U+0000 behind an escaped backslash": rb'{"id":1,"move":"pass","note":"\\\u0000"}',
    "no id": b'{"move":"pass"}',
    "an id as text": b'{"id":"1","move":"pass"}',
    "an id with decimals": b'{"id":1.0,"move":"pass"}',
    "an id with an exponent": b'{"id":1e0,"move":"pass"}',
    "an id with a minus": b'{"id":-1,"move":"pass"}',
    "an id of minus zero": b'{"id":-0,"move":"pass"}',
    "an id with a plus": b'{"id":+1,"move":"pass"}',
    "an id with a zero before it": b'{"id":01,"move":"pass"}',
    "an id that is true": b'{"id":true,"move":"pass"}',
    "an id that is null": b'{"id":null,"move":"pass"}',
    "an id in a list": b'{"id":[1],"move":"pass"}',
    "no move": b'{"id":1}',
    "a move that is null": b'{"id":1,"move":null}',
    "a move that is a number": b'{"id":1,"move":7}',
    "a move in a list": b'{"id":1,"move":["pass"]}',
    "keys in upper case": b'{"ID":1,"MOVE":"pass"}',
    "an empty object": b"{}",
}

READABLE = {
    "nothing else": b'{"id":1,"move":"pass"}',
    "a carriage return at the end": b'{"id":1,"move":"pass"}\r',
    "white space around": b' \t\r{"id":1,"move":"pass"} \t\r',
    "white space inside": b'{ "id" :\t1 ,\r"move" : "pass" }',
    "keys the other way round": b'{"move":"pass","id":1}',
    "escaped letters in the move": rb'{"id":1,"move":"\u0070\u0061ss"}',
    "escaped letters in a key": rb'{"\u0069d":1,"move":"pass"}',
    "unknown keys": b'{"id":1,"move":"pass","value":0.25,"line":["red-7"],"type":"move"}',
    "a note that is a number": b'{"id":1,"move":"pass","note":7}',
    "a note that is null": b'{"id":1,"move":"pass","note":null}',
    "a note that is a list": b'{"id":1,"move":"pass","note":["why"]}',
    "an empty note": b'{"id":1,"move":"pass","note":""}',
    "32 levels": nested(32),
    "many lists side by side": b'{"id":1,"move":"pass","x":[' + b"[]," * 5000 + b"[]]}",
    "brackets in a text": b'{"id":1,"move":"pass","x":"' + b"[{" * 5000 + b'"}',
    "the same key in two objects": b'{"id":1,"move":"pass","x":[{"y":1},{"y":1}],"y":{"id":2}}',
    "the largest double": b'{"id":1,"move":"pass","x":1.7976931348623157e308}',
    "a whole number of 308 digits": b'{"id":1,"move":"pass","x":1' + b"0" * 308 + b"}",
    "a number too small for a double": b'{"id":1,"move":"pass","x":1e-999}',
    "negative numbers elsewhere": b'{"id":1,"move":"pass","x":[-1,-0,-0.5]}',
    "NaN in a text": b'{"id":1,"move":"pass","x":"NaN Infinity 1e999"}',
    "true and false": b'{"id":1,"move":"pass","x":[true,false,null]}',
}


@pytest.mark.parametrize("line", UNREADABLE.values(), ids=UNREADABLE)
def test_this_is_unreadable(line):
    with pytest.raises(Unreadable) as why:
        read_answer(line)
    assert str(why.value)
    assert "\n" not in str(why.value)


@pytest.mark.parametrize("line", READABLE.values(), ids=READABLE)
def test_this_is_readable(line):
    assert read_answer(line) == Said(1, "pass", "")


def test_the_move_comes_as_it_was_written():
    assert read_answer(b'{"id":12,"move":" Red-7 "}') == Said(12, " Red-7 ", "")


@given(from_regex(PLAIN, fullmatch=True))
def test_a_plain_answer_says_what_it_says_when_read_letter_by_letter(line):
    assert read_answer(line) == read_answer(line + b" ")


def test_an_id_may_have_many_digits():
    assert read_answer(b'{"id":' + b"9" * 300 + b',"move":"x"}').id == int("9" * 300)


def test_zero_is_written_in_digits_only():
    assert read_answer(b'{"id":0,"move":"pass"}').id == 0


def test_a_note_is_kept():
    assert read_answer('{"id":1,"move":"x","note":"größer 🐢"}'.encode()).note == "größer 🐢"


def test_a_note_of_200_code_points_is_kept_whole():
    note = "🐢" * 200
    assert read_answer(f'{{"id":1,"move":"x","note":"{note}"}}'.encode()).note == note


def test_a_note_is_cut_at_200_code_points():
    line = f'{{"id":1,"move":"x","note":"{"🐢" * 200}a"}}'.encode()
    assert read_answer(line).note == "🐢" * 200


def test_a_pair_of_escapes_is_one_code_point():
    escaped = rb'{"id":1,"move":"x","note":"' + rb"\ud83d\udc22" * 201 + rb'"}'
    assert read_answer(escaped).note == "🐢" * 200


def test_a_note_is_cut_after_it_was_read():
    escaped = rb'{"id":1,"move":"x","note":"' + b"a" * 300 + rb'\u0000"}'
    with pytest.raises(Unreadable):
        read_answer(escaped)


def test_an_escaped_backslash_before_u0000_is_no_u0000():
    assert read_answer(rb'{"id":1,"move":"x","note":"\\u0000"}').note == r"\u0000"


def test_an_escaped_backslash_before_ud800_is_no_half_pair():
    assert read_answer(rb'{"id":1,"move":"x","note":"\\ud800"}').note == r"\ud800"


def test_other_control_characters_may_be_escaped():
    assert read_answer(rb'{"id":1,"move":"x","note":"\u001b\n\u007f"}').note == "\x1b\n\x7f"


# -- The ready line -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [b'{"type":"ready"}', b' {"type":"ready"}\r', b'{"name":"bob","type":"\\u0072eady","id":-1.5}'],
)
def test_this_is_a_ready_line(line):
    assert is_ready(line) is True


@pytest.mark.parametrize(
    "line", [b"{}", b'{"type":"Ready"}', b'{"type":null}', b'{"type":["ready"]}', b'{"ready":1}']
)
def test_this_is_something_else(line):
    assert is_ready(line) is False


@pytest.mark.parametrize(
    "line", [b"", b"ready", b'"ready"', b'{"type":"ready","type":"ready"}', b'{"type":"ready"} .']
)
def test_an_unreadable_line_is_no_ready_line(line):
    with pytest.raises(Unreadable):
        is_ready(line)
