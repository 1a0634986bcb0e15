"""The sequential test: the arithmetic, the bounds, and what it says."""

import math

import pytest

from ratings.comparison import CLEAR, LEAST_UNITS, Comparison, Unit, Verdict, unit_of


def after(*units, most_games=4000):
    comparison = Comparison(most_games)
    for unit in units:
        comparison = comparison.plus(Unit(*unit))
    return comparison


def test_a_unit_is_two_games():
    assert unit_of([(1, 2), (3, 1)], [(12, 5), (-3, 9)]) == Unit(2, -5)
    assert unit_of([(1, 4), (2, 2)], [(8, 0), (4, 4)]) == Unit(3, 8)
    assert unit_of([(4, 1), (3, 2)], [(0, 8), (1, 4)]) == Unit(0, -11)


def test_the_evidence_is_that_of_the_formula():
    halves = [2, 2, 4, 1, 3, 2, 2, 0, 4, 3]
    found = after(*((half, half - 2) for half in halves))
    shares = [half / 4 for half in halves]
    mean = sum(shares) / 10
    variance = sum((share - mean) ** 2 for share in shares) / 10 + 0.5 / 10
    better = 1 / (1 + 10 ** (-20 / 400))
    expected = 10 * (better - 0.5) * (2 * mean - 0.5 - better) / (2 * variance)
    assert found.evidence == pytest.approx(expected)
    assert pytest.approx(2.944, abs=0.001) == CLEAR


def test_nothing_is_said_before_16_units():
    wins = [(4, 10)] * (LEAST_UNITS - 1)
    assert after(*wins).verdict is None
    assert after(*wins, (4, 10)).verdict is Verdict.BETTER


@pytest.mark.parametrize(
    ("unit", "verdict", "words"),
    [
        ((4, 8), Verdict.BETTER, "The new one is better: +"),
        ((0, -8), Verdict.NO_GAIN, "No gain of 20 Elo: −"),
        ((2, 0), Verdict.NO_GAIN, "No gain of 20 Elo: 0 ±"),
    ],
)
def test_the_answer_is_given_in_words(unit, verdict, words):
    found = after(*[unit] * 100)
    assert found.verdict is verdict
    assert found.words().text([]).startswith(words)


def test_without_an_answer_it_ends_at_the_number_of_games():
    even = [(4, 8), (0, -8)]
    assert after(*even * 8, most_games=34).verdict is None
    found = after(*even * 8, (2, 0), most_games=34)
    assert found.verdict is Verdict.TOO_CLOSE
    assert found.words().text([]).startswith("Too close to tell after 34 games: 0 ±")


def test_before_the_answer_the_words_say_so():
    assert after((4, 8), (0, -8)).words().text([]).startswith("Not clear yet: 0 ±")


def test_versions_that_rarely_differ_are_not_judged_by_a_few_deals():
    assert after(*[(2, 0)] * 40).verdict is None
    assert after(*[(2, 0)] * 70).verdict is Verdict.NO_GAIN


def test_the_gain_is_on_the_scale_of_ratings():
    found = after(*[(4, 1)] * 64, *[(0, -1)] * 36)
    assert found.share == 0.64
    assert found.gain.value == pytest.approx(100, abs=0.1)
    error = math.sqrt((0.64 * 0.36 + 0.5 / 100) / 100)
    assert found.gain.plus_minus == pytest.approx(1.96 * error * 400 / math.log(10) / (0.64 * 0.36))


def test_who_has_won_everything_is_not_infinitely_strong():
    found = after(*[(4, 5)] * 20)
    assert 400 < found.gain.value < 1200
    assert math.isfinite(found.gain.plus_minus)


def test_the_lead_in_points_is_of_one_game():
    found = after((4, 10), (0, 2), (2, 6))
    assert found.lead.value == 3.0
    deviation = math.sqrt(((5 - 3) ** 2 + (1 - 3) ** 2 + 0) / 3)
    assert found.lead.plus_minus == pytest.approx(1.96 * deviation / math.sqrt(3))
