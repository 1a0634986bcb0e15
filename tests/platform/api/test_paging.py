"""Every list comes in pages that begin after the last row of the page before."""

import re

import pytest

from accounts.services import tell
from tournaments.models import Match


def pages_of(who, address):
    """Every page of a list, each found by the one before it."""
    while address:
        answer = who.get(address)
        assert answer.status_code == 200, answer.content
        page = answer.json()
        linked = re.fullmatch('<(.+)>; rel="next"', answer.get("Link", ""))
        assert (linked.group(1) if linked else None) == page["next"]
        yield page["results"]
        address = page["next"]


@pytest.fixture
def notices(alice):
    return [tell(user=alice, text=f"Notice {n}.").pk for n in range(7)]


def test_pages_have_every_row_once_and_in_order(as_alice, notices):
    pages = list(pages_of(as_alice, "notices?limit=3"))
    assert [len(page) for page in pages] == [3, 3, 1]
    assert [notice["id"] for page in pages for notice in page] == notices[::-1]


def test_a_list_that_fills_its_last_page_ends_there(as_alice, notices):
    assert [len(page) for page in pages_of(as_alice, "notices?limit=7")] == [7]


def test_a_list_without_rows_is_one_empty_page(as_alice):
    assert list(pages_of(as_alice, "notices")) == [[]]


def test_the_next_page_keeps_the_filters(as_alice, notices):
    following = as_alice.get("notices?limit=3&unread=true").json()["next"]
    assert "unread=true" in following
    assert "limit=3" in following


def test_a_row_that_comes_meanwhile_shifts_no_page(as_alice, alice, notices):
    first = as_alice.get("notices?limit=3").json()
    tell(user=alice, text="Meanwhile.")
    second = as_alice.get(first["next"]).json()
    assert [notice["id"] for notice in second["results"]] == notices[3:0:-1]


def test_a_last_row_that_goes_meanwhile_loses_no_other(as_alice, alice, notices):
    first = as_alice.get("notices?limit=3").json()
    alice.notices.filter(pk=first["results"][-1]["id"]).delete()
    second = as_alice.get(first["next"]).json()
    assert [notice["id"] for notice in second["results"]] == notices[3:0:-1]


def test_standings_with_equal_ratings_have_every_bot_once(anyone, alice, make):
    ladder = make.ladder("crowd")
    ratings = (1500.0, 1500.0, 1500.0, 1500.1, 0.1 + 0.2, 1499.9, 1500.0)
    for number, rating in enumerate(ratings):
        make.entry(ladder, make.bot(alice, f"robot-{'abcdefg'[number]}"), rating)
    for limit in (1, 2, 3, 7):
        rows = [
            row
            for page in pages_of(anyone, f"ladders/crowd/standings?limit={limit}")
            for row in page
        ]
        assert [row["rank"] for row in rows] == [1, 2, 3, 4, 5, 6, 7]
        assert [row["bot"][-1] for row in rows] == list("dabcgfe")


def test_matches_are_paged_from_the_latest(anyone, site):
    ids = [match["id"] for page in pages_of(anyone, "matches?limit=1") for match in page]
    visible = Match.objects.filter(ladder=site.public).order_by("-id")
    assert ids == list(visible.values_list("id", flat=True))


@pytest.mark.parametrize("limit", ["0", "-1", "201", "x", "", "1.5", "٣", "9" * 5000])
def test_a_page_has_between_1_and_200_rows(anyone, limit):
    answer = anyone.get(f"bots?limit={limit}")
    assert answer.status_code == 400
    assert answer.json()["errors"] == [
        {"field": "limit", "detail": "This is a number from 1 to 200."}
    ]


@pytest.mark.parametrize("after", ["x", "1~2", "", "~", "1.5", "0x10", "9" * 5000])
def test_a_place_that_is_none_is_refused(anyone, after):
    answer = anyone.get(f"bots?after={after}")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == "after"


@pytest.mark.parametrize("after", ["x~1", "1500", "1500~", "1500~x", "nan~x"])
def test_a_place_in_standings_that_is_none_is_refused(anyone, site, after):
    assert anyone.get(f"ladders/open-table/standings?after={after}").status_code == 400


@pytest.mark.parametrize("after", ["nan~1", "inf~1", "-inf~1", "1e400~1", "1500~" + "9" * 30])
def test_odd_numbers_are_a_place_too(anyone, site, after):
    assert (
        anyone.get(f"ladders/open-table/standings?provisional=true&after={after}").status_code
        == 200
    )
