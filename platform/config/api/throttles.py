"""How many requests there may be in a while, counted for each person or, without one, each network."""

import ipaddress
import math
import time
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

IPV6_NETWORK = 64  # bits; whoever has one address there has them all


class Throttle(BaseThrottle):
    """Counts in windows of fixed length; `settings.API_RATES` has how many and how many seconds."""

    scope: str
    name: str
    most: int
    window_s: int
    left: int
    reset_s: int

    def allow_request(self, request: Request, view: Any) -> bool:
        self.name = self.name_for(request)
        self.most, self.window_s = settings.API_RATES[self.name]
        now = time.time()
        number = int(now // self.window_s)
        self.reset_s = math.ceil((number + 1) * self.window_s - now)
        used = counted(f"throttle:{self.name}:{who(request)}:{number}", self.window_s)
        self.left = max(0, self.most - used)
        return used <= self.most

    def name_for(self, request: Request) -> str:
        return self.scope

    def wait(self) -> float:
        return self.reset_s


class Requests(Throttle):
    """All requests; people who say who they are have more."""

    def name_for(self, request: Request) -> str:
        return "person" if request.user.is_authenticated else "anonymous"


class Uploads(Throttle):
    scope = "uploads"


class Exports(Throttle):
    scope = "exports"


class Joins(Throttle):
    """Nobody guesses join codes."""

    scope = "joins"


def who(request: Request) -> str:
    """A person, whichever of their tokens is used, or else a network address."""
    if request.user.is_authenticated:
        return f"user-{request.user.pk}"
    return network(request.META.get("REMOTE_ADDR", ""))


def network(address: str) -> str:
    try:
        bits = 32 if ipaddress.ip_address(address).version == 4 else IPV6_NETWORK
    except ValueError:  # a web server behind a socket file knows no address
        return "socket"
    return str(ipaddress.ip_network(f"{address}/{bits}", strict=False))


def counted(key: str, seconds: int) -> int:
    """One more, and how many there are now. Without its cache the site counts nobody: it answers."""
    try:
        cache.add(key, 0, timeout=2 * seconds)
        return cache.incr(key)
    except ValueError:
        return 1


def headers_of(throttles: Sequence[BaseThrottle]) -> dict[str, str]:
    """What is told with every answer (draft-ietf-httpapi-ratelimit-headers)."""
    asked = [one for one in throttles if isinstance(one, Throttle) and hasattr(one, "left")]
    if not asked:
        return {}
    return {
        "RateLimit-Policy": ", ".join(
            f'"{one.name}";q={one.most};w={one.window_s}' for one in asked
        ),
        "RateLimit": ", ".join(f'"{one.name}";r={one.left};t={one.reset_s}' for one in asked),
    }
