"""The monitor of pairs: who does better against third parties when a certain other is at the table."""

from itertools import permutations

import numpy as np
import pytest

from bench.synthetic import Field, random_tables
from ratings import monitor
from ratings.fit import fit
from ratings.results import Match, Results

BOTS = 12
HELPED, HELPER = 3, 7


class Helped(Field):
    """A field in which one plays for another: whenever both are there, the other scores more."""

    help = 1.2

    def leg(self, lineups, seating, cards, chance):
        there = (lineups == HELPER).any(axis=1)[:, None] & (lineups == HELPED)
        return super().leg(lineups, seating, cards + self.help * there[:, seating], chance)


def pairs_of(kind, rounds=400, seed=6):
    chance = np.random.default_rng(seed)
    field = kind.of(BOTS, chance)
    results = field.play(random_tables(BOTS, rounds, 4, chance), chance)
    return monitor.pairs(fit(results, anchor=0), {bot: bot for bot in range(BOTS)})


def test_a_helper_is_found_and_nobody_else():
    first, *others = pairs_of(Helped)
    assert (first.one, first.other) == (HELPED, HELPER)
    assert first.is_suspicious
    assert first.z > 6
    assert first.gain > 0.1
    assert not any(pair.is_suspicious for pair in others)


def test_among_honest_bots_there_is_nothing_to_find():
    pairs = pairs_of(Field)
    assert len(pairs) == BOTS * (BOTS - 1)
    assert not any(pair.is_suspicious for pair in pairs)
    # Bots that suit each other are no helpers, but they widen the spread of z beyond chance.
    assert np.std([pair.z for pair in pairs]) < 2


def test_few_matches_are_never_suspicious():
    assert not monitor.Pair(1, 2, 49, 0.5, 9.0).is_suspicious
    assert monitor.Pair(1, 2, 50, 0.2, 4.1).is_suspicious
    assert not monitor.Pair(1, 2, 50, 0.2, 4.0).is_suspicious


def test_what_is_counted_is_the_surplus_against_third_parties():
    matches = [
        Match(1, [1, 2, 3], [[1, 2, 3]] * 6),
        Match(2, [1, 2, 3], [[1, 2, 3]] * 3 + [[3, 2, 1]] * 3),
    ]
    found = fit(Results.of(matches, players=3, legs=6), anchor=1)
    strength = dict(zip((1, 2, 3), found.strength, strict=True))
    [pair] = [
        pair
        for pair in monitor.pairs(found, {1: 1, 2: 2, 3: 3})
        if (pair.one, pair.other) == (2, 3)
    ]
    expected = 1 / (1 + np.exp(strength[1] - strength[2]))
    gains = [0 - expected, 0.5 - expected]
    assert pair.matches == 2
    assert pair.gain == pytest.approx(np.mean(gains))
    assert pair.z == pytest.approx(np.sum(gains) / np.sqrt(np.sum(np.square(gains))))


def test_versions_of_one_bot_are_watched_together():
    matches = [
        Match(at, lineup, [[1, 2, 3]] * 6) for at, lineup in enumerate(permutations([1, 2, 3]))
    ] + [Match(9, [1, 2, 4], [[1, 2, 3]] * 6)]
    found = fit(Results.of(matches, players=3, legs=6), anchor=1, previous={4: 3})
    pairs = monitor.pairs(found, {1: 1, 2: 2, 3: 3, 4: 3})
    assert {(pair.one, pair.other): pair.matches for pair in pairs} == dict.fromkeys(
        permutations([1, 2, 3], 2), 7
    )


def test_a_house_bot_on_several_seats_is_seen_once_a_match():
    found = fit(
        Results.of([Match(1, [1, 1, 2, 3], [[1, 2, 3, 4]] * 4)], players=4, legs=4), anchor=1
    )
    pairs = monitor.pairs(found, {1: 1, 2: 2, 3: 3})
    assert {(pair.one, pair.other): pair.matches for pair in pairs} == dict.fromkeys(
        permutations([1, 2, 3], 2), 1
    )


@pytest.mark.parametrize("players", [2, 4])
def test_without_third_parties_there_is_nothing_to_see(players):
    nothing = Results.of([], players=4, legs=4)
    duels = Results.of([Match(1, [1, 2], [[1, 2], [1, 2]])], players=2, legs=2)
    found = fit(duels if players == 2 else nothing, anchor=1)
    assert monitor.pairs(found, {1: 1, 2: 2}) == []
