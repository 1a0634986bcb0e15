"""Events alone rebuild a view: a bot that only reads the news knows all that the others know."""

import json

import pytest

from games import GAMES
from games.base import may_know

SEED = bytes(range(64, 96))


class Fold:
    """A view made of events alone; all else it knows are the rules of the protocol's first message."""

    def __init__(self, options, players, seat):
        self.options, self.players = options, players
        self.view = {"seat": seat, "scores": [], "totals": [0] * players}

    def fold(self, event):
        getattr(self, event["event"])(**{key: event[key] for key in event if key != "event"})

    def question(self, legal):
        """The view at a question with these legal moves."""
        return self.view

    def round(self, round, leader):  # noqa: A002 -- the event's own word
        self.view |= {"round": round, "hand_sizes": self.sizes(leader)} | self.fresh(leader)

    def dealt(self, seat, hand):
        assert seat == self.view["seat"]
        self.view["hand"] = list(hand)

    def scored(self, round, scores, totals):  # noqa: A002
        assert round == self.view["round"]
        self.view["scores"].append(scores)
        self.view["totals"] = totals

    def lay(self, seat, card):
        """A card leaves a hand."""
        self.view["hand_sizes"][seat] -= 1
        if seat == self.view["seat"]:
            self.view["hand"].remove(card)


class StichelnFold(Fold):
    def sizes(self, leader):
        return [14 if self.players == 8 else 15] * self.players

    def fresh(self, leader):
        return {
            "rounds": 5 if self.options["rules"] == "misery" else self.players,
            "phase": "pain",
            "leader": leader,
            "undealt": [],
            "pain": [None] * self.players,
            "trick": [],
            "tricks": [],
            "taken": [[] for _ in range(self.players)],
        }

    def undealt(self, cards):
        self.view["undealt"] = cards

    def pain(self, cards):
        self.view |= {"phase": "play", "pain": cards}
        for seat, card in enumerate(cards):
            self.lay(seat, card)

    def played(self, seat, card):
        self.lay(seat, card)
        self.view["trick"].append({"seat": seat, "card": card})

    def taken(self, seat, cards):
        leader = self.view["leader"]
        self.view["tricks"].append({"leader": leader, "cards": cards, "taker": seat})
        self.view["trick"] = []
        if seat is not None:
            self.view["taken"][seat].extend(cards)
            self.view["leader"] = seat


class StopItFold(Fold):
    def sizes(self, leader):
        # Dealt one by one from the leader on, so with 3 or 4 players the first get one more.
        least, over = {3: (13, 1), 4: (12, 2), 5: (10, 0)}[self.players]
        return [least + ((seat - leader) % self.players < over) for seat in range(self.players)]

    def fresh(self, leader):
        return {
            "target": self.options["target"],
            "leader": leader,
            "last": None,
            "played": [],
            "stop_it": [False] * self.players,
            "stop_it_left": self.players - 1,
        }

    def question(self, legal):
        # A window in which all pass is no event; what may be answered tells the phase.
        return self.view | {"phase": "window" if legal == ["claim", "pass"] else "lead"}

    def played(self, seat, card, forced):
        self.lay(seat, card)
        self.view |= {"leader": seat, "last": card}
        self.view["played"].append({"seat": seat, "card": card, "forced": forced})

    def stopped(self, seat):
        self.view["stop_it"][seat] = True
        self.view["stop_it_left"] -= 1
        self.view["leader"] = seat

    def out(self, seat):
        assert self.view["hand_sizes"][seat] == 0

    def left(self, hands):
        assert [len(hand) for hand in hands] == self.view["hand_sizes"]
        assert hands[self.view["seat"]] == self.view["hand"]


class ColorStockFold(Fold):
    def sizes(self, leader):
        return [11 if self.players == 4 else 12] * self.players

    def fresh(self, leader):
        colours = ["red", "yellow", "green", "blue"] + ["purple"] * (self.players == 4)
        return {
            "rounds": self.options["rounds"],
            "phase": "put",
            "starter": leader,
            "stacks": dict.fromkeys(colours, 0),
            "put": [],
            "turned_up": [],
            "pile": 12 if self.players == 2 else 0,
        }

    def stack(self, cards):
        for card in cards:
            self.view["stacks"][card] += 1

    def put(self, seat, cards):
        for card in cards:
            self.lay(seat, card)
        self.stack(cards)
        self.view["put"].append({"seat": seat, "cards": cards})

    def turned_up(self, cards):
        self.stack(cards)
        self.view["turned_up"].append(cards)
        self.view["pile"] -= 2

    def over(self, seat):
        assert max(self.view["stacks"].values()) >= 6

    def left(self, hands):
        assert [len(hand) for hand in hands] == self.view["hand_sizes"]
        assert hands[self.view["seat"]] == self.view["hand"]


FOLDS = {"sticheln": StichelnFold, "stop-it": StopItFold, "color-stock": ColorStockFold}

# The keys of every event, in the words of the protocol.
COMMON = {"round": ["round", "leader"], "dealt": ["seat", "hand"]}
SCORED = {"scored": ["round", "scores", "totals"]}
KEYS = {
    "sticheln": COMMON
    | {"undealt": ["cards"], "pain": ["cards"]}
    | {"played": ["seat", "card"], "taken": ["seat", "cards"]}
    | SCORED,
    "stop-it": COMMON
    | {"played": ["seat", "card", "forced"], "stopped": ["seat"]}
    | {"out": ["seat"], "left": ["hands"]}
    | SCORED,
    "color-stock": COMMON
    | {"put": ["seat", "cards"], "turned_up": ["cards"]}
    | {"over": ["seat"], "left": ["hands"]}
    | SCORED,
}


def fold_in(folds, events):
    for fold in folds:
        for event in events:
            if may_know(event, fold.view["seat"]):
                # As a bot gets it: nothing is shared with the position.
                fold.fold(json.loads(json.dumps(event)))


def test_every_game_has_its_fold():
    assert FOLDS.keys() == KEYS.keys() == GAMES.keys()


@pytest.mark.parametrize("number", [0, 1])
def test_the_events_a_seat_may_know_rebuild_its_view(variant, random_players, number):
    position, players = variant.deal(SEED), random_players(number)
    fold = FOLDS[variant.game.name]
    folds = [fold(position.options, variant.players, seat) for seat in range(variant.players)]
    fold_in(folds, position.opening())
    while position.asked:
        for seat in position.asked:
            assert folds[seat].question(position.legal(seat)) == position.view(seat)
        fold_in(folds, position.play(players.moves(position)))
    for folded in folds:
        assert folded.view["scores"] == position.scores
        assert folded.view["totals"] == position.totals


def test_every_event_has_all_its_keys_and_no_others(variant, random_players):
    position, keys = variant.deal(SEED), KEYS[variant.game.name]
    for event in position.opening() + random_players(0).finish(position):
        assert event.keys() == {"event", *keys[event["event"]]}


def test_a_round_opens_with_its_leader_and_all_hands_from_seat_0_on(variant, random_players):
    position = variant.deal(SEED)
    events = position.opening() + random_players(0).finish(position)
    starts = [place for place, event in enumerate(events) if event["event"] == "round"]
    assert [events[place]["round"] for place in starts] == list(range(1, len(starts) + 1))
    for place in starts:
        dealt = events[place + 1 : place + 1 + variant.players]
        assert [event["event"] for event in dealt] == ["dealt"] * variant.players
        assert [event["seat"] for event in dealt] == list(range(variant.players))
        assert place == 0 or events[place - 1]["event"] == "scored"


def test_a_round_belongs_to_the_decision_that_ended_the_one_before(variant, random_players):
    position, players = variant.deal(SEED), random_players(0)
    while position.asked:
        number = position.round
        events = [event["event"] for event in position.play(players.moves(position))]
        assert ("round" in events) == (position.round > number)
        assert ("scored" in events) == (position.round > number or position.over)
