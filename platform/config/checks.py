"""What Django checks before it changes a database."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.apps import AppConfig, apps
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import DatabaseError, connections
from django.db.migrations.loader import MigrationLoader


@register(Tags.database)
def no_newer_database(
    app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None, **about: Any
) -> list[CheckMessage]:
    """A database that a newer Kibitz has changed is left alone."""
    return [newer(unknown) for alias in databases or () if (unknown := unknown_steps(alias))]


def unknown_steps(alias: str) -> list[str]:
    """The migrations of our own apps that have been applied there and are not here."""
    own = {
        app.label for app in apps.get_app_configs() if Path(app.path).parent == settings.PLATFORM
    }
    try:
        loader = MigrationLoader(connections[alias], ignore_no_migrations=True)
    except DatabaseError:
        return []  # whoever wants to change it will say so
    steps = loader.applied_migrations.keys() - loader.disk_migrations.keys()
    return sorted(f"{app}.{name}" for app, name in steps if app in own)


def newer(unknown: list[str]) -> Error:
    return Error(
        f"This database was made by a newer Kibitz: it has {', '.join(unknown)}, unknown to this one. "
        "Nothing has been changed.",
        hint="Run the newer Kibitz, or put back a backup from before the upgrade.",
        id="kibitz.E001",
    )
