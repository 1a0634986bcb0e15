"""What people and bots may be called."""

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.models import User
from accounts.names import ALLOWED, BONES, LEAST, MOST, check_name, skeleton
from accounts.services import check_user_name

NAMES = st.from_regex(f"[A-Za-z][A-Za-z0-9_-]{{{LEAST - 1},{MOST - 1}}}", fullmatch=True)


def refusal(name):
    with pytest.raises(ValidationError) as refused:
        check_name(name)
    return refused.value


@pytest.mark.parametrize(
    "name", ["bob", "Alice", "charlie_7", "red-dragon", "x" * MOST, "a-1", "administration"]
)
def test_a_plain_name_is_fine(name):
    check_name(name)


@pytest.mark.parametrize("name", ["", "al", "x" * (MOST + 1)])
def test_a_name_that_is_too_short_or_long_is_told_its_length(name):
    error = refusal(name)
    assert error.code == "length"
    assert f"3 to 24 letters; this one has {len(name)}" in error.message


@pytest.mark.parametrize(
    "name",
    [
        "al ice",
        "älice",
        "\u0430lice",
        "alice\n",
        "al/ice",
        "al.ice",
        "<b>",
        "\uff11\uff12\uff13",
        "a\u200bbc",
    ],
)
def test_a_name_has_only_letters_that_everybody_can_type(name):
    assert refusal(name).code == "letters"


@pytest.mark.parametrize("name", ["1alice", "-alice", "_alice"])
def test_a_name_begins_with_a_letter(name):
    assert "begins with a letter" in refusal(name).message


@pytest.mark.parametrize(
    "name",
    [
        *("admin", "Admin", "ADMIN", "adm1n", "ad-min", "a_d_m_i_n", "acimln", "adrnin", "aclmin"),
        *("root", "r00t", "kibitz", "K1bitz", "new", "deleted-7", "deleted", "De1eted_7"),
        *("house", "House-Simple", "h0use-bot", "moderator", "rnoderator", "www", "vvww"),
    ],
)
def test_what_is_kept_for_the_site_is_refused_in_any_disguise(name):
    assert refusal(name).code == "reserved"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("alice", "Alice"),
        ("alice", "a1ice"),
        ("alice", "aIice"),
        ("alice", "AL-ICE"),
        ("alice", "al_ice_"),
        ("bob", "b0b"),
        ("bob", "8ob"),
        ("modern", "rnodern"),
        ("modern", "moclern"),
        ("clan", "dan"),
        ("c1an", "clan"),
        ("c1an", "dan"),
        ("cian", "dan"),
        ("wanda", "vvanda"),
        ("vwfan", "vvvfan"),
        ("wvfan", "vvvfan"),
        ("a-r-n", "am"),
        ("sam5", "sarns"),
        ("max2", "maxz"),
        ("gang", "9ang"),
        ("gang", "qanq"),
    ],
)
def test_names_that_look_alike_have_one_skeleton(one, other):
    assert skeleton(one) == skeleton(other)


def test_names_that_only_count_up_do_not_look_alike():
    counted = [f"bot{number}" for number in range(100)]
    assert len({skeleton(name) for name in counted}) == len(counted)


@pytest.mark.parametrize(
    ("one", "other"),
    [("alice", "alicia"), ("bob", "rob"), ("anna", "amma"), ("luv", "luu"), ("tim", "tom")],
)
def test_different_names_keep_different_skeletons(one, other):
    assert skeleton(one) != skeleton(other)


@settings(derandomize=True, deadline=None)
@given(NAMES)
def test_a_skeleton_fits_its_column_and_is_the_same_in_any_case(name):
    assert len(skeleton(name)) <= BONES * len(name)
    assert skeleton(name) == skeleton(name.upper()) == skeleton(name.lower())
    assert not set("-_0123456789") & (set(skeleton(name)) - set("3467"))


@settings(derandomize=True, deadline=None)
@given(st.text(max_size=30))
def test_a_name_is_refused_for_a_known_reason_or_has_only_known_letters(text):
    try:
        check_name(text)
    except ValidationError as refused:
        judged = refused.code
    else:
        judged = "fine" if ALLOWED.fullmatch(text) else "passed wrongly"
    assert judged in ("length", "letters", "reserved", "fine")


@pytest.mark.parametrize("name", ["alice", "ALICE", "a1ice", "al-ice"])
def test_nobody_takes_a_name_that_looks_like_somebody_elses(alice, name):
    with pytest.raises(ValidationError, match="taken, or looks like one that is"):
        check_user_name(name)
    with pytest.raises(ValidationError, match="taken, or looks like one that is"):
        User.objects.create_user(name)
