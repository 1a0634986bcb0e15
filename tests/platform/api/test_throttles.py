"""Requests are counted, everybody is told how many are left, and who asks too often has to wait."""

import pytest
import time_machine
from django.core.cache import caches
from rest_framework.test import APIClient

from accounts.services import make_token
from config.api import throttles

NOON = "2026-11-18T12:00:10Z"


@pytest.fixture(autouse=True)
def few(settings):
    settings.API_RATES = {
        "anonymous": (2, 60),
        "person": (4, 60),
        "uploads": (1, 60),
        "exports": (1, 60),
        "joins": (1, 60),
    }


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


def test_every_answer_says_how_many_requests_are_left(anyone):
    answer = anyone.get("games")
    assert answer["RateLimit-Policy"] == '"anonymous";q=2;w=60'
    assert answer["RateLimit"] == '"anonymous";r=1;t=50'


def test_who_asks_too_often_is_told_when_to_ask_again(anyone, clock):
    codes = [anyone.get("games").status_code for _ in range(3)]
    assert codes == [200, 200, 429]
    answer = anyone.get("games")
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["type"] == "urn:kibitz:problem:throttled"
    assert "50 seconds" in answer.json()["detail"]
    assert (answer["Retry-After"], answer["RateLimit"]) == ("50", '"anonymous";r=0;t=50')
    clock.shift(50)
    assert anyone.get("games").status_code == 200


def test_answers_that_refuse_count_as_well(anyone):
    codes = [anyone.get("bots/nobody").status_code for _ in range(3)]
    assert codes == [404, 404, 429]


def test_a_person_has_more_and_all_their_tokens_together(as_alice, alice):
    answers = [as_alice.get("games") for _ in range(3)]
    assert [answer["RateLimit"] for answer in answers] == [
        f'"person";r={left};t=50' for left in (3, 2, 1)
    ]
    http = APIClient()
    http.credentials(HTTP_AUTHORIZATION=f"Bearer {make_token(user=alice, name='other')[1]}")
    assert http.get("/api/v1/games")["RateLimit"] == '"person";r=0;t=50'
    assert as_alice.get("games").status_code == 429


def test_nobody_uses_up_what_another_has(as_alice, as_bob, anyone):
    for _ in range(5):
        as_alice.get("games")
        anyone.get("games")
    assert as_bob.get("games").status_code == 200
    assert anyone.get("games", REMOTE_ADDR="192.0.2.7").status_code == 200


def test_a_header_that_anyone_can_write_makes_nobody_another(anyone):
    codes = [
        anyone.get("games", headers={"x-forwarded-for": f"192.0.2.{n}"}).status_code
        for n in range(3)
    ]
    assert codes == [200, 200, 429]


def test_a_network_of_ipv6_counts_as_one():
    assert throttles.network("2001:db8::1") == throttles.network("2001:db8::ffff")
    assert throttles.network("2001:db8::1") != throttles.network("2001:db8:0:1::1")
    assert throttles.network("192.0.2.1") != throttles.network("192.0.2.2")
    assert throttles.network("") == "socket"


def test_uploads_have_fewer_of_their_own(as_alice):
    one, two = as_alice.upload(name="x"), as_alice.upload(name="x")
    assert (one.status_code, two.status_code) == (400, 429)
    assert one["RateLimit-Policy"] == '"person";q=4;w=60, "uploads";q=1;w=60'
    assert two["RateLimit"] == '"person";r=2;t=50, "uploads";r=0;t=50'
    assert as_alice.get("bots").status_code == 200


def test_exports_have_fewer_of_their_own(as_alice):
    codes = [as_alice.get("matches/export").status_code for _ in range(2)]
    assert codes == [200, 429]


def test_without_its_cache_the_site_answers_everybody(anyone, settings):
    nobody = {"BACKEND": "config.cache.ForgetfulCache", "LOCATION": "unix:///nonexistent/socket"}
    settings.CACHES = {"default": nobody}
    assert [anyone.get("games").status_code for _ in range(3)] == [200, 200, 200]
    del caches["default"]
