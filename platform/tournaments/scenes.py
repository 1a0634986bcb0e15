"""A leg cut into scenes, which show one thing at a time: to somebody who sees all hands, or as one seat knew it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.html import format_html

from games import game_named
from games.base import Event, Game, Seat, may_know
from games.cards import value
from games.color_stock import FULL_STACK, ColorStock
from games.leg import BEFORE_THE_FIRST
from games.sticheln import score_of
from games.stop_it import BONUS, BONUS_VALUE, CLAIM
from games.words import (
    ColorStockNarrator,
    Narrator,
    Sentence,
    StichelnNarrator,
    StopItNarrator,
    narrator_of,
)
from tournaments.models import Match
from tournaments.telling import as_html

Scene = dict[str, Any]

ON_THE_TABLE = {"dealt", "left"}  # cards that one sees need no sentence
# What a view tells at the beginning of a round that no event tells.
OWN = {"seat", "hand", "scores", "totals"}


def leg_scenes(match: Match, number: int, leg: Mapping[str, Any], seat: Seat | None) -> Scene:
    """All that the page needs to show a leg, without a name: nobody is called anything at a table.

    For a seat it holds what that seat knew: no card, claim, pass or time of another more. (What a
    window took would tell who thought about claiming.)"""
    game, seed = game_named(match.game), bytes.fromhex(match.seed)
    position = game.deal(match.players, match.options, seed)
    return {
        "game": match.game,
        "options": match.options,
        "players": match.players,
        "leg": number,
        "seat": seat,
        "full": FULL_STACK if match.game == ColorStock.name else None,
        "seating": leg["seating"],
        "scenes": Director(position, leg, seat).scenes,
        "faults": leg["faults"],
        "scores": leg["scores"],
        "ranks": leg["ranks"],
    }


class Director:
    """Plays a leg again and makes its scenes."""

    def __init__(self, position: Game, leg: Mapping[str, Any], seat: Seat | None) -> None:
        self.position = position
        self.seat = seat
        self.narrator = narrator_of(position.name, position.options, position.players)
        self.names = [format_html('<i data-seat="{}"></i>', s) for s in range(position.players)]
        self.hands: list[list[str] | None] = []
        self.scenes: list[Scene] = []
        self.show(faulted(leg, BEFORE_THE_FIRST) + position.opening(), {})
        for index, decision in enumerate(leg["decisions"]):
            about = self.decided(index, decision)
            self.show(faulted(leg, index) + position.play(decision["moves"]), about)

    def decided(self, index: int, decision: Mapping[str, Any]) -> Scene:
        """A decision as it is known: who was asked is public, and the move of who was asked alone."""
        seats: list[Seat] = decision["seats"]
        is_public = len(seats) == 1
        return {
            "decision": index,
            "phase": self.position.phase,
            "seats": seats,
            "moves": self.known(seats, decision["moves"], is_public),
            "cpu_ms": self.known(seats, decision["cpu_ms"]),
            "wall_ms": self.known(seats, decision["wall_ms"]),
        }

    def known(self, seats: Sequence[Seat], said: Sequence[Any], public: bool = False) -> list[Any]:
        if public or self.seat is None:
            return list(said)
        return [each if seat == self.seat else None for seat, each in zip(seats, said, strict=True)]

    def show(self, events: Sequence[Event], about: Scene) -> None:
        """The scenes of a decision; the first has what is known `about` it."""
        known = [event for event in events if self.seat is None or may_know(event, self.seat)]
        for number, group in enumerate(cut(known)):
            self.scenes.append((about if number == 0 else {}) | self.scene(group, about, number))

    def scene(self, events: list[Event], about: Scene, number: int) -> Scene:
        told = self.window(events, about) if number == 0 else []
        for event in events:
            told += self.told(event)
        scene: Scene = {"events": events, "told": [str(as_html(each, self.names)) for each in told]}
        if any(event["event"] == "round" for event in events):
            view = self.position.view(self.seat or 0)
            scene["view"] = {key: view[key] for key in view if key not in OWN}
        if isinstance(self.narrator, ColorStockNarrator):
            stacks = self.narrator.position
            scene["worth"] = {colour: stacks.worth(colour) for colour in stacks.stacks}
        return scene | {"points": points_so_far(self.narrator, self.hands)}

    def told(self, event: Event) -> list[Sentence]:
        self.follow(event)
        sentences = self.narrator.tell(event)
        return [] if event["event"] in ON_THE_TABLE else sentences

    def window(self, events: Sequence[Event], about: Scene) -> list[Sentence]:
        """What there is to say about the answers in a window of Stop It!"""
        if not isinstance(self.narrator, StopItNarrator) or about.get("phase") != "window":
            return []
        claimants = [s for s, m in zip(about["seats"], about["moves"], strict=True) if m == CLAIM]
        taker = next((event["seat"] for event in events if event["event"] == "stopped"), None)
        return self.narrator.tell_window(claimants, taker)

    def follow(self, event: Event) -> None:
        """Keeps the hands that are known."""
        if event["event"] == "round":
            self.hands = [None] * self.position.players
        elif event["event"] == "dealt":
            self.hands[event["seat"]] = list(event["hand"])
        elif event["event"] == "put":
            hand = self.hands[event["seat"]]
            for card in event["cards"] if hand else []:
                hand.remove(card)  # type: ignore[union-attr]
        elif event["event"] == "left":
            self.hands = event["hands"]


def faulted(leg: Mapping[str, Any], decision: int) -> list[Event]:
    return [
        {"event": "faulted", "seat": fault["seat"]}
        for fault in leg["faults"]
        if fault["decision"] == decision
    ]


def cut(events: Sequence[Event]) -> Iterator[list[Event]]:
    """Events in groups, each of which changes one thing on the table. A window in which nothing
    happened is a scene, too."""
    group: list[Event] = []
    for event in events:
        if begins(event["event"], group):
            yield group
            group = []
        group.append(event)
    yield group


def begins(kind: str, group: Sequence[Event]) -> bool:
    kinds = {event["event"] for event in group} - {"faulted"}
    if kind == "scored":
        return bool(kinds) and kinds != {"left"}
    return bool(kinds) and kind in {"round", "played", "turned_up", "left"}


# -- Points ---------------------------------------------------------------------------------------


def points_so_far(narrator: Narrator, hands: Sequence[list[str] | None]) -> list[int | None]:
    """What the round would bring each seat if it ended now, as far as that is known."""
    if isinstance(narrator, StichelnNarrator):
        position = narrator.position
        pairs = zip(position.pain, position.taken, strict=True)
        return [pain and score_of(pain, taken) for pain, taken in pairs]  # type: ignore[misc]
    if isinstance(narrator, StopItNarrator):
        fives = [seat for card, seat in narrator.played.items() if value(card) == BONUS_VALUE]
        return [BONUS * fives.count(seat) for seat in range(narrator.position.players)]
    return [worth(narrator, hand) for hand in hands]


def worth(narrator: Narrator, hand: list[str] | None) -> int | None:
    assert isinstance(narrator, ColorStockNarrator)
    return None if hand is None else sum(narrator.position.worth(card) for card in hand)
