"""Who plays whom: random tables, one bot an owner, house bots where they are needed."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.draw import Entrant, table

ANCHOR = Entrant(900, "house 900", "anchor", 1500, 10, 10_000, False, True, True)
HOUSE = [
    ANCHOR,
    Entrant(901, "house 901", "simple", 1400, 10, 10_000, False, True),
    Entrant(902, "house 902", "random", 1100, 10, 10_000, False, True),
]


def bot(number, **more):
    known = {"rating": 1500.0, "plus_minus": 30.0, "matches": 100, "is_provisional": False}
    return Entrant(
        **{"id": number, "owner": f"owner {number}", "program": f"{number:064x}", **known, **more}
    )


def field(number, **more):
    return [bot(at, **more) for at in range(number)]


def ids(entrants):
    return sorted(entrant.id for entrant in entrants)


entrants = st.lists(
    st.builds(
        lambda number, owner, program, rating, matches, provisional, met: bot(
            number,
            owner=owner,
            program=program,
            rating=rating,
            matches=matches,
            is_provisional=provisional,
            met=met,
        ),
        st.integers(0, 500),
        st.sampled_from("abcdefg"),
        st.sampled_from("pqrstuvw"),
        st.floats(500, 2500),
        st.integers(0, 40),
        st.booleans(),
        st.dictionaries(st.sampled_from("abcdefg"), st.integers(0, 40)),
    ),
    max_size=20,
    unique_by=lambda entrant: entrant.id,
)


@settings(deadline=None)
@given(entrants, st.integers(0, 3), st.integers(2, 8), st.randoms(use_true_random=False))
def test_no_table_holds_two_bots_of_an_owner_or_of_one_program(bots, house, players, chance):
    drawn = table([*bots, *HOUSE[:house]], players, chance)
    if drawn is None:
        return
    assert len(drawn) == players
    assert len({entrant.id for entrant in drawn}) > 1
    others = [entrant for entrant in drawn if not entrant.is_house]
    assert len({entrant.owner for entrant in others}) == len(others)
    assert len({entrant.program for entrant in others}) == len(others)


@given(st.integers(2, 8), st.randoms(use_true_random=False))
def test_where_there_are_enough_owners_the_table_is_filled(players, chance):
    drawn = table(field(players), players, chance)
    assert ids(drawn) == list(range(players))


# -- Who is first ---------------------------------------------------------------------------------


def test_who_has_the_fewest_matches_plays():
    bots = [*field(20), bot(77, matches=3)]
    for seed in range(20):
        assert 77 in ids(table(bots, 4, Random(seed)))


def test_of_those_with_equally_few_the_least_sure_one_plays():
    bots = [*field(20), bot(77, plus_minus=60)]
    for seed in range(20):
        assert 77 in ids(table(bots, 4, Random(seed)))


def test_the_rest_is_drawn_evenly():
    bots = [*field(40), bot(77, matches=3)]
    seen = Counter()
    for seed in range(1300):
        seen.update(ids(table(bots, 4, Random(seed))))
    del seen[77]
    assert len(seen) == 40
    assert all(60 < count < 140 for count in seen.values())  # 97.5 on average


def test_the_lineup_is_in_no_order():
    bots = [*field(3), bot(77, matches=0)]
    places = Counter([e.id for e in table(bots, 4, Random(seed))].index(77) for seed in range(400))
    assert all(70 < places[place] < 130 for place in range(4))


# -- Within reach ---------------------------------------------------------------------------------


def test_opponents_are_at_most_400_points_away_if_there_are_enough():
    near = [bot(at, rating=1500 + 30 * at) for at in range(1, 13)]
    far = [bot(100 + at, rating=2000.0) for at in range(30)]
    first = bot(0, matches=0)
    for seed in range(100):
        drawn = table([first, *near, *far], 4, Random(seed))
        assert max(entrant.id for entrant in drawn) < 100


def test_the_reach_grows_until_twelve_are_within():
    ladder = [bot(at, rating=1500 + 100 * at, matches=100 if at else 0) for at in range(30)]
    seen = set()
    for seed in range(300):
        seen.update(ids(table(ladder, 4, Random(seed))))
    assert seen == set(range(13))


@pytest.mark.parametrize("who", ["first", "others"])
def test_where_little_is_known_nobody_is_too_far(who):
    near = field(20, matches=50)
    far = [bot(100, rating=2600.0, is_provisional=who == "others", matches=50)]
    first = bot(77, matches=0, is_provisional=who == "first")
    seen = {e.id for seed in range(300) for e in table([first, *near, *far], 4, Random(seed))}
    assert 100 in seen


def test_if_the_near_ones_are_all_of_one_owner_others_come_too():
    near = field(20, owner="alice")
    far = [bot(100 + at, rating=2600.0) for at in range(2)]
    drawn = table([bot(77, matches=0), *near, *far], 4, Random(1))
    assert {77, 100, 101} < set(ids(drawn))


# -- Not always the same --------------------------------------------------------------------------


def play(bots, players, matches, seed=1):
    """Lets a ladder play and counts who met whose."""
    chance, bots = Random(seed), {entrant.id: entrant for entrant in bots}
    for _ in range(matches):
        drawn = table(list(bots.values()), players, chance)
        with_house = any(entrant.is_house for entrant in drawn)
        for entrant in {entrant.id: entrant for entrant in drawn}.values():
            met = Counter(entrant.met)
            met.update({other.owner for other in drawn} - {entrant.owner})
            bots[entrant.id] = replace(
                entrant,
                matches=entrant.matches + 1,
                met=met,
                since_house=0 if with_house else entrant.since_house + 1,
            )
    return bots.values()


def test_at_most_a_quarter_of_the_matches_are_against_one_owner():
    crowd = [bot(at, owner="alice", matches=0) for at in range(30)]
    others = [bot(100 + at, matches=0) for at in range(20)]
    for entrant in play([*crowd, *others], 4, 1000):
        if entrant.owner != "alice":
            assert entrant.matches >= 60
            assert entrant.met["alice"] <= entrant.matches / 4 + 2


def test_a_newcomer_is_first_however_few_owners_there_are_to_meet():
    bots = list(play(field(15, matches=0), 4, 400))
    newcomer = bot(77, matches=5, met={f"owner {at}": 1 for at in range(15)})
    for seed in range(20):
        assert 77 in ids(table([*bots, newcomer], 4, Random(seed)))


def test_on_a_small_ladder_owners_meet_more_often_and_all_alike():
    for entrant in play(field(6, matches=0), 4, 600):
        shares = [count / entrant.matches for count in entrant.met.values()]
        assert len(shares) == 5
        assert all(0.5 < share < 0.7 for share in shares)


def test_everybody_plays_as_often_as_the_others():
    matches = [entrant.matches for entrant in play(field(21, matches=0), 4, 500)]
    assert max(matches) - min(matches) <= 12
    assert sum(matches) == 2000


# -- House bots -----------------------------------------------------------------------------------


def test_about_every_tenth_match_has_a_house_bot_half_of_the_time_the_anchor():
    played = play([*field(80, matches=0), *HOUSE[:2]], 4, 3000)
    house = Counter()
    for entrant in played:
        if not entrant.is_house:
            met = {owner: count for owner, count in entrant.met.items() if "house" in owner}
            assert 0.07 < sum(met.values()) / entrant.matches < 0.2
            house.update(met)
    assert house[ANCHOR.owner] / house.total() == pytest.approx(0.5, abs=0.1)


def test_who_has_long_not_met_the_house_does_now():
    bots = [*field(30), bot(77, matches=0, since_house=9), *HOUSE]
    drawn = [table(bots, 4, Random(seed)) for seed in range(100)]
    assert all(any(entrant.is_house for entrant in seats) for seats in drawn)
    assert 30 < sum(ANCHOR in seats for seats in drawn) < 70


def test_house_bots_fill_the_seats_that_are_left():
    drawn = table([bot(1), bot(2), *HOUSE[:1]], 5, Random(1))
    assert ids(drawn) == [1, 2, 900, 900, 900]
    assert ids(table([bot(1), *HOUSE], 4, Random(1))) == [1, 900, 901, 902]


def test_bots_of_one_owner_play_with_the_house_in_turn():
    pair = [bot(1, owner="alice", matches=0), bot(2, owner="alice", matches=1)]
    assert ids(table([*pair, *HOUSE], 4, Random(1))) == [1, 900, 901, 902]


def test_a_copy_of_a_house_bot_does_not_sit_with_it():
    copy = bot(1, program=ANCHOR.program)
    for seed in range(20):
        assert 900 not in ids(table([copy, *HOUSE], 4, Random(seed)))


@pytest.mark.parametrize(
    "entrants",
    [[], [bot(1)], [bot(1), bot(2)], [bot(1, owner="alice"), bot(2, owner="alice")], [ANCHOR]],
    ids=["none", "one", "too few", "one owner", "only the anchor"],
)
def test_where_no_table_can_be_filled_there_is_none(entrants):
    assert table(entrants, 4, Random(1)) is None


def test_house_bots_play_among_themselves_when_nobody_else_is_there():
    assert set(ids(table(HOUSE, 4, Random(1)))) == {900, 901, 902}
