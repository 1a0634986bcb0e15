"""From a seed to cards, to the letter: the printed vectors, done again from the words of the protocol."""

import json
from hashlib import sha256
from itertools import count, islice
from pathlib import Path

import pytest

from games import GAMES, chance, game_named
from games.chance import Chance, Stream
from games.leg import Answer, Leg
from games.seating import seatings

VECTORS = json.loads(
    (Path(__file__).parents[2] / "docs" / "vectors.json").read_text(encoding="utf-8")
)
SEED = bytes.fromhex(VECTORS["seed"])
TOP = 2**64


def each(kind):
    """A test for every vector of a kind."""
    found = VECTORS[kind]
    return pytest.mark.parametrize("vector", found, ids=[str(place) for place in range(len(found))])


# -- The protocol once more, as a reader in another language would write it ------------------------


def words_of(seed, label):
    for counter in count():
        block = sha256(seed + label.encode("ascii") + counter.to_bytes(8, "big")).digest()
        for start in (0, 8, 16, 24):
            yield int.from_bytes(block[start : start + 8], "big")


def below(words, m):
    word = next(words)
    while word >= TOP // m * m:
        word = next(words)
    return word % m


def shuffled(words, things):
    cards = list(things)
    for i in range(len(cards) - 1, 0, -1):
        j = below(words, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


COLOURS = {
    "sticheln": ["red", "yellow", "green", "blue", "purple", "gray"],
    "stop-it": ["red", "yellow", "green", "blue", "black"],
    "color-stock": ["red", "yellow", "green", "blue", "purple"],
}
HIGHEST = {3: 8, 4: 11, 5: 14, 6: 14, 7: 17, 8: 18}
IN_HAND = {2: 12, 3: 12, 4: 11}


def deck_of(game, players):
    if game == "sticheln":
        colours = COLOURS[game][: 5 if players < 6 else 6]
        return [f"{colour}-{value}" for colour in colours for value in range(HIGHEST[players] + 1)]
    if game == "stop-it":
        colours = COLOURS[game][: 4 if players == 3 else 5]
        return [f"{colour}-{value}" for colour in colours for value in range(1, 11)]
    return [colour for colour in COLOURS[game][: 5 if players == 4 else 4] for _ in range(9)]


def cards_dealt(game, players, deck):
    return {
        "sticheln": players * (14 if players == 8 else 15),
        "stop-it": len(deck),
        "color-stock": players * IN_HAND.get(players, 0),
    }[game]


def prefix_of(vector):
    options = vector["options"]
    chosen = ",".join(f"{key}={options[key]}" for key in sorted(options))
    return f"{vector['game']}/{vector['players']}/{chosen}"


def chance_of(vector):
    options = game_named(vector["game"]).complete(vector["options"])
    return Chance(SEED, vector["game"], vector["players"], options)


# -- The stream of a label -------------------------------------------------------------------------


def test_the_hash_of_the_seed_is_of_its_bytes():
    assert sha256(SEED).hexdigest() == VECTORS["seed_sha256"]


@each("streams")
def test_the_words_of_a_stream_follow_from_the_protocol(vector):
    words = words_of(SEED, vector["label"])
    assert [f"{word:016x}" for word in islice(words, 8)] == vector["words"]


@each("streams")
def test_the_words_of_a_stream_are_those_of_the_vectors(vector):
    stream = Stream(SEED, vector["label"])
    # A number below 2 to the 64th is the word itself.
    assert [f"{stream.below(TOP):016x}" for _ in vector["words"]] == vector["words"]


def test_a_stream_goes_on_with_the_next_counter():
    stream, words = Stream(SEED, "test"), words_of(SEED, "test")
    assert [stream.below(TOP) for _ in range(100)] == list(islice(words, 100))


def test_two_labels_give_two_streams():
    assert Stream(SEED, "deal/1").below(TOP) != Stream(SEED, "deal/2").below(TOP)


def test_two_seeds_give_two_streams():
    assert Stream(SEED, "deal/1").below(TOP) != Stream(bytes(32), "deal/1").below(TOP)


# -- A number below m ------------------------------------------------------------------------------


@each("below")
def test_numbers_below_m_follow_from_the_protocol(vector):
    words = words_of(SEED, vector["label"])
    assert [below(words, vector["m"]) for _ in vector["numbers"]] == vector["numbers"]


@each("below")
def test_numbers_below_m_are_those_of_the_vectors(vector):
    stream = Stream(SEED, vector["label"])
    assert [stream.below(vector["m"]) for _ in vector["numbers"]] == vector["numbers"]


@each("below_with_words_passed_over")
def test_numbers_below_a_large_m_follow_from_the_protocol(vector):
    words, m = words_of(SEED, vector["label"]), int(vector["m"], 16)
    assert [f"{below(words, m):016x}" for _ in vector["numbers"]] == vector["numbers"]


@each("below_with_words_passed_over")
def test_numbers_below_a_large_m_are_those_of_the_vectors(vector):
    stream, m = Stream(SEED, vector["label"]), int(vector["m"], 16)
    assert [f"{stream.below(m):016x}" for _ in vector["numbers"]] == vector["numbers"]


def test_the_vectors_do_pass_words_over():
    (vector,) = VECTORS["below_with_words_passed_over"]
    first = next(words_of(SEED, vector["label"]))
    assert first >= int(vector["m"], 16)


def stream_of(monkeypatch, *words):
    """A stream of these words and no others."""
    monkeypatch.setattr(chance, "_words", lambda prefix: iter(words))
    return Stream(SEED, "any")


@pytest.mark.parametrize("m", [3, 5, 6, 7, 10, 100, 2**31 + 1, 2**63 + 1, TOP - 1])
def test_the_first_word_past_the_last_multiple_of_m_is_passed_over(monkeypatch, m):
    limit = TOP // m * m
    assert stream_of(monkeypatch, limit, 2).below(m) == 2


@pytest.mark.parametrize("m", [3, 5, 6, 7, 10, 100, 2**31 + 1, 2**63 + 1, TOP - 1])
def test_the_last_word_before_the_last_multiple_of_m_is_taken(monkeypatch, m):
    limit = TOP // m * m
    assert stream_of(monkeypatch, limit - 1, 0).below(m) == m - 1


def test_any_number_of_words_may_be_passed_over(monkeypatch):
    assert stream_of(monkeypatch, *[TOP - 1] * 1000, 8).below(7) == 1


@pytest.mark.parametrize("m", [1, 2, 4, 2**31, 2**63, TOP])
def test_below_a_power_of_two_no_word_is_passed_over(monkeypatch, m):
    assert stream_of(monkeypatch, TOP - 1).below(m) == m - 1


def test_each_number_takes_the_next_word(monkeypatch):
    stream = stream_of(monkeypatch, 5, TOP - 1, 13, 20)
    assert [stream.below(6), stream.below(6), stream.below(6)] == [5, 1, 2]


# -- A shuffle -------------------------------------------------------------------------------------


@each("shuffles")
def test_shuffles_follow_from_the_protocol(vector):
    assert shuffled(words_of(SEED, vector["label"]), vector["things"]) == vector["shuffled"]


@each("shuffles")
def test_shuffles_are_those_of_the_vectors(vector):
    things = list(vector["things"])
    Stream(SEED, vector["label"]).shuffle(things)
    assert things == vector["shuffled"]


def shuffle_with(monkeypatch, words, size):
    """A shuffle of 0, 1, … with these words, and the word that comes after it."""
    stream = stream_of(monkeypatch, *words)
    things = list(range(size))
    stream.shuffle(things)
    return things, stream.below(TOP)


@pytest.mark.parametrize("size", [2, 3, 7, 10, 45, 108, 114])
def test_a_shuffle_passes_over_the_same_words_as_numbers_below_m(monkeypatch, size):
    # Words close to the top, each several times: good for one m, past the limit for another.
    words = [TOP - 1 - step * 7 % (size + 3) for step in range(40 * size)] + [0] * size
    own = iter(words)
    assert shuffle_with(monkeypatch, words, size) == (shuffled(own, range(size)), next(own))


def test_a_shuffle_passes_over_the_first_word_past_the_limit(monkeypatch):
    # Below 3: the only bad word is the last one; below 2 it is good.
    assert shuffle_with(monkeypatch, [TOP - 1, 0, TOP - 1, 4], 3) == ([2, 1, 0], 4)


def test_a_shuffle_takes_the_last_word_before_the_limit(monkeypatch):
    assert shuffle_with(monkeypatch, [TOP - 2, 0, 4], 3) == ([1, 0, 2], 4)


@pytest.mark.parametrize("size", [0, 1])
def test_a_shuffle_of_nothing_or_one_thing_takes_no_word(monkeypatch, size):
    assert shuffle_with(monkeypatch, [9], size) == (list(range(size)), 9)


def test_a_shuffle_takes_one_word_less_than_there_are_things(monkeypatch):
    assert shuffle_with(monkeypatch, range(100), 10)[1] == 9


# -- Deals -----------------------------------------------------------------------------------------


@each("deals")
def test_the_label_of_a_deal_is_that_of_the_protocol(vector):
    assert vector["label"] == f"{prefix_of(vector)}/deal/{vector['round']}"


@each("deals")
def test_deals_follow_from_the_protocol(vector):
    game, players = vector["game"], vector["players"]
    deck = deck_of(game, players)
    cards = shuffled(words_of(SEED, vector["label"]), deck)
    dealt = cards_dealt(game, players, deck)
    first = (vector["round"] - 1) % players if game == "stop-it" else 0
    hands = [cards[(seat - first) % players : dealt : players] for seat in range(players)]
    assert cards == vector["shuffled"]
    assert [sorted(hand, key=deck.index) for hand in hands] == vector["hands"]
    assert cards[dealt:] == vector["left_over"]


@each("deals")
def test_deals_are_those_of_the_vectors(vector):
    position = game_named(vector["game"])(vector["players"], vector["options"], SEED)
    assert position.deal_of(vector["round"]) == (vector["hands"], vector["left_over"])


@each("deals")
def test_the_deck_before_the_shuffle_is_colour_by_colour_values_ascending(vector):
    game = game_named(vector["game"])
    options = game.complete(vector["options"])
    assert list(game.deck(vector["players"], options)) == deck_of(vector["game"], vector["players"])


@pytest.mark.parametrize("game", GAMES)
def test_there_is_a_deal_of_round_1_with_the_default_options_for_every_game(game):
    complete = game_named(game).complete({})
    assert any(
        (deal["game"], deal["round"], deal["options"]) == (game, 1, complete)
        for deal in VECTORS["deals"]
    )


def test_the_cards_turned_up_are_those_of_the_pile_in_order():
    vector = next(
        deal for deal in VECTORS["deals"] if (deal["game"], deal["players"]) == ("color-stock", 2)
    )
    position = game_named("color-stock").deal(2, {}, SEED)
    position.play([position.legal(0)[0]])
    events = position.play([position.legal(1)[-1]])
    assert events[1] == {"event": "turned_up", "cards": vector["left_over"][:2]}


# -- Dealer, claims, house, dice -------------------------------------------------------------------


@each("dealers")
def test_the_first_dealer_follows_from_the_protocol(vector):
    assert vector["label"] == f"{prefix_of(vector)}/dealer"
    assert below(words_of(SEED, vector["label"]), vector["players"]) == vector["dealer"]


@each("dealers")
def test_the_first_dealer_is_that_of_the_vectors(vector):
    position = game_named("sticheln").deal(vector["players"], vector["options"], SEED)
    assert position.opening()[0]["leader"] == vector["dealer"]


@each("claims")
def test_the_taker_of_several_claimants_follows_from_the_protocol(vector):
    claimants = vector["claimants"]
    seats = ",".join(map(str, claimants))
    label = f"{prefix_of(vector)}/claim/{vector['round']}/{vector['window']}/{seats}"
    assert vector["label"] == label
    assert claimants[below(words_of(SEED, label), len(claimants))] == vector["taker"]


@each("claims")
def test_the_taker_of_several_claimants_is_that_of_the_vectors(vector):
    drawn = chance_of(vector).claimant(vector["round"], vector["window"], vector["claimants"])
    assert drawn == vector["taker"]


@each("house")
def test_the_house_move_follows_from_the_protocol(vector):
    where = f"{vector['leg']}/{vector['decision']}/{vector['seat']}"
    assert vector["label"] == f"{prefix_of(vector)}/house/{where}"
    assert below(words_of(SEED, vector["label"]), vector["legal_moves"]) == vector["index"]


@each("house")
def test_the_house_move_is_that_of_the_vectors(vector):
    index = chance_of(vector).house(
        vector["leg"], vector["decision"], vector["seat"], vector["legal_moves"]
    )
    assert index == vector["index"]


@each("dice")
def test_the_dice_follow_from_the_protocol(vector):
    assert vector["label"] == f"{prefix_of(vector)}/dice/{vector['leg']}/{vector['seat']}"
    assert below(words_of(SEED, vector["label"]), 2**31) == vector["dice"]


@each("dice")
def test_the_dice_are_those_of_the_vectors(vector):
    assert chance_of(vector).dice(vector["leg"], vector["seat"]) == vector["dice"]


@each("seatings")
def test_the_seatings_are_those_of_the_vectors(vector):
    assert seatings(vector["players"]) == vector["legs"]


# -- Labels ----------------------------------------------------------------------------------------


@pytest.fixture
def labels(monkeypatch):
    """The labels of all streams that are opened."""
    opened = []

    class Recorded(Stream):
        def __init__(self, seed, label):
            opened.append(label)
            super().__init__(seed, label)

    monkeypatch.setattr(chance, "Stream", Recorded)
    return opened


def play_out(position, move):
    while position.asked:
        position.play([move(position, seat) for seat in position.asked])


def first_legal(position, seat):
    return position.legal(seat)[0]


def test_a_game_of_sticheln_draws_its_deals_and_nothing_else(labels):
    play_out(game_named("sticheln").deal(4, {}, SEED), first_legal)
    prefix = "sticheln/4/all_zero_trick=first,rules=sticheln"
    assert labels == [f"{prefix}/deal/{number}" for number in (1, 2, 3, 4)]


def test_a_game_of_misery_draws_its_first_dealer_too(labels):
    play_out(game_named("sticheln").deal(3, {"rules": "misery"}, SEED), first_legal)
    prefix = "sticheln/3/all_zero_trick=first,rules=misery"
    deals = {f"{prefix}/deal/{number}" for number in (1, 2, 3, 4, 5)}
    assert set(labels) == deals | {f"{prefix}/dealer"}


def test_a_game_of_color_stock_draws_its_deals_and_nothing_else(labels):
    play_out(game_named("color-stock").deal(2, {}, SEED), first_legal)
    assert labels == [f"color-stock/2/rounds=3/deal/{number}" for number in (1, 2, 3)]


def test_options_stand_sorted_by_key_in_a_label_whatever_their_order():
    options = {"rules": "stick-em", "all_zero_trick": "first"}
    position = game_named("sticheln").deal(6, options, SEED)
    assert position.chance.prefix == "sticheln/6/all_zero_trick=first,rules=stick-em"


def test_defaults_are_filled_in_in_a_label():
    position = game_named("sticheln").deal(6, {"rules": "stick-em"}, SEED)
    assert position.chance.prefix == "sticheln/6/all_zero_trick=nobody,rules=stick-em"


def test_a_claim_of_two_or_more_is_drawn_by_round_window_and_claimants_ascending(labels):
    position = game_named("stop-it").deal(4, {}, SEED)
    position.play([position.legal(0)[0]])
    position.play(["pass", "pass", "pass", "pass"])
    # Whether a card was forced or somebody leads again, the next window is the second.
    if position.phase == "lead":
        position.play([position.legal(position.asked[0])[0]])
    position.play(["claim", "pass", "claim", "claim"])
    assert labels == ["stop-it/4/target=50/deal/1", "stop-it/4/target=50/claim/1/1/0,2,3"]


def test_a_single_claim_is_not_drawn(labels):
    position = game_named("stop-it").deal(3, {"target": 75}, SEED)
    position.play([position.legal(0)[0]])
    position.play(["pass", "claim", "pass"])
    assert labels == ["stop-it/3/target=75/deal/1"]


def test_windows_with_one_claim_count_for_the_next_draw(labels):
    position = game_named("stop-it").deal(4, {}, SEED)
    position.play([position.legal(0)[0]])
    position.play(["pass", "claim", "pass", "pass"])
    position.play([position.legal(1)[0]])
    position.play(["claim", "pass", "claim"])
    assert labels[-1] == "stop-it/4/target=50/claim/1/1/0,3"


def test_a_house_move_is_drawn_by_leg_decision_and_seat(labels):
    leg = Leg(game_named("color-stock").deal(2, {}, SEED), 1, {})
    leg.decide({0: Answer(leg.position.legal(0)[0], None, 0)}, {})
    leg.decide({}, {1: "illegal"})
    assert labels[-1] == "color-stock/2/rounds=3/house/1/1/1"


def test_a_decision_of_the_house_alone_counts_like_any_other(labels):
    leg = Leg(game_named("color-stock").deal(2, {}, SEED), 0, {0: "startup", 1: "startup"})
    for _ in range(3):
        leg.decide({}, {})
    assert labels[1:] == [f"color-stock/2/rounds=3/house/0/{d}/{d % 2}" for d in range(3)]


def test_the_house_draws_nothing_in_a_window(labels):
    leg = Leg(game_named("stop-it").deal(3, {}, SEED), 0, {2: "startup"})
    leg.decide({0: Answer(leg.position.legal(0)[0], None, 0)}, {})
    leg.decide({0: Answer("pass", None, 0), 1: Answer("pass", None, 0)}, {})
    assert not any("/house/" in label for label in labels)


def test_dice_are_drawn_by_leg_and_seat(labels):
    Chance(SEED, "stop-it", 3, {"target": 50}).dice(5, 2)
    assert labels == ["stop-it/3/target=50/dice/5/2"]


def test_dice_are_below_2_to_the_31st():
    drawn = Chance(SEED, "stop-it", 3, {"target": 50})
    dice = [drawn.dice(leg, seat) for leg in range(100) for seat in range(3)]
    assert all(0 <= number < 2**31 for number in dice)
    assert max(dice) > 2**30


# -- Draws do not depend on each other -------------------------------------------------------------


def test_the_order_of_draws_changes_none_of_them():
    one, other = (Chance(SEED, "stop-it", 4, {"target": 50}) for _ in range(2))
    first = (one.dice(0, 0), one.house(0, 3, 1, 9), one.deal(2, range(50)))
    second = (other.deal(2, range(50)), other.house(0, 3, 1, 9), other.dice(0, 0))
    assert first == second[::-1]


@pytest.mark.parametrize("game", GAMES)
def test_house_moves_do_not_change_a_later_deal(game):
    def deals(number, at_startup):
        leg = Leg(game_named(game).deal(3, {}, SEED), number, at_startup)
        while leg.position.asked:
            first = {s: Answer(leg.position.legal(s)[0], None, 0) for s in leg.to_answer}
            leg.decide(first, {})
        return [event for event in leg.events if event["event"] == "dealt"]

    played, by_the_house = deals(0, {}), deals(1, dict.fromkeys(range(3), "startup"))
    both = min(len(played), len(by_the_house))
    assert both > 3
    assert played[:both] == by_the_house[:both]


@pytest.mark.parametrize("game", GAMES)
def test_all_legs_have_the_same_deals(game):
    openings = [Leg(game_named(game).deal(3, {}, SEED), number, {}).events for number in range(6)]
    assert all(opening == openings[0] for opening in openings)
