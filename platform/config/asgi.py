"""The site as uvicorn calls it: Django's pages, each request in a thread, and what is live in the loop."""

from resource import RLIMIT_NOFILE, getrlimit, setrlimit
from typing import cast

from a2wsgi import WSGIMiddleware
from django.conf import settings

from config.environment import cache_beside
from config.hub import Live, Message, Receive, Send, Site
from config.wsgi import application as pages

# Everybody who follows a page keeps a connection, and a process may usually have 1,024 open.
setrlimit(RLIMIT_NOFILE, (getrlimit(RLIMIT_NOFILE)[1],) * 2)

site = cast(Site, WSGIMiddleware(pages, workers=8))  # type: ignore[arg-type]  # Django answers with bytes
live = Live(cache_beside(settings.BROKER) if settings.BROKER else "", site)


async def application(scope: Message, receive: Receive, send: Send) -> None:
    is_live = scope["type"] == "http" and scope["path"].startswith("/live/")
    await (live if is_live else site)(scope, receive, send)
