"""What open pages ask for again and again, at /live/: streams that say when, and pages rendered once for all who ask.

All of it happens in the process's loop, with no thread and no question to the database of its own.
"""

import asyncio
import gzip
import logging
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, MutableMapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from http import HTTPStatus
from typing import Any

from redis import RedisError
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from config.live import CHANNEL, PAGES, STREAMS, topic_at

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = Sequence[tuple[bytes, bytes]]
Site = Callable[[Message, Receive, Send], Awaitable[None]]

log = logging.getLogger("kibitz.live")

MOST_FOLLOWERS = 5000  # in one process; the others ask every few seconds
BACKLOG = 8  # lines that a follower may be behind
BEAT_S = 15.0  # proxies and followers alike take a silent stream for a dead one
TOGETHER_S = 0.3  # what changes in that time is said once
AGAIN_S = 1.0
COMMENT = b":\n\n"
STREAM = (
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # or a proxy collects lines before it passes them on
)


class Live:
    """Answers at /live/."""

    def __init__(self, broker: str, site: Site) -> None:
        self.pages = Pages(site)
        self.hub = Hub(broker, self.pages.forget)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        path = scope["path"]
        if scope["method"] != "GET":
            await answer(send, HTTPStatus.METHOD_NOT_ALLOWED)
        elif path.startswith(PAGES):
            await self.pages(scope, send)
        elif path.startswith(STREAMS):
            await self.hub(path, receive, send)
        else:
            await answer(send, HTTPStatus.NOT_FOUND)


async def answer(send: Send, status: int, body: bytes = b"", headers: Headers = ()) -> None:
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})


# -- Streams --------------------------------------------------------------------------------------


@dataclass(eq=False)
class Follower:
    """An open page, with the lines that it has not been sent yet."""

    send: Send
    lines: asyncio.Queue[bytes] = field(default_factory=lambda: asyncio.Queue(BACKLOG))

    async def feed(self) -> None:
        """Until an empty line, which ends the stream."""
        more = True
        while more:
            line = await self.lines.get()
            more = bool(line)
            await self.send({"type": "http.response.body", "body": line, "more_body": more})


class Hub:
    """One subscription, however many follow."""

    def __init__(self, broker: str, before_telling: Callable[[], None]) -> None:
        self.broker = broker
        self.before_telling = before_telling
        self.followers: dict[str, dict[Follower, asyncio.Task[None]]] = defaultdict(dict)
        self.changed: set[str] = set()
        self.hears = asyncio.Event()
        self.tasks: list[asyncio.Task[None]] = []

    @property
    def count(self) -> int:
        return sum(map(len, self.followers.values()))

    async def __call__(self, path: str, receive: Receive, send: Send) -> None:
        topic = topic_at(path)
        if topic is None:
            await answer(send, HTTPStatus.FORBIDDEN)
        elif self.count >= MOST_FOLLOWERS or not await self.can_hear():
            await answer(send, HTTPStatus.SERVICE_UNAVAILABLE)
        else:
            await self.follow(topic, receive, send)

    async def can_hear(self) -> bool:
        if not self.broker:
            return False
        if not self.tasks:
            self.tasks = [asyncio.create_task(self.listen()), asyncio.create_task(self.beat())]
        try:
            await asyncio.wait_for(self.hears.wait(), AGAIN_S)
        except TimeoutError:
            return False
        return True

    async def follow(self, topic: str, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": STREAM})
        await send({"type": "http.response.body", "body": COMMENT, "more_body": True})
        follower = Follower(send)
        feeding = self.followers[topic][follower] = asyncio.create_task(follower.feed())
        leaving = asyncio.create_task(left(receive))
        try:
            await asyncio.wait((feeding, leaving), return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:  # the site stops
            await send({"type": "http.response.body", "body": b""})
        finally:
            feeding.cancel()
            leaving.cancel()
            self.followers[topic].pop(follower, None)
            if not self.followers[topic]:
                del self.followers[topic]

    # -- Hearing ------------------------------------------------------------------------------------

    async def listen(self) -> None:
        """While the broker is away there are no streams: who follows asks every few seconds."""
        while True:
            try:
                await self.hear()
            except (RedisError, OSError) as error:
                log.warning("Open pages hear nothing, for the broker is away: %s", error)
            self.hears.clear()
            self.tell(tuple(self.followers), b"")
            await asyncio.sleep(AGAIN_S)

    async def hear(self) -> None:
        # With no second try of its own: what was said meanwhile would be missed.
        client = Redis.from_url(self.broker, retry=Retry(NoBackoff(), 0))
        async with client, client.pubsub() as subscription:
            await subscription.subscribe(CHANNEL)
            async for said in subscription.listen():
                if said["type"] == "message":
                    self.note(said["data"].decode().split())
                self.hears.set()

    def note(self, topics: Iterable[str]) -> None:
        self.before_telling()
        if not self.changed:
            asyncio.get_running_loop().call_later(TOGETHER_S, self.tell_changed)
        self.changed.update(topics)

    def tell_changed(self) -> None:
        changed, self.changed = self.changed, set()
        for topic in changed:
            self.tell([topic], f"data: {topic}\n\n".encode())

    async def beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            self.tell(tuple(self.followers), COMMENT)

    def tell(self, topics: Iterable[str], line: bytes) -> None:
        """Who does not take what is sent is left behind: the stream is closed."""
        for topic in topics:
            for follower, feeding in self.followers.get(topic, {}).items():
                try:
                    follower.lines.put_nowait(line)
                except asyncio.QueueFull:
                    feeding.cancel()


async def left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


# -- Pages ----------------------------------------------------------------------------------------

FRESH_S = 2.0
MOST_PAGES = 500
PACKING = 5
PACKED = ((b"content-encoding", b"gzip"), (b"cache-control", b"no-cache"))
KEPT_HEADERS = (b"host", b"x-forwarded-proto")


@dataclass(frozen=True)
class Page:
    """What everybody is shown at an address, packed."""

    status: int
    kind: bytes
    body: bytes
    etag: bytes

    @classmethod
    def of(cls, status: int, kind: bytes, body: bytes) -> "Page":
        etag = f'"{sha256(body).hexdigest()[:32]}"'.encode()
        return cls(status, kind, gzip.compress(body, PACKING), etag)


class Pages:
    """Pages of the site as strangers see them, rendered once for all who ask until something changes."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.rendered: dict[tuple[Any, ...], tuple[float, asyncio.Task[Page]]] = {}

    def forget(self) -> None:
        self.rendered.clear()

    async def __call__(self, scope: Message, send: Send) -> None:
        page = await asyncio.shield(self.page(scope))
        if page.status != HTTPStatus.OK:
            await answer(send, page.status)
        elif dict(scope["headers"]).get(b"if-none-match") == page.etag:
            await answer(send, HTTPStatus.NOT_MODIFIED)
        else:
            about = [(b"content-type", page.kind), (b"etag", page.etag), *PACKED]
            await answer(send, HTTPStatus.OK, page.body, about)

    def page(self, scope: Message) -> "asyncio.Task[Page]":
        language, _, path = scope["path"].removeprefix(PAGES).partition("/")
        kept = tuple(pair for pair in scope["headers"] if pair[0] in KEPT_HEADERS)
        key = (language, path, scope["query_string"], kept)
        at, page = self.rendered.get(key, (0.0, None))
        if page is None or time.monotonic() - at > FRESH_S:
            if len(self.rendered) >= MOST_PAGES:
                self.forget()
            headers = [*kept, (b"accept-language", language.encode())]
            page = asyncio.create_task(
                self.render({**scope, "path": f"/{path}", "headers": headers})
            )
            self.rendered[key] = time.monotonic(), page
        return page

    async def render(self, scope: Message) -> Page:
        """Asks the site, without a cookie."""
        said: list[Message] = []

        async def send(message: Message) -> None:
            said.append(message)

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        await self.site(scope, receive, send)
        kind = dict(said[0]["headers"]).get(b"content-type", b"text/plain")
        body = b"".join(message.get("body", b"") for message in said[1:])
        return Page.of(said[0]["status"], kind, body)
