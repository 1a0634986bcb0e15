"""Bots and versions: who sees what of them, and what their owner does with them."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from bots.models import Bot, Version
from bots.services import pause, upload
from workers.contract import PROGRESS_LINES


def names(answer):
    assert answer.status_code == 200, answer.content
    return [bot["name"] for bot in answer.json()["results"]]


def test_everybody_sees_all_bots_the_latest_first(anyone, site):
    assert names(anyone.get("bots")) == ["blue-owl", "red-fox"]


def test_a_bot_tells_what_it_is(anyone, site):
    told = anyone.get("bots/red-fox").json()
    assert told.pop("created_at").endswith("Z")
    assert told == {
        "url": "http://testserver/api/v1/bots/red-fox",
        "name": "red-fox",
        "game": "color-stock",
        "owner": "alice",
        "about": "",
        "state": "active",
        "paused_by": "",
        "paused_for": None,
        "active_version": 1,
        "is_house": False,
    }


def test_a_bot_that_has_no_version_that_plays_says_so(as_alice, anyone):
    file = SimpleUploadedFile("bot.py", b"print(1)\n")
    as_alice.upload(game="sticheln", name="my-bot", file=file)
    assert anyone.get("bots/my-bot").json()["active_version"] is None


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("owner=alice", ["red-fox"]),
        ("owner=nobody", []),
        ("game=color-stock", ["blue-owl", "red-fox"]),
        ("game=sticheln", []),
        ("state=paused", ["blue-owl"]),
        ("state=active&owner=alice", ["red-fox"]),
    ],
)
def test_bots_are_filtered(anyone, site, query, found):
    pause(bot=site.bobs)
    assert names(anyone.get(f"bots?{query}")) == found


def test_only_the_owner_and_operators_see_why_a_bot_is_paused(
    as_alice, as_bob, as_operator, anyone, site
):
    pause(bot=site.alices, by=Bot.PausedBy.FAULTS, reason="illegal: red-9")
    seen = [who.get("bots/red-fox").json() for who in (as_alice, as_operator, as_bob, anyone)]
    assert [bot["paused_for"] for bot in seen] == ["illegal: red-9", "illegal: red-9", None, None]
    assert {bot["paused_by"] for bot in seen} == {"faults"}


def test_the_owner_changes_name_and_description(as_alice, site):
    answer = as_alice.patch("bots/red-fox", {"name": "grey-fox", "about": "Sly."})
    assert answer.status_code == 200, answer.content
    assert (answer.json()["name"], answer.json()["about"]) == ("grey-fox", "Sly.")
    assert as_alice.get("bots/grey-fox").status_code == 200


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"name": "blue-owl"}, "exists"),
        ({"name": "admin"}, "kept for the site"),
        ({"game": "sticheln"}, "no such field"),
        ({"about": "x" * 301}, "300"),
    ],
)
def test_a_change_that_cannot_be_is_refused(as_alice, site, change, why):
    answer = as_alice.patch("bots/red-fox", change)
    assert answer.status_code == 400
    assert why in answer.json()["detail"]


def test_a_bot_is_paused_resumed_and_retired(as_alice, site):
    states = [
        as_alice.post(f"bots/red-fox/{act}").json()["state"]
        for act in ("pause", "resume", "retire")
    ]
    assert states == ["paused", "active", "retired"]
    answer = as_alice.post("bots/red-fox/resume")
    assert answer.status_code == 409
    assert "retired for good" in answer.json()["detail"]


@pytest.mark.parametrize("act", ["pause", "resume", "retire", "versions/1/activate"])
def test_nobody_acts_on_anothers_bot(as_bob, as_operator, anyone, site, act):
    assert as_bob.post(f"bots/red-fox/{act}").status_code == 403
    assert as_operator.post(f"bots/red-fox/{act}").status_code == 403
    assert anyone.post(f"bots/red-fox/{act}").status_code == 401
    site.alices.refresh_from_db()
    assert site.alices.state == "active"


# -- Versions -------------------------------------------------------------------------------------


def second(bot):
    return upload(bot=bot, data=b"print(2)\n", file_name="bot.py", notes="Braver.")[0]


def test_strangers_see_the_versions_that_may_play(anyone, as_alice, as_operator, site):
    second(site.alices)
    for who, numbers in ((anyone, [1]), (as_alice, [2, 1]), (as_operator, [2, 1])):
        answer = who.get("bots/red-fox/versions")
        assert [version["number"] for version in answer.json()["results"]] == numbers
    assert anyone.get("bots/red-fox/versions/2").status_code == 404
    assert as_alice.get("bots/red-fox/versions/2").json()["notes"] == "Braver."


def test_a_version_shows_its_archive_to_its_owner_and_its_check_to_operators_too(
    anyone, as_alice, as_bob, as_operator, site
):
    seen = [
        who.get("bots/red-fox/versions/1").json() for who in (as_alice, as_operator, as_bob, anyone)
    ]
    assert [version["archive"] is not None for version in seen] == [True, False, False, False]
    assert [version["check"] is not None for version in seen] == [True, True, False, False]
    assert seen[0]["check"] == {
        "state": "finished",
        "verdict": "Ready.",
        "steps": [{"name": "files", "outcome": "passed", "detail": "one source file"}],
        "log": "http://testserver/api/v1/bots/red-fox/versions/1/log",
    }
    assert seen[0]["archive"]["sha256"] == site.alices.active_version.archive_id
    assert all(version["is_active"] for version in seen)


def test_a_house_version_has_no_check(as_operator, site):
    site.bobs.is_house = True
    site.bobs.save()
    site.bobs.versions.get().check_job.delete()
    assert as_operator.get("bots/blue-owl/versions/1").json()["check"] is None
    assert as_operator.get("bots/blue-owl/versions/1/log").status_code == 404


def test_the_owner_goes_back_to_an_older_version(as_alice, site, make):
    make.ready(second(site.alices))
    answer = as_alice.post("bots/red-fox/versions/1/activate")
    assert (answer.status_code, answer.json()["active_version"]) == (200, 1)


def test_a_version_that_has_not_passed_its_check_does_not_play(as_alice, site):
    second(site.alices)
    answer = as_alice.post("bots/red-fox/versions/2/activate")
    assert answer.status_code == 409
    assert "not ready" in answer.json()["detail"]


@pytest.mark.parametrize("path", ["versions/9", "versions/9/log", "versions/9/archive"])
def test_a_version_that_is_not_there_is_not_there(as_alice, site, path):
    assert as_alice.get(f"bots/red-fox/{path}").status_code == 404


def test_an_archive_is_for_its_owner_only(anyone, as_alice, as_bob, as_operator, site):
    codes = [
        who.get("bots/red-fox/versions/1/archive").status_code
        for who in (as_alice, as_bob, as_operator, anyone)
    ]
    assert codes == [200, 403, 403, 401]


def test_a_log_is_for_the_owner_and_operators(anyone, as_alice, as_bob, as_operator, site):
    codes = [
        who.get("bots/red-fox/versions/1/log").status_code
        for who in (as_alice, as_bob, as_operator, anyone)
    ]
    assert codes == [200, 403, 200, 401]


def test_a_log_is_followed_line_by_line(as_alice, site):
    check = second(site.alices).check_job
    check.lines.create(attempt=1, text="files: one")
    log = as_alice.get("bots/red-fox/versions/2/log").json()
    assert log == {"state": "checking", "is_over": False, "after": 1, "lines": ["files: one"]}
    assert as_alice.get("bots/red-fox/versions/2/log?after=1").json()["lines"] == []
    check.lines.create(attempt=1, text="build: nothing to build")
    log = as_alice.get("bots/red-fox/versions/2/log?after=1").json()
    assert (log["after"], log["lines"]) == (2, ["build: nothing to build"])


def test_the_lines_of_an_attempt_given_up_are_not_told(as_alice, site):
    check = second(site.alices).check_job
    check.lines.create(attempt=1, text="old")
    check.attempt = 2
    check.save()
    assert as_alice.get("bots/red-fox/versions/2/log").json()["lines"] == []


def test_a_long_log_comes_in_pieces_and_says_when_it_is_over(as_alice, site):
    check = site.alices.versions.get().check_job
    check.lines.bulk_create(
        type(check.lines.get())(check_job=check, attempt=1, text=str(n)) for n in range(600)
    )
    one = as_alice.get("bots/red-fox/versions/1/log").json()
    two = as_alice.get(f"bots/red-fox/versions/1/log?after={one['after']}").json()
    assert (len(one["lines"]), one["is_over"]) == (PROGRESS_LINES, False)
    assert (len(two["lines"]), two["is_over"]) == (601 - PROGRESS_LINES, True)
    assert two["state"] == Version.State.READY


@pytest.mark.parametrize("after", ["-1", "x", "1.5", "9999999"])
def test_a_log_begins_at_a_number(as_alice, site, after):
    answer = as_alice.get(f"bots/red-fox/versions/1/log?after={after}")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == "after"
