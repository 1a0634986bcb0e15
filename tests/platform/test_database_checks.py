"""A database that a newer Kibitz has changed is left alone."""

import pytest
from django.core.checks import run_checks
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db.migrations.recorder import MigrationRecorder

from config.checks import no_newer_database


def applied(app, name):
    MigrationRecorder.Migration.objects.create(app=app, name=name)


def test_a_database_of_this_version_is_no_problem(db):
    assert no_newer_database(None, ["default"]) == []


def test_a_step_that_is_unknown_here_stops_everything(db):
    applied("ladders", "9999_later")
    with pytest.raises(SystemCheckError, match=r"newer Kibitz: it has ladders\.9999_later"):
        call_command("migrate", skip_checks=False)


def test_a_step_of_somebody_elses_app_is_no_concern_of_ours(db):
    applied("account", "9999_later")
    assert no_newer_database(None, ["default"]) == []


def test_checks_without_a_database_ask_none(db):
    applied("ladders", "9999_later")
    assert [message for message in run_checks() if message.id == "kibitz.E001"] == []
