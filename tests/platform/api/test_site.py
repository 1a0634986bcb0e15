"""What the site tells about its games, about itself and about its API."""

import json
import re

import pytest
from django.utils import timezone

from accounts.models import Switches
from config.api.schema import schema_text
from config.api.urls import version_1
from games import GAMES
from jobs.models import Worker


def test_every_game_tells_its_options_and_numbers_of_players(anyone):
    told = {game["name"]: game for game in anyone.get("games").json()["results"]}
    assert list(told) == list(GAMES)
    assert told["stop-it"]["options"] == {"target": [50, 75, 100]}
    first = told["sticheln"]["variants"][0]
    assert first["options"] == {"rules": "sticheln", "all_zero_trick": "first"}
    assert (first["least_players"], first["most_players"]) == (3, 8)
    assert len(told["sticheln"]["variants"]) == 6


def test_the_status_tells_how_the_site_does(anyone, site):
    Worker.objects.create(name="one", sha256="0" * 64, last_seen_at=timezone.now())
    Switches.objects.create(pk=1, uploads=False, banner="Back at noon.")
    told = anyone.get("status").json()
    assert told["time"].endswith("Z")
    assert (told["uploads"], told["matchmaking"], told["sign_up"]) == (False, True, "open")
    assert (told["banner"], told["workers"], told["local_sandbox"]) == ("Back at noon.", 1, True)
    assert sum(queue["waiting"] for queue in told["queues"]) == 3
    assert told["matches_a_minute"] > 0


# -- The API's own description --------------------------------------------------------------------


@pytest.fixture(scope="module")
def schema():
    return json.loads(schema_text())


def test_the_schema_is_open_api_3_1(anyone):
    answer = anyone.get("/api/schema")
    assert answer["Content-Type"] == "application/vnd.oai.openapi+json"
    assert json.loads(answer.content)["openapi"].startswith("3.1.")
    assert anyone.get("/api/schema", headers={"if-none-match": answer["ETag"]}).status_code == 304


def test_making_the_schema_gives_no_warning(capsys):
    schema_text.__wrapped__()
    assert capsys.readouterr().err == ""


def test_the_schema_has_every_address_of_version_1(schema):
    routes = [str(pattern.pattern) for pattern in version_1]
    expected = {"/api/v1/" + re.sub(r"<\w+:(\w+)>", r"{\1}", route) for route in routes}
    assert set(schema["paths"]) == expected


def test_every_operation_says_what_it_does_and_how_it_may_go_wrong(schema):
    for address, operations in schema["paths"].items():
        for method, operation in operations.items():
            where = f"{method} {address}"
            assert operation["summary"], where
            assert {"400", "401", "406", "429"} <= set(operation["responses"]), where
            for code, answer in operation["responses"].items():
                assert answer["description"] or code.startswith("2"), where
                if code >= "400":
                    assert list(answer["content"]) == ["application/problem+json"], where


def test_the_schema_says_how_to_send_a_token(schema):
    assert schema["components"]["securitySchemes"]["token"]["scheme"] == "bearer"


def test_the_page_of_the_schema_needs_nothing_from_elsewhere(anyone):
    page = anyone.get("/api/docs").content.decode()
    assert "<style" not in page
    sources = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert len(sources) >= 4
    assert all(source.startswith("/") for source in sources)
    (script,) = [source for source in sources if source.startswith("/api/docs")]
    answer = anyone.get(script)
    assert answer["Content-Type"].startswith("application/javascript")
    assert "/api/schema" in answer.content.decode()


def test_no_script_of_that_page_stands_in_it(anyone):
    page = anyone.get("/api/docs").content.decode()
    assert re.findall(r"<script(?![^>]*\bsrc=)", page) == []
    assert re.findall(r"\son\w+=", page) == []
