"""The instant preview: what a match changes until the next fit."""

import pytest

from ratings import preview, scale


def test_the_formula_is_the_one_of_the_documentation():
    assert [round(preview.k_factor(m)) for m in (0, 1, 2, 10, 20, 42, 95)] == [
        160,
        133,
        114,
        53,
        32,
        17,
        8,
    ]
    assert scale.expected(1600, 1500) == pytest.approx(0.640, abs=0.001)
    shares = preview.ahead([[1, 2, 2], [1, 3, 2]])
    assert shares == [[0.5, 1, 1], [0, 0.5, 0.25], [0, 0.75, 0.5]]
    gains = preview.changes(shares, [1500.0] * 3, [0] * 3, [1, 2, 3])
    assert gains == [160 / 2 * 1.0, 160 / 2 * (-0.5 - 0.25), 160 / 2 * (-0.5 + 0.25)]
    assert sum(gains) == 0


def test_a_bot_on_several_seats_is_no_rival_of_itself():
    shares = preview.ahead([[1, 2, 3]])
    gains = preview.changes(shares, [1500.0] * 3, [0] * 3, [1, 1, 2])
    assert gains == [80, 80, -80]
