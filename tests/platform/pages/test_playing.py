"""A person plays in a real browser: every game by clicking, by keyboard, on a phone, with reloads."""

import re
import threading
from contextlib import suppress

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from games import replay
from tests.platform.tournaments.conftest import inside
from tests.workers.conftest import broker, redis_server
from tournaments import replays
from tournaments.models import Match
from workers.chair import Chair, opened
from workers.person import Person

__all__ = ["broker", "redis_server"]

pytestmark = pytest.mark.django_db(transaction=True)

PATIENT_MS = 30_000
WANTS = re.compile("Your turn|Choose|Claim|over")
PHONE = {"width": 390, "height": 844}


class Over(Exception):
    """The test has ended, and nobody waits for the person any more."""


class Dealer(threading.Thread):
    """A worker that plays the next match of a person, its bots inside the process."""

    def __init__(self, hands, broker, ticket):
        super().__init__(daemon=True)
        self.hands, self.ticket = hands, ticket
        self.chair = Chair(opened(broker), ticket.chair.name)
        self.record = None
        self.over = threading.Event()
        self.start()

    def run(self):
        players = [
            inside(self.ticket.game, 2) if archive else lambda: Person(self.chair, self.look_up)
            for archive in self.ticket.lineup
        ]
        with suppress(Over):
            self.record = self.hands.record(self.ticket, players)

    def look_up(self):
        if self.over.is_set():
            raise Over

    def report(self):
        self.join(60)
        assert self.hands.report(self.record).status_code == 200


@pytest.fixture
def at_table(look, ladders, as_alice, hands, broker, settings):
    """Sits down at a table of this game through the pages; the window, and who deals."""
    settings.BROKER = broker
    dealers = []

    def at_table(game, options=None, **about):
        page = look(as_alice, **about)
        # The server of these tests has no hub, though there is a broker.
        page.route("**/live/events/**", lambda route: route.fulfill(status=204))
        page.goto("/matches/")
        page.get_by_role("link", name="Play yourself").click()
        page.locator(f'a[href="?game={game}"]').click()
        for label, value in (options or {}).items():
            page.get_by_label(label).select_option(value)
        page.get_by_role("button", name="Sit down").click()
        expect(page.locator("[data-asked]")).to_have_text("Waiting for a free table …")
        dealers.append(Dealer(hands, broker, hands.ticket(newest().name)))
        return page, dealers[-1]

    yield at_table
    for dealer in dealers:
        dealer.over.set()
        dealer.join(60)
        assert not dealer.is_alive()


def newest():
    return Match.objects.latest("pk")


def asked(page):
    """What the page wants to know, once it wants to know something or all is over."""
    told = page.locator("[data-asked]")
    expect(told).to_have_text(WANTS, timeout=PATIENT_MS)
    return told.inner_text()


def play_on(page, moves):
    """Answers so many questions with what comes first, or all."""
    for _ in range(moves):
        said = asked(page)
        if "over" in said:
            return said
        answer(page, said)
    return asked(page)


def answer(page, said):
    """One answer, by the last button there is; a pair takes two."""
    table = page.locator("#table")
    number = table.get_attribute("data-question")
    if "Claim" in said:
        page.get_by_role("button", name="pass", exact=True).click()
    for _ in range(0 if "Claim" in said else 2 if "two cards" in said else 1):
        page.locator(".own .hand button:not([aria-pressed])").last.click()
    expect(table).not_to_have_attribute("data-question", number, timeout=PATIENT_MS)


def replay_is_right():
    found = replay.read(replays.public_replay(newest()))
    replay.verify(found)
    return found["legs"][0]


def test_a_whole_game_of_color_stock_is_played_to_its_replay(at_table):
    page, dealer = at_table("color-stock", {"Rounds": "1"})
    asked(page)
    assert play_on(page, 50).startswith("The game is over. You: ")
    dealer.report()
    page.get_by_role("link", name="To the replay").click()
    expect(page.get_by_role("heading", name="Result")).to_be_visible()
    assert replay_is_right()["faults"] == []


def test_tricks_are_played_on_a_phone_by_everybody_and_leaving_hands_over_to_the_house(at_table):
    page, dealer = at_table("sticheln", viewport=PHONE)
    assert asked(page) == "Choose your pain card."
    page.reload()
    assert play_on(page, 4) == "Your turn: play a card."
    wrong = Axe().run(page).response["violations"]
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in wrong] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.get_by_text("Leave the table").click()
    page.get_by_role("button", name="Leave", exact=True).click()
    dealer.report()
    expect(page.get_by_role("heading", name="Result")).to_be_visible()
    assert [fault["kind"] for fault in replay_is_right()["faults"]] == ["crashed"]


def test_a_window_is_answered_with_the_keyboard_and_in_two_tabs(at_table, as_alice, look):
    page, _ = at_table("stop-it")
    while "Claim" not in asked(page):
        answer(page, "")
    other = look(as_alice)
    other.goto(page.url)
    asked(other)
    number = page.locator("#table").get_attribute("data-question")
    page.get_by_role("button", name="claim", exact=True).focus()
    page.keyboard.press("Enter")
    for tab in (page, other):
        expect(tab.locator("#table")).not_to_have_attribute("data-question", number)
