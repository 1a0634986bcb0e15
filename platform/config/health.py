"""Whether the site can do its work: its database and its broker answer."""

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.environment import cache_beside

ANSWER_S = 2.0


@never_cache
@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """200 if all answer, else 503; says which do. Anybody may ask, so it says no more."""
    answering = {"database": database_answers(), "broker": broker_answers()}
    about = {
        name: "answers" if answers else "does not answer" for name, answers in answering.items()
    }
    return JsonResponse(about, status=200 if all(answering.values()) else 503)


def database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def broker_answers() -> bool:
    """A site without a broker, which nobody plays for, has none to ask."""
    if not settings.BROKER:
        return True
    try:
        with redis.Redis.from_url(
            cache_beside(settings.BROKER),
            socket_timeout=ANSWER_S,
            socket_connect_timeout=ANSWER_S,
        ) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False
