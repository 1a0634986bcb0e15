"""The sentences that explain a game's events, as message and parameters.

Terminal and pages translate the message and fill in the parameters as they like. What a parameter is
follows from its name: `player` a seat, `players` seats, `card`, `cards` and `colour` what they say,
`points` and `score` numbers with their sign, `parts` sentences in a row; every other is a number.
Every message is the literal first argument of `say`, where a translator's tools find it.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any, ClassVar

from games.base import NO_SEED, Event, Game, Seat
from games.cards import colour, value
from games.color_stock import BONUS as ENDING_BONUS
from games.color_stock import FULL_STACK, ColorStock
from games.sticheln import Sticheln, score_of, taking_place
from games.stop_it import BONUS, BONUS_VALUE, CONSOLATION, GOING_OUT, NEXT, StopIt, worth_left

Translate = Callable[[str], str]


@dataclass(frozen=True)
class Sentence:
    """A message with `{named}` places, and what belongs there."""

    message: str
    parameters: Mapping[str, Any]

    def pieces(self, translate: Translate = str) -> Iterator[str | tuple[str, Any]]:
        """The message taken apart: its own words as text, its parameters as (name, value)."""
        for words, name, _, _ in Formatter().parse(translate(self.message)):
            if words:
                yield words
            if name is not None:
                yield name, self.parameters[name]

    def text(self, names: Sequence[str], translate: Translate = str) -> str:
        """The sentence in plain text; `names` by seat."""
        return "".join(
            piece if isinstance(piece, str) else _plain(*piece, names, translate)
            for piece in self.pieces(translate)
        )


def say(message: str, **parameters: object) -> Sentence:
    return Sentence(message, parameters)


def signed(points: int) -> str:
    """A score with its sign, and a true minus."""
    return f"{points:+d}".replace("-", "−") if points else "0"


def number(count: int) -> str:
    return str(count).replace("-", "−")


def _plain(name: str, given: Any, names: Sequence[str], translate: Translate) -> str:
    if name == "player":
        return str(names[given])
    if name in ("card", "colour"):
        return " ".join([translate(colour(given)), *given.split("-")[1:]])
    if name in ("points", "score"):
        return signed(given)
    if name == "parts":
        return ", ".join(part.text(names, translate) for part in given)
    if name in ("players", "cards"):
        return listed([_plain(name[:-1], each, names, translate) for each in given], translate)
    return number(given)


def listed(things: Sequence[str], translate: Translate = str) -> str:
    """One, two and three."""
    last_two = translate(AND.message).join(things[-2:])
    return ", ".join([*things[:-2], last_two])


AND = say(" and ")


class Narrator(ABC):
    """Follows the events of a leg in their order and says what each of them means.

    Its position knows only what events have told: no hands until they are shown."""

    game: ClassVar[type[Game]]
    position: Game

    def __init__(self, options: Mapping[str, object], players: int) -> None:
        self.position = self.game(players, options, NO_SEED)

    def tell(self, event: Event) -> list[Sentence]:
        """What the next event of the leg means."""
        told: list[Sentence] = getattr(self, f"tell_{event['event']}")(event)
        return told

    # -- Events of every game ------------------------------------------------------------------

    def tell_faulted(self, event: Event) -> list[Sentence]:
        return [
            say("The bot of {player} faulted: from now on the house plays.", player=event["seat"])
        ]

    def tell_round(self, event: Event) -> list[Sentence]:
        position = self.position
        position.round = event["round"]
        told = [say("Round {round}.", round=position.round), *self.why_leads(event["leader"])]
        position.starter = position.leader = event["leader"]
        position.take_hands([[] for _ in range(position.players)], [])
        return told

    def why_leads(self, seat: Seat) -> list[Sentence]:
        return [say("{player} leads.", player=seat)]

    def tell_dealt(self, event: Event) -> list[Sentence]:
        return [say("{player} is dealt {cards}.", player=event["seat"], cards=event["hand"])]

    def tell_left(self, event: Event) -> list[Sentence]:
        self.position.hands = event["hands"]
        return [self.kept(seat, hand) for seat, hand in enumerate(event["hands"]) if hand]

    def kept(self, seat: Seat, hand: list[str]) -> Sentence:
        return say("{player} has {cards} left.", player=seat, cards=hand)

    def tell_scored(self, event: Event) -> list[Sentence]:
        position = self.position
        position.scores = [*position.scores, event["scores"]]
        position.totals = event["totals"]
        scores = [self.score(seat, points) for seat, points in enumerate(event["scores"])]
        return scores + self.why_over() if position.is_last_round() else scores

    def score(self, seat: Seat, points: int) -> Sentence:
        parts, total = self.parts(seat), self.position.totals[seat]
        if not parts:
            return say("{player} scores nothing. Total {total}.", player=seat, total=total)
        return say(
            "{player} scores {points}: {parts}. Total {total}.",
            player=seat,
            points=points,
            parts=parts,
            total=total,
        )

    @abstractmethod
    def parts(self, seat: Seat) -> list[Sentence]:
        """What the score of the round just played is made of; each part has its `points`."""

    def why_over(self) -> list[Sentence]:
        return [say("That was the last round.")]


# -- Sticheln ----------------------------------------------------------------------------------


class StichelnNarrator(Narrator):
    game = Sticheln
    position: Sticheln

    def why_leads(self, seat: Seat) -> list[Sentence]:
        position = self.position
        if not position.rule_set.lowest_deals:
            return super().why_leads(seat)
        if position.round == 1:
            return [say("{player} is drawn as dealer, and leads.", player=seat)]
        return [self.why_deals(seat, position.totals, position.scores[-1])]

    def why_deals(self, seat: Seat, totals: Sequence[int], last_round: Sequence[int]) -> Sentence:
        lowest = [other for other, total in enumerate(totals) if total == totals[seat]]
        if lowest == [seat]:
            return say("{player} has the lowest total, deals and leads.", player=seat)
        if [last_round[other] for other in lowest].count(last_round[seat]) == 1:
            return say(
                "{player} deals and leads: of the lowest totals ({players}) the one with the lowest"
                " score in the last round.",
                player=seat,
                players=lowest,
            )
        return say(
            "{player} deals and leads: of those who are lowest in total and in the last round, the"
            " first on the dealer's left.",
            player=seat,
        )

    def tell_undealt(self, event: Event) -> list[Sentence]:
        return [say("Not dealt, so out of this round: {cards}.", cards=event["cards"])]

    def tell_pain(self, event: Event) -> list[Sentence]:
        self.position.pain = event["cards"]
        return [self.pain(seat, card) for seat, card in enumerate(event["cards"])]

    def pain(self, seat: Seat, card: str) -> Sentence:
        if not value(card):
            return say(
                "The pain card of {player} is {card} and costs nothing, but every {colour} card"
                " taken hurts.",
                player=seat,
                card=card,
                colour=colour(card),
            )
        return say(
            "The pain card of {player} is {card}: {points}, and every {colour} card taken hurts.",
            player=seat,
            card=card,
            points=score_of(card, []),
            colour=colour(card),
        )

    def tell_played(self, event: Event) -> list[Sentence]:
        seat, card, trick = event["seat"], event["card"], self.position.trick
        trick.append(card)
        if len(trick) == 1:
            return [say("{player} leads {card}.", player=seat, card=card)]
        if len(trick) < self.position.players and taking_place(trick) == len(trick) - 1:
            return [say("{player} plays {card}, the best card so far.", player=seat, card=card)]
        return [say("{player} plays {card}.", player=seat, card=card)]

    def tell_taken(self, event: Event) -> list[Sentence]:
        seat, cards = event["seat"], event["cards"]
        self.position.trick = []
        if seat is None:
            return [say("Only zeros: nobody takes the trick, its cards are out of the round.")]
        self.position.leader = seat
        return [why_taken(seat, cards), self.gain(seat, cards)]

    def gain(self, seat: Seat, cards: list[str]) -> Sentence:
        """What a trick is worth to its taker, and the score of the round it leads to."""
        pain, taken = str(self.position.pain[seat]), self.position.taken[seat]
        taken += cards
        points, score = worth_taken(pain, cards), score_of(pain, taken)
        painful = [card for card in cards if colour(card) == colour(pain)]
        if not painful:
            return say(
                "{points} for {player}: in this round {score} so far.",
                points=points,
                player=seat,
                score=score,
            )
        return say(
            "{points} for {player} ({parts}): in this round {score} so far.",
            points=points,
            player=seat,
            parts=[
                say("{points} for {cards}", points=worth_taken(pain, painful), cards=painful),
                *self.others(pain, cards),
            ],
            score=score,
        )

    def others(self, pain: str, cards: list[str]) -> list[Sentence]:
        others = [card for card in cards if colour(card) != colour(pain)]
        points = worth_taken(pain, others)
        return [say("{points} for the rest", points=points)] if others else []

    def parts(self, seat: Seat) -> list[Sentence]:
        pain, taken = str(self.position.pain[seat]), self.position.taken[seat]
        painful = [card for card in taken if colour(card) == colour(pain)]
        parts = [say("{points} for the pain card", points=score_of(pain, []))]
        if painful:
            points = worth_taken(pain, painful)
            parts.append(say("{points} in {colour}", points=points, colour=colour(pain)))
        return parts + self.others(pain, taken)


def worth_taken(pain: str, cards: Sequence[str]) -> int:
    """What cards are worth to a taker with this pain card."""
    return score_of(pain, cards) - score_of(pain, [])


def why_taken(seat: Seat, trick: Sequence[str]) -> Sentence:
    place, lead = taking_place(trick), colour(trick[0])
    if place is None:
        return say(
            "{player} takes the trick: only zeros, and {card} was the first.",
            player=seat,
            card=trick[0],
        )
    card = trick[place]
    if colour(card) == lead:
        return why_lead_takes(seat, card, trick)
    return why_other_takes(seat, card, [c for c in trick if value(c) and colour(c) != lead], lead)


def why_lead_takes(seat: Seat, card: str, trick: Sequence[str]) -> Sentence:
    """No card of another colour counted."""
    lead = colour(card)
    if sum(value(other) > 0 for other in trick) == 1:
        return say("{player} takes the trick: all but {card} are zeros.", player=seat, card=card)
    if all(colour(other) == lead for other in trick):
        return say(
            "{player} takes the trick: all cards are {colour}, and {card} is the highest.",
            player=seat,
            colour=lead,
            card=card,
        )
    return say(
        "{player} takes the trick: zeros apart, all are {colour}, and {card} is the highest.",
        player=seat,
        colour=lead,
        card=card,
    )


def why_other_takes(seat: Seat, card: str, others: Sequence[str], lead: str) -> Sentence:
    """`others`: the cards that are neither zeros nor of the lead colour."""
    equal = [other for other in others if value(other) == value(card)]
    if len(equal) > 1:
        return say(
            "{player} takes the trick: {cards} are highest (not {colour}), {card} was first.",
            player=seat,
            cards=equal,
            colour=lead,
            card=card,
        )
    if len(others) == 1:
        return say(
            "{player} takes the trick: only {card} is neither {colour} nor a zero.",
            player=seat,
            card=card,
            colour=lead,
        )
    return say(
        "{player} takes the trick: {card} is the highest card that is not {colour}.",
        player=seat,
        card=card,
        colour=lead,
    )


# -- Stop It! ----------------------------------------------------------------------------------


class StopItNarrator(Narrator):
    game = StopIt
    position: StopIt
    played: dict[str, Seat]  # by card, the last one last
    stop_it_left: int
    takes_lead: bool  # whether the next card is led by the round's leader or with a Stop It card
    out: Seat

    def tell_round(self, event: Event) -> list[Sentence]:
        self.played = {}
        self.stop_it_left = self.position.players - 1
        self.takes_lead = True
        return super().tell_round(event)

    @property
    def next_card(self) -> str | None:
        """The card that goes on with the sequence, if it is in a hand: all cards are dealt."""
        card = NEXT.get(list(self.played)[-1])
        return None if card in self.played else card

    def tell_played(self, event: Event) -> list[Sentence]:
        seat, card = event["seat"], event["card"]
        told = [self.why_played(seat, card, event["forced"])]
        self.played[card] = seat
        self.takes_lead = False
        if value(card) == BONUS_VALUE:
            told.append(say("A five: {points} for {player}.", points=BONUS, player=seat))
        return told if self.next_card else [*told, why_sequence_ends(card)]

    def why_played(self, seat: Seat, card: str, forced: bool) -> Sentence:
        if forced:
            return say("{player} has {card} and must play it.", player=seat, card=card)
        if self.takes_lead:
            return say("{player} leads {card}.", player=seat, card=card)
        return say("{player} played last, and leads again with {card}.", player=seat, card=card)

    def tell_stopped(self, event: Event) -> list[Sentence]:
        self.stop_it_left -= 1
        self.takes_lead = True
        return [self.why_stopped(event["seat"], self.stop_it_left)]

    def tell_window(self, claimants: Sequence[Seat], taker: Seat | None) -> list[Sentence]:
        """What the answers in a window say beyond its events; `claimants`: those who are known."""
        if taker is None:
            return [say("Nobody claims.")]
        if len(claimants) > 1:
            return [
                say(
                    "{players} claim at the same time: {player} is drawn from the seed.",
                    players=claimants,
                    player=taker,
                )
            ]
        if claimants not in ([], [taker]):
            return [say("{player} claims, but another one is drawn.", player=claimants[0])]
        return []

    def why_stopped(self, seat: Seat, left: int) -> Sentence:
        if not self.next_card:
            return say(
                "{player} takes a Stop It card ({count} left), and the lead.",
                player=seat,
                count=left,
            )
        return say(
            "{player} takes a Stop It card ({count} left) and stops the {colour} sequence.",
            player=seat,
            count=left,
            colour=colour(self.next_card),
        )

    def tell_out(self, event: Event) -> list[Sentence]:
        self.out = event["seat"]
        return [say("{player} has no card left: the round is over.", player=self.out)]

    def tell_scored(self, event: Event) -> list[Sentence]:
        told = super().tell_scored(event)
        return told if self.position.runner_up(self.out) is not None else [self.tied(), *told]

    def tied(self) -> Sentence:
        others = {seat: len(hand) for seat, hand in enumerate(self.position.hands) if hand}
        return say(
            "Nobody scores for the fewest cards left: {players} are tied.",
            players=[seat for seat, cards in others.items() if cards == min(others.values())],
        )

    def parts(self, seat: Seat) -> list[Sentence]:
        own_fives = sum(
            player == seat and value(card) == BONUS_VALUE for card, player in self.played.items()
        )
        parts = self.parts_of_going_out() if seat == self.out else []
        if own_fives:
            parts.append(say("{points} for own fives", points=own_fives * BONUS))
        if seat == self.position.runner_up(self.out):
            parts.append(say("{points} for the fewest cards left", points=CONSOLATION))
        return parts

    def parts_of_going_out(self) -> list[Sentence]:
        left = [card for hand in self.position.hands for card in hand]
        fives = sum(worth_left(card) for card in left if value(card) == BONUS_VALUE)
        others = sum(worth_left(card) for card in left) - fives
        parts = [say("{points} for going out", points=GOING_OUT)]
        if others:
            parts.append(say("{points} for the others' cards", points=others))
        if fives:
            parts.append(say("{points} for the others' fives", points=fives))
        return parts

    def why_over(self) -> list[Sentence]:
        target = int(self.position.options["target"])
        reached = [seat for seat, total in enumerate(self.position.totals) if total >= target]
        return [
            say("The game is over: {players} reached {target}.", players=reached, target=target)
        ]


def why_sequence_ends(card: str) -> Sentence:
    if card not in NEXT:
        return say("The sequence ends: no card is higher than a ten.")
    return say("The sequence ends: {card} has been played already.", card=NEXT[card])


# -- Color Stock -------------------------------------------------------------------------------


class ColorStockNarrator(Narrator):
    game = ColorStock
    position: ColorStock
    ended_by: Seat | None

    def why_leads(self, seat: Seat) -> list[Sentence]:
        return [say("{player} begins.", player=seat)]

    def tell_dealt(self, event: Event) -> list[Sentence]:
        parts = counted(event["hand"])
        return [say("{player} is dealt {parts}.", player=event["seat"], parts=parts)]

    def kept(self, seat: Seat, hand: list[str]) -> Sentence:
        return say("{player} still has {parts}.", player=seat, parts=counted(hand))

    def tell_put(self, event: Event) -> list[Sentence]:
        told = say("{player} puts down {cards}.", player=event["seat"], cards=event["cards"])
        return [told, *self.stacked(event["cards"])]

    def tell_turned_up(self, event: Event) -> list[Sentence]:
        told = say("Turned up from the pile: {cards}.", cards=event["cards"])
        return [told, *self.stacked(event["cards"])]

    def stacked(self, cards: list[str]) -> list[Sentence]:
        self.position.stack(cards)
        return [self.height(card) for card in dict.fromkeys(cards)]

    def height(self, card: str) -> Sentence:
        height = self.position.stacks[card]
        if height >= FULL_STACK:
            return say(
                "The {colour} stack is full with {height}: {colour} cards are worth nothing.",
                colour=card,
                height=height,
            )
        if height == FULL_STACK - 1:
            return say(
                "Each {colour} card kept is now worth {height}; one more on the stack ends the round.",
                colour=card,
                height=height,
            )
        return say("Each {colour} card kept is now worth {height}.", colour=card, height=height)

    def tell_over(self, event: Event) -> list[Sentence]:
        self.ended_by = event["seat"]
        if self.ended_by is None:
            return [say("The pile has ended the round: nobody gets the bonus.")]
        return [
            say(
                "{player} has ended the round, for a bonus of {points}.",
                player=self.ended_by,
                points=ENDING_BONUS,
            )
        ]

    def parts(self, seat: Seat) -> list[Sentence]:
        hand = Counter(self.position.hands[seat])
        parts = [self.kept_worth(card, count) for card, count in hand.items()]
        if seat == self.ended_by:
            parts.append(say("{points} for ending the round", points=ENDING_BONUS))
        return parts

    def kept_worth(self, card: str, count: int) -> Sentence:
        worth = self.position.worth(card)
        points = count * worth
        if self.position.stacks[card] >= FULL_STACK:
            return say("{colour} nothing (full)", colour=card, points=points)
        return say(
            "{colour} {count} × {height}", colour=card, count=count, height=worth, points=points
        )


def counted(cards: Sequence[str]) -> list[Sentence]:
    """Equal cards together: 3 × red, 2 × blue."""
    return [
        say("{count} × {colour}", count=count, colour=card)
        for card, count in Counter(cards).items()
    ]


# -- The whole leg -----------------------------------------------------------------------------

NARRATORS: dict[str, type[Narrator]] = {
    narrator.game.name: narrator
    for narrator in (StichelnNarrator, StopItNarrator, ColorStockNarrator)
}


def narrator_of(game: str, options: Mapping[str, object], players: int) -> Narrator:
    """Whoever tells a leg of this game, from its first event on."""
    return NARRATORS[game](options, players)


def verdict(totals: Sequence[int], ranks: Sequence[int]) -> Sentence:
    """Who wins a leg."""
    first = [seat for seat, rank in enumerate(ranks) if rank == 1]
    total = totals[first[0]]
    if len(first) == 1 and total == max(totals):
        return say("{player} wins with {total}.", player=first[0], total=total)
    if len(first) == 1:
        return say(
            "{player} wins with {total}: whoever has more has faulted, and stands behind.",
            player=first[0],
            total=total,
        )
    if any(totals[seat] != total for seat in first):
        return say("A draw: {players} faulted last, at the same time.", players=first)
    return say("A draw: {players} share the first place with {total}.", players=first, total=total)
