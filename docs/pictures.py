"""Draws the card diagrams of these pages: `python -m docs.pictures` writes docs/pictures/*.svg.

A picture is described by cards, names and a reason. Whatever it shows as a result (who takes a trick,
who is asked, a score) is asked of the rules in `games`, so a picture cannot say anything else than they do.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple, Protocol
from xml.sax.saxutils import escape

from games.base import Event
from games.cards import colour, value
from games.color_stock import BONUS as STOCK_BONUS
from games.color_stock import FULL_STACK, ColorStock
from games.sticheln import Sticheln, score_of
from games.stop_it import (
    BONUS,
    BONUS_VALUE,
    CLAIM,
    CONSOLATION,
    GOING_OUT,
    NEXT,
    PASS,
    StopIt,
    worth_left,
)

FOLDER = Path(__file__).with_name("pictures")

WIDTH, MARGIN = 640, 24
RIGHT = WIDTH - MARGIN
SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif"
SERIF = "Charter, 'Bitstream Charter', 'Sitka Text', Cambria, Georgia, serif"
INK, INK_2, INK_3, ACCENT, BAD = "#171c1a", "#48514d", "#646d68", "#0b5a57", "#a52a1c"
PANEL, LINE, SLOT = "#f6f7f4", "#d3d9d3", "#a9b8b1"
CARD_PAPER, CARD_INK = "#fffdf8", "#171a19"
LARGE, MEDIUM, SMALL = 56, 40, 28  # widths of a card
TALL, STEP = 1.4, 0.46  # a card's height, and what is seen of one under another, in widths


class Suit(NamedTuple):
    """Colour, silhouette (in a square of 24) and letter: each alone tells the suit."""

    silhouette: str
    letter: str
    fill: str
    on: str
    path: str


DIAMOND = "M12 .5 22 12 12 23.5 2 12z"
DISC = "M1.5 12a10.5 10.5 0 1 0 21 0 10.5 10.5 0 1 0-21 0z"
LEAF = "M1.5 22.5C-.5 8.5 8.5-.5 22.5 1.5 24.5 15.5 15.5 24.5 1.5 22.5z"
DROP = "M12 .5C16 7 20.5 10.5 20.5 15.2a8.5 8.3 0 0 1-17 0C3.5 10.5 8 7 12 .5z"
CRESCENT = "M14.5 1A11.2 11.2 0 1 0 23 17.5 9.8 9.8 0 0 1 14.5 1z"
SQUARE = "M2.5 2.5h19v19h-19z"
TRIANGLE = "M12 1.5 23.5 22H.5z"
OCTAGON = "M7.2 0h9.6L24 7.2v9.6L16.8 24H7.2L0 16.8V7.2z"
SALTIRE = "M6.5 1.5 12 7l5.5-5.5 5 5L17 12l5.5 5.5-5 5L12 17l-5.5 5.5-5-5L7 12 1.5 6.5z"

SUITS = {
    "red": Suit("diamond", "R", "#c4302b", CARD_PAPER, DIAMOND),
    "yellow": Suit("disc", "Y", "#f2b90d", CARD_INK, DISC),
    "green": Suit("leaf", "G", "#1d7f4c", CARD_PAPER, LEAF),
    "blue": Suit("drop", "B", "#1f5fc4", CARD_PAPER, DROP),
    "purple": Suit("crescent", "P", "#74399f", CARD_PAPER, CRESCENT),
    "gray": Suit("square", "A", "#a7adae", CARD_INK, SQUARE),
    "brown": Suit("triangle", "N", "#7a4720", CARD_PAPER, TRIANGLE),
    "black": Suit("saltire", "K", "#1c1f20", CARD_PAPER, SALTIRE),
    "violet": Suit("crescent", "V", "#74399f", CARD_PAPER, CRESCENT),
}


# -- Words -----------------------------------------------------------------------------------------


def spoken(card: str) -> str:
    """red-7 as a player says it."""
    return card.replace("-", " ").capitalize()


def listed(words: Sequence[str]) -> str:
    return ", ".join(words[:-1]) + " and " + words[-1] if len(words) > 1 else "".join(words)


def signed(points: int) -> str:
    return f"{points:+d}".replace("-", "\u2212") if points else "0"


# -- Drawing ---------------------------------------------------------------------------------------


class Ink(NamedTuple):
    """How words are set."""

    size: float
    fill: str = INK
    weight: int = 400
    font: str = SANS


TITLE, HEADING, VERDICT = Ink(18, INK, 700, SERIF), Ink(13, INK, 600), Ink(16, ACCENT, 700)
NAME, BODY, PALE = Ink(14, INK, 700), Ink(13), Ink(13, INK_2)
FINE, LABEL, LOSS = Ink(12, INK_2), Ink(12, INK_3), Ink(12, BAD)
GOOD, POOR = Ink(19, ACCENT, 700), Ink(19, BAD, 700)

LINE_HEIGHT = 1.4
LETTER = 0.56  # a wide letter's share of the size: what fits here fits in any font


def lines_of(words: str, width: float, ink: Ink) -> list[str]:
    return wrap(words, int(width / (ink.size * LETTER)))


class Sheet:
    """A picture in the making: what is drawn, what is said of it, and how far down it reaches."""

    def __init__(self) -> None:
        self.drawn: list[str] = []
        self.said: list[str] = []
        self.y = float(MARGIN)

    def say(self, sentence: str) -> None:
        self.said.append(sentence)

    def rule(self) -> None:
        self.drawn.append(f'<path d="M{MARGIN} {self.y:g}H{RIGHT}" stroke="{LINE}"/>')

    def heading(self, words: str) -> None:
        if words:
            self.text(MARGIN, self.y + 6, words, HEADING)
            self.say(f"{words}:")
            self.y += 24

    def text(self, x: float, y: float, words: str, ink: Ink = BODY, anchor: str = "start") -> None:
        self.drawn.append(
            f'<text x="{x:g}" y="{y:g}" font-family="{ink.font}" font-size="{ink.size:g}" '
            f'font-weight="{ink.weight}" fill="{ink.fill}" text-anchor="{anchor}">'
            f"{escape(words)}</text>"
        )

    def middle(self, x: float, y: float, words: str, ink: Ink = BODY) -> None:
        self.text(x, y, words, ink, "middle")

    def right(self, x: float, y: float, words: str, ink: Ink = BODY) -> None:
        self.text(x, y, words, ink, "end")

    def paragraph(self, x: float, y: float, words: str, width: float, ink: Ink = PALE) -> float:
        """Wrapped text; says where the next line would stand."""
        for line in lines_of(words, width, ink):
            self.text(x, y, line, ink)
            y += ink.size * LINE_HEIGHT
        return y

    def centred(self, x: float, y: float, words: str, width: float, ink: Ink = BODY) -> None:
        """Wrapped text whose lines stand around a height."""
        above = (len(lines_of(words, width, ink)) - 1) / 2
        self.paragraph(x, y - above * ink.size * LINE_HEIGHT, words, width, ink)

    def box(
        self, x: float, y: float, wide: float, high: float, radius: float, fill: str, more: str = ""
    ) -> None:
        self.drawn.append(
            f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="{radius:g}" '
            f'fill="{fill}"{more}/>'
        )

    def shape(self, x: float, y: float, size: float, path: str, fill: str) -> None:
        self.drawn.append(
            f'<path transform="translate({x:g} {y:g}) scale({size / 24:.4g})" '
            f'fill="{fill}" d="{path}"/>'
        )

    # Cards keep the proportions of the site's: everything is a share of the width.

    def blank(self, x: float, y: float, w: float) -> None:
        shade, edge = ' fill-opacity=".16"', ' stroke="#17201e" stroke-opacity=".2"'
        self.box(x, y + w * 0.035, w, w * TALL, w * 0.1, "#0a1410", shade)
        self.box(x, y, w, w * TALL, w * 0.1, CARD_PAPER, edge)

    def card(self, x: float, y: float, w: float, card: str) -> None:
        """A card with a number; without one (Color Stock) the suit fills the face."""
        suit = SUITS[colour(card)]
        self.blank(x, y, w)
        if "-" in card:
            self.middle(x + w / 2, y + w * 0.65, str(value(card)), Ink(w * 0.6, CARD_INK, 700))
            self.box(x + w * 0.07, y + w * 0.83, w * 0.86, w * 0.5, w * 0.055, suit.fill)
            self.shape(x + w * 0.15, y + w * 0.905, w * 0.35, suit.path, suit.on)
            self.middle(x + w * 0.71, y + w * 1.195, suit.letter, Ink(w * 0.32, suit.on, 700))
        else:
            self.box(x + w * 0.07, y + w * 0.07, w * 0.86, w * 1.26, w * 0.055, suit.fill)
            self.shape(x + w * 0.22, y + w * 0.65, w * 0.56, suit.path, suit.on)
            self.middle(x + w * 0.27, y + w * 0.42, suit.letter, Ink(w * 0.32, suit.on, 700))

    def stop_card(self, x: float, y: float, w: float) -> None:
        self.blank(x, y, w)
        self.box(x + w * 0.07, y + w * 0.07, w * 0.86, w * 1.26, w * 0.055, CARD_INK)
        self.shape(x + w * 0.3, y + w * 0.26, w * 0.4, OCTAGON, CARD_PAPER)
        self.middle(x + w / 2, y + w * 1.07, "Stop It", Ink(w * 0.235, CARD_PAPER, 700, SERIF))

    def slot(self, x: float, y: float, w: float) -> None:
        dashed = f' stroke="{SLOT}" stroke-width="1.5" stroke-dasharray="3 3"'
        self.box(x, y, w, w * TALL, w * 0.1, "none", dashed)

    def ring(self, x: float, y: float, w: float) -> None:
        bold = f' stroke="{ACCENT}" stroke-width="2.5"'
        self.box(x - 4, y - 4, w + 8, w * TALL + 8, w * 0.1 + 4, "none", bold)

    def stack(self, x: float, y: float, w: float, card: str, height: int) -> None:
        """Equal cards, each a step lower than the one before."""
        if not height:
            self.slot(x, y, w)
        for place in range(height):
            self.card(x, y + place * w * STEP, w, card)


class Panel(Protocol):
    def draw(self, sheet: Sheet) -> None:
        """Draws at `sheet.y` and moves it on."""


class Picture(NamedTuple):
    name: str
    title: str
    panels: Sequence[Panel]

    def svg(self) -> str:
        sheet = Sheet()
        sheet.text(MARGIN, sheet.y + 14, self.title, TITLE)
        sheet.y += 44
        for number, panel in enumerate(self.panels):
            if number:
                sheet.rule()
                sheet.y += 20
            panel.draw(sheet)
        height = round(sheet.y + MARGIN - 16)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
            f'viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="title desc">',
            f'<title id="title">{escape(self.title)}</title>',
            f'<desc id="desc">{escape(" ".join(sheet.said))}</desc>',
            f'<rect x=".5" y=".5" width="{WIDTH - 1}" height="{height - 1}" rx="8" '
            f'fill="{PANEL}" stroke="{LINE}"/>',
        )
        return "\n".join([*head, *sheet.drawn, "</svg>\n"])


# -- The suits -------------------------------------------------------------------------------------


class Legend(NamedTuple):
    """Every suit, with what tells it from the others."""

    def draw(self, sheet: Sheet) -> None:
        pitch = (RIGHT - MARGIN) / len(SUITS)
        for place, (name, suit) in enumerate(SUITS.items()):
            x = MARGIN + (place + 0.5) * pitch
            sheet.card(x - 23, sheet.y, 46, f"{name}-{place + 1}")
            sheet.middle(x, sheet.y + 86, name, HEADING)
            sheet.middle(x, sheet.y + 103, f"{suit.silhouette}, {suit.letter}", Ink(11, INK_3))
            sheet.say(f"{name.capitalize()}: {suit.silhouette}, letter {suit.letter}.")
        sheet.y += 118


# -- Sticheln --------------------------------------------------------------------------------------


PAIN = "red-1"


class Trick(NamedTuple):
    """Cards in order of play, and why they go where they go."""

    cards: str
    why: str
    heading: str = ""


class Tricks(NamedTuple):
    """Tricks of one round; the first is led by the first name, each other by whom the rules say."""

    names: Sequence[str]
    tricks: Sequence[Trick]
    options: Mapping[str, object]

    def draw(self, sheet: Sheet) -> None:
        # Who plays which card follows from who took the trick before, so every seat is given all of
        # them, and one more for pain: no hand is empty before the last trick.
        hand = [PAIN, *" ".join(trick.cards for trick in self.tricks).split()]
        position = Sticheln.set_up([hand for _ in self.names], self.options)
        position.play([PAIN for _ in self.names])
        for number, trick in enumerate(self.tricks):
            if number:
                sheet.rule()
                sheet.y += 20
            sheet.heading(trick.heading)
            seats = [
                (position.leader + place) % len(self.names) for place in range(len(self.names))
            ]
            events = [event for card in trick.cards.split() for event in position.play([card])]
            (taker,) = [event["seat"] for event in events if event["event"] == "taken"]
            self.draw_trick(sheet, trick, seats, taker)

    def draw_trick(
        self, sheet: Sheet, trick: Trick, seats: Sequence[int], taker: int | None
    ) -> None:
        cards, top = trick.cards.split(), sheet.y + 22
        lead = colour(cards[0])
        sheet.middle(MARGIN + 40, sheet.y + 8, f"lead: {lead}", FINE)
        for place, (seat, card) in enumerate(zip(seats, cards, strict=True)):
            x = MARGIN + 40 + place * 88
            sheet.card(x - LARGE / 2, top, LARGE, card)
            if seat == taker:
                sheet.ring(x - LARGE / 2, top, LARGE)
            sheet.middle(
                x, top + 101, self.names[seat], Ink(13, INK, 700 if seat == taker else 400)
            )
            sheet.middle(x, top + 117, role(card, lead), LABEL)
            sheet.say(f"{self.names[seat]} {'plays' if place else 'leads'} {spoken(card)}.")
        verdict = f"{self.names[taker]} takes it" if taker is not None else "Nobody takes it"
        x = MARGIN + 20 + len(cards) * 88
        sheet.text(x, top + 26, verdict, VERDICT)
        sheet.paragraph(x, top + 50, trick.why, RIGHT - x)
        sheet.say(f"{verdict}. {trick.why}")
        sheet.y = top + 138


def role(card: str, lead: str) -> str:
    if not value(card):
        return "neutral"
    return "lead colour" if colour(card) == lead else "off lead"


class Tally(NamedTuple):
    """What one player has at the end of a round of Sticheln."""

    name: str
    pain: str
    taken: str

    def draw(self, sheet: Sheet) -> None:
        taken = self.taken.split()
        total = score_of(self.pain, taken)
        sheet.text(MARGIN, sheet.y + 8, self.name, Ink(16, INK, 700))
        sheet.right(RIGHT, sheet.y + 8, signed(total), GOOD if total > 0 else POOR)
        sheet.say(f"{self.name} scores {signed(total)}.")
        sheet.y += 32
        pained = [(card, self.worth(card)) for card in taken if colour(card) == colour(self.pain)]
        others = [(card, self.worth(card)) for card in taken if colour(card) != colour(self.pain)]
        draw_worths(sheet, "Pain card", [(self.pain, score_of(self.pain, []))])
        draw_worths(sheet, "Taken, pain colour", pained)
        draw_worths(sheet, "Taken, other colours", others)
        sheet.y += 4

    def worth(self, card: str) -> int:
        return score_of(self.pain, [card]) - score_of(self.pain, [])


def draw_worths(sheet: Sheet, label: str, cards: Sequence[tuple[str, int]]) -> None:
    """A row of cards with what each is worth, and their sum; nine fit in a line."""
    sheet.text(MARGIN, sheet.y + 24, label, PALE)
    sheet.right(RIGHT, sheet.y + 24, signed(sum(worth for _, worth in cards)), HEADING)
    for place, (card, worth) in enumerate(cards):
        x, y = MARGIN + 144 + place % 9 * 42, sheet.y + place // 9 * 68
        sheet.card(x, y, 32, card)
        sheet.middle(x + 16, y + 59, signed(worth), LOSS if worth < 0 else FINE)
    sheet.y += 74 + (len(cards) - 1) // 9 * 68
    named = ", ".join(f"{spoken(card)} {signed(worth)}" for card, worth in cards)
    sheet.say(f"{label}: {named}.")


# -- Stop It! --------------------------------------------------------------------------------------


STOPPED, ASKED = "Stop It!", "asked"
WINDOW_X, THEN_X, HAND_X = 200, 446, 210


class Step:
    """A card played in Stop It!, the answers in the window after it, and what that leads to."""

    def __init__(self, seat: int, card: str, how: str, stopped: set[int]) -> None:
        self.seat, self.card, self.how, self.stopped = seat, card, how, stopped
        self.answers: dict[int, str] = {}
        self.then = ""


class Run(NamedTuple):
    """Part of a round of Stop It!: hands, and decisions: `blue-4` is led, in a window all `pass`,
    or `Bob+Ann` claim and the others pass."""

    hands: Mapping[str, str]
    decisions: str
    note: str = ""

    @property
    def names(self) -> list[str]:
        return list(self.hands)

    def position(self) -> StopIt:
        return StopIt.set_up([hand.split() for hand in self.hands.values()])

    def play(self, position: StopIt) -> Iterator[tuple[dict[int, str], list[Event]]]:
        """The answers to each decision, and what came of it."""
        for decision in self.decisions.split():
            answers = {seat: self.answer(position, decision, seat) for seat in position.asked}
            yield answers, position.play(list(answers.values()))

    def answer(self, position: StopIt, decision: str, seat: int) -> str:
        if position.phase == "lead":
            return decision
        return CLAIM if self.names[seat] in decision.split("+") else PASS

    def steps(self) -> list[Step]:
        position, how = self.position(), "leads"
        steps: list[Step] = []
        for answers, events in self.play(position):
            if set(answers.values()) <= {CLAIM, PASS}:
                steps[-1].answers = answers
            for event in events:
                if event["event"] == "stopped":
                    steps[-1].then, how = self.taking(event["seat"], answers), STOPPED
                elif event["event"] == "played":
                    if event["forced"]:
                        steps[-1].then, how = (
                            f"{spoken(event['card'])} follows, unasked.",
                            "unasked",
                        )
                    had = {seat for seat, has_one in enumerate(position.stop_it) if has_one}
                    steps.append(Step(event["seat"], event["card"], how, had))
            if position.phase == "lead" and not steps[-1].then:
                steps[-1].then, how = self.stop(steps[-1]), "leads again"
        if position.phase == "window":
            steps[-1].answers = dict.fromkeys(position.asked, ASKED)
            steps[-1].then = "Claim or pass?"
        return steps

    def taking(self, seat: int, answers: Mapping[int, str]) -> str:
        claimants = [self.names[other] for other, answer in answers.items() if answer == CLAIM]
        drawn = f"Drawn from {listed(claimants)}: " if len(claimants) > 1 else ""
        return f"{drawn}{self.names[seat]} takes a Stop It card and leads."

    def stop(self, step: Step) -> str:
        following = NEXT.get(step.card)
        why = f"Nobody holds {spoken(following)}" if following else "A Ten has no next card"
        return f"{why}: {self.names[step.seat]} leads again."

    def draw(self, sheet: Sheet) -> None:
        self.draw_hands(sheet)
        headings = (MARGIN, "Card"), (WINDOW_X, "Window: who is asked"), (THEN_X, "What follows")
        for x, words in headings:
            sheet.text(x, sheet.y + 10, words, LABEL)
        sheet.y += 20
        for step in self.steps():
            sheet.rule()
            self.draw_step(sheet, step)
        sheet.rule()
        sheet.y = sheet.paragraph(MARGIN, sheet.y + 22, self.note, RIGHT - MARGIN) + 4
        sheet.say(self.note)

    def draw_hands(self, sheet: Sheet) -> None:
        pitch = (RIGHT - MARGIN) / len(self.hands)
        for seat, (name, hand) in enumerate(self.hands.items()):
            x = MARGIN + seat * pitch
            sheet.text(x, sheet.y + 6, f"{name} holds", LABEL)
            for place, card in enumerate(hand.split()):
                sheet.card(x + place * 33, sheet.y + 15, SMALL, card)
            sheet.say(f"{name} holds {listed([spoken(card) for card in hand.split()])}.")
        sheet.y += 76

    def draw_step(self, sheet: Sheet, step: Step) -> None:
        top, name = sheet.y + 10, self.names[step.seat]
        sheet.card(MARGIN, top, MEDIUM, step.card)
        sheet.text(MARGIN + 54, top + 24, name, NAME)
        sheet.text(MARGIN + 54, top + 42, step.how, FINE)
        if step.how == STOPPED:
            sheet.stop_card(MARGIN + 126, top + 10, 26)
        self.draw_window(sheet, top, step)
        sheet.centred(THEN_X, top + 32, step.then, RIGHT - THEN_X)
        sheet.y = top + 68
        answers = [f"{self.names[seat]}: {answer}" for seat, answer in step.answers.items()]
        window = f"Window: {', '.join(answers)}." if answers else "No window."
        sheet.say(f"{name} plays {spoken(step.card)} ({step.how}). {window} {step.then}")

    def draw_window(self, sheet: Sheet, top: float, step: Step) -> None:
        if not step.answers:
            sheet.text(WINDOW_X, top + 32, "None: no Stop It card is left.", Ink(13, INK_3))
            return
        for seat, name in enumerate(self.names):
            answer = step.answers.get(seat, "took one" if seat in step.stopped else "")
            draw_answer(sheet, WINDOW_X + seat * 76, top + 8, name, answer)


def draw_answer(sheet: Sheet, x: float, y: float, name: str, answer: str) -> None:
    fill, stroke, ink = {
        CLAIM: (ACCENT, ACCENT, "#ffffff"),
        PASS: ("#ffffff", SLOT, INK),
        ASKED: ("#ffffff", SLOT, INK),
    }.get(answer, ("none", "none", INK_3))
    sheet.box(x, y, 70, 40, 5, fill, f' stroke="{stroke}"')
    sheet.middle(x + 35, y + 17, name, Ink(13, ink, 600))
    sheet.middle(x + 35, y + 32, answer, Ink(11.5, ink))


class Ending(NamedTuple):
    """A round of Stop It! played to its end, and its scores."""

    heading: str
    run: Run

    def draw(self, sheet: Sheet) -> None:
        events = [event for _, some in self.run.play(self.run.position()) for event in some]
        (out,) = [event["seat"] for event in events if event["event"] == "out"]
        (hands,) = [event["hands"] for event in events if event["event"] == "left"]
        (scores,) = [event["scores"] for event in events if event["event"] == "scored"]
        sheet.heading(self.heading)
        sheet.text(MARGIN + 64, sheet.y + 6, "Fives in the pile", LABEL)
        worth_for = f"Left in the hand, with its worth for {self.run.names[out]}"
        sheet.text(HAND_X, sheet.y + 6, worth_for, LABEL)
        sheet.right(RIGHT, sheet.y + 6, "Score", LABEL)
        sheet.y += 16
        for seat, name in enumerate(self.run.names):
            played = [event["card"] for event in events if put_by(event, seat)]
            fives = [card for card in played if value(card) == BONUS_VALUE]
            parts = points_of(seat, out, hands, len(fives))
            if sum(parts.values()) != scores[seat]:
                raise AssertionError(f"{name} has {scores[seat]} points, not {parts}")
            sheet.rule()
            draw_ending(sheet, name, fives, hands[seat], parts)
        sheet.y += 8


def put_by(event: Event, seat: int) -> bool:
    return bool(event["event"] == "played" and event["seat"] == seat)


def points_of(seat: int, out: int, hands: Sequence[Sequence[str]], fives: int) -> dict[str, int]:
    """The points of a seat, by reason; the sum is compared with what the rules say."""
    others = sorted(len(hand) for other, hand in enumerate(hands) if other != out)
    points = {"own Fives": BONUS * fives}
    if seat == out:
        points["going out"] = GOING_OUT
        points["cards left"] = sum(worth_left(card) for hand in hands for card in hand)
    elif len(hands[seat]) == others[0] < others[1]:
        points["fewest cards left"] = CONSOLATION
    return {reason: number for reason, number in points.items() if number}


def draw_ending(
    sheet: Sheet, name: str, fives: Sequence[str], hand: Sequence[str], points: Mapping[str, int]
) -> None:
    top, score = sheet.y + 10, sum(points.values())
    sheet.text(MARGIN, top + 24, name, NAME)
    for place, card in enumerate(fives):
        sheet.card(MARGIN + 64 + place * 34, top, SMALL, card)
    for place, card in enumerate(hand):
        sheet.card(HAND_X + place * 36, top, SMALL, card)
        sheet.middle(HAND_X + place * 36 + 14, top + 54, signed(worth_left(card)), FINE)
    if not hand:
        sheet.text(HAND_X, top + 24, "nothing: out", PALE)
    for place, (reason, number) in enumerate(points.items()):
        y = top + 24 + (place - (len(points) - 1) / 2) * 17
        sheet.right(524, y, reason, FINE)
        sheet.text(532, y, signed(number), FINE)
    sheet.right(RIGHT, top + 25, str(score), GOOD)
    sheet.y = top + 66
    left = f"{listed([spoken(card) for card in hand])} left" if hand else "no card left, so out"
    why = ", ".join(f"{reason} {signed(number)}" for reason, number in points.items())
    sheet.say(f"{name}: {left}. {why or 'Nothing'}: {score} points.")


# -- Color Stock -----------------------------------------------------------------------------------


def stock(hands: Sequence[str], stacks: Mapping[str, int]) -> ColorStock:
    """A round of Color Stock in which these stacks lie on the table already."""
    position = ColorStock.set_up([hand.split() for hand in hands])
    position.stacks |= stacks
    return position


class Worths(NamedTuple):
    """What one card is worth, by the height of its stack."""

    card: str
    heights: Sequence[int]

    def draw(self, sheet: Sheet) -> None:
        pitch = (RIGHT - MARGIN) / len(self.heights)
        bottom = sheet.y + MEDIUM * (TALL + STEP * (max(self.heights) - 1))
        for place, height in enumerate(self.heights):
            x = MARGIN + pitch * (place + 0.5)
            worth = stock(["", "", ""], {self.card: height}).worth(self.card)
            cards = "no stack" if not height else f"{height} card{'s' * (height > 1)}"
            sheet.stack(x - MEDIUM / 2, sheet.y, MEDIUM, self.card, height)
            sheet.middle(x, bottom + 22, cards, FINE)
            sheet.middle(x, bottom + 46, str(worth), GOOD if worth else POOR)
            sheet.say(f"{cards.capitalize()}: a card in the hand is worth {worth}.")
        sheet.middle(WIDTH / 2, bottom + 72, "points for each card of that colour in a hand", PALE)
        sheet.y = bottom + 88


class Hand(NamedTuple):
    """A hand of Color Stock at the end of a round, beside the stacks."""

    name: str
    stacks: Mapping[str, int]
    hand: str

    def draw(self, sheet: Sheet) -> None:
        position, top, x = stock([self.hand, "", ""], self.stacks), sheet.y + 20, 340
        bottom = top + MEDIUM * (TALL + STEP * (max(self.stacks.values()) - 1))
        sheet.text(MARGIN, sheet.y + 6, "Stacks on the table", LABEL)
        for place, (card, height) in enumerate(self.stacks.items()):
            sheet.stack(MARGIN + place * 60, top, MEDIUM, card, height)
            sheet.middle(MARGIN + place * 60 + 20, bottom + 20, str(height), HEADING)
            sheet.say(f"The {card} stack has {height} cards.")
        sheet.text(x, sheet.y + 6, f"{self.name}\u2019s hand", LABEL)
        for place, card in enumerate(self.hand.split()):
            worth = position.worth(card)
            sheet.card(x + place * 70, top, LARGE, card)
            sheet.middle(x + place * 70 + 28, top + 104, str(worth), GOOD if worth else POOR)
            sheet.say(f"{card.capitalize()} in the hand is worth {worth}.")
        total, with_bonus = position.round_scores(None)[0], position.round_scores(0)[0]
        sums = f"Together {total},", f"{with_bonus} if {self.name} ended the round"
        for line, words in enumerate(sums):
            sheet.text(x, top + 138 + line * 19, words, HEADING)
        sheet.say(" ".join(sums) + ".")
        sheet.y = bottom + 38


class Turns(NamedTuple):
    """Turns of Color Stock: what is put down or turned up, and the stacks after it."""

    hands: Mapping[str, str]
    stacks: Mapping[str, int]
    moves: str
    why: str
    heading: str = ""
    pile: str = ""

    def draw(self, sheet: Sheet) -> None:
        sheet.heading(self.heading)
        position = stock(list(self.hands.values()), self.stacks)
        position.pile = self.pile.split()
        heights = position.stacks.copy()
        events = [event for move in self.moves.split() for event in position.play([move])]
        draw_heights(sheet, "Before", [], heights)
        for event in events:
            if event["event"] in ("put", "turned_up"):
                for card in event["cards"]:
                    heights[card] += 1
                draw_heights(sheet, self.who(event), event["cards"], heights)
        verdict = self.verdict([event["seat"] for event in events if event["event"] == "over"])
        sheet.text(MARGIN, sheet.y + 16, verdict, VERDICT)
        sheet.y = sheet.paragraph(MARGIN, sheet.y + 40, self.why, RIGHT - MARGIN) + 6
        sheet.say(f"{verdict}. {self.why}")

    def who(self, event: Event) -> str:
        if event["event"] == "turned_up":
            return "Pile turned up"
        return f"{list(self.hands)[event['seat']]} puts down"

    def verdict(self, ended_by: Sequence[int | None]) -> str:
        if not ended_by:
            return "The round goes on"
        seat = ended_by[0]
        if seat is None:
            return "The round is over, nobody gets the bonus"
        return f"The round is over, {list(self.hands)[seat]} gets {STOCK_BONUS} bonus points"


def draw_heights(sheet: Sheet, who: str, cards: Sequence[str], heights: Mapping[str, int]) -> None:
    """Who put down what, and the stacks after it as seen from above."""
    top, w = sheet.y, 34
    sheet.text(MARGIN, top + 28, who, Ink(14, INK, 600 if cards else 400))
    for place, card in enumerate(cards):
        sheet.card(158 + place * 42, top, w, card)
    if cards:
        sheet.middle(268, top + 30, "\u2192", Ink(20, INK_3))
    for place, (name, height) in enumerate(heights.items()):
        x = 300 + place * 80
        if height:
            sheet.card(x, top, w, name)
        else:
            sheet.slot(x, top, w)
        ink = Ink(18, BAD if height >= FULL_STACK else INK, 700 if name in cards else 400)
        sheet.text(x + 42, top + 31, str(height), ink)
    sheet.y = top + 62
    stacks = ", ".join(f"{name} {height}" for name, height in heights.items())
    sheet.say(f"{who}{' ' + listed(cards) if cards else ''}; stacks: {stacks}.")


# -- The pictures ----------------------------------------------------------------------------------

FOUR = ("Jillian", "Andrew", "Sheri", "Connor")
MISERY_FOUR = ("Axel", "Bea", "Carl", "Dora")
STICK_EM, MISERY = {"rules": "stick-em"}, {"rules": "misery"}
ZEROS = "red-0 blue-0 green-0 yellow-0"


def one_trick(name: str, title: str, cards: str, why: str) -> Picture:
    return Picture(f"sticheln-{name}", title, [Tricks(FOUR, [Trick(cards, why)], {})])


def one_run(name: str, title: str, decisions: str, note: str, **hands: str) -> Picture:
    return Picture(f"stop-it-{name}", title, [Run(hands, decisions, note)])


def bob_goes_out(heading: str, ann: str) -> Ending:
    hands = {
        "Mary": "red-5 yellow-5 yellow-9 green-4 blue-5 black-2",
        "Bob": "red-10 green-5",
        "Ann": ann,
        "Tom": "red-3 yellow-1 green-9",
    }
    return Ending(heading, Run(hands, "blue-5 pass green-4 pass pass red-10"))


STICHELN = [
    one_trick(
        "lead-colour-only",
        "Only the lead colour: the highest takes the trick",
        "red-7 red-2 red-11 red-0",
        "Nobody left the lead colour, so the highest red card counts.",
    ),
    one_trick(
        "off-lead",
        "A card off the lead colour beats every card of it",
        "green-11 green-9 red-2 green-10",
        "Red 2 is the only card that is not green. It beats all green cards, however high.",
    ),
    one_trick(
        "tie",
        "Equal cards: the one played first",
        "green-10 red-3 blue-9 purple-9",
        "Of the cards off the lead colour the nines are highest, and Blue 9 was there first.",
    ),
    one_trick(
        "zero-neutral",
        "A zero is neutral, whatever its colour",
        "blue-8 green-0 blue-10 yellow-0",
        "Green 0 and Yellow 0 are off the lead colour, but a zero beats nothing.",
    ),
    one_trick(
        "zero-led",
        "A zero that is led still sets the lead colour",
        "blue-0 blue-11 yellow-3 yellow-2",
        "Blue was led, if only by a zero. So Blue 11 is of the lead colour, and Yellow 3 beats it.",
    ),
    Picture(
        "sticheln-all-zeros",
        "Only zeros: to the first of them, or to nobody",
        [
            Tricks(
                FOUR,
                [
                    Trick(
                        ZEROS,
                        "The first zero takes the trick, so it goes to its leader.",
                        "all_zero_trick: first",
                    )
                ],
                {"all_zero_trick": "first"},
            ),
            Tricks(
                FOUR,
                [
                    Trick(
                        ZEROS,
                        "The four cards are out of the round. The same player leads again.",
                        "all_zero_trick: nobody",
                    ),
                    Trick(
                        "blue-6 blue-2 purple-4 blue-11",
                        "An ordinary trick again, led by the one who led the zeros.",
                        "The next trick",
                    ),
                ],
                {"all_zero_trick": "nobody"},
            ),
        ],
    ),
    Picture(
        "sticheln-three-tricks",
        "Three tricks in a row",
        [
            Tricks(
                FOUR,
                [
                    Trick(
                        "blue-3 blue-10 yellow-0 blue-7",
                        "Yellow 0 is neutral, so only blue cards are left to compare.",
                        "First trick",
                    ),
                    Trick(
                        "yellow-9 green-5 red-6 blue-4",
                        "Three cards are not yellow; Red 6 is the highest of them.",
                        "Second trick",
                    ),
                    Trick(
                        "green-11 red-5 yellow-5 green-8",
                        "Two fives off the lead colour; Red 5 lay there first.",
                        "Third trick",
                    ),
                ],
                STICK_EM,
            )
        ],
    ),
    Picture(
        "sticheln-misery-examples",
        "Five tricks of the Misery rules",
        [
            Tricks(MISERY_FOUR, [Trick(cards, why, heading)], MISERY)
            for heading, cards, why in (
                ("1. Lead colour only", "red-7 red-2 red-11 red-0", "No card off the lead colour."),
                (
                    "2. Zeros off the lead colour",
                    "blue-8 blue-12 green-0 yellow-0",
                    "They beat nothing, so the highest blue card counts.",
                ),
                (
                    "3. One card off the lead colour",
                    "brown-13 brown-15 red-2 yellow-0",
                    "Red 2 beats Brown 15. Yellow 0 does not take part.",
                ),
                (
                    "4. Several, two of them equal",
                    "green-14 red-3 blue-9 brown-9",
                    "Both nines are highest; Blue 9 came first.",
                ),
                ("5. Only zeros", ZEROS, "The first zero takes them."),
            )
        ],
    ),
    Picture(
        "sticheln-score",
        "What a round is worth",
        [
            Tally(
                "Jillian",
                "yellow-2",
                "green-11 red-5 yellow-5 green-8 blue-6 yellow-4 purple-0 purple-9",
            ),
            Tally(
                "Andrew",
                "red-0",
                "blue-3 blue-10 yellow-0 blue-7 red-2 green-1 purple-3 yellow-7 "
                "red-4 red-1 purple-11 blue-8",
            ),
        ],
    ),
    Picture(
        "sticheln-misery-score",
        "Axel\u2019s round, under the Misery rules",
        [
            Tally(
                "Axel",
                "red-4",
                "red-2 red-5 green-0 green-3 green-7 green-11 brown-1 brown-6 brown-8 brown-10 "
                "blue-2 blue-4 blue-9 yellow-3 yellow-5 yellow-7",
            )
        ],
    ),
]

STOP_IT = [
    one_run(
        "window",
        "After every card a window; then the next card, unasked",
        "blue-4 pass pass red-7",
        "Mary has just played and is asked all the same. Blue 6 was played before, so Blue\u00a05 is a "
        "stop. After Red 7 the next window is open.",
        Mary="red-2 blue-4 green-9",
        Bob="yellow-1 yellow-6 green-3",
        Ann="red-7 blue-5 green-1 yellow-8",
    ),
    one_run(
        "stop",
        "A stop: whoever played last leads again",
        "blue-3 pass red-8 pass pass pass",
        "Blue 4 was played before. A Ten always stops a sequence.",
        Bob="red-8 blue-3 yellow-2",
        Mary="red-9 green-4 green-6",
        Ann="red-10 yellow-5 yellow-7",
    ),
    one_run(
        "claim",
        "A claim ends the sequence",
        "blue-4 Bob red-8 pass",
        "Blue 5 stays in Ann\u2019s hand: the blue sequence is over. Bob has had his Stop It card for "
        "this round and is not asked again.",
        Mary="red-9 blue-4 green-6",
        Bob="red-8 yellow-2 yellow-3",
        Ann="blue-5 yellow-7 green-2",
    ),
    one_run(
        "claimants",
        "Several claim: one is drawn",
        "blue-4 Bob+Ann green-2",
        "All learn who took the card, not who else claimed. Whoever was not drawn keeps the right to "
        "claim and is asked in the next window.",
        Mary="blue-4 green-6 red-9",
        Bob="yellow-1 yellow-3 green-9",
        Ann="blue-5 yellow-7 green-2",
    ),
    one_run(
        "none-left",
        "No Stop It card left, no window",
        "blue-4 Bob yellow-1 Ann red-7",
        "Three players have two Stop It cards. Once both are taken nobody is asked, not even Mary, "
        "who took none: the sequence runs by itself to its stop.",
        Mary="blue-4 red-8 green-6",
        Bob="yellow-1 red-9 green-9",
        Ann="red-7 red-10 yellow-7",
    ),
    Picture(
        "stop-it-score",
        "Bob goes out",
        [
            bob_goes_out("Ann alone has the fewest cards left", "blue-1 black-7"),
            bob_goes_out("Ann and Tom are tied for the fewest", "blue-1 blue-9 black-7"),
        ],
    ),
]

COLOR_STOCK = [
    Picture("color-stock-worth", "What a stack is worth", [Worths("red", range(8))]),
    Picture(
        "color-stock-player-a",
        "Player A and the stacks",
        [Hand("Player A", {"red": 6, "blue": 2, "yellow": 3, "green": 4}, "yellow yellow red")],
    ),
    Picture(
        "color-stock-pile",
        "Two players: after both, two cards from the pile",
        [
            Turns(
                {"Ann": "red red blue", "Bob": "yellow green green"},
                {"red": 1, "yellow": 2, "green": 0, "blue": 2},
                "red+red yellow+green",
                "Both have had a turn and no stack has six: two cards are turned up from the pile. "
                "Then it is Ann\u2019s turn again.",
                pile="blue red yellow green",
            )
        ],
    ),
    Picture(
        "color-stock-bonus",
        "Who gets the bonus",
        [
            Turns(
                {"Ann": "red blue blue", "Bob": "green", "Cleo": "green"},
                {"red": 5, "yellow": 3, "green": 2, "blue": 2},
                "red+blue",
                "The sixth red card came down in Ann\u2019s turn.",
                "A turn ends the round",
            ),
            Turns(
                {"Ann": "red blue blue", "Bob": "green", "Cleo": "green"},
                {"red": 5, "yellow": 3, "green": 2, "blue": 5},
                "red+blue",
                "Two stacks are full, but the bonus is given once. Red and blue cards in hands are "
                "worth nothing now.",
                "A turn fills two stacks",
            ),
            Turns(
                {"Ann": "red yellow blue", "Bob": "green green blue"},
                {"red": 4, "yellow": 3, "green": 2, "blue": 3},
                "red+yellow green+green",
                "The sixth red card was turned up from the pile, and that is nobody\u2019s turn.",
                "Two players: the pile ends the round",
                "red blue",
            ),
            Turns(
                {"Ann": "red yellow blue", "Bob": "green green blue"},
                {"red": 4, "yellow": 3, "green": 4, "blue": 3},
                "red+yellow green+green",
                "Bob\u2019s turn fills the green stack, so nothing is turned up any more.",
                "Two players: a turn ends it before the pile can",
                "red blue",
            ),
        ],
    ),
]

PICTURES = [
    Picture("suits", "A suit is a colour, a silhouette and a letter", [Legend()]),
    *STICHELN,
    *STOP_IT,
    *COLOR_STOCK,
]


def drawn() -> dict[str, str]:
    """Every picture, by the name of its file."""
    return {f"{picture.name}.svg": picture.svg() for picture in PICTURES}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, svg in drawn().items():
        (FOLDER / name).write_text(svg, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
