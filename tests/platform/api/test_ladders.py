"""Ladders: who sees them, who makes them, who stands where, and who enters."""

from datetime import timedelta

import pytest
from django.utils import timezone

from bots.services import retire
from ladders.models import Ladder

NEW = {"title": "Evening games", "game": "color-stock", "players": 3}


def slugs(answer):
    assert answer.status_code == 200, answer.content
    return [ladder["slug"] for ladder in answer.json()["results"]]


def test_a_private_ladder_is_there_for_those_who_joined_run_or_operate_it(
    anyone, as_alice, as_bob, as_operator, site
):
    both = ["open-table", "evening-class"]
    assert slugs(anyone.get("ladders")) == slugs(as_bob.get("ladders")) == ["open-table"]
    assert slugs(as_alice.get("ladders")) == slugs(as_operator.get("ladders")) == both
    for path in ("", "/standings"):
        codes = [
            who.get(f"ladders/evening-class{path}").status_code
            for who in (anyone, as_bob, as_alice, as_operator)
        ]
        assert codes == [404, 404, 200, 200]


def test_ladders_are_filtered_by_game(anyone, site, make):
    make.ladder("tricks", game="sticheln", players=4)
    assert slugs(anyone.get("ladders?game=sticheln")) == ["tricks"]


def test_a_ladder_tells_what_is_played_on_it(anyone, site):
    told = anyone.get("ladders/open-table").json()
    assert told["options"] == {"rounds": 3}
    assert told["limits"]["bank_ms"] == 5000
    assert (told["players"], told["created_by"], told["join_code"]) == (2, None, None)


def test_the_join_code_is_for_whoever_runs_the_ladder(as_alice, as_operator, site):
    assert as_alice.get("ladders/evening-class").json()["join_code"] is None
    assert as_operator.get("ladders/evening-class").json()["join_code"] == "swordfish"


# -- Making and changing --------------------------------------------------------------------------


def test_those_who_may_create_a_ladder(as_charlie, teacher, tomorrow):
    wanted = NEW | {
        "options": {"rounds": 1},
        "limits": {"bank_ms": 1000},
        "closes_at": tomorrow.isoformat(),
        "is_public": False,
    }
    answer = as_charlie.post("ladders", wanted)
    assert answer.status_code == 201, answer.content
    told = answer.json()
    assert (told["slug"], told["options"], told["created_by"]) == (
        "evening-games",
        {"rounds": 1},
        "charlie",
    )
    assert (told["limits"]["bank_ms"], told["limits"]["wall_ms"]) == (1000, 10000)
    assert told["join_code"]
    assert as_charlie.get(told["url"]).json() == told


def test_others_are_told_to_ask_an_operator(as_bob, anyone):
    answer = as_bob.post("ladders", NEW)
    assert answer.status_code == 403
    assert "operator" in answer.json()["detail"]
    assert anyone.post("ladders", NEW).status_code == 401


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"title": ""}, "title"),
        ({"title": "x" * 61}, "title"),
        ({"game": "chess"}, "game"),
        ({"players": "3"}, "players"),
        ({"players": 99}, "players"),
        ({"options": []}, "options"),
        ({"options": {"rounds": [1]}}, "options.rounds"),
        ({"limits": {"bank_ms": -1}}, "limits.bank_ms"),
        ({"limits": {"bank_ms": 10**12}}, "limits.bank_ms"),
        ({"limits": {"coffee_ms": 1}}, "limits.coffee_ms"),
        ({"opens_at": "tomorrow"}, "opens_at"),
        ({"opens_at": "0001-01-01T00:00:00+14:00"}, "opens_at"),
        ({"is_public": "no"}, "is_public"),
        ({"slug": "mine"}, "slug"),
    ],
)
def test_a_ladder_that_cannot_be_is_refused_by_its_field(as_charlie, teacher, change, field):
    answer = as_charlie.post("ladders", NEW | change)
    assert answer.status_code == 400, answer.content
    assert field in [error["field"] for error in answer.json()["errors"]]
    assert Ladder.objects.count() == 0


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"players": 5}, "2 to 4 players"),
        ({"options": {"rounds": 2}}, "3, 1"),
        ({"options": {"colour": "red"}}, "no option"),
        ({"closes_at": "2001-01-01T00:00:00Z"}, "opens"),
    ],
)
def test_what_the_rules_do_not_have_is_refused_with_what_they_have(
    as_charlie, teacher, change, why
):
    answer = as_charlie.post("ladders", NEW | change)
    assert answer.status_code == 400, answer.content
    assert why in answer.json()["detail"]


def test_whoever_created_a_ladder_changes_it(as_charlie, as_alice, teachers_ladder, tomorrow):
    address = f"ladders/{teachers_ladder.slug}"
    answer = as_charlie.patch(address, {"title": "Class 8", "closes_at": tomorrow.isoformat()})
    assert (answer.status_code, answer.json()["title"]) == (200, "Class 8")
    assert as_charlie.patch(address, {"closes_at": None}).json()["closes_at"] is None
    assert as_charlie.patch(address, {"players": 4}).status_code == 400
    assert as_alice.patch(address, {"title": "Mine"}).status_code == 404


def test_nobody_else_changes_a_ladder(as_alice, as_operator, anyone, site):
    assert as_alice.patch("ladders/evening-class", {"title": "Mine"}).status_code == 403
    assert as_alice.patch("ladders/open-table", {"title": "Mine"}).status_code == 403
    assert anyone.patch("ladders/open-table", {"title": "Mine"}).status_code == 401
    assert as_operator.patch("ladders/open-table", {"title": "Ours"}).status_code == 200


# -- Joining --------------------------------------------------------------------------------------


def test_a_private_ladder_is_joined_with_its_code(as_bob, site):
    answer = as_bob.post("ladders/evening-class/join", {"code": "swordfish"})
    assert (answer.status_code, answer.json()["slug"]) == (200, "evening-class")
    assert as_bob.get("ladders/evening-class").status_code == 200


def test_a_wrong_code_does_not_tell_whether_there_is_such_a_ladder(as_bob, site):
    wrong = as_bob.post("ladders/evening-class/join", {"code": "sardine"})
    missing = as_bob.post("ladders/no-such-class/join", {"code": "sardine"})
    assert (wrong.status_code, wrong.json()) == (409, missing.json())
    assert as_bob.get("ladders/evening-class").status_code == 404


def test_joining_is_throttled(as_bob, site, settings):
    settings.API_RATES = settings.API_RATES | {"joins": (2, 60)}
    codes = [
        as_bob.post("ladders/evening-class/join", {"code": str(n)}).status_code for n in range(3)
    ]
    assert codes == [409, 409, 429]


# -- Standings and entries ------------------------------------------------------------------------


def test_standings_are_by_rating(anyone, site):
    best, second = anyone.get("ladders/open-table/standings").json()["results"]
    assert best.pop("entered_at").endswith("Z")
    assert best == {
        "rank": 1,
        "bot": "red-fox",
        "owner": "alice",
        "is_house": False,
        "state": "active",
        "version": 1,
        "rating": 1600.5,
        "is_provisional": False,
        "matches": 30,
        "faults": 0,
        "best": 1,
        "worst": 2,
        "challenger": None,
        "plus_minus": 40,
        "ahead": 0.876,
        "words": "probably ahead of #2 (87 %)",
        "places": [20, 10],
        "owners_met": 0,
    }
    assert (second["rank"], second["bot"]) == (2, "blue-owl")


def test_those_that_have_played_too_little_stand_apart(anyone, as_alice, site, make, alice):
    make.bot(alice, "grey-cat")
    as_alice.post("ladders/open-table/entries", {"bot": "grey-cat"})
    assert len(anyone.get("ladders/open-table/standings").json()["results"]) == 2
    (new,) = anyone.get("ladders/open-table/standings?provisional=true").json()["results"]
    assert (new["rank"], new["bot"], new["version"]) == (None, "grey-cat", None)


def test_a_bot_enters_leaves_and_comes_back(as_alice, anyone, site):
    assert as_alice.delete("ladders/open-table/entries/red-fox").status_code == 204
    (left,) = anyone.get("ladders/open-table/standings").json()["results"]
    assert left["bot"] == "blue-owl"
    assert as_alice.delete("ladders/open-table/entries/red-fox").status_code == 404
    answer = as_alice.post("ladders/open-table/entries", {"bot": "red-fox"})
    assert answer.status_code == 201
    assert (answer.json()["rank"], answer.json()["rating"]) == (1, 1600.5)


def test_only_ones_own_bots_enter_and_leave(as_bob, as_operator, anyone, site):
    for who, code in ((as_bob, 403), (as_operator, 403), (anyone, 401)):
        entered = who.post("ladders/open-table/entries", {"bot": "red-fox"})
        left = who.delete("ladders/open-table/entries/red-fox")
        assert (entered.status_code, left.status_code) == (code, code)


def test_a_bot_that_cannot_enter_is_told_why(as_alice, site, make, alice):
    make.bot(alice, "tricky-one", game="sticheln")
    other_game = as_alice.post("ladders/open-table/entries", {"bot": "tricky-one"})
    assert (other_game.status_code, "plays sticheln" in other_game.json()["detail"]) == (409, True)
    retire(bot=site.alices)
    retired = as_alice.post("ladders/open-table/entries", {"bot": "red-fox"})
    assert (retired.status_code, "retired" in retired.json()["detail"]) == (409, True)
    assert as_alice.post("ladders/open-table/entries", {"bot": "no-bot"}).status_code == 404
    assert as_alice.post("ladders/no-ladder/entries", {"bot": "red-fox"}).status_code == 404


def test_a_closed_ladder_is_frozen_and_readable(as_alice, anyone, site):
    Ladder.objects.filter(slug="open-table").update(
        opens_at=timezone.now() - timedelta(days=2), closes_at=timezone.now() - timedelta(days=1)
    )
    assert as_alice.delete("ladders/open-table/entries/red-fox").status_code == 409
    assert len(anyone.get("ladders/open-table/standings").json()["results"]) == 2
