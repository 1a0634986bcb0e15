"""Whatever goes wrong is told as a problem that says what to do."""

import pytest
from django.test import override_settings

from config.api import problems, site


def problem(answer, status, kind):
    """The problem that an answer is, if it is that one."""
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    told = answer.json()
    assert set(told) == {"type", "title", "status", "detail", "errors"}
    assert (told["type"], told["status"]) == (f"urn:kibitz:problem:{kind}", status)
    assert told["title"]
    assert told["detail"]
    return told


@pytest.mark.parametrize("address", ["/api/", "/api/v1", "/api/v2/bots", "bots/", "nonsense"])
def test_an_address_that_is_none_is_told_so(anyone, address):
    told = problem(anyone.get(address), 404, "not-found")
    assert "/api/docs" in told["detail"]


def test_any_method_at_an_address_that_is_none_is_told_so(anyone):
    anyone.http.handler.enforce_csrf_checks = True
    problem(anyone.post("nonsense", {}), 404, "not-found")


def test_a_thing_that_is_not_there_is_told_so(anyone):
    problem(anyone.get("bots/nobody"), 404, "not-found")


def test_a_method_that_is_not_taken_names_those_that_are(anyone):
    answer = anyone.get("bots/nobody/pause")
    assert "POST" in problem(answer, 405, "method")["detail"]
    assert answer["Allow"] == "POST"


def test_nobody_is_told_how_to_log_in(anyone):
    answer = anyone.get("me")
    assert "Bearer kbz_" in problem(answer, 401, "log-in")["detail"]
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_a_wrong_token_is_refused_even_where_none_is_needed(anyone):
    anyone.http.credentials(HTTP_AUTHORIZATION="Bearer kbz_wrong")
    assert "Make a new one" in problem(anyone.get("games"), 401, "log-in")["detail"]


def test_a_session_without_its_csrf_token_changes_nothing(anyone, alice):
    anyone.http.handler.enforce_csrf_checks = True
    anyone.http.force_login(alice)
    problem(anyone.post("tokens", {"name": "x"}), 403, "forbidden")
    assert alice.tokens.count() == 0


def test_another_kind_of_answer_is_not_to_be_had(anyone):
    told = problem(anyone.get("games", headers={"accept": "text/html"}), 406, "not-acceptable")
    assert "application/json" in told["detail"]


def test_another_kind_of_body_is_not_taken(as_alice):
    told = problem(as_alice.post("tokens", "<x/>", content_type="text/xml"), 415, "media-type")
    assert "application/json" in told["detail"]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ('{"name": ', "not JSON"),
        ('{"name": "a", "name": "b"}', "stands twice"),
        ('{"name": NaN}', "NaN"),
        ('{"name": "\\ud800"}', "surrogate"),
        ('{"name": "\\u0000"}', "U+0000"),
        ("[" * 100 + "]" * 100, "nested"),
        (b'{"name": "\xff"}', "UTF-8"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
    ],
)
def test_a_body_that_is_no_strict_json_is_told_why(as_alice, body, why):
    answer = as_alice.post("tokens", body, content_type="application/json")
    assert why in problem(answer, 400, "unreadable")["detail"]


@pytest.mark.parametrize("body", ["[]", "3", '"name"', "null"])
def test_a_body_that_is_no_object_is_refused(as_alice, body):
    problem(as_alice.post("tokens", body, content_type="application/json"), 400, "invalid")


def test_a_field_that_is_not_known_is_named_with_those_that_are(as_alice):
    told = problem(as_alice.post("tokens", {"name": "x", "colour": "red"}), 400, "invalid")
    assert told["errors"] == [
        {"field": "colour", "detail": "There is no such field; there are expires_at, name."}
    ]


@pytest.mark.parametrize("name", [5, True, ["x"], {"a": "b"}, None])
def test_a_field_of_another_type_is_named(as_alice, name):
    told = problem(as_alice.post("tokens", {"name": name}), 400, "invalid")
    assert [error["field"] for error in told["errors"]] == ["name"]


def test_a_field_inside_another_is_named_with_its_place(as_alice):
    seats = [{"bot": "red-fox"}, {"bot": 7}]
    told = problem(as_alice.post("challenges", {"seats": seats}), 400, "invalid")
    assert told["errors"] == [{"field": "seats.1.bot", "detail": "This must be a text."}]


def test_a_parameter_that_is_not_known_is_named_with_those_that_are(anyone):
    told = problem(anyone.get("bots?colour=red"), 400, "invalid")
    assert told["errors"] == [
        {"field": "colour", "detail": "This address knows after, game, limit, owner, state."}
    ]


def test_a_parameter_where_there_is_none_is_refused(anyone):
    told = problem(anyone.get("games?colour=red"), 400, "invalid")
    assert "no parameters" in told["errors"][0]["detail"]


def test_a_parameter_that_stands_twice_is_refused(anyone):
    told = problem(anyone.get("bots?game=sticheln&game=stop-it"), 400, "invalid")
    assert "twice" in told["errors"][0]["detail"]


def test_a_flood_of_parameters_is_refused(anyone):
    told = problem(anyone.get("bots?" + "&".join(["limit=1"] * 2000)), 400, "invalid")
    assert "too many" in told["detail"]


def test_a_value_that_a_parameter_does_not_have_is_told_those_it_has(anyone):
    told = problem(anyone.get("bots?game=chess"), 400, "invalid")
    assert told["errors"] == [
        {"field": "game", "detail": "This is one of sticheln, stop-it, color-stock."}
    ]


@pytest.mark.parametrize(
    "moment",
    ["yesterday", "2026-11-18T12:00:00+00:00", "0001-01-01T00:00:00%2B14:00", "2026-13-01"],
)
def test_a_time_that_is_none_is_told_how_to_write_one(anyone, moment):
    told = problem(anyone.get(f"matches?since={moment}"), 400, "invalid")
    assert "2026-11-18T12:00:00Z" in told["errors"][0]["detail"]


def test_a_text_with_a_nul_is_refused(anyone):
    problem(anyone.get("bots?owner=a%00b"), 400, "invalid")


@pytest.mark.parametrize("number", ["9" * 30, "99999999999999999999"])
def test_a_number_too_large_for_the_database_is_simply_not_there(anyone, number):
    problem(anyone.get(f"matches/{number}"), 404, "not-found")
    assert anyone.get(f"matches?after={number}").status_code == 200


def test_a_body_that_is_too_large_is_not_read(as_alice):
    answer = as_alice.post("tokens", {"name": "x" * 70_000})
    assert "65,536 bytes" in problem(answer, 413, "too-large")["detail"]


def test_a_body_in_chunks_is_told_to_say_its_length(as_alice):
    answer = as_alice.post("tokens", {"name": "x"}, headers={"transfer-encoding": "chunked"})
    problem(answer, 411, "length-required")


def test_a_quota_says_its_limit(as_alice, settings):
    settings.QUOTAS = settings.QUOTAS | {"tokens": 1}
    answer = as_alice.post("tokens", {"name": "x"})
    assert "1 tokens" in problem(answer, 429, "quota")["detail"]
    assert "Retry-After" not in answer


@override_settings(DEBUG=False)
def test_an_error_of_ours_is_a_problem_too(anyone, monkeypatch):
    def breaks(game):
        raise ZeroDivisionError

    monkeypatch.setattr(site, "about_game", breaks)
    anyone.http.raise_request_exception = False
    told = problem(anyone.get("games"), 500, "error")
    assert "our side" in told["detail"]


def test_every_kind_of_problem_has_a_title():
    assert all(problems.TITLES.values())
