"""Tokens, notices and who one is."""

import pytest
from django.utils import timezone

from accounts.services import tell
from accounts.tokens import is_well_formed


def test_a_token_is_made_shown_once_and_works(as_alice, anyone):
    answer = as_alice.post("tokens", {"name": "laptop"})
    assert answer.status_code == 201, answer.content
    told = answer.json()
    letters = told.pop("letters")
    assert is_well_formed(letters)
    assert letters.startswith(told["hint"])
    anyone.http.credentials(HTTP_AUTHORIZATION=f"Bearer {letters}")
    assert anyone.get("me").json()["username"] == "alice"
    (listed, _) = as_alice.get("tokens").json()["results"]
    assert listed | {"last_used_at": None} == told
    assert letters not in as_alice.get("tokens").content.decode()


def test_a_revoked_token_is_worth_nothing(as_alice, anyone):
    told = as_alice.post("tokens", {"name": "laptop"}).json()
    assert as_alice.delete(f"tokens/{told['id']}").status_code == 204
    anyone.http.credentials(HTTP_AUTHORIZATION=f"Bearer {told['letters']}")
    assert anyone.get("me").status_code == 401
    assert as_alice.get("tokens").json()["results"][0]["revoked_at"]


def test_a_token_that_has_expired_is_worth_nothing(as_alice, anyone, alice, tomorrow):
    told = as_alice.post("tokens", {"name": "laptop", "expires_at": tomorrow.isoformat()}).json()
    alice.tokens.filter(pk=told["id"]).update(expires_at=timezone.now())
    anyone.http.credentials(HTTP_AUTHORIZATION=f"Bearer {told['letters']}")
    assert anyone.get("me").status_code == 401


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "name"),
        ({"name": ""}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"name": "x", "expires_at": "2001-01-01T00:00:00Z"}, "expires_at"),
        ({"name": "x", "expires_at": 5}, "expires_at"),
    ],
)
def test_a_token_that_cannot_be_is_refused(as_alice, body, field):
    answer = as_alice.post("tokens", body)
    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == [field]


def test_nobody_sees_or_revokes_anothers_token(as_alice, as_bob, bob):
    (token,) = bob.tokens.all()
    assert token.pk not in [one["id"] for one in as_alice.get("tokens").json()["results"]]
    assert as_alice.delete(f"tokens/{token.pk}").status_code == 404
    assert as_bob.get("me").status_code == 200


def test_a_suspended_persons_token_is_worth_nothing(as_alice, alice):
    alice.is_active = False
    alice.save()
    assert as_alice.get("me").status_code == 401


def test_notices_are_listed_and_marked_as_read(as_alice, as_bob, alice):
    first, second = (tell(user=alice, text=text, link="/bots/x/") for text in ("One.", "Two."))
    listed = as_alice.get("notices").json()["results"]
    assert [notice["text"] for notice in listed] == ["Two.", "One."]
    assert as_bob.post(f"notices/{first.pk}/read").status_code == 404
    assert as_alice.post(f"notices/{first.pk}/read").status_code == 204
    unread = as_alice.get("notices?unread=true").json()["results"]
    assert [notice["id"] for notice in unread] == [second.pk]
    read = as_alice.get("notices?unread=false").json()["results"]
    assert [notice["id"] for notice in read] == [first.pk]
    assert as_bob.get("notices").json()["results"] == []


def test_one_is_told_who_one_is_and_what_is_used_of_ones_quotas(as_alice, site, settings):
    told = as_alice.get("me").json()
    assert (told["username"], told["email"]) == ("alice", "alice@example.org")
    assert (told["creates_ladders"], told["unread_notices"]) == (False, 1)
    used = {quota["name"]: (quota["used"], quota["limit"]) for quota in told["quotas"]}
    assert used == {
        "bots": (1, settings.QUOTAS["bots"]),
        "uploads_a_day": (1, settings.QUOTAS["uploads_a_day"]),
        "versions": (None, settings.QUOTAS["versions"]),
        "challenges_a_day": (1, settings.QUOTAS["challenges_a_day"]),
        "challenges_at_once": (1, settings.QUOTAS["challenges_at_once"]),
        "comparisons_a_day": (0, settings.QUOTAS["comparisons_a_day"]),
        "comparison_games": (None, settings.QUOTAS["comparison_games"]),
        "tokens": (1, settings.QUOTAS["tokens"]),
        "ladders": (0, settings.QUOTAS["ladders"]),
    }


@pytest.mark.parametrize("address", ["me", "tokens", "notices", "challenges"])
def test_what_is_personal_needs_somebody(anyone, address):
    assert anyone.get(address).status_code == 401


def test_a_session_is_enough_to_ask(anyone, alice):
    anyone.http.force_login(alice)
    assert anyone.get("me").json()["username"] == "alice"
