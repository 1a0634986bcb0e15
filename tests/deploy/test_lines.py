"""What a run shows is plain where nobody can see colours, and ends when nobody reads it."""

import io

import pytest

from deploy.lines import Lines


class Terminal(io.StringIO):
    def isatty(self):
        return True


def shown(out):
    lines = Lines(out)
    lines.say("site", "here")
    return out.getvalue()


def test_a_terminal_gets_colours(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\033[36msite" in shown(Terminal())


@pytest.mark.parametrize("out", [io.StringIO(), Terminal()])
def test_no_colour_where_none_is_wanted_or_nobody_sees_it(out, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    assert shown(out).split(maxsplit=1)[1] == "site      here\n"


def test_a_reader_that_is_gone_is_noticed():
    class Closed(io.StringIO):
        def write(self, text):
            raise BrokenPipeError

    lines = Lines(Closed())
    assert lines.wanted
    lines.say("site", "nobody reads this")
    assert not lines.wanted
