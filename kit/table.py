"""A match in the terminal: a log that scrolls, with hands, tricks, reasons and scores.

Every card shows its colour's letter too, so the log reads without colour; it moves no cursor, so it
reads in a file.
"""

from abc import ABC
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from games.base import Event, Game, Seat, ranks
from games.cards import colour, value
from games.color_stock import FULL_STACK, ColorStock
from games.seating import seatings
from games.sticheln import Sticheln
from games.stop_it import BONUS, BONUS_VALUE, StopIt
from games.words import (
    ColorStockNarrator,
    Narrator,
    Sentence,
    StopItNarrator,
    listed,
    narrator_of,
    number,
    signed,
    verdict,
)

WIDEST = 100
LONGEST_NAME = 16  # in a column
SCORE_WIDTH = 68  # a row of scores without its name, mostly
NAME_LENGTHS = (32, LONGEST_NAME, 12, 8, 5)  # tried in turn until a sentence fits its line

# The letter is one that no other colour of the same game uses: grAy, browN, blacK.
LETTERS = {
    "red": "R", "yellow": "Y", "green": "G", "blue": "B", "purple": "P",
    "violet": "V", "gray": "A", "brown": "N", "black": "K",
}  # fmt: skip
CHIPS = {
    "red": "bold #fffdf8 on #c4302b",
    "yellow": "bold #171a19 on #f2b90d",
    "green": "bold #fffdf8 on #1d7f4c",
    "blue": "bold #fffdf8 on #1f5fc4",
    "purple": "bold #fffdf8 on #74399f",
    "violet": "bold #fffdf8 on #74399f",
    "gray": "bold #171a19 on #a7adae",
    "brown": "bold #fffdf8 on #7a4720",
    "black": "bold #fffdf8 on #3a4042",
}
GOOD, BAD, QUIET = "green", "bold red", "dim"
LEADS, TAKES, CARD_STOPPED, FAULT = "▸", "◄", "!", "✗"
ASCII = str.maketrans("▸◄✗█·−×─━…", ">*x#.-x-=~")


# -- Cards, names and sentences ----------------------------------------------------------------


def short(card: str) -> str:
    """`red-7` is R7, and a card that is only a colour its letter."""
    return LETTERS[colour(card)] + card.partition("-")[2]


def chip(card: str, width: int = 0) -> Text:
    return Text(f" {short(card):{width}} ", CHIPS[colour(card)])


def hand_of(cards: Sequence[str]) -> list[Text]:
    """A hand by colours: each with its values, or with how often it is there."""
    by_colour: dict[str, list[str]] = {}
    for card in cards:
        by_colour.setdefault(colour(card), []).append(card.partition("-")[2])
    return [_group(name, values) for name, values in by_colour.items()]


def _group(name: str, values: list[str]) -> Text:
    numbers = " ".join(values) if values[0] else f"× {len(values)}"
    return Text(f" {LETTERS[name]} {numbers} ", CHIPS[name])


def points_of(points: int) -> Text:
    return Text(signed(points), BAD if points < 0 else GOOD if points > 0 else QUIET)


def cut(text: Text | str, width: int) -> Text:
    """Exactly this wide, cut or filled up."""
    text = Text(text) if isinstance(text, str) else text.copy()
    text.truncate(width, overflow="ellipsis", pad=True)
    return text


def right(text: Text, width: int) -> Text:
    return Text(" " * (width - text.cell_len)) + text


def printable(name: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in name)


class Speaker:
    """Turns sentences into text with the names of a leg's seats."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    def fitted(self, sentence: Sentence, width: int) -> Text:
        """With names as long as the width allows."""
        texts = [self.words(sentence, longest) for longest in NAME_LENGTHS]
        return next((text for text in texts if text.cell_len <= width), texts[-1])

    def words(self, sentence: Sentence, longest: int = LONGEST_NAME) -> Text:
        return Text.assemble(
            *(
                piece if isinstance(piece, str) else self.parameter(*piece, longest)
                for piece in sentence.pieces()
            )
        )

    def parameter(self, name: str, given: Any, longest: int) -> Text:
        if name == "player":
            return Text(self.shortened(given, longest), "bold")
        if name == "players":
            return Text(listed([self.shortened(seat, longest) for seat in given]), "bold")
        if name == "parts":
            return Text(", ").join(self.words(part, longest) for part in given)
        return SHOWN.get(name, lambda count: Text(number(count)))(given)

    def shortened(self, seat: Seat, longest: int) -> str:
        name = self.names[seat]
        return name if cell_len(name) <= longest else cut(name, longest).plain


SHOWN: dict[str, Callable[[Any], Text]] = {
    "card": lambda card: Text(short(card), CHIPS[colour(card)]),
    "cards": lambda cards: Text(" ").join(SHOWN["card"](card) for card in cards),
    "colour": lambda name: Text(name, "bold"),
    "points": points_of,
    "score": points_of,
}


class Paper:
    """Where lines go; without a single escape code if no colour is wanted."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.width = min(console.width, WIDEST)
        self.colourless = console.no_color or not console.is_terminal
        self.ascii_only = console.options.ascii_only

    def line(self, *parts: Text | str) -> None:
        text = Text.assemble(*parts)
        if self.ascii_only:
            text.plain = text.plain.translate(ASCII).encode("ascii", "replace").decode()
        shown = Text(text.plain.rstrip()) if self.colourless else text
        self.console.print(shown, soft_wrap=True, highlight=False)

    def hanging(self, first: Text, body: Text) -> None:
        """A body in as many lines as it needs, beside its first words."""
        indent = first.cell_len
        lines = body.wrap(self.console, self.width - indent)
        for place, line in enumerate(lines or [Text()]):
            self.line(first if place == 0 else " " * indent, line)

    def flowing(self, first: Text, pieces: Sequence[Text], mark: str = "") -> None:
        """Pieces that stay whole, a mark after each but the last, beside the first words."""
        indent, line = first.cell_len, first
        for place, piece in enumerate(pieces):
            ended = piece + mark if place < len(pieces) - 1 else piece
            if place and line.cell_len + 1 + ended.cell_len > self.width:
                self.line(line)
                line = Text(" " * indent)
            line = Text.assemble(line, " " if line.cell_len > indent else "", ended)
        self.line(line)

    def ruled(self, title: Text, stroke: str) -> None:
        dashes = self.width - title.cell_len - 5
        self.line(Text(stroke * 2, QUIET), " ", title, " ", Text(stroke * dashes, QUIET))


# -- The sheets: one leg of one game -------------------------------------------------------------


class Sheet(ABC):
    """Shows the events of one leg. What is the same in every game stands here."""

    legend: ClassVar[str]

    def __init__(self, narrator: Narrator, names: Sequence[str], paper: Paper) -> None:
        self.narrator = narrator
        self.names = names
        self.paper = paper
        self.speaker = Speaker(names)
        room = min(LONGEST_NAME, max(8, paper.width - SCORE_WIDTH))
        self.name_width = min(room, max(5, *map(cell_len, names)))

    def show(self, event: Event) -> None:
        told = self.narrator.tell(event)
        getattr(self, f"show_{event['event']}")(event, told)

    def label(self, seat: Seat) -> Text:
        """A seat's number and name, as wide for every seat."""
        return Text.assemble(" ", (str(seat), QUIET), " ", self.name(seat), " ")

    def name(self, seat: Seat) -> Text:
        name = cut(self.names[seat], self.name_width)
        name.stylize("bold")
        return name

    def say(self, told: Sequence[Sentence], indent: int = 4) -> None:
        if told:
            words = Text(" ").join(self.speaker.words(sentence) for sentence in told)
            self.paper.hanging(Text(" " * indent), words)

    def show_faulted(self, event: Event, told: list[Sentence]) -> None:
        self.paper.hanging(Text(f"  {FAULT} ", BAD), self.speaker.words(told[0]))

    def show_round(self, event: Event, told: list[Sentence]) -> None:
        self.paper.line()
        title = Text(" ").join(self.speaker.words(sentence) for sentence in told)
        if title.cell_len > self.paper.width - 8:
            self.paper.ruled(self.speaker.words(told[0]), "─")
            self.say(told[1:])
        else:
            self.paper.ruled(title, "─")

    def show_dealt(self, event: Event, told: list[Sentence]) -> None:
        self.paper.flowing(self.label(event["seat"]), hand_of(event["hand"]))
        if event["seat"] == len(self.names) - 1:
            self.paper.line()

    def show_left(self, event: Event, told: list[Sentence]) -> None:
        self.paper.line(Text("    Cards left", QUIET))
        for seat, hand in enumerate(event["hands"]):
            self.paper.flowing(self.label(seat), hand_of(hand) or [Text(" none", QUIET)])

    def show_scored(self, event: Event, told: list[Sentence]) -> None:
        scores = [sentence for sentence in told if "total" in sentence.parameters]
        heading = cut(Text("   Score", QUIET), self.name_width + 4)
        self.paper.line(heading, Text("round total", QUIET))
        for sentence in scores:
            self.show_score(event, sentence)
        self.say([sentence for sentence in told if sentence not in scores])

    def show_score(self, event: Event, sentence: Sentence) -> None:
        seat, parts = sentence.parameters["player"], sentence.parameters.get("parts", [])
        points = right(points_of(event["scores"][seat]), 5)
        total = right(Text(number(event["totals"][seat]), "bold"), 6)
        first = Text.assemble(self.label(seat), points, total, "  ")
        self.paper.flowing(first, [self.speaker.words(part) for part in parts], ",")


class StichelnSheet(Sheet):
    """A score sheet: a column for each seat, a row for each trick with its reason below."""

    legend = (
        f"{LEADS} leads, the next column follows; {TAKES} takes the trick, for the points behind"
    )

    def __init__(self, narrator: Narrator, names: Sequence[str], paper: Paper) -> None:
        super().__init__(narrator, names, paper)
        self.column = min(LONGEST_NAME, (paper.width - 14) // len(names))
        self.trick: list[tuple[Seat, str]] = []
        self.tricks = 0

    def row(self, first: str, cells: Sequence[Text], last: Text | str = "") -> None:
        cells = [cut(cell, self.column) for cell in cells]
        self.paper.line(Text(f"{first:>4} ", QUIET), *cells, last)

    def show_undealt(self, event: Event, told: list[Sentence]) -> None:
        self.say(told)

    def show_pain(self, event: Event, told: list[Sentence]) -> None:
        self.tricks = 0
        names = [cut(name, self.column - 2) for name in self.names]
        self.row("", [Text.assemble("  ", (name.plain, "bold")) for name in names])
        self.row("pain", [Text(" ") + chip(card, 3) for card in event["cards"]])

    def show_played(self, event: Event, told: list[Sentence]) -> None:
        self.trick.append((event["seat"], event["card"]))

    def show_taken(self, event: Event, told: list[Sentence]) -> None:
        self.tricks += 1
        leader, played, taker = self.trick[0][0], dict(self.trick), event["seat"]
        cells = [
            Text.assemble(
                LEADS if seat == leader else " ", chip(card, 3), TAKES if seat == taker else ""
            )
            for seat, card in sorted(played.items())
        ]
        self.row(str(self.tricks), cells, Text(" ").join(map(gain, told[1:])))
        self.paper.hanging(Text("     "), self.speaker.fitted(told[0], self.paper.width - 5))
        self.trick = []


def gain(sentence: Sentence) -> Text:
    """The points of a trick, taken apart if some of them hurt."""
    parts = sentence.parameters.get("parts", [sentence])
    return Text(" ").join(points_of(part.parameters["points"]) for part in parts)


class StopItSheet(Sheet):
    """A row for each sequence, with the reason for its end below. A row is shown when it is over."""

    narrator: StopItNarrator
    legend = f"each card behind the seat that played it; {CARD_STOPPED} led with a Stop It card"

    def __init__(self, narrator: Narrator, names: Sequence[str], paper: Paper) -> None:
        super().__init__(narrator, names, paper)
        self.sequences = 0
        self.led_by_card = False
        self.sequence: list[Text] = []
        self.why_over: list[Sentence] = []
        self.faults: list[Sentence] = []

    def show_faulted(self, event: Event, told: list[Sentence]) -> None:
        if self.sequence:
            self.faults += told
        else:
            super().show_faulted(event, told)

    def show_played(self, event: Event, told: list[Sentence]) -> None:
        if not event["forced"]:
            self.finish_sequence()
        self.sequence.append(self.played(event["seat"], event["card"]))
        self.why_over = told[-1:] if not self.narrator.next_card else []

    def played(self, seat: Seat, card: str) -> Text:
        bonus = points_of(BONUS) if value(card) == BONUS_VALUE else Text()
        return Text.assemble((str(seat), "bold"), chip(card), bonus)

    def show_stopped(self, event: Event, told: list[Sentence]) -> None:
        self.why_over = told
        self.finish_sequence()
        self.led_by_card = True

    def show_out(self, event: Event, told: list[Sentence]) -> None:
        self.why_over = told
        self.finish_sequence()
        self.sequences = 0

    def finish_sequence(self) -> None:
        if not self.sequence:
            return
        self.sequences += 1
        mark = CARD_STOPPED if self.led_by_card else " "
        first = Text.assemble((f"{self.sequences:>3}", QUIET), (mark, BAD), " ")
        self.paper.flowing(first, self.sequence)
        self.say(self.why_over, indent=5)
        for sentence in self.faults:
            super().show_faulted({}, [sentence])
        self.sequence, self.faults, self.led_by_card = [], [], False


class ColorStockSheet(Sheet):
    """A row for each turn, with the stacks after it as bars."""

    narrator: ColorStockNarrator
    legend = "two cards put down, then every stack: its height is what a card kept is worth"

    def __init__(self, narrator: Narrator, names: Sequence[str], paper: Paper) -> None:
        super().__init__(narrator, names, paper)
        bars = len(ColorStock.colours(len(names))) * (BAR_WIDTH + 2)
        self.name_width = max(5, min(self.name_width, paper.width - bars - 10))

    def show_put(self, event: Event, told: list[Sentence]) -> None:
        self.show_stacks(self.label(event["seat"]), event["cards"], told)

    def show_turned_up(self, event: Event, told: list[Sentence]) -> None:
        pile = Text("   ") + cut(Text("pile", "italic"), self.name_width + 1)
        self.show_stacks(pile, event["cards"], told)

    def show_stacks(self, who: Text, cards: Sequence[str], told: list[Sentence]) -> None:
        stacks = self.narrator.position.stacks
        bars = Text("  ").join(bar(name, height) for name, height in stacks.items())
        self.paper.line(who, *(chip(card) for card in cards), "  ", bars)
        near = [s for s in told if s.parameters.get("height", 0) >= FULL_STACK - 1]
        self.say(near)

    def show_over(self, event: Event, told: list[Sentence]) -> None:
        self.say(told)


BAR_WIDTH = FULL_STACK + 4  # a letter, the bar, a digit


def bar(name: str, height: int) -> Text:
    """A stack with room up to where it is full."""
    background = CHIPS[name].rpartition(" ")[2]
    return Text.assemble(
        (f"{LETTERS[name]} ", "bold"),
        ("█" * min(height, FULL_STACK), background),
        ("·" * (FULL_STACK - height), QUIET),
        (f" {height}", BAD if height >= FULL_STACK else "bold"),
    )


SHEETS: dict[str, type[Sheet]] = {
    Sticheln.name: StichelnSheet,
    StopIt.name: StopItSheet,
    ColorStock.name: ColorStockSheet,
}


# -- The match ---------------------------------------------------------------------------------


class TerminalTable:
    """Shows a match as it is played; `watch` takes the events of one decision after the other."""

    def __init__(
        self,
        game: type[Game],
        options: Mapping[str, object],
        bots: Sequence[str],
        console: Console | None = None,
    ) -> None:
        self.game = game
        self.options = game.complete(options)
        self.bots = [printable(bot) for bot in bots]
        self.paper = Paper(console or Console())
        self.leg: int | None = None

    def watch(self, leg: int, events: Sequence[Event]) -> None:
        if leg != self.leg:
            self.begin(leg)
        self.decisions += 1
        for event in events:
            if event["event"] == "faulted":
                self.faulted[event["seat"]] = self.decisions
            self.sheet.show(event)
        if events and events[-1]["event"] == "scored":
            self.finish()

    def begin(self, leg: int) -> None:
        self.leg = leg
        self.decisions = 0
        self.faulted: dict[Seat, int] = {}
        self.names = [self.bots[bot] for bot in seatings(len(self.bots))[leg]]
        narrator = narrator_of(self.game.name, self.options, len(self.names))
        self.sheet = SHEETS[self.game.name](narrator, self.names, self.paper)
        self.show_heading(leg)

    def show_heading(self, leg: int) -> None:
        options = ", ".join(f"{key} {chosen}" for key, chosen in self.options.items())
        self.paper.line()
        self.paper.ruled(Text(f"Leg {leg + 1}: {self.game.title} ({options})", "bold"), "━")
        self.paper.hanging(Text("   "), Text(self.sheet.legend, QUIET))

    def finish(self) -> None:
        """The standings, once the last round is scored."""
        position, sheet = self.sheet.narrator.position, self.sheet
        places = ranks(position.totals, self.faulted)
        self.paper.line()
        self.paper.line(Text(f"   Standings of leg {self.number}", "bold"))
        for seat in sorted(range(len(self.names)), key=places.__getitem__):
            self.show_standing(seat, places[seat])
        sheet.say([verdict(position.totals, places)])

    @property
    def number(self) -> int:
        return (self.leg or 0) + 1

    def show_standing(self, seat: Seat, rank: int) -> None:
        position = self.sheet.narrator.position
        rounds = [right(points_of(scores[seat]), 4) for scores in position.scores]
        first = Text.assemble(
            (f"{rank:>3}  ", "bold"),
            self.sheet.name(seat),
            right(Text(number(position.totals[seat]), "bold"), 6),
            "   ",
        )
        fault = Text(f" {FAULT} faulted", BAD) if seat in self.faulted else Text()
        self.paper.flowing(first, [*rounds, fault])
