"""Matches: nothing of one is told before it has finished, then everything; replays also in bulk."""

import json

import pytest

from games import replay
from tournaments.models import Match

SECRETS = ("seed", "replay")


def ids(answer):
    assert answer.status_code == 200, answer.content
    return [match["id"] for match in answer.json()["results"]]


def lines(answer):
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"] == "application/x-ndjson"
    return [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]


def test_a_match_that_has_not_finished_tells_its_lineup_and_the_hash_of_its_seed(anyone, site):
    told = anyone.get(f"matches/{site.waiting.pk}").json()
    assert (told["state"], told["seed_sha256"]) == ("waiting", site.waiting.seed_sha256)
    assert (told["seed"], told["replay"]) == (None, None)
    assert site.waiting.seed not in json.dumps(told)
    assert told["seats"][0] == {
        "index": 0,
        "bot": "red-fox",
        "owner": "alice",
        "version": 1,
        "points": None,
        "place": None,
        "faults": 0,
        "rating_before": None,
        "rating_after": None,
    }


def test_a_finished_match_tells_its_seed_and_its_result(anyone, site):
    told = anyone.get(f"matches/{site.finished.pk}").json()
    assert (told["state"], told["seed"]) == ("finished", site.finished.seed)
    assert [(seat["bot"], seat["points"], seat["place"]) for seat in told["seats"]] == [
        ("red-fox", 7, 1),
        ("blue-owl", 3, 2),
    ]
    assert anyone.get(told["replay"]).status_code == 200


def test_a_void_match_tells_why_and_keeps_its_seed(anyone, site):
    told = anyone.get(f"matches/{site.void.pk}").json()
    assert (told["state"], told["void_reason"], told["seed"]) == ("void", "the engine died", None)


def test_matches_are_for_those_who_may_see_them(anyone, as_alice, as_bob, as_operator, site):
    public = [site.waiting.pk, site.finished.pk, site.void.pk]
    hidden = [site.private_match.pk, site.challenge.pk, site.bobs_challenge.pk]
    for who, sees in (
        (anyone, []),
        (as_bob, [site.challenge.pk, site.bobs_challenge.pk]),
        (as_alice, [site.private_match.pk, site.challenge.pk]),
        (as_operator, hidden),
    ):
        assert sorted(ids(who.get("matches"))) == sorted(public + sees)
        for pk in hidden:
            assert who.get(f"matches/{pk}").status_code == (200 if pk in sees else 404)


def test_matches_are_filtered(anyone, site, make, alice):
    finished, waiting, void = site.finished.pk, site.waiting.pk, site.void.pk
    every = sorted([finished, waiting, void], reverse=True)
    assert ids(anyone.get("matches")) == every
    assert ids(anyone.get("matches?state=finished")) == [finished]
    assert ids(anyone.get("matches?ladder=open-table")) == every
    assert ids(anyone.get("matches?ladder=evening-class")) == []
    assert ids(anyone.get("matches?bot=red-fox&state=void")) == [void]
    assert ids(anyone.get("matches?bot=nobody")) == []
    Match.objects.filter(pk=void).update(created_at="2020-01-01T00:00:00Z")
    assert ids(anyone.get("matches?until=2020-01-02T00:00:00Z")) == [void]
    assert void not in ids(anyone.get("matches?since=2020-01-02T00:00:00Z"))
    assert ids(anyone.get("matches?since=2020-01-01T00:00:00Z&until=2020-01-01T00:00:00Z")) == []


def test_a_bot_on_two_seats_makes_no_match_stand_twice(as_bob, site):
    found = ids(as_bob.get("matches?bot=blue-owl"))
    assert len(found) == len(set(found))
    assert site.bobs_challenge.pk in found


# -- Replays --------------------------------------------------------------------------------------


def test_a_replay_can_be_verified(anyone, site):
    answer = anyone.get(f"matches/{site.finished.pk}/replay")
    assert answer["Content-Type"] == "application/json"
    found = json.loads(answer.content)
    replay.verify(found)
    assert "private" not in found
    assert [bot["name"] for bot in found["bots"]] == ["red-fox", "blue-owl"]


@pytest.mark.parametrize("state", ["waiting", "void"])
def test_a_match_that_has_not_finished_has_no_replay(anyone, as_alice, site, state):
    pk = getattr(site, state).pk
    answer = anyone.get(f"matches/{pk}/replay")
    assert (answer.status_code, state in answer.json()["detail"]) == (409, True)
    assert as_alice.get(f"matches/{pk}/replay/private").status_code == 409


def test_a_hidden_match_shows_its_replay_to_those_who_may_see_it(anyone, as_alice, as_bob, site):
    address = f"matches/{site.private_match.pk}/replay"
    codes = [who.get(address).status_code for who in (anyone, as_bob, as_alice)]
    assert codes == [404, 404, 200]


def test_an_owner_sees_what_is_private_of_their_own_bots(as_alice, as_bob, site):
    mine = json.loads(as_alice.get(f"matches/{site.finished.pk}/replay/private").content)
    replay.verify(mine)
    said = {text for leg in mine["private"] for text in leg["debug"].values()}
    assert said == {"of seat 0", "of seat 1"}
    for leg, private in zip(mine["legs"], mine["private"], strict=True):
        seat = leg["seating"].index(0)
        assert list(private["debug"]) == [str(seat)]


def test_what_is_private_is_for_owners_of_bots_in_the_match(anyone, as_charlie, as_operator, site):
    address = f"matches/{site.finished.pk}/replay/private"
    codes = [who.get(address).status_code for who in (anyone, as_charlie, as_operator)]
    assert codes == [401, 403, 403]


def test_many_replays_come_a_line_each_the_oldest_first(as_alice, site):
    found = lines(as_alice.get("matches/export"))
    assert [line["match"] for line in found] == [str(site.finished.pk), str(site.private_match.pk)]
    for line in found:
        replay.verify(line)


def test_an_export_has_only_what_one_may_see(anyone, site):
    assert [line["match"] for line in lines(anyone.get("matches/export"))] == [
        str(site.finished.pk)
    ]


def test_an_export_is_bounded_and_goes_on_where_it_ended(as_alice, site):
    one = lines(as_alice.get("matches/export?max=1"))
    two = lines(as_alice.get(f"matches/export?max=1&after={one[0]['match']}"))
    three = lines(as_alice.get(f"matches/export?max=1&after={two[0]['match']}"))
    assert [len(page) for page in (one, two, three)] == [1, 1, 0]
    assert one[0]["match"] < two[0]["match"]


def test_an_export_is_filtered(as_alice, site):
    assert lines(as_alice.get("matches/export?ladder=evening-class&bot=red-fox&max=9"))
    assert lines(as_alice.get("matches/export?bot=nobody")) == []
    assert lines(as_alice.get("matches/export?since=2126-01-01T00:00:00Z")) == []


@pytest.mark.parametrize("query", ["max=0", "max=1001", "max=x", "after=-1", "state=void"])
def test_an_export_has_bounds(anyone, query):
    answer = anyone.get(f"matches/export?{query}")
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"


def test_an_export_can_be_asked_for_by_its_type(anyone, site):
    asked = {"accept": "application/x-ndjson"}
    assert anyone.get("matches/export", headers=asked).status_code == 200
    assert anyone.get("matches/export", headers={"accept": "text/csv"}).status_code == 406


# -- Challenges -----------------------------------------------------------------------------------


def table(*names, **more):
    return {"seats": [{"bot": name} for name in names]} | more


def test_a_challenge_is_a_match_at_a_table_of_ones_choice(as_alice, site):
    wanted = table("red-fox", "blue-owl", options={"rounds": 1}, limits={"bank_ms": 500})
    answer = as_alice.post("challenges", wanted)
    assert answer.status_code == 201, answer.content
    told = answer.json()
    assert (told["is_rated"], told["ladder"], told["state"]) == (False, None, "waiting")
    assert (told["options"], told["limits"]["bank_ms"]) == ({"rounds": 1}, 500)
    assert [seat["bot"] for seat in told["seats"]] == ["red-fox", "blue-owl"]
    assert answer["Location"] == told["url"]
    assert ids(as_alice.get("challenges"))[0] == told["id"]


def test_a_list_of_challenges_has_ones_own(as_alice, as_bob, anyone, site):
    assert ids(as_alice.get("challenges")) == [site.challenge.pk]
    assert ids(as_bob.get("challenges")) == [site.bobs_challenge.pk]
    assert anyone.get("challenges").status_code == 401


def test_ones_own_version_may_be_any_that_is_ready(as_alice, as_bob, site):
    seats = [{"bot": "red-fox", "version": 1}, {"bot": "red-fox"}]
    assert as_alice.post("challenges", {"seats": seats}).status_code == 201
    seats = [{"bot": "red-fox", "version": 2}, {"bot": "red-fox"}]
    answer = as_bob.post("challenges", {"seats": seats})
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == "seats.0"


def test_a_bot_that_does_not_play_is_not_challenged(as_bob, as_alice, site):
    as_alice.post("bots/red-fox/pause")
    answer = as_bob.post("challenges", table("red-fox", "blue-owl"))
    assert answer.status_code == 409
    assert "does not play" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, 400),
        (table(), 400),
        (table("red-fox"), 400),
        (table(*["red-fox"] * 17), 400),
        (table(*["red-fox"] * 5), 409),
        (table("red-fox", "no-bot"), 400),
        (table("red-fox", "blue-owl", options={"rounds": 7}), 409),
        (table("red-fox", "blue-owl", limits={"wall_ms": 10**9}), 400),
        (table("red-fox", "blue-owl", limits={"wall_ms": 10_001}), 400),
        (table("red-fox", "blue-owl", limits={"bank_ms": 5_001}), 400),
        ({"seats": "red-fox"}, 400),
        ({"seats": [{"bot": "red-fox", "version": 0}, {"bot": "blue-owl"}]}, 400),
    ],
)
def test_a_table_that_cannot_be_is_refused(as_alice, site, body, code):
    before = Match.objects.count()
    answer = as_alice.post("challenges", body)
    assert answer.status_code == code, answer.content
    assert Match.objects.count() == before


def test_challenges_have_a_quota(as_alice, site, settings):
    settings.QUOTAS = settings.QUOTAS | {"challenges_a_day": 1}
    answer = as_alice.post("challenges", table("red-fox", "blue-owl"))
    assert (answer.status_code, "1 challenges" in answer.json()["detail"]) == (429, True)
