"""What holds in every game, however it is dealt and played."""

from collections import Counter
from itertools import chain, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.base import ranks
from games.cards import colour, value
from games.leg import Answer, Leg
from games.sticheln import Sticheln
from games.stop_it import StopIt

seeds = st.binary(min_size=32, max_size=32)
numbers = st.integers(0, 999)


@pytest.fixture(scope="session")
def played(variants, random_players):
    """Any leg of a game, stopped before every decision with all events so far."""

    def play(data, name):
        variant = data.draw(st.sampled_from([v for v in variants if v.game.name == name]))
        position, players = variant.deal(data.draw(seeds)), random_players(data.draw(numbers))
        events = position.opening()
        while position.asked:
            yield position, events
            events += position.play(players.moves(position))
        yield position, events

    return play


@pytest.fixture(scope="session")
def rounds_of(played):
    """The events of any leg, round by round, and the position at its end."""

    def split(data, name):
        *_, (position, events) = played(data, name)
        starts = [place for place, event in enumerate(events) if event["event"] == "round"]
        return position, [
            Round(position, events[start:end]) for start, end in pairwise([*starts, len(events)])
        ]

    return split


class Round:
    """The events of one round."""

    def __init__(self, position, events):
        self.position = position
        self.events = events

    def all(self, *names):
        return [event for event in self.events if event["event"] in names]

    def one(self, name):
        (event,) = self.all(name)
        return event

    @property
    def leader(self):
        return self.one("round")["leader"]

    @property
    def hands(self):
        return [event["hand"] for event in self.all("dealt")]

    @property
    def sizes(self):
        return [len(hand) for hand in self.hands]

    @property
    def scores(self):
        return self.one("scored")["scores"]


def totals_after(rounds, players):
    """The totals after each round, added up anew."""
    totals = [0] * players
    for each in rounds:
        totals = [total + score for total, score in zip(totals, each.scores, strict=True)]
        yield totals


every_game = pytest.mark.parametrize("name", ["sticheln", "stop-it", "color-stock"])


# -- All games ---------------------------------------------------------------------------------


def test_every_game_is_among_these(variants):
    (names,) = [mark.args[1] for mark in test_totals_are_the_sums_of_the_rounds.pytestmark]
    assert {variant.game.name for variant in variants} == set(names)


@every_game
@given(data=st.data())
def test_totals_are_the_sums_of_the_rounds(rounds_of, name, data):
    position, rounds = rounds_of(data, name)
    totals = list(totals_after(rounds, position.players))
    assert [each.one("scored")["totals"] for each in rounds] == totals
    assert position.totals == totals[-1]
    assert position.scores == [each.scores for each in rounds]


@every_game
@given(data=st.data())
def test_whoever_is_asked_has_cards_left(played, name, data):
    for position, _ in played(data, name):
        assert all(position.hands[seat] for seat in position.asked)
        assert all(position.legal(seat) for seat in position.asked)


@every_game
@given(data=st.data())
def test_the_dealt_hands_are_sorted_and_of_the_deck(rounds_of, name, data):
    position, rounds = rounds_of(data, name)
    deck = position.deck(position.players, position.options)
    for each in rounds:
        assert all(hand == sorted(hand, key=deck.index) for hand in each.hands)
        assert not Counter(chain(*each.hands)) - Counter(deck)


# -- Sticheln ----------------------------------------------------------------------------------

HIGHEST = {3: 8, 4: 11, 5: 14, 6: 14, 7: 17, 8: 18}
UNDEALT = {7: 3, 8: 2}


def taker_by_the_book(trick, all_zero_trick):
    """The place in the trick that takes it, sentence by sentence as the rules say."""
    lead = colour(trick[0])
    counting = [card for card in trick if value(card) != 0]
    if not counting:
        return 0 if all_zero_trick == "first" else None
    other = [card for card in counting if colour(card) != lead] or counting
    highest = max(value(card) for card in other)
    return min(trick.index(card) for card in other if value(card) == highest)


def tricks_of(each):
    """The tricks of a round as (leader, cards, taker), from what was played and by whom."""
    trick = []
    for event in each.all("played", "taken"):
        if event["event"] == "played":
            trick.append(event)
        else:
            assert [play["card"] for play in trick] == event["cards"]
            yield trick[0]["seat"], event["cards"], event["seat"]
            trick = []
    assert trick == []


@given(data=st.data())
def test_sticheln_keeps_all_cards(played, data):
    for position, _ in played(data, "sticheln"):
        nobodys = [trick["cards"] for trick in position.tricks if trick["taker"] is None]
        cards = [*position.hands, position.trick, *position.taken, position.undealt, *nobodys]
        pain = [card for card in position.pain if card]
        deck = position.deck(position.players, position.options)
        assert sorted(chain(pain, *cards)) == sorted(deck)


@given(data=st.data())
def test_sticheln_taken_cards_are_those_of_the_tricks(played, data):
    for position, _ in played(data, "sticheln"):
        for seat, taken in enumerate(position.taken):
            tricks = [trick["cards"] for trick in position.tricks if trick["taker"] == seat]
            assert taken == list(chain(*tricks))


@given(data=st.data())
def test_sticheln_deals_as_its_table_says(rounds_of, data):
    position, rounds = rounds_of(data, "sticheln")
    players = position.players
    for each in rounds:
        undealt = list(chain(*(event["cards"] for event in each.all("undealt"))))
        cards = [*chain(*each.hands), *undealt]
        assert each.sizes == [14 if players == 8 else 15] * players
        assert len(undealt) == UNDEALT.get(players, 0)
        assert len(set(cards)) == len(cards)
        assert len({colour(card) for card in cards}) == (6 if players >= 6 else 5)
        assert {value(card) for card in cards} == set(range(HIGHEST[players] + 1))


@given(data=st.data())
def test_sticheln_has_as_many_rounds_and_decisions_as_its_cards_allow(played, data):
    decisions = Counter()
    for position, _ in played(data, "sticheln"):
        decisions[position.round, len(position.asked)] += bool(position.asked)
    players, misery = position.players, position.options["rules"] == "misery"
    in_play = (13 if players == 8 else 14) * players
    rounds = range(1, (5 if misery else players) + 1)
    expected = {(number, players): 1 for number in rounds}
    expected |= {(number, 1): in_play for number in rounds}
    assert +decisions == expected


@given(data=st.data())
def test_sticheln_tricks_go_where_the_rules_say_and_the_taker_leads(rounds_of, data):
    position, rounds = rounds_of(data, "sticheln")
    players = position.players
    for each in rounds:
        leads = each.leader
        for leader, cards, taker in tricks_of(each):
            place = taker_by_the_book(cards, position.options["all_zero_trick"])
            assert leader == leads
            assert taker == (None if place is None else (leader + place) % players)
            leads = leader if taker is None else taker


@given(data=st.data())
def test_sticheln_players_put_clockwise_and_only_their_own_cards(rounds_of, data):
    position, rounds = rounds_of(data, "sticheln")
    for each in rounds:
        hands = [set(hand) - {pain} for hand, pain in zip(each.hands, pains_of(each), strict=True)]
        for place, event in enumerate(each.all("played")):
            first = each.all("played")[place - place % position.players]["seat"]
            assert event["seat"] == (first + place) % position.players or place == 0
            hands[event["seat"]].remove(event["card"])
        assert hands == [set()] * position.players


def pains_of(each):
    return each.one("pain")["cards"]


@given(data=st.data())
def test_sticheln_scores_are_those_of_pain_cards_and_tricks(rounds_of, data):
    _, rounds = rounds_of(data, "sticheln")
    for each in rounds:
        expected = [-value(pain) for pain in pains_of(each)]
        for _, cards, taker in tricks_of(each):
            for card in cards if taker is not None else []:
                painful = colour(card) == colour(pains_of(each)[taker])
                expected[taker] += -value(card) if painful else 1
        assert each.scores == expected


def dealer_by_the_book(dealer, totals, scores):
    lowest = [seat for seat, total in enumerate(totals) if total == min(totals)]
    worst = min(scores[seat] for seat in lowest)
    tied = [seat for seat in lowest if scores[seat] == worst]
    clockwise = [(dealer + step) % len(totals) for step in range(1, len(totals) + 1)]
    return next(seat for seat in clockwise if seat in tied)


@given(data=st.data())
def test_sticheln_rounds_are_led_by_the_next_seat_or_the_lowest(rounds_of, data):
    position, rounds = rounds_of(data, "sticheln")
    if position.options["rules"] != "misery":
        assert [each.leader for each in rounds] == list(range(position.players))
        return
    totals = totals_after(rounds, position.players)
    for (each, after), total in zip(pairwise(rounds), totals, strict=False):
        assert after.leader == dealer_by_the_book(each.leader, total, each.scores)


@given(dealer=st.integers(0, 2), points=st.lists(st.integers(0, 1), min_size=6, max_size=6))
@settings(max_examples=200)
def test_misery_is_dealt_by_the_lowest_however_they_are_tied(dealer, points):
    position = Sticheln.deal(3, {"rules": "misery"}, bytes(32))
    position.starter, position.totals, position.scores = dealer, points[:3], [points[3:]]
    assert position.next_dealer() == dealer_by_the_book(dealer, points[:3], points[3:])


def test_random_sticheln_meets_tricks_of_zeros_only(variants, random_players):
    """Else the properties above would say nothing about them."""
    met = set()
    for variant in variants:
        if variant.game.name == "sticheln" and variant.players < 5:
            position = variant.deal(bytes(32))
            events = position.opening() + random_players(1).finish(position)
            for event in events:
                if event["event"] == "taken" and not any(map(value, event["cards"])):
                    met.add((variant.options["all_zero_trick"], event["seat"] is None))
    assert met == {("first", False), ("nobody", True)}


# -- Stop It! ----------------------------------------------------------------------------------


@given(data=st.data())
def test_stop_it_keeps_all_cards(played, data):
    for position, _ in played(data, "stop-it"):
        cards = [play["card"] for play in position.played]
        deck = position.deck(position.players, position.options)
        assert sorted(chain(cards, *position.hands)) == sorted(deck)


@given(data=st.data())
def test_stop_it_deals_all_cards_from_the_leader_on(rounds_of, data):
    position, rounds = rounds_of(data, "stop-it")
    players = position.players
    sizes = {3: [14, 13, 13], 4: [13, 13, 12, 12], 5: [10] * 5}[players]
    for number, each in enumerate(rounds):
        assert each.leader == number % players
        assert [each.sizes[(each.leader + step) % players] for step in range(players)] == sizes


@given(data=st.data())
def test_stop_it_asks_in_a_window_all_who_have_taken_no_stop_it_card(played, data):
    for position, _ in played(data, "stop-it"):
        without = tuple(seat for seat, has_one in enumerate(position.stop_it) if not has_one)
        asked = without if position.phase == "window" else (position.leader,)
        assert position.over or position.asked == asked


@given(data=st.data())
def test_stop_it_opens_a_window_after_every_card_while_there_is_a_stop_it_card(played, data):
    known, left = None, 0
    for position, events in played(data, "stop-it"):
        news = [] if known is None else [event["event"] for event in events[known:]]
        if left:
            assert news.count("played") <= 1
            assert position.phase == "window" or not news or news[0] == "stopped" or "out" in news
        else:
            assert position.phase == "lead"
        known, left = len(events), position.stop_it_left


@given(data=st.data())
def test_stop_it_cards_are_taken_once_each_and_one_fewer_than_players(rounds_of, data):
    position, rounds = rounds_of(data, "stop-it")
    for each in rounds:
        takers = [event["seat"] for event in each.all("stopped")]
        assert len(takers) == len(set(takers)) < position.players


@given(data=st.data())
def test_stop_it_sequences_go_on_until_stopped_or_out_of_cards(rounds_of, data):
    _, rounds = rounds_of(data, "stop-it")
    for each in rounds:
        holder = {card: seat for seat, hand in enumerate(each.hands) for card in hand}
        leads, last, stopped = each.leader, None, True
        for event in each.all("played", "stopped"):
            if event["event"] == "stopped":
                leads, stopped = event["seat"], True
                continue
            following = last and f"{colour(last)}-{value(last) + 1}"
            goes_on = not stopped and following in holder
            assert event["forced"] == goes_on
            assert event["card"] == following or not goes_on
            assert event["seat"] == holder.pop(event["card"])
            assert goes_on or event["seat"] == leads
            leads, last, stopped = event["seat"], event["card"], False


@given(data=st.data())
def test_stop_it_rounds_end_when_the_first_hand_is_empty(rounds_of, data):
    _, rounds = rounds_of(data, "stop-it")
    for each in rounds:
        out, hands = each.one("out")["seat"], each.one("left")["hands"]
        assert [seat for seat, hand in enumerate(hands) if not hand] == [out]
        assert each.all("played")[-1]["seat"] == out
        for seat, hand in enumerate(each.hands):
            put = {event["card"] for event in each.all("played") if event["seat"] == seat}
            assert hands[seat] == [card for card in hand if card not in put]


@given(data=st.data())
def test_stop_it_scores_are_those_of_going_out_fives_and_fewest_cards(rounds_of, data):
    position, rounds = rounds_of(data, "stop-it")
    suits = 4 if position.players == 3 else 5
    for each in rounds:
        out, hands = each.one("out")["seat"], each.one("left")["hands"]
        expected = [0] * position.players
        for event in each.all("played"):
            expected[event["seat"]] += 5 * event["card"].endswith("-5")
        expected[out] += 10 + sum(5 if card.endswith("-5") else 1 for card in chain(*hands))
        sizes = {seat: len(hand) for seat, hand in enumerate(hands) if seat != out}
        fewest = [seat for seat, size in sizes.items() if size == min(sizes.values())]
        if len(fewest) == 1:
            expected[fewest[0]] += 5
        assert each.scores == expected
        # Every Five is worth 5 to somebody, whoever has it.
        plain = [card for card in chain(*hands) if value(card) != 5]
        assert sum(each.scores) == 10 + 5 * suits + len(plain) + 5 * (len(fewest) == 1)


@given(data=st.data())
def test_stop_it_ends_with_the_first_total_that_reaches_the_target(rounds_of, data):
    position, rounds = rounds_of(data, "stop-it")
    best = [max(totals) for totals in totals_after(rounds, position.players)]
    assert [total >= position.options["target"] for total in best] == [False] * (len(best) - 1) + [
        True
    ]


@given(
    target=st.sampled_from([50, 75, 100]),
    short=st.lists(st.integers(-2, 2), min_size=3, max_size=3),
)
def test_stop_it_ends_when_a_total_is_the_target_or_more(target, short):
    position = StopIt.deal(3, {"target": target}, bytes(32))
    position.totals = [target - points for points in short]
    assert position.is_last_round() == (min(short) <= 0)


# -- Color Stock -------------------------------------------------------------------------------


def aside(position):
    """The card that nobody gets to see, with four players."""
    return position.deal_of(position.round)[1] if position.players == 4 else []


@given(data=st.data())
def test_color_stock_keeps_all_cards(played, data):
    for position, _ in played(data, "color-stock"):
        cards = Counter(chain(*position.hands, position.pile, aside(position)))
        assert cards + Counter(position.stacks) == dict.fromkeys(position.stacks, 9)


@given(data=st.data())
def test_color_stock_stacks_are_what_was_put_and_turned_up(played, data):
    for position, _ in played(data, "color-stock"):
        put = chain(*(put["cards"] for put in position.puts), *position.turned_up)
        assert Counter(put) == +Counter(position.stacks)


@given(data=st.data())
def test_color_stock_deals_as_its_rules_say(rounds_of, data):
    position, rounds = rounds_of(data, "color-stock")
    players = position.players
    assert len(rounds) == position.options["rounds"]
    for number, each in enumerate(rounds):
        assert each.leader == number % players
        assert each.sizes == [11 if players == 4 else 12] * players


@given(data=st.data())
def test_color_stock_hands_and_pile_never_run_out(played, data):
    for position, _ in played(data, "color-stock"):
        assert min(map(len, position.hands)) >= 2
        assert position.players != 2 or len(position.pile) >= 2
        assert len(aside(position)) == (position.players == 4)


@given(data=st.data())
def test_color_stock_goes_on_while_no_stack_has_six(rounds_of, data):
    position, rounds = rounds_of(data, "color-stock")
    for each in rounds:
        stacks, turns = Counter(), each.all("put", "turned_up")
        for event in turns:
            assert max(stacks.values(), default=0) < 6
            assert len(event["cards"]) == 2
            stacks.update(event["cards"])
        assert 6 <= max(stacks.values()) <= 7
        puts = [event["seat"] for event in turns if event["event"] == "put"]
        assert puts == [(each.leader + turn) % position.players for turn in range(len(puts))]
        by_two = [event["event"] for event in turns] if position.players == 2 else []
        assert by_two == (["put", "put", "turned_up"] * len(turns))[: len(by_two)]


@given(data=st.data())
def test_color_stock_scores_are_those_of_stacks_and_the_ending(rounds_of, data):
    _, rounds = rounds_of(data, "color-stock")
    for each in rounds:
        turns, hands = each.all("put", "turned_up"), each.one("left")["hands"]
        stacks = Counter(chain(*(event["cards"] for event in turns)))
        worth = {card: height if height < 6 else 0 for card, height in stacks.items()}
        expected = [sum(worth.get(card, 0) for card in hand) for hand in hands]
        ended_by = turns[-1].get("seat")
        assert each.one("over")["seat"] == ended_by
        if ended_by is not None:
            expected[ended_by] += 2
        assert each.scores == expected


def test_random_color_stock_meets_rounds_that_the_pile_ends(variants, random_players):
    """Else the properties above would say nothing about them."""
    ended_by = set()
    for variant in variants:
        if variant.game.name == "color-stock":
            for number in range(8):
                events = random_players(number).finish(variant.deal(bytes([number]) * 32))
                ended_by |= {event["seat"] for event in events if event["event"] == "over"}
    assert ended_by == {None, 0, 1, 2, 3}


# -- Ranks and faults --------------------------------------------------------------------------

totals = st.lists(st.integers(-5, 5), min_size=2, max_size=8)


@given(totals)
def test_a_rank_is_one_more_than_the_number_of_those_with_more(totals):
    assert ranks(totals, {}) == [
        1 + len([other for other in totals if other > total]) for total in totals
    ]


@st.composite
def results(draw):
    """Totals with the decisions at which some seats faulted."""
    points = draw(totals)
    faulted = draw(st.dictionaries(st.integers(0, len(points) - 1), st.integers(-1, 3)))
    return points, faulted


@given(results())
def test_whoever_faults_ranks_behind_all_who_did_not(result):
    points, faulted = result
    given_ranks = ranks(points, faulted)
    clean = [rank for seat, rank in enumerate(given_ranks) if seat not in faulted]
    assert all(given_ranks[seat] > len(clean) for seat in faulted)
    assert clean == ranks([total for seat, total in enumerate(points) if seat not in faulted], {})


@given(results())
def test_of_those_who_fault_the_earlier_ranks_lower_whatever_its_total(result):
    points, faulted = result
    given_ranks = ranks(points, faulted)
    for one in faulted:
        for other in faulted:
            earlier = faulted[one] < faulted[other]
            assert (given_ranks[one] > given_ranks[other]) == earlier


@given(results())
def test_equal_ranks_leave_the_next_ones_out(result):
    given_ranks = ranks(*result)
    assert all(sum(other < rank for other in given_ranks) == rank - 1 for rank in given_ranks)


@given(data=st.data())
def test_whoever_faults_the_leg_is_played_to_its_end(variants, random_players, data):
    variant = data.draw(st.sampled_from(variants))
    position, players = variant.deal(data.draw(seeds)), random_players(data.draw(numbers))
    seats = st.integers(0, variant.players - 1)
    when = data.draw(st.dictionaries(seats, st.integers(-1, 40), min_size=1))
    leg = Leg(position, 0, {seat: "startup" for seat in when if when[seat] < 0})
    while position.asked:
        late = [seat for seat in leg.to_answer if when.get(seat, 9999) <= len(leg.decisions)]
        moves = dict(zip(position.asked, players.moves(position), strict=True))
        answers = {seat: Answer(moves[seat], None, 0.0) for seat in leg.to_answer}
        events = leg.decide(
            {seat: answer for seat, answer in answers.items() if seat not in late},
            dict.fromkeys(late, "crashed"),
        )
        assert events[: len(late)] == [{"event": "faulted", "seat": seat} for seat in late]
    faults = [(fault["decision"], fault["seat"]) for fault in leg.faults]
    assert faults == sorted((decision, seat) for seat, decision in leg.out.items())
    assert leg.ranks == ranks(position.totals, leg.out)
    for decision in leg.decisions:
        times = zip(decision["moves"], decision["wall_ms"], strict=True)
        assert "claim" not in [move for move, wall_ms in times if wall_ms is None]
