"""Streams and shared pages: who hears what, when they end, and how often the site is asked."""

import asyncio
import gzip
import subprocess
import tempfile
import time
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import time_machine
from django.db import transaction
from redis import Redis

from config import hub, live
from config.hub import BACKLOG, COMMENT, Hub, Live, Pages
from config.live import PAGES, SIGNED_FOR, publish, stream_of, tell_followers
from deploy.broker import Broker, server

SOON_S = 10.0


class Server:
    """A broker that can be stopped and started."""

    def __init__(self, folder):
        self.broker = Broker(data=Path(folder), socket=Path(folder) / "s")
        self.start()

    def start(self):
        command = self.broker.command(server())
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 20
        while not self.broker.answers():
            assert self.process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def stop(self):
        self.process.kill()
        self.process.wait()


@pytest.fixture(scope="module")
def server_of_ours():
    with tempfile.TemporaryDirectory(prefix="kz") as folder:
        found = Server(folder)
        yield found
        found.stop()


@pytest.fixture
def broker(server_of_ours, settings):
    """The address of a server, at which the site tells what has changed."""
    settings.BROKER = server_of_ours.broker.address
    live.broker.cache_clear()
    yield f"unix://{server_of_ours.broker.socket}"
    live.broker().close()
    live.broker.cache_clear()


class Caller:
    """Somebody who has opened an address; `said` is what came."""

    def __init__(self):
        self.said = asyncio.Queue()
        self.gone = asyncio.Event()
        self.blocked = False

    async def receive(self):
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message):
        if self.blocked:
            await asyncio.Event().wait()
        await self.said.put(message)

    async def status(self):
        return (await asyncio.wait_for(self.said.get(), SOON_S))["status"]

    async def body(self):
        return (await asyncio.wait_for(self.said.get(), SOON_S)).get("body", b"")


def scope(path, **headers):
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": named}


@asynccontextmanager
async def following(found, address):
    """A caller who follows, once the hub has let them."""
    caller = Caller()
    task = asyncio.create_task(found(address, caller.receive, caller.send))
    assert await caller.status() == 200
    assert await caller.body() == COMMENT
    yield caller, task
    caller.gone.set()
    await asyncio.wait_for(task, SOON_S)


async def until(condition):
    async with asyncio.timeout(SOON_S):
        while not condition():
            await asyncio.sleep(0.01)


async def closed(found):
    """Ends what a hub does beside its callers."""
    for task in found.tasks:
        task.cancel()
    await asyncio.gather(*found.tasks, return_exceptions=True)


def at_once(run):
    """Runs a test's coroutine to its end."""
    return asyncio.run(asyncio.wait_for(run, 60))


# -- Streams --------------------------------------------------------------------------------------


def test_who_follows_a_topic_is_told_and_nobody_else(broker):
    async def run():
        found = Hub(broker, lambda: None)
        async with (
            following(found, stream_of("ladder/1")) as (one, _),
            following(found, stream_of("ladder/2")) as (other, _),
        ):
            publish(("home", "ladder/1"))
            assert await one.body() == b"data: ladder/1\n\n"
            assert other.said.empty()
        assert found.followers == {}
        await closed(found)

    at_once(run())


def test_what_changes_in_the_same_moment_is_told_once(broker):
    async def run():
        found = Hub(broker, lambda: None)
        async with following(found, stream_of("home")) as (caller, _):
            for _ in range(20):
                publish(("home",))
            publish(("ladder/1",))
            assert await caller.body() == b"data: home\n\n"
            await asyncio.sleep(2 * hub.TOGETHER_S)
            assert caller.said.qsize() <= 1
        await closed(found)

    at_once(run())


@pytest.mark.parametrize("address", ["", "home", "home:1xTmNN:wrong", "ladder/2"])
def test_an_address_that_nobody_was_given_leads_nowhere(broker, address):
    async def run():
        caller = Caller()
        await Hub(broker, lambda: None)(f"/live/events/{address}", caller.receive, caller.send)
        assert await caller.status() == 403

    at_once(run())


def test_an_address_expires(broker):
    address = stream_of("home")
    assert live.topic_at(address) == "home"
    with time_machine.travel(time.time() + SIGNED_FOR.total_seconds() + 60):
        assert live.topic_at(address) is None


def test_without_a_broker_there_are_no_streams():
    async def run():
        for broker in ("", "unix:///nowhere"):
            caller, found = Caller(), Hub(broker, lambda: None)
            await found(stream_of("home"), caller.receive, caller.send)
            assert await caller.status() == 503
            await closed(found)

    at_once(run())


def test_who_takes_nothing_is_left_behind(broker):
    async def run():
        found = Hub(broker, lambda: None)
        async with following(found, stream_of("home")) as (slow, task):
            slow.blocked = True
            for _ in range(BACKLOG + 2):
                found.tell(["home"], COMMENT)
                await asyncio.sleep(0)
            await asyncio.wait_for(task, SOON_S)
            assert found.count == 0
        await closed(found)

    at_once(run())


def test_a_full_house_sends_the_next_one_away(broker, monkeypatch):
    monkeypatch.setattr(hub, "MOST_FOLLOWERS", 1)

    async def run():
        found = Hub(broker, lambda: None)
        async with following(found, stream_of("home")):
            caller = Caller()
            await found(stream_of("home"), caller.receive, caller.send)
            assert await caller.status() == 503
        await closed(found)

    at_once(run())


def test_a_silent_stream_shows_that_it_lives(broker, monkeypatch):
    monkeypatch.setattr(hub, "BEAT_S", 0.05)

    async def run():
        found = Hub(broker, lambda: None)
        async with following(found, stream_of("home")) as (caller, _):
            assert await caller.body() == COMMENT
        await closed(found)

    at_once(run())


def test_streams_end_when_the_broker_goes_and_begin_when_it_is_back(broker, server_of_ours):
    async def run():
        found = Hub(broker, lambda: None)
        async with following(found, stream_of("home")) as (caller, task):
            server_of_ours.stop()
            assert await caller.body() == b""
            await asyncio.wait_for(task, SOON_S)
        publish(("home",))  # nobody hears it, and nothing fails
        server_of_ours.start()
        await until(found.hears.is_set)
        async with following(found, stream_of("home")) as (caller, _):
            publish(("home",))
            assert await caller.body() == b"data: home\n\n"
        await closed(found)

    at_once(run())


def test_a_stream_ends_properly_when_the_site_stops(broker):
    async def run():
        found = Hub(broker, lambda: None)
        async with following(found, stream_of("home")) as (caller, task):
            task.cancel()
            await asyncio.wait_for(task, SOON_S)
            last = await caller.said.get()
            assert not last.get("more_body")
        await closed(found)

    at_once(run())


# -- Telling --------------------------------------------------------------------------------------


@pytest.fixture
def heard(broker):
    """What the site says, as it says it."""
    with Redis.from_url(broker) as client, client.pubsub() as subscription:
        subscription.subscribe(live.CHANNEL)
        assert subscription.get_message(timeout=SOON_S)["type"] == "subscribe"

        def next_said(timeout=SOON_S):
            message = subscription.get_message(timeout=timeout)
            return message and message["data"].decode()

        yield next_said


@pytest.mark.django_db(transaction=True)
def test_what_changes_is_told_when_it_can_be_read(heard):
    with transaction.atomic():
        tell_followers("home", "match/7")
        assert heard(timeout=0.1) is None
    assert heard() == "home match/7"


@pytest.mark.django_db(transaction=True)
def test_what_has_not_happened_is_not_told(heard):
    with transaction.atomic():
        tell_followers("home")
        transaction.set_rollback(True)
    tell_followers("status")
    assert heard() == "status"


@pytest.mark.django_db(transaction=True)
def test_nothing_fails_when_nobody_can_be_told(settings, caplog):
    settings.BROKER = "redis+socket:///nowhere"
    live.broker.cache_clear()
    tell_followers("home")
    live.broker.cache_clear()
    assert "Open pages are not told" in caplog.text


# -- Pages ----------------------------------------------------------------------------------------


class Site:
    """Stands for the site behind, and counts how often it was asked."""

    def __init__(self, status=200):
        self.status = status
        self.asked = []

    async def __call__(self, scope, receive, send):
        self.asked.append(scope)
        body = f"page {len(self.asked)}".encode()
        await asyncio.sleep(0.01)
        headers = [(b"content-type", b"text/html"), (b"set-cookie", b"a=b")]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


async def fetched(pages, path="/live/pages/en/ladders/x/", **headers):
    """Status, headers and unpacked body of an answer."""
    caller = Caller()
    await pages(scope(path, **headers), caller.send)
    start = await caller.said.get()
    body = await caller.body()
    return start["status"], dict(start["headers"]), gzip.decompress(body) if body else b""


def test_a_page_is_rendered_once_for_all_who_ask():
    async def run():
        site = Site()
        pages = Pages(site)
        answers = await asyncio.gather(*(fetched(pages) for _ in range(50)))
        assert {(status, body) for status, _, body in answers} == {(200, b"page 1")}
        assert len(site.asked) == 1

    at_once(run())


def test_a_page_is_rendered_anew_when_something_has_changed():
    async def run():
        site = Site()
        pages = Pages(site)
        early = asyncio.create_task(fetched(pages))
        await asyncio.sleep(0)
        pages.forget()
        assert (await fetched(pages))[2] == b"page 2"
        assert (await early)[2] == b"page 1"
        assert (await fetched(pages))[2] == b"page 2"

    at_once(run())


def test_a_page_is_the_strangers_one_in_the_language_asked_for():
    async def run():
        site = Site()
        found = await fetched(
            Pages(site), "/live/pages/de/matches/7/", cookie="sessionid=secret", host="localhost"
        )
        [asked] = site.asked
        assert asked["path"] == "/matches/7/"
        assert dict(asked["headers"]) == {b"host": b"localhost", b"accept-language": b"de"}
        assert b"set-cookie" not in found[1]

    at_once(run())


def test_who_has_the_page_is_not_sent_it_again():
    async def run():
        pages = Pages(Site())
        etag = (await fetched(pages))[1][b"etag"].decode()
        status, _, body = await fetched(pages, if_none_match=etag)
        assert (status, body) == (304, b"")

    at_once(run())


@pytest.mark.parametrize("status", [302, 404, 500])
def test_what_strangers_do_not_see_is_not_shown(status):
    async def run():
        found = await fetched(Pages(Site(status)))
        assert (found[0], found[2]) == (status, b"")

    at_once(run())


def test_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(hub, "MOST_PAGES", 3)

    async def run():
        pages = Pages(Site())
        for number in range(10):
            await fetched(pages, f"{PAGES}en/?before={number}/{number}")
            assert len(pages.rendered) <= 3

    at_once(run())


@pytest.mark.parametrize(
    ("method", "path", "status"), [("POST", "/live/events/x", 405), ("GET", "/live/else", 404)]
)
def test_nothing_else_is_at_live(method, path, status):
    async def run():
        caller = Caller()
        await Live("", Site())(scope(path) | {"method": method}, caller.receive, caller.send)
        assert await caller.status() == status

    at_once(run())
