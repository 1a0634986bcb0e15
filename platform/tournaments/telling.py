"""A leg told in sentences, as HTML: in each round the deal, the moves and the score."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.base import Event, Seat
from games.cards import colour
from games.words import Sentence, listed, narrator_of, number, signed

DEAL = {"dealt", "undealt"}
SCORE = {"left", "scored"}
# A paragraph about moves is a trick, a sequence or a turn.
ALONE = {"pain", "put", "turned_up"}
LAST = ALONE | {"taken", "stopped", "out", "over"}
BELOW = {"pain", "taken", "stopped", "out", "faulted"}  # on lines of their own


@dataclass
class Round:
    """What happened in a round; moves stand together in paragraphs."""

    title: SafeString
    deal: list[SafeString] = field(default_factory=list)
    moves: list[SafeString] = field(default_factory=list)
    score: list[SafeString] = field(default_factory=list)


def told(
    game: str, options: Mapping[str, object], names: Sequence[str], events: Sequence[Event]
) -> list[Round]:
    """A leg by its events; `names` by seat."""
    narrator, rounds = narrator_of(game, options, len(names)), [Round(SafeString())]
    goes_on = False  # the last paragraph does
    for event in events:
        kind = event["event"]
        sentences = [as_html(sentence, names) for sentence in narrator.tell(event)]
        if kind in BELOW:
            sentences = [format_html('<span class="below">{}</span>', each) for each in sentences]
        if kind == "round":
            rounds.append(Round(joined(" ", sentences)))
        elif kind in DEAL:
            rounds[-1].deal += sentences
        elif kind in SCORE:
            rounds[-1].score += sentences
        elif goes_on and kind not in ALONE and not leads_anew(event):
            rounds[-1].moves[-1] = joined(" ", [rounds[-1].moves[-1], *sentences])
        else:
            rounds[-1].moves.append(joined(" ", sentences))
        goes_on = kind not in LAST | DEAL | SCORE | {"round"}
    return rounds if rounds[0].moves else rounds[1:]


def leads_anew(event: Event) -> bool:
    """In Stop It! a card that was not forced begins the next sequence."""
    return event.get("forced") is False


# -- Sentences ------------------------------------------------------------------------------------


def as_html(sentence: Sentence, names: Sequence[str]) -> SafeString:
    return joined(
        "",
        [
            format_html("{}", piece) if isinstance(piece, str) else parameter(*piece, names)
            for piece in sentence.pieces()
        ],
    )


def parameter(name: str, given: Any, names: Sequence[str]) -> SafeString:
    if name == "player":
        return player(given, names)
    if name == "players":
        return SafeString(listed([player(seat, names) for seat in given]))
    if name in ("card", "colour"):
        return card(given)
    if name == "cards":
        return joined(" ", [card(each) for each in given])
    if name == "parts":
        return joined(", ", [as_html(part, names) for part in given])
    if name in ("points", "score"):
        return points(given)
    return format_html("{}", number(given))


def player(seat: Seat, names: Sequence[str]) -> SafeString:
    return format_html("<b>{}</b>", names[seat])


def card(card: str) -> SafeString:
    suit = colour(card)
    return format_html('<span class="cx" data-suit="{}">{}</span>', suit, card.replace("-", " "))


def points(points: int) -> SafeString:
    look = "good" if points > 0 else "bad" if points < 0 else "faint"
    return format_html('<span class="{}">{}</span>', look, signed(points))


def joined(between: str, parts: Sequence[SafeString]) -> SafeString:
    """Escaped parts stay escaped when they are joined; only Python forgets it."""
    return SafeString(between.join(parts))
