"""The page about the API names only addresses that exist, and every kind of problem."""

import json
import re
from pathlib import Path

from django.urls import resolve

from config.api.problems import TITLES, invalid
from config.api.schema import schema_text

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
ADDRESS = re.compile(r"/api/[a-z0-9/-]+")


def test_every_address_on_the_page_exists():
    found = {resolve(address).view_name for address in ADDRESS.findall(PAGE)}
    assert "api:nothing" not in found
    assert {"api:bots", "api:version_log", "api:standings", "api:matches_export"} <= found


def test_every_parameter_on_the_page_is_in_the_schema():
    parameters = {
        parameter["name"]
        for operations in json.loads(schema_text())["paths"].values()
        for operation in operations.values()
        for parameter in operation.get("parameters", [])
    }
    assert set(re.findall(r"[?&](\w+)=", PAGE)) <= parameters


def test_the_page_has_every_kind_of_problem():
    table = re.findall(r"^\| `([a-z-]+)` \| (\d+) \|", PAGE, re.MULTILINE)
    assert [word for word, _ in table] == list(TITLES)


def test_the_problem_on_the_page_is_one_that_is_told():
    shown = json.loads(re.search(r"```json\n(.+?)```", PAGE, re.DOTALL)[1])
    told = invalid({"game": ["This is one of sticheln, stop-it, color-stock."]})
    assert shown == json.loads(told.answer.content)
