"""What of the site is an app but has no folder of its own: its checks, and the operator's pages."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class Config(AppConfig):
    name = "config"

    def ready(self) -> None:
        from config import checks  # noqa: F401  # they register themselves


class OperatorsAdmin(AdminConfig):
    """In the place of Django's own admin site."""

    default_site = "accounts.operating.Site"
