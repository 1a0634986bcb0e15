"""The health address tells a machine whether the site can work, and nobody anything else."""

import pytest
from django.db import connection

from config import health

NOT_ANSWERING = "redis://localhost:1/0"


def test_a_site_whose_services_answer_is_well(client, db):
    answer = client.get("/health")
    assert (answer.status_code, answer.json()["database"]) == (200, "answers")
    assert "no-store" in answer["Cache-Control"]


def test_a_broker_that_does_not_answer_is_told(client, db, settings):
    settings.BROKER = NOT_ANSWERING
    answer = client.get("/health")
    assert answer.status_code == 503
    assert answer.json() == {"database": "answers", "broker": "does not answer"}


def test_a_database_that_does_not_answer_is_told(client, db, monkeypatch):
    monkeypatch.setattr(health, "database_answers", lambda: False)
    answer = client.get("/health")
    assert (answer.status_code, answer.json()["database"]) == (503, "does not answer")


def test_a_broken_database_does_not_answer(db):
    assert health.database_answers()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connection, "cursor", broken)
        assert not health.database_answers()


def broken():
    from django.db import OperationalError

    raise OperationalError("gone")


@pytest.mark.parametrize("method", ["post", "put", "delete", "patch"])
def test_the_health_address_is_only_read(client, method):
    assert getattr(client, method)("/health").status_code == 405
