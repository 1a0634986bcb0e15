"""The cache in Redis; while Redis is away it forgets everything, and the site goes on without it."""

import logging
from collections.abc import Callable
from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis import RedisError

log = logging.getLogger("kibitz.cache")


def forgetful(name: str, answer: Any = None) -> Callable[..., Any]:
    """The client's method of that name, or the answer of an empty cache that keeps nothing."""
    method = getattr(RedisCacheClient, name)

    def ask(self: RedisCacheClient, *words: Any, **named: Any) -> Any:
        try:
            return method(self, *words, **named)
        except RedisError as error:
            log.warning("The cache is away: %s", error)
            return answer

    return ask


class ForgetfulClient(RedisCacheClient):
    add = forgetful("add", True)
    set = forgetful("set")
    touch = forgetful("touch", False)
    delete = forgetful("delete", False)
    has_key = forgetful("has_key", False)
    get_many = forgetful("get_many", {})
    set_many = forgetful("set_many")
    delete_many = forgetful("delete_many")
    clear = forgetful("clear", False)

    def get(self, key: Any, default: Any) -> Any:
        try:
            return super().get(key, default)
        except RedisError as error:
            log.warning("The cache is away: %s", error)
            return default

    def incr(self, key: Any, delta: int) -> int:
        try:
            return int(super().incr(key, delta))
        except RedisError:
            raise ValueError(f"Key {key!r} not found") from None


class ForgetfulCache(RedisCache):
    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = ForgetfulClient
