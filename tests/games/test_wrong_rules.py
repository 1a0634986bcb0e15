"""Whole matches played by a slightly wrong implementation: each is refused where it first shows."""

import re
from hashlib import sha256
from itertools import chain, count
from random import Random
from struct import unpack

import pytest

import games.sticheln
import games.stop_it
import workers.referee
from games import base, replay
from games.base import Game
from games.cards import colour, deck_of, value
from games.chance import Chance, Stream
from games.color_stock import BONUS, FULL_STACK, ColorStock
from games.leg import Leg
from games.sticheln import Sticheln
from games.stop_it import CLAIM, CONSOLATION, PASS, StopIt

EVENT = r"^legs\[\d\]\.events\[\d+\]"
DEALT = r"^legs\[0\]\.events\[\d+\]\.hand"
DECISION = r"^legs\[\d\]\.decisions\[\d+\]"
RANK = r"^legs\[\d\]\.ranks\[\d\]"
TAKER = EVENT + r"\.seat"
SCORED = EVENT + r"\.scores"

FAULTS = {0: {3: "illegal"}, 1: {9: "time"}}
ZEROS = {"prefer": lambda view, legal: zeros_first(view, legal)}

MISTAKES = []


def wrong(mistake, table, *, says, **more):
    """A maker of patches for the implementation that plays; `table` is game, players, options."""

    def note(patches):
        MISTAKES.append(pytest.param(patches, table, more, says, id=mistake))
        return patches

    return note


def zeros_first(view, legal):
    """Keeps the zeros for tricks that may become all zeros."""
    zeros = [card for card in legal if value(card) == 0]
    if view["phase"] == "pain":
        return [card for card in legal if card not in zeros]
    return zeros if all(value(play["card"]) == 0 for play in view["trick"]) and zeros else legal


def often_claims(view, legal):
    return [CLAIM, CLAIM, CLAIM, PASS] if legal == [CLAIM, PASS] else legal


def seldom_claims(view, legal):
    return [CLAIM, *[PASS] * 30] if legal == [CLAIM, PASS] else legal


CLAIMS = {"prefer": often_claims}
PASSES = {"prefer": seldom_claims}
STICHELN = ("sticheln", 3, {})
MISERY = ("sticheln", 3, {"rules": "misery"})
NOBODY = ("sticheln", 3, {"all_zero_trick": "nobody"})
STOP_IT = ("stop-it", 4, {"target": 75})
OF_THREE = ("stop-it", 3, {"target": 100})
STOCK = ("color-stock", 3, {})
OF_TWO = ("color-stock", 2, {})


# Matches in which what is rare comes to pass.
TIES = {
    "the lowest score of the last round deals": 1,
    "a tie to the lowest seat": 1,
    "a tie to the dealer first": 4,
    "a tie not settled by the last round": 29,
    "a tie to the higher score of the last round": 24,
}
EXACTLY_THE_TARGET = 9
ENDED_BY_THE_PILE = 2
SHARED_FIRST = 26


# -- Streams and labels ---------------------------------------------------------------------------


def chance_with(**methods):
    """A patch: the draws of a match with some of them drawn otherwise."""
    return [(base, "Chance", type("OtherChance", (Chance,), methods))]


def hashed(data):
    return unpack(">4Q", sha256(data).digest())


def as_ruled(prefix, counter):
    return hashed(prefix + counter.to_bytes(8, "big"))


class PlainStream(Stream):
    """The words of a label block by block, with all numbers drawn in one way."""

    def __init__(self, seed, label, block=as_ruled):
        prefix = seed + label.encode("ascii")
        self._words = chain.from_iterable(block(prefix, counter) for counter in count())

    def shuffle(self, things):
        for i in range(len(things) - 1, 0, -1):
            j = self.below(i + 1)
            things[i], things[j] = things[j], things[i]


def plainly_dealt(self, number, deck, shuffle=PlainStream.shuffle):
    cards = list(deck)
    shuffle(self.stream(f"deal/{number}"), cards)
    return cards


def words_with(block):
    """A patch: the words of a stream from other blocks."""

    def stream(self, label):
        return PlainStream(self.seed, f"{self.prefix}/{label}", block)

    return chance_with(stream=stream, deal=plainly_dealt)


def relabelled(change):
    """A patch: every label is changed before it is used."""

    def stream(self, label):
        return PlainStream(self.seed, change(self, label))

    return chance_with(stream=stream, deal=plainly_dealt)


def label_cases():
    def options_as(joined):
        return lambda self, label: joined(self).rstrip("/") + "/" + label

    yield (
        "deal-ROUND for deal/ROUND",
        lambda self, label: f"{self.prefix}/{label}".replace("deal/", "deal-"),
    )
    yield "labels without the game", lambda self, label: f"{self.prefix.partition('/')[2]}/{label}"
    yield (
        "labels without the number of players",
        options_as(lambda self: "sticheln/" + self.prefix.split("/")[2]),
    )
    yield "labels without options", options_as(lambda self: self.prefix.rpartition("/")[0])
    yield (
        "options not sorted in labels",
        options_as(lambda self: "sticheln/3/rules=sticheln,all_zero_trick=first"),
    )
    yield "default options left out of labels", options_as(lambda self: "sticheln/3/rules=sticheln")
    yield (
        "options joined by semicolons",
        lambda self, label: f"{self.prefix}/{label}".replace(",", ";"),
    )
    yield (
        "options written with colons",
        lambda self, label: f"{self.prefix}/{label}".replace("=", ":"),
    )
    yield "labels in upper case", lambda self, label: f"{self.prefix}/{label}".upper()
    yield "labels with a slash at the end", lambda self, label: f"{self.prefix}/{label}/"
    yield "padded rounds", lambda self, label: f"{self.prefix}/{label}".replace("deal/", "deal/0")
    yield (
        "rounds counted from 0",
        lambda self, label: (
            f"{self.prefix}/{re.sub('deal/(.*)', lambda found: f'deal/{int(found[1]) - 1}', label)}"
        ),
    )


for name, change in label_cases():
    wrong(name, STICHELN, says=DEALT)(lambda change=change: relabelled(change))

for name, counted in {
    "a little-endian counter": lambda p, n: hashed(p + n.to_bytes(8, "little")),
    "a counter of four bytes": lambda p, n: hashed(p + n.to_bytes(4, "big")),
    "a counter in decimal digits": lambda p, n: hashed(p + str(n).encode()),
    "a counter from 1": lambda p, n: hashed(p + (n + 1).to_bytes(8, "big")),
    "little-endian words": lambda p, n: unpack("<4Q", sha256(p + n.to_bytes(8, "big")).digest()),
    "words of four bytes": lambda p, n: unpack(">8I", sha256(p + n.to_bytes(8, "big")).digest()),
    "only the first word of each block": lambda p, n: hashed(p + n.to_bytes(8, "big"))[:1],
    "the seed as hex digits": lambda p, n: hashed(
        p[:32].hex().encode() + p[32:] + n.to_bytes(8, "big")
    ),
    "the label before the seed": lambda p, n: hashed(p[32:] + p[:32] + n.to_bytes(8, "big")),
    "a hash of the seed first": lambda p, n: hashed(
        sha256(p[:32]).digest() + p[32:] + n.to_bytes(8, "big")
    ),
}.items():
    wrong(name, STICHELN, says=DEALT)(lambda counted=counted: words_with(counted))


# -- Shuffling and dealing ------------------------------------------------------------------------


def shuffled_by(shuffle):
    def deal(self, number, deck):
        return plainly_dealt(self, number, deck, shuffle)

    return chance_with(deal=deal)


def forward(stream, cards):
    for i in range(len(cards) - 1):
        j = i + stream.below(len(cards) - i)
        cards[i], cards[j] = cards[j], cards[i]


def from_anywhere(stream, cards):
    for i in range(len(cards) - 1, 0, -1):
        j = stream.below(len(cards))
        cards[i], cards[j] = cards[j], cards[i]


def never_in_place(stream, cards):
    for i in range(len(cards) - 1, 0, -1):
        j = stream.below(i)
        cards[i], cards[j] = cards[j], cards[i]


def down_to_0(stream, cards):
    for i in range(len(cards) - 1, -1, -1):
        j = stream.below(i + 2) % len(cards)
        cards[i], cards[j] = cards[j], cards[i]


for name, shuffle in {
    "a shuffle from the front": forward,
    "a shuffle with cards from anywhere": from_anywhere,
    "a shuffle that leaves no card in place": never_in_place,
    "a shuffle one number too wide": down_to_0,
    "the standard library's shuffle": lambda stream, cards: Random(stream.below(2**31)).shuffle(
        cards
    ),
    "no shuffle": lambda stream, cards: None,
    "the deck dealt from the back": lambda stream, cards: (stream.shuffle(cards), cards.reverse()),
}.items():
    wrong(name, STOCK, says=DEALT)(lambda shuffle=shuffle: shuffled_by(shuffle))


def game_with(game, **methods):
    """A patch that stands for the game itself."""
    return [(None, None, type(game.__name__, (game,), methods))]


def order_of_the_deal(self, number):
    deck = self.deck(self.players, self.options)
    return [deck[place] for place in self.chance.deal(number, range(len(deck)))]


def in_order(self, cards):
    return sorted(cards, key=self.deck(self.players, self.options).index)


def hand_by_hand(self, number):
    cards, size = order_of_the_deal(self, number), self.cards_dealt // self.players
    hands = [cards[seat * size :][:size] for seat in range(self.players)]
    return [in_order(self, hand) for hand in hands], cards[self.cards_dealt :]


def unsorted(self, number):
    cards = order_of_the_deal(self, number)
    hands = [cards[seat : self.cards_dealt : self.players] for seat in range(self.players)]
    return hands, cards[self.cards_dealt :]


def undealt_first(self, number):
    cards = order_of_the_deal(self, number)
    over = len(cards) - self.cards_dealt
    hands = [in_order(self, cards[over + seat :: self.players]) for seat in range(self.players)]
    return hands, cards[:over]


def undealt_sorted(self, number):
    hands, left_over = Game.deal_of(self, number)
    return hands, in_order(self, left_over)


OF_SEVEN = ("sticheln", 7, {})

for name, game, table, deal_of in [
    ("Sticheln dealt hand by hand", Sticheln, STICHELN, hand_by_hand),
    ("Stop It! dealt hand by hand", StopIt, ("stop-it", 5, {}), hand_by_hand),
    ("Color Stock dealt hand by hand", ColorStock, STOCK, hand_by_hand),
    ("hands as dealt, not sorted", Sticheln, STICHELN, unsorted),
    ("the undealt cards from the front", Sticheln, OF_SEVEN, undealt_first),
]:
    wrong(name, table, says=DEALT)(
        lambda game=game, deal_of=deal_of: game_with(game, deal_of=deal_of)
    )
wrong("the undealt cards sorted", OF_SEVEN, says=EVENT + r"\.cards\[0\]")(
    lambda: game_with(Sticheln, deal_of=undealt_sorted)
)
wrong("Stop It! dealt from seat 0", STOP_IT, says=DEALT)(
    lambda: game_with(StopIt, first_dealt_to=lambda self, number: 0)
)
wrong("Sticheln dealt from the leader", STICHELN, says=DEALT)(
    lambda: game_with(Sticheln, first_dealt_to=lambda self, number: (number - 1) % self.players)
)
wrong("Color Stock dealt from the starter", STOCK, says=DEALT)(
    lambda: game_with(ColorStock, first_dealt_to=lambda self, number: (number - 1) % self.players)
)


def redecked(game, change):
    def deck(cls, players, options):
        return tuple(change(super(cls, cls).deck(players, options)))

    return game_with(game, deck=classmethod(deck))


for name, change in {
    "a deck with values descending": lambda deck: sorted(
        deck, key=lambda c: (colour(c), -value(c))
    ),
    "a deck value by value": lambda deck: sorted(deck, key=value),
    "a deck with the colours by the alphabet": lambda deck: sorted(
        deck, key=lambda c: (colour(c), value(c))
    ),
    "a deck in reverse": lambda deck: deck[::-1],
}.items():
    wrong(name, STICHELN, says=DEALT)(lambda change=change: redecked(Sticheln, change))

wrong("misery with the colours of Sticheln", MISERY, says=DEALT)(
    lambda: game_with(
        Sticheln,
        deck=classmethod(lambda cls, n, o: deck_of(games.sticheln.RAINBOW[:-1], range(9))),
    )
)
wrong("the undealt cards not shown", OF_SEVEN, says=EVENT + r"\.event")(
    lambda: game_with(Sticheln, opening=Game.opening)
)
wrong("the undealt cards shown before the hands", OF_SEVEN, says=EVENT)(
    lambda: game_with(
        Sticheln,
        opening=lambda self: [{"event": "undealt", "cards": self.undealt}, *Game.opening(self)],
    )
)
wrong("the same deal in every round", STICHELN, says=DEALT)(
    lambda: game_with(Sticheln, deal_of=lambda self, number: Game.deal_of(self, 1))
)


# -- Sticheln -------------------------------------------------------------------------------------


def place_by(strength):
    """A patch: the strongest card takes the trick, the earliest on a tie; 0 takes nothing."""

    def taking_place(trick):
        strengths = [strength(trick, place) for place in range(len(trick))]
        return strengths.index(max(strengths)) if any(strengths) else None

    return [(games.sticheln, "taking_place", taking_place)]


def usual(trick, place, lead=None):
    card = trick[place]
    off = colour(card) != (lead or colour(trick[0]))
    return value(card) + (100 if value(card) and off else 0)


def lead_of_the_first_above_zero(trick, place):
    return usual(trick, place, colour(next((card for card in trick if value(card)), trick[0])))


for name, strength in {
    "the lead colour of a led zero ignored": lead_of_the_first_above_zero,
    "a tie that goes to the later": lambda t, p: usual(t, p) and usual(t, p) * 10 + p,
    "zeros that win": lambda t, p: 500 if value(t[p]) == 0 else usual(t, p),
    "zeros that take as cards off the lead colour": lambda t, p: (
        usual(t, p) or (50 if colour(t[p]) != colour(t[0]) and p else 0)
    ),
    "the lead colour takes": lambda t, p: (
        value(t[p]) + (100 if value(t[p]) and colour(t[p]) == colour(t[0]) else 0)
    ),
    "the highest card takes": lambda t, p: value(t[p]),
    "the lowest card off the lead colour takes": lambda t, p: (
        usual(t, p) if usual(t, p) < 100 else 300 - usual(t, p)
    ),
}.items():
    wrong(name, STICHELN, says=TAKER, number=1)(lambda strength=strength: place_by(strength))


def swapped_zero_tricks(self):
    taker = Sticheln.taker(self)
    if all(value(card) == 0 for card in self.trick):
        return None if taker is not None else self.leader
    return taker


for table in (STICHELN, NOBODY):
    wrong(
        f"a trick of zeros the other way, {table[2] or 'first'}",
        table,
        says=TAKER,
        **ZEROS,
    )(lambda: game_with(Sticheln, taker=swapped_zero_tricks))


def next_leads_after_zeros(self):
    before = self.leader
    events = Sticheln.finish_trick(self)
    if events[0]["seat"] is None and self.asked == (before,) and self.phase == "play":
        self.leader = (before + 1) % self.players
        self.asked = (self.leader,)
    return events


wrong("another leader after a trick that nobody took", NOBODY, says=DECISION, **ZEROS)(
    lambda: game_with(Sticheln, finish_trick=next_leads_after_zeros)
)


def left_of_the_taker_leads(self):
    events = Sticheln.finish_trick(self)
    if len(self.asked) == 1:
        self.leader = (self.leader + 1) % self.players
        self.asked = (self.leader,)
    return events


wrong("the seat behind the taker leads", STICHELN, says=DECISION)(
    lambda: game_with(Sticheln, finish_trick=left_of_the_taker_leads)
)


def scored_by(points):
    return [(games.sticheln, "score_of", points)]


def score(pain, taken, *, own=True, painful=None, other=1, zero=1):
    hurts = painful or (lambda card: colour(card) == colour(pain))
    return -value(pain) * own + sum(
        -value(card) if hurts(card) else (other if value(card) else zero) for card in taken
    )


for name, points in {
    "the pain card not counted": lambda pain, taken: score(pain, taken, own=False),
    "the pain card counted as 1": lambda pain, taken: score(pain, taken, own=False) - 1,
    "zeros taken worth nothing": lambda pain, taken: score(pain, taken, zero=0),
    "other cards worth their value": lambda pain, taken: (
        score(pain, []) + sum(-value(c) if colour(c) == colour(pain) else value(c) for c in taken)
    ),
    "painful cards -1 each": lambda pain, taken: (
        -value(pain) + sum(-1 if colour(c) == colour(pain) else 1 for c in taken)
    ),
    "a zero of the pain colour worth 1": lambda pain, taken: score(
        pain, taken, painful=lambda c: colour(c) == colour(pain) and value(c)
    ),
}.items():
    wrong(name, STICHELN, says=SCORED)(lambda points=points: scored_by(points))

wrong("every round led by seat 0", STICHELN, says=EVENT + r"\.leader is 0, expected 1")(
    lambda: game_with(Sticheln, first_leader=lambda self: 0)
)
wrong("the taker of the last trick leads the round", STICHELN, says=EVENT + r"\.leader", number=1)(
    lambda: game_with(Sticheln, first_leader=lambda self: self.leader if self.round > 1 else 0)
)
wrong("a round too few", STICHELN, says=EVENT + " is missing")(
    lambda: game_with(Sticheln, is_last_round=lambda self: self.round == self.rounds - 1)
)
wrong("a round too many", STICHELN, says=r"decisions is .* expected the end after")(
    lambda: game_with(Sticheln, is_last_round=lambda self: self.round == self.rounds + 1)
)
wrong("misery in as many rounds as players", MISERY, says=EVENT + " is missing")(
    lambda: game_with(Sticheln, is_last_round=lambda self: self.round == self.players)
)


def dealer_by(standing):
    def next_dealer(self):
        return min(range(self.players), key=lambda seat: standing(self, seat))

    return game_with(Sticheln, next_dealer=next_dealer)


def to_the_left(self, seat):
    return (seat - self.starter - 1) % self.players


for name, standing in {
    "the highest total deals": lambda s, seat: (-s.totals[seat], to_the_left(s, seat)),
    "the lowest score of the last round deals": lambda s, seat: (
        s.scores[-1][seat],
        s.totals[seat],
        to_the_left(s, seat),
    ),
    "the dealer's left always deals": lambda s, seat: to_the_left(s, seat),
    "the same dealer always": lambda s, seat: seat != s.starter,
    "a tie to the lowest seat": lambda s, seat: (s.totals[seat], s.scores[-1][seat], seat),
    "a tie to the dealer first": lambda s, seat: (
        s.totals[seat],
        s.scores[-1][seat],
        (seat - s.starter) % s.players,
    ),
    "a tie not settled by the last round": lambda s, seat: (s.totals[seat], to_the_left(s, seat)),
    "a tie to the higher score of the last round": lambda s, seat: (
        s.totals[seat],
        -s.scores[-1][seat],
        to_the_left(s, seat),
    ),
}.items():
    wrong(f"misery: {name}", MISERY, says=EVENT + r"\.leader", number=TIES.get(name, 0))(
        lambda standing=standing: dealer_by(standing)
    )  # fmt: skip

wrong("misery's first dealer is seat 0", MISERY, says=r"^legs\[0\]\.events\[0\]\.leader", number=1)(
    lambda: game_with(Sticheln, drawn_dealer=property(lambda self: 0))
)
wrong("misery's first dealer by another label", MISERY, says=r"events\[0\]\.leader", number=0)(
    lambda: chance_with(dealer=lambda self, players: self.stream("dealer/1").below(players))
)
wrong("pain cards from the leader on", STICHELN, says=EVENT + r"\.cards")(
    lambda: game_with(
        Sticheln,
        show_pain=lambda self, cards: [
            event | {"cards": event["cards"][1:] + event["cards"][:1]}
            for event in Sticheln.show_pain(self, cards)
        ],
    )
)


# -- Stop It! -------------------------------------------------------------------------------------


def claimant_by(choose):
    return chance_with(claimant=choose)


def drawn_by(label):
    def claimant(self, number, window, claimants):
        if len(claimants) == 1:
            return claimants[0]
        seats = ",".join(map(str, claimants))
        stream = self.stream(label.format(round=number, window=window, seats=seats))
        return claimants[stream.below(len(claimants))]

    return claimant


for name, choose in {
    "the lowest claimant takes the card": lambda self, number, window, claimants: claimants[0],
    "the highest claimant takes the card": lambda self, number, window, claimants: claimants[-1],
    "claims drawn without the seats": drawn_by("claim/{round}/{window}"),
    "claims drawn without the window": drawn_by("claim/{round}/{seats}"),
    "claims drawn without the round": drawn_by("claim/{window}/{seats}"),
    "claimants joined without commas": lambda self, number, window, claimants: drawn_by(
        "claim/{round}/{window}/" + "".join(map(str, claimants))
    )(self, number, window, claimants),
    "windows counted from 1": lambda self, number, window, claimants: Chance.claimant(
        self, number, window + 1, claimants
    ),
}.items():
    wrong(name, STOP_IT, says=TAKER, **CLAIMS)(lambda choose=choose: claimant_by(choose))


def counts_over_rounds(self, hands, left_over):
    windows = getattr(self, "windows", 0)
    StopIt.take_hands(self, hands, left_over)
    self.windows = windows


def counts_claims_only(self, moves):
    events = StopIt.close_window(self, moves)
    if CLAIM not in moves:
        self.windows -= 1
    return events


wrong("windows counted on over the rounds", STOP_IT, says=TAKER, **CLAIMS)(
    lambda: game_with(StopIt, take_hands=counts_over_rounds)
)
wrong("only windows with claims counted", STOP_IT, says=TAKER, number=2)(
    lambda: game_with(StopIt, close_window=counts_claims_only)
)


def asks(who):
    def open_window(self):
        StopIt.open_window(self)
        self.asked = tuple(seat for seat in self.asked if who(self, seat)) or self.asked

    return game_with(StopIt, open_window=open_window)


for name, who in {
    "who played last not asked in a window": lambda self, seat: seat != self.leader,
    "only the seat behind asked in a window": lambda self, seat: (
        seat == (self.leader + 1) % self.players
    ),
}.items():
    wrong(name, STOP_IT, says=DECISION + r"\.seats")(lambda who=who: asks(who))


def asks_everybody(self):
    self.phase, self.asked = "window", tuple(range(self.players))


wrong("who took a card asked again", STOP_IT, says=DECISION + r"\.seats", **CLAIMS)(
    lambda: game_with(StopIt, open_window=asks_everybody)
)


def stop_it_cards(cards):
    def take_hands(self, hands, left_over):
        StopIt.take_hands(self, hands, left_over)
        self.stop_it_left = cards(self)

    return game_with(StopIt, take_hands=take_hands)


for name, cards in {
    "no windows": lambda self: 0,
    "as many Stop It cards as players": lambda self: self.players,
    "two Stop It cards only": lambda self: 2,
}.items():
    wrong(name, STOP_IT, says=DECISION, **CLAIMS)(lambda cards=cards: stop_it_cards(cards))


def window_after_the_last_card(self, seat, card, *, forced):
    if len(self.hands[seat]) > 1 or not self.stop_it_left:
        return StopIt.put(self, seat, card, forced=forced)
    self.hands[seat].append("nothing")
    events = StopIt.put(self, seat, card, forced=forced)
    self.hands[seat].remove("nothing")
    return events


def end_after_the_window(self, moves):
    if self.phase == "window" and not self.hands[self.leader]:
        return self.go_out(self.leader)
    return StopIt.play(self, moves)


wrong("a window after the last card", OF_THREE, says=r"^legs\[0\]\.", **PASSES)(
    lambda: game_with(StopIt, put=window_after_the_last_card, play=end_after_the_window)
)


def window_before_the_first_card(self, hands, left_over):
    StopIt.take_hands(self, hands, left_over)
    self.open_window()


wrong("a window before the first card", STOP_IT, says=r"decisions\[0\]\.seats")(
    lambda: game_with(StopIt, take_hands=window_before_the_first_card)
)
wrong("after the Ten comes the One", OF_THREE, says=EVENT)(
    lambda: [
        (
            games.stop_it,
            "NEXT",
            games.stop_it.NEXT | {f"{suit}-10": f"{suit}-1" for suit in games.stop_it.SUITS},
        )
    ]
)
wrong("the next card is not played unasked", STOP_IT, says=EVENT)(
    lambda: [(games.stop_it, "NEXT", {})]
)
wrong("the seat behind leads after a sequence", STOP_IT, says=DECISION)(
    lambda: game_with(StopIt, follow=seat_behind_leads)
)


def seat_behind_leads(self):
    events = StopIt.follow(self)
    if not events:
        self.await_lead((self.leader + 1) % self.players)
    return events


wrong("a lead marked as forced", STOP_IT, says=EVENT + r"\.forced is true, expected false")(
    lambda: game_with(StopIt, play=lambda self, moves: forced_lead(self, moves))
)


def forced_lead(self, moves):
    if self.phase == "lead":
        return self.put(self.leader, moves[0], forced=True)
    return StopIt.play(self, moves)


def scores_with(change):
    def round_scores(self, out):
        scores = StopIt.round_scores(self, out)
        change(self, out, scores)
        return scores

    return game_with(StopIt, round_scores=round_scores)


def give(seats, points):
    def change(self, out, scores):
        for seat in seats(self, out):
            scores[seat] += points(self, seat)

    return change


def fewest(self, out):
    sizes = {s: len(hand) for s, hand in enumerate(self.hands) if s != out}
    return [s for s in sizes if sizes[s] == min(sizes.values())]


def fives(cards):
    return sum(value(card) == 5 for card in cards)


def fives_played(self, seat):
    return fives(play["card"] for play in self.played if play["seat"] == seat)


for name, change in {
    "consolation given on ties": give(
        lambda self, out: fewest(self, out) if len(fewest(self, out)) > 1 else [],
        lambda self, seat: CONSOLATION,
    ),
    "no consolation": give(
        lambda self, out: fewest(self, out) if len(fewest(self, out)) == 1 else [],
        lambda self, seat: -CONSOLATION,
    ),
    "Fives left count 1": give(
        lambda self, out: [out], lambda self, seat: -4 * fives(c for h in self.hands for c in h)
    ),
    "Fives left count 6": give(
        lambda self, out: [out], lambda self, seat: fives(c for h in self.hands for c in h)
    ),
    "Fives played not counted": give(
        lambda self, out: range(self.players),
        lambda self, seat: -5 * fives_played(self, seat),
    ),
    "Fives played counted only for who is out": give(
        lambda self, out: [s for s in range(self.players) if s != out],
        lambda self, seat: -5 * fives_played(self, seat),
    ),
    "nothing for going out": give(lambda self, out: [out], lambda self, seat: -10),
}.items():
    wrong(name, OF_THREE, says=SCORED)(lambda change=change: scores_with(change))

wrong(
    "a total of exactly the target goes on",
    OF_THREE,
    says="decisions is",
    number=EXACTLY_THE_TARGET,
)(
    lambda: game_with(
        StopIt, is_last_round=lambda self: max(self.totals) > int(self.options["target"])
    )
)
wrong("another target", OF_THREE, says=EVENT + " is missing")(
    lambda: game_with(StopIt, is_last_round=lambda self: max(self.totals) >= 50)
)
wrong("every round of Stop It! led by seat 0", STOP_IT, says=EVENT)(
    lambda: game_with(StopIt, first_leader=lambda self: 0)
)
wrong("who went out leads the next round", STOP_IT, says=EVENT)(
    lambda: game_with(StopIt, first_leader=lambda self: getattr(self, "leader", 0))
)
wrong("left without the hands of others", STOP_IT, says=EVENT + r"\.hands")(
    lambda: game_with(
        StopIt,
        go_out=lambda self, seat: [
            event | ({"hands": [[]] * 4} if event["event"] == "left" else {})
            for event in StopIt.go_out(self, seat)
        ],
    )
)


# -- Color Stock ----------------------------------------------------------------------------------


def stock_scores(change):
    def round_scores(self, ended_by):
        scores = ColorStock.round_scores(self, ended_by)
        change(self, ended_by, scores)
        return scores

    return game_with(ColorStock, round_scores=round_scores)


def bonus_by_pile(self, ended_by, scores):
    if ended_by is None:
        scores[self.puts[-1]["seat"]] += BONUS


def no_bonus(self, ended_by, scores):
    if ended_by is not None:
        scores[ended_by] -= BONUS


def bonus_to_all_others(self, ended_by, scores):
    scores[:] = [points + (seat != ended_by) * BONUS for seat, points in enumerate(scores)]


wrong("a bonus when the pile ends the round", OF_TWO, says=SCORED, number=ENDED_BY_THE_PILE)(
    lambda: stock_scores(bonus_by_pile)
)
wrong("no bonus", STOCK, says=SCORED)(lambda: stock_scores(no_bonus))
wrong("the bonus to the others", STOCK, says=SCORED)(lambda: stock_scores(bonus_to_all_others))
wrong("six cards still worth six", STOCK, says=SCORED)(
    lambda: game_with(ColorStock, worth=lambda self, card: self.stacks[card])
)
wrong("a stack of five already worth nothing", STOCK, says=SCORED)(
    lambda: game_with(
        ColorStock, worth=lambda self, card: self.stacks[card] if self.stacks[card] < 5 else 0
    )
)
wrong("cards worth one each", STOCK, says=SCORED)(
    lambda: game_with(ColorStock, worth=lambda self, card: 1)
)
for name, full in {"five": FULL_STACK - 1, "seven": FULL_STACK + 1}.items():
    wrong(f"a round over with {name} cards", STOCK, says=r"^legs\[0\]\.")(
        lambda full=full: game_with(
            ColorStock, is_full=property(lambda self: max(self.stacks.values()) >= full)
        )
    )


def turned_up_from(take, rest):
    def turn_up(self):
        pile = self.pile
        self.pile = take(pile)
        events = ColorStock.turn_up(self)
        self.pile = rest(pile)
        return events

    return game_with(ColorStock, turn_up=turn_up)


wrong("one card turned up from the pile", OF_TWO, says=EVENT + r"\.cards")(
    lambda: turned_up_from(lambda pile: pile[:1], lambda pile: pile[1:])
)
wrong("cards turned up from the bottom of the pile", OF_TWO, says=EVENT + r"\.cards")(
    lambda: turned_up_from(lambda pile: pile[::-1], lambda pile: pile[:-2])
)
wrong("the cards turned up sorted", OF_TWO, says=EVENT + r"\.cards")(
    lambda: turned_up_from(lambda pile: sorted(pile[:2]), lambda pile: pile[2:])
)
wrong("the pile turned up again and again", OF_TWO, says=EVENT + r"\.cards")(
    lambda: turned_up_from(lambda pile: pile, lambda pile: pile)
)


def pile_after_every_turn(self, moves):
    events = ColorStock.play(self, moves)
    if events[-1]["event"] == "put" and len(self.pile) > 2:
        events += self.turn_up()
    return events


wrong("the pile turned up after every turn", OF_TWO, says=EVENT)(
    lambda: game_with(ColorStock, play=pile_after_every_turn)
)
wrong("no pile", OF_TWO, says=EVENT)(lambda: game_with(ColorStock, turn_up=lambda self: []))
wrong("every round started by seat 0", STOCK, says=EVENT + r"\.leader is 0, expected 1")(
    lambda: game_with(ColorStock, first_leader=lambda self: 0)
)
wrong("who ended the round starts the next", STOCK, says=EVENT + r"\.leader", number=1)(
    lambda: game_with(ColorStock, first_leader=lambda self: self.asked[0] if self.round > 1 else 0)
)
wrong("play goes to the right", STOCK, says=DECISION + r"\.seats\[0\] is 2, expected 1")(
    lambda: game_with(ColorStock, play=to_the_right)
)


def to_the_right(self, moves):
    (seat,) = self.asked
    events = ColorStock.play(self, moves)
    if len(events) == 1:
        self.asked = ((seat - 1) % self.players,)
    return events


# -- Faults, house and ranks ----------------------------------------------------------------------


def leg_with(**methods):
    return [(workers.referee, "Leg", type("OtherLeg", (Leg,), methods))]


def ranks_by(rank):
    return leg_with(ranks=property(lambda self: rank(self.scores, self.out)))


def places(merits):
    return [1 + sum(other > own for other in merits) for own in merits]


for name, rank in {
    "ranks without faults": lambda scores, out: places(scores),
    "the earlier fault ranks higher": lambda scores, out: places(
        [(-out[s], 0) if s in out else (1, scores[s]) for s in range(3)]
    ),
    "faulted bots ranked by their totals": lambda scores, out: places(
        [(s not in out, scores[s]) for s in range(3)]
    ),
    "faulted bots all last": lambda scores, out: places(
        [(s not in out, 0 if s in out else scores[s]) for s in range(3)]
    ),
}.items():
    wrong(name, STOCK, says=RANK, faults=FAULTS, number=3)(lambda rank=rank: ranks_by(rank))

wrong(
    "ties at one decision broken by totals",
    STICHELN,
    says=RANK,
    faults={0: {1: "time"}, 1: {1: "illegal"}},
)(
    lambda: ranks_by(
        lambda scores, out: places([(s not in out, scores[s]) for s in range(len(scores))])
    )
)


wrong("ranks from the lowest total", STOCK, says=RANK)(
    lambda: ranks_by(lambda scores, out: places([-points for points in scores]))
)


def without_gaps(scores, out):
    return [sorted(set(scores), reverse=True).index(points) + 1 for points in scores]


wrong("ranks without gaps", ("color-stock", 3, {"rounds": 1}), says=RANK, number=SHARED_FIRST)(
    lambda: ranks_by(without_gaps)
)
wrong(
    "equal totals ranked by seat", ("color-stock", 3, {"rounds": 1}), says=RANK, number=SHARED_FIRST
)(lambda: ranks_by(lambda scores, out: places([(p, -s) for s, p in enumerate(scores)])))


def housed(label=None, index=None):
    def house(self, leg, decision, seat, choices):
        if index is not None:
            return index % choices
        return self.stream(label(leg, decision, seat)).below(choices)

    return chance_with(house=house)


for name, label in {
    "without the leg": lambda leg, decision, seat: f"house/{decision}/{seat}",
    "without the decision": lambda leg, decision, seat: f"house/{leg}/{seat}",
    "without the seat": lambda leg, decision, seat: f"house/{leg}/{decision}",
    "with decisions from 1": lambda leg, decision, seat: f"house/{leg}/{decision + 1}/{seat}",
    "with legs from 1": lambda leg, decision, seat: f"house/{leg + 1}/{decision}/{seat}",
    "with seat and decision exchanged": lambda leg, decision, seat: (
        f"house/{leg}/{seat}/{decision}"
    ),
}.items():
    wrong(f"the house draws {name}", STICHELN, says=DECISION + r"\.moves", faults=FAULTS)(
        lambda label=label: housed(label)
    )
wrong("the house plays the first legal move", STICHELN, says=DECISION, faults=FAULTS)(
    lambda: housed(index=0)
)
wrong("the house plays the last legal move", STICHELN, says=DECISION, faults=FAULTS)(
    lambda: housed(index=-1)
)
for name, move in {
    "the house claims in windows": lambda self, leg, decision, seat: CLAIM,
    "the house draws in windows": Game.house_move,
}.items():
    wrong(name, STOP_IT, says=DECISION + r"\.moves", faults=FAULTS)(
        lambda move=move: game_with(
            StopIt,
            house_move=lambda self, *place: (
                move(self, *place) if self.phase == "window" else StopIt.house_move(self, *place)
            ),
        )
    )


def faulted_last(self, answers, faults):
    told = len(self.events)
    Leg.decide(self, answers, faults)
    events = self.events[told:]
    self.events[told:] = events[len(faults) :] + events[: len(faults)]
    return self.events[told:]


def faulted_backwards(self, decision, faults):
    return Leg._faulted(self, decision, faults)[::-1]


def not_told(self, decision, faults):
    Leg._faulted(self, decision, faults)
    return []


wrong("faulted after the events of its decision", STOCK, says=EVENT, faults=FAULTS)(
    lambda: leg_with(decide=faulted_last)
)
wrong("faulted not told", STOCK, says=EVENT, faults=FAULTS)(lambda: leg_with(_faulted=not_told))
wrong(
    "faulted from the highest seat",
    STICHELN,
    says=TAKER,
    faults={0: {1: "time"}, 1: {1: "illegal"}},
)(lambda: leg_with(_faulted=faulted_backwards))


def faulted_after_the_opening(self, position, number, at_startup):
    Leg.__init__(self, position, number, at_startup)
    self.events = self.events[len(at_startup) :] + self.events[: len(at_startup)]


wrong(
    "start-up faults told after the deal", STOCK, says=r"events\[0\]", faults={0: {0: "startup"}}
)(lambda: leg_with(__init__=faulted_after_the_opening))


def another_deal_for_each_leg(self, position, number, at_startup):
    again = type(position).deal(position.players, position.options, bytes([number] * 32))
    position.__dict__.update(again.__dict__)
    Leg.__init__(self, position, number, at_startup)


wrong("another deal for each leg", STOCK, says=DEALT, legs=None)(
    lambda: leg_with(__init__=another_deal_for_each_leg)
)

# -- All of them ----------------------------------------------------------------------------------


@pytest.fixture
def played_wrongly(replay_with, monkeypatch):
    """Plays a match with patches on; they are off again when it is verified."""

    def play(patches, table, more):
        game, players, options = table
        with monkeypatch.context() as patched:
            for module, name, other in patches():
                if module is None:
                    game = other
                else:
                    patched.setattr(module, name, other)
            return replay_with(game, players, options, **more)

    return play


@pytest.mark.parametrize(("patches", "table", "more", "says"), MISTAKES)
def test_a_match_played_by_a_wrong_rule_is_refused(played_wrongly, patches, table, more, says):
    match = replay.read(replay.write(played_wrongly(patches, table, more)))
    with pytest.raises(replay.Difference) as difference:
        replay.verify(match)
    assert re.search(says, str(difference.value)), difference.value


def test_every_mistake_has_its_own_name():
    names = [mistake.id for mistake in MISTAKES]
    assert len(set(names)) == len(names)


def no_patch():
    return []


@pytest.mark.parametrize(
    ("table", "more"),
    [
        (table, more)
        for table in (STICHELN, MISERY, NOBODY, STOP_IT, OF_THREE, STOCK, OF_TWO)
        for more in ({}, {"faults": FAULTS, "number": 1})
    ],
)
def test_a_match_played_by_the_rules_is_right(played_wrongly, table, more):
    replay.verify(replay.read(replay.write(played_wrongly(no_patch, table, more))))


def same_draws():
    return words_with(as_ruled) + leg_with()


@pytest.mark.parametrize(
    ("table", "game"), [(STICHELN, Sticheln), (STOP_IT, StopIt), (STOCK, ColorStock)]
)
def test_patches_that_change_nothing_are_right(played_wrongly, table, game):
    def patches():
        return same_draws() + game_with(game) + (place_by(usual) if game is Sticheln else [])

    replay.verify(replay.read(replay.write(played_wrongly(patches, table, {"faults": FAULTS}))))
