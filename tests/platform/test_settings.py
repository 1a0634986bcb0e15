"""The settings refuse what would be unsafe, and say so."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def check():
    def run(**environment):
        clean = {name: value for name, value in os.environ.items() if "KIBITZ" not in name}
        return subprocess.run(
            [sys.executable, "manage.py", "check"],
            cwd=ROOT,
            env=clean | environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return run


def test_a_bare_environment_is_enough_for_development(check):
    answer = check()
    assert (answer.returncode, answer.stderr) == (0, "")


def test_the_development_key_is_refused_without_debug(check):
    answer = check(KIBITZ_DEBUG="0")
    assert answer.returncode != 0
    assert "set KIBITZ_SECRET_KEY to a secret of your own" in answer.stderr


def test_an_empty_key_is_refused_without_debug(check):
    assert check(KIBITZ_DEBUG="0", KIBITZ_SECRET_KEY="").returncode != 0


def test_a_key_of_ones_own_is_enough_without_debug(check):
    answer = check(KIBITZ_DEBUG="0", KIBITZ_SECRET_KEY="x" * 60)
    assert answer.returncode == 0, answer.stderr


def test_an_unclear_debug_switch_is_refused(check):
    answer = check(KIBITZ_DEBUG="perhaps")
    assert "KIBITZ_DEBUG is 'perhaps': say 1 or 0." in answer.stderr


def test_what_a_visitor_does_wrong_is_no_news_for_the_log(client, db, caplog):
    assert client.get("/no-such-page/").status_code == 404
    assert client.post("/worker/claim").status_code == 401
    assert caplog.records == []


def test_what_breaks_is_in_the_log(db, caplog, monkeypatch):
    def break_down(*words, **named):
        raise RuntimeError("the table is on fire")

    monkeypatch.setattr("config.views.summaries", break_down)
    assert Client(raise_request_exception=False).get("/").status_code == 500
    assert "the table is on fire" in caplog.text
