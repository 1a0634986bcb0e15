"""What every game keeps to, whatever its rules are; a game is tested by being registered."""

import json
import re
from collections import Counter
from itertools import chain
from random import Random

import pytest

from games import GAMES, Refusal, game_named
from games.base import may_know

SEED, OTHER_SEED = bytes(range(32)), bytes(range(1, 33))

# Playing to the end takes time, so it is done from some questions only; each seat has its turn.
FINISH_EVERY = 31

# In these events cards come up that nobody could know before.
REVEALING = {"turned_up", "left"}


def text(thing):
    return json.dumps(thing, ensure_ascii=False)


def questions(position, players, rounds=2):
    """Stops before every decision of the first rounds; gives the moves that it will play."""
    while position.asked and position.round <= rounds:
        moves = players.moves(position)
        yield moves
        position.play(moves)


def shown(position):
    """All that anybody is shown of a position, as text."""
    legal = {seat: position.legal(seat) for seat in position.asked}
    return text([[position.view(seat) for seat in range(position.players)], legal, position.totals])


def inside(position):
    """All that a position is, hidden cards included, as text."""
    # What the seed gives is the same for all copies, whoever asks for it first.
    drawn = {"chance", "shuffled"}
    return repr({name: value for name, value in vars(position).items() if name not in drawn})


def hidden_cards(position, seat):
    """The cards that a seat cannot see: the other hands by seat, then what lies face down."""
    others = [hand for other, hand in enumerate(position.hands) if other != seat]
    left_over, view = position.deal_of(position.round)[1], position.view(seat)
    shown = [*view.get("undealt", []), *chain(*view.get("turned_up", []))]
    assert left_over[: len(shown)] == shown
    return [*chain(*others), *left_over[len(shown) :]]


def rebuilt(position, seat, cards):
    """The position that a seat takes it for, who believes the hidden cards to lie like this."""
    view = json.loads(text(position.view(seat)))
    return type(position).from_view(view, position.options, cards, position.chance.seed)


def otherwise_dealt(position, seat, dice):
    """The position with the hidden cards in other places."""
    unseen = type(position).unseen(position.view(seat), position.options)
    dice.shuffle(unseen)
    return rebuilt(position, seat, unseen)


def known_before(events, seat):
    """What a seat sees happen, up to the first card that nobody could know before."""
    known = []
    for event in events:
        if event["event"] in REVEALING or event.get("forced"):
            break
        if may_know(event, seat):
            known.append(event)
    return known


# -- Playing -----------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, 1])
def test_a_random_game_ends(variant, random_players, number):
    position = variant.deal(SEED)
    players = random_players(number)
    for _ in range(5000):
        if not position.asked:
            break
        position.play(players.moves(position))
    assert position.over
    assert len(position.totals) == variant.players
    assert [sum(column) for column in zip(*position.scores, strict=True)] == position.totals


def test_the_asked_seats_ascend_and_each_has_a_move(variant, random_players):
    position = variant.deal(SEED)
    for _ in questions(position, random_players(1)):
        assert list(position.asked) == sorted(set(position.asked))
        assert set(position.asked) <= set(range(variant.players))
        assert all(position.legal(seat) for seat in position.asked)


def test_legal_moves_are_sorted_and_stand_once_each(variant, random_players):
    position = variant.deal(SEED)
    deck = variant.game.deck(variant.players, variant.options)

    def place(move):
        return [deck.index(card) for card in move.split("+")]

    for _ in questions(position, random_players(1)):
        for seat in position.asked:
            legal = position.legal(seat)
            assert len(legal) == len(set(legal))
            assert legal == ["claim", "pass"] or legal == sorted(legal, key=place)


def test_hands_are_sorted_by_colour_then_value(variant, random_players):
    position = variant.deal(SEED)
    deck = variant.game.deck(variant.players, variant.options)
    for _ in questions(position, random_players(1)):
        for seat in position.asked:
            hand = position.view(seat)["hand"]
            assert hand == sorted(hand, key=deck.index)


def test_a_view_is_json_and_comes_back_equal(variant, random_players):
    position = variant.deal(SEED)
    for _ in questions(position, random_players(1)):
        for seat in position.asked:
            view = position.view(seat)
            assert json.loads(text(view)) == view


def test_events_are_json_and_come_back_equal(variant, random_players):
    position = variant.deal(SEED)
    events = position.opening() + random_players(1).finish(position)
    assert json.loads(text(events)) == events


# -- Secrets -----------------------------------------------------------------------------------


def test_what_a_seat_cannot_see_is_what_its_view_leaves_open(variant, random_players):
    position = variant.deal(SEED)
    for _ in questions(position, random_players(1)):
        for seat in position.asked:
            unseen = variant.game.unseen(position.view(seat), variant.options)
            assert Counter(unseen) == Counter(hidden_cards(position, seat))


def test_view_and_legal_moves_do_not_depend_on_hidden_cards(variant, random_players):
    position, dice = variant.deal(SEED), Random(0)
    for _ in questions(position, random_players(1)):
        for seat in position.asked:
            other = otherwise_dealt(position, seat, dice)
            assert other.asked == position.asked
            assert text(other.view(seat)) == text(position.view(seat))
            assert other.legal(seat) == position.legal(seat)


def test_what_a_seats_own_move_shows_it_does_not_depend_on_hidden_cards(variant, random_players):
    position, dice = variant.deal(SEED), Random(0)
    for moves in questions(position, random_players(1)):
        if len(position.asked) == 1:
            (seat,) = position.asked
            events = otherwise_dealt(position, seat, dice).play(moves)
            true_events = position.copy().play(moves)
            assert known_before(events, seat) == known_before(true_events, seat)


def test_hidden_cards_can_lie_otherwise(variant):
    position = variant.deal(SEED)
    seat = position.asked[0]
    assert otherwise_dealt(position, seat, Random(0)).hands != position.hands


def test_no_other_seats_hand_is_among_the_events_a_seat_may_know(variant):
    events = variant.deal(SEED).opening()
    for seat in range(variant.players):
        known = [event for event in events if may_know(event, seat)]
        assert [event["seat"] for event in known if event["event"] == "dealt"] == [seat]
        assert len(known) == len(events) - (variant.players - 1)


# -- Searching ---------------------------------------------------------------------------------


def test_a_position_rebuilt_from_a_view_can_be_played_to_the_end(variant, random_players):
    position, dice = variant.deal(SEED), Random(0)
    for number, _ in enumerate(questions(position, random_players(1))):
        if number % FINISH_EVERY == 0:
            other = otherwise_dealt(position, position.asked[-1], dice)
            random_players(number).finish(other)
            assert other.over
            assert other.scores[: len(position.scores)] == position.scores


def test_a_position_rebuilt_with_the_true_cards_goes_on_like_the_original(variant, random_players):
    position = variant.deal(SEED)
    for moves in questions(position, random_players(1)):
        for seat in position.asked:
            other = rebuilt(position, seat, hidden_cards(position, seat))
            assert (other.hands, other.starter) == (position.hands, position.starter)
            assert text(other.play(moves)) == text(position.copy().play(moves))


def test_playing_on_a_copy_leaves_the_original_alone(variant, random_players):
    position = variant.deal(SEED)
    for number, moves in enumerate(questions(position, random_players(1))):
        before, twin = inside(position), position.copy()
        twin.play(moves)
        if number % FINISH_EVERY == 0:
            before_shown = shown(position)
            random_players(number).finish(twin)
            assert shown(position) == before_shown
        assert inside(position) == before


def test_playing_on_leaves_a_copy_alone(variant, random_players):
    position = variant.deal(SEED)
    first, first_shown = position.copy(), shown(position)
    latest, as_copied = first, inside(first)
    for _ in questions(position, random_players(1)):
        assert inside(latest) == as_copied
        latest, as_copied = position.copy(), inside(position)
    assert shown(first) == first_shown


def test_a_game_played_on_copies_of_copies_is_the_same_game(variant, random_players):
    position, twin = variant.deal(SEED), variant.deal(SEED)
    for moves in questions(position, random_players(1)):
        assert inside(twin) == inside(position)
        twin = twin.copy()
        twin.play(moves)


def test_views_taken_and_events_told_are_never_changed_by_later_play(variant, random_players):
    position = variant.deal(SEED)
    told = [position.opening()]
    as_told = [text(told[0])]
    players = random_players(1)
    while position.asked:
        told += [
            [position.view(seat) for seat in position.asked],
            position.legal(position.asked[0]),
        ]
        as_told += [text(thing) for thing in told[-2:]]
        told.append(position.play(players.moves(position)))
        as_told.append(text(told[-1]))
    assert [text(thing) for thing in told] == as_told


# -- Chance ------------------------------------------------------------------------------------


def recorded(variant, seed, players):
    position = variant.deal(seed)
    record = [position.opening()]
    while position.asked:
        record.append([position.view(seat) for seat in position.asked])
        record.append(position.play(players.moves(position)))
    return text(record).encode()


def test_the_same_seed_and_moves_give_the_same_bytes(variant, random_players):
    first = recorded(variant, SEED, random_players(1))
    assert recorded(variant, SEED, random_players(1)) == first


def test_another_seed_gives_another_deal(variant):
    assert variant.deal(OTHER_SEED).hands != variant.deal(SEED).hands


def test_each_round_is_dealt_anew(variant):
    position = variant.deal(SEED)
    assert position.deal_of(2) != position.deal_of(1)


def test_no_move_changes_a_later_deal(variant, random_players):
    def deals(number):
        position = variant.deal(SEED)
        events = position.opening() + random_players(number).finish(position)
        kinds = ("dealt", "undealt")
        return [event for event in events if event["event"] in kinds]

    pairs = list(zip(deals(0), deals(1), strict=False))
    assert len(pairs) >= variant.players
    assert all(first == second for first, second in pairs)


def test_the_game_its_options_and_the_number_of_players_are_part_of_every_draw(variants):
    prefixes = [variant.deal(SEED).chance.prefix for variant in variants]
    assert len(set(prefixes)) == len(prefixes)


# -- Refusals ----------------------------------------------------------------------------------

games = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def wrong_values(game):
    for key, values in game.choices.items():
        for wrong in ["", "nonsense", None, [], {}, -1, 2, 10**9]:
            yield key, wrong
        for value in values:
            yield key, [value]
            if isinstance(value, int):
                yield from ((key, like) for like in (float(value), str(value), f"{value} "))
            else:
                yield from ((key, like) for like in (value.upper(), f" {value}", value.encode()))
        if 1 in values:
            yield key, True


def test_an_unknown_game_is_refused_by_naming_those_there_are():
    with pytest.raises(Refusal, match="chess") as refusal:
        game_named("chess")
    assert all(name in str(refusal.value) for name in GAMES)


@games
def test_a_game_is_found_by_its_name(game):
    assert game_named(game.name) is game


@games
def test_an_unknown_option_is_refused_by_naming_those_there_are(game):
    with pytest.raises(Refusal, match="colour_of_the_table") as refusal:
        game.deal(3, {"colour_of_the_table": "green"}, SEED)
    assert all(key in str(refusal.value) for key in game.choices)


@games
def test_a_wrong_value_is_refused_by_naming_the_right_ones(game):
    for key, wrong in wrong_values(game):
        with pytest.raises(Refusal, match=re.escape(repr(wrong))) as refusal:
            game.deal(3, {key: wrong}, SEED)
        assert key in str(refusal.value)
        assert all(str(value) in str(refusal.value) for value in game.choices[key])


def test_true_is_no_1_and_neither_is_one_with_decimals():
    counted = [("color-stock", "rounds", True), ("color-stock", "rounds", 1.0)]
    for name, key, like_one in counted:
        with pytest.raises(Refusal, match="3, 1"):
            GAMES[name].deal(2, {key: like_one}, SEED)


def test_a_number_of_players_out_of_range_is_refused_by_naming_the_range(variant):
    game, options, _ = variant
    counts = game.player_counts(options)
    for players in (-1, 0, 1, counts[0] - 1, counts[-1] + 1, 100):
        with pytest.raises(Refusal, match=f"{counts[0]} to {counts[-1]} players") as refusal:
            game.deal(players, options, SEED)
        assert all(str(value) in str(refusal.value) for value in options.values())


@pytest.mark.parametrize(
    ("name", "options", "most"),
    [
        ("sticheln", {"rules": "stick-em"}, 6),
        ("sticheln", {"rules": "misery"}, 7),
        ("sticheln", {"rules": "sticheln"}, 8),
        ("sticheln", {}, 8),
        ("stop-it", {}, 5),
        ("color-stock", {}, 4),
    ],
)
def test_each_rule_set_is_for_as_many_players_as_its_rulebook_says(name, options, most):
    game = GAMES[name]
    counts = game.player_counts(game.complete(options))
    assert list(counts) == list(range(2 if name == "color-stock" else 3, most + 1))
    game.deal(most, options, SEED)
    with pytest.raises(Refusal):
        game.deal(most + 1, options, SEED)


@pytest.mark.parametrize(
    ("name", "given", "complete"),
    [
        ("sticheln", {}, {"rules": "sticheln", "all_zero_trick": "first"}),
        (
            "sticheln",
            {"all_zero_trick": "nobody"},
            {"rules": "sticheln", "all_zero_trick": "nobody"},
        ),
        ("sticheln", {"rules": "stick-em"}, {"rules": "stick-em", "all_zero_trick": "nobody"}),
        ("sticheln", {"rules": "misery"}, {"rules": "misery", "all_zero_trick": "first"}),
        ("stop-it", {}, {"target": 50}),
        ("color-stock", {}, {"rounds": 3}),
    ],
)
def test_options_not_given_are_filled_in_as_the_rules_say(name, given, complete):
    assert GAMES[name].complete(given) == complete
    assert GAMES[name].deal(3, given, SEED).options == complete


def test_complete_options_are_taken_as_they_are(variant):
    assert variant.game.complete(variant.options) == variant.options
    assert variant.deal(SEED).options == variant.options
