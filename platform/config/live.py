"""Tells open pages that something on them has changed, and where they hear it.

A topic is what a page is about: `home`, `ladder/3`. Its stream has a signed address that expires, for the hub
(config/hub.py) knows nobody: who was shown a page may follow it.
"""

import logging
from datetime import timedelta
from functools import cache, partial

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.db import transaction
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.environment import cache_beside

log = logging.getLogger("kibitz.live")

CHANNEL = "kibitz.live"
STREAMS = "/live/events/"
PAGES = "/live/pages/"
HOME, STATUS = "home", "status"
SIGNED_FOR = timedelta(days=1)
ANSWER_S = 1.0


def tell_followers(*topics: str) -> None:
    """Says what has changed, once it can be read. Nothing fails if it cannot be said."""
    if settings.BROKER:
        transaction.on_commit(partial(publish, topics), robust=True)


def publish(topics: tuple[str, ...]) -> None:
    try:
        broker().publish(CHANNEL, " ".join(topics))
    except RedisError as error:
        log.warning("Open pages are not told what has changed: %s", error)


@cache
def broker() -> Redis:
    return Redis.from_url(
        cache_beside(settings.BROKER),
        socket_connect_timeout=ANSWER_S,
        socket_timeout=ANSWER_S,
        retry=Retry(NoBackoff(), 0),
    )


def stream_of(topic: str) -> str:
    """The address at which a topic can be followed."""
    return STREAMS + signer().sign(topic)


def topic_at(address: str) -> str | None:
    """What is followed at an address; None if it is wrong or too old."""
    try:
        return signer().unsign(address.removeprefix(STREAMS), max_age=SIGNED_FOR)
    except BadSignature:
        return None


def signer() -> TimestampSigner:
    return TimestampSigner(salt="kibitz.live")
