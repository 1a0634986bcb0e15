"""What every page shows: the operator's banner, the warning about the sandbox, unread notices."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from accounts.models import Switches


def every_page(request: HttpRequest) -> dict[str, Any]:
    user = getattr(request, "user", None)
    return {
        "switches": Switches.now(),
        "local_sandbox": settings.LOCAL_SANDBOX,
        "unread": user.notices.filter(read_at=None).count()
        if user and user.is_authenticated
        else 0,
    }
