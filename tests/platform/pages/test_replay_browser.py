"""The replay in a real browser: what is on the page is what the events say, from every seat."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import expect

from games import game_named
from tests.platform.pages.replaying import GAMES, scenes_of
from tests.platform.pages.test_browser import chromium, look, pytestmark, uncollected
from tournaments import replays

__all__ = ["chromium", "look", "pytestmark", "uncollected"]

every_game = pytest.mark.parametrize("game", GAMES)

# Steps with the page's own button from here to the end and notes what lies on the table.
STEP_THROUGH = """async () => {
  const cards = (box) => [...box.querySelectorAll(".card[data-card]")].map((card) => card.dataset.card);
  const read = () => ({
    hands: [...document.querySelectorAll("[data-seat].seat")]
      .sort((one, other) => one.dataset.seat - other.dataset.seat)
      .map((seat) => cards(seat.querySelector(".hand"))),
    totals: [...document.querySelectorAll("[data-seat].seat")]
      .sort((one, other) => one.dataset.seat - other.dataset.seat)
      .map((seat) => Number(seat.querySelector("[data-total]").textContent.replace("−", "-"))),
    middle: cards(document.querySelector(".middle")),
    told: document.querySelector("[data-view=told]").textContent.trim(),
    move: Number(document.querySelector("kibitz-replay").dataset.move),
  });
  const on = document.querySelector("[data-act=on]");
  const seen = [read()];
  for (let last = -1; seen.at(-1).move !== last;) {
    last = seen.at(-1).move;
    on.click();
    seen.push(read());
  }
  return seen.slice(0, -1);
}"""

STICKING_OUT = """() => [...document.querySelectorAll(".hand .card")].filter((card) =>
  card.getBoundingClientRect().right > card.closest(".seat").getBoundingClientRect().right + 1).length"""

# Folds a leg and compares each state before a decision with the view a bot got.
COMPARE_VIEWS = """async ({ address, views }) => {
  const { fold } = await import("/static/js/replay/fold.js");
  const leg = await (await fetch(address)).json();
  const states = fold(leg);
  const sorted = (value) => JSON.stringify(value, (key, each) =>
    each && each.constructor === Object ? Object.fromEntries(Object.entries(each).sort()) : each);
  return leg.scenes.flatMap((scene, at) => scene.decision === undefined ? [] :
    Object.entries(views[scene.decision])
      .filter(([key, value]) => sorted(states[at - 1][key]) !== sorted(value))
      .map(([key]) => [at, key]));
}"""


def open_replay(page, match, **place):
    asked = "&".join(f"{key}={value}" for key, value in place.items())
    page.goto(f"{reverse('match', args=[match.pk])}?{asked}")
    expect(page.locator("kibitz-replay")).to_have_attribute("data-state", "ready")
    return page


def hands_after(events, hands):
    """The hands by seat after these events."""
    for event in events:
        if event["event"] == "dealt":
            hands[event["seat"]] = list(event["hand"])
        for seat, cards in laid_down(event):
            for card in cards:
                hands[seat].remove(card)
    return [list(hands[seat]) for seat in sorted(hands)]


def laid_down(event):
    if event["event"] == "pain":
        return [(seat, [card]) for seat, card in enumerate(event["cards"])]
    if event["event"] == "played":
        return [(event["seat"], [event["card"]])]
    return [(event["seat"], event["cards"])] if event["event"] == "put" else []


@every_game
def test_stepping_through_shows_what_the_events_say(look, match_of, client, game):
    match = match_of(game)
    leg = replays.legs_of(match)[1]
    scenes = scenes_of(client, match, 2)["scenes"]
    seen = open_replay(look(), match, leg=2).evaluate(STEP_THROUGH)
    assert [each["move"] for each in seen] == list(range(len(scenes)))
    hands = {}
    for scene, shown in zip(scenes, seen, strict=True):
        assert [sorted(hand) for hand in shown["hands"]] == [
            sorted(hand) for hand in hands_after(scene["events"], hands)
        ]
        assert shown["told"]
        for event in scene["events"]:
            if event["event"] in ("played", "taken"):
                cards = event.get("cards", [event.get("card")])
                assert set(cards) <= set(shown["middle"])
            if event["event"] == "scored":
                assert shown["totals"] == event["totals"]
    assert seen[-1]["totals"] == leg["scores"]


@every_game
def test_every_seats_states_are_the_views_its_bot_got(look, match_of, client, game):
    match = match_of(game)
    page = open_replay(look(), match)
    for seat in range(match.players):
        position = game_named(game).deal(match.players, match.options, bytes.fromhex(match.seed))
        views = []
        for decision in replays.legs_of(match)[0]["decisions"]:
            views.append(position.view(seat))
            position.play(decision["moves"])
        address = f"{reverse('match_leg', args=[match.pk, 1])}?seat={seat}"
        assert page.evaluate(COMPARE_VIEWS, {"address": address, "views": views}) == []


def test_a_seats_table_shows_no_other_hand(look, match_of):
    match = match_of("stop-it")
    page = open_replay(look(), match, leg=1, seat=2)
    for seat in range(match.players):
        hand = page.locator(f".seat[data-seat='{seat}'] .hand")
        assert (hand.locator("[data-card]").count() > 0) == (seat == 2)
        assert (hand.locator(".back").count() > 0) == (seat != 2)
    expect(page.locator(".side.own .seat")).to_have_attribute("data-seat", "2")


def test_keys_lead_through_a_leg_and_the_address_follows(look, site):
    page = open_replay(look(), site.played, leg=2, move=3)
    replay = page.locator("kibitz-replay")
    for key, move in (("ArrowRight", 4), ("ArrowLeft", 3), ("Home", 0), ("ArrowDown", 1)):
        page.keyboard.press(key)
        expect(replay).to_have_attribute("data-move", str(move))
    page.keyboard.press("]")
    expect(page.locator("[data-view=where]")).to_have_text("Round 2, the deal")
    page.keyboard.press("[")
    expect(replay).to_have_attribute("data-move", "0")
    page.keyboard.press("1")
    expect(page.locator(".side.own .seat")).to_have_attribute("data-seat", "1")
    expect(page).to_have_url(re.compile(r"\?leg=2&move=0&seat=1$"))
    page.go_back()
    expect(page.locator(".back")).to_have_count(0)
    page.keyboard.press("a")
    page.keyboard.press(" ")
    expect(replay).to_have_attribute("data-playing", "")
    page.keyboard.press(" ")
    expect(replay).not_to_have_attribute("data-playing", "")


def test_a_link_leads_to_this_very_move_of_this_leg_and_seat(look, site):
    page = open_replay(look(), site.played, leg=3, move=7, seat=1)
    where = page.locator("[data-view=where]").text_content()
    address = reverse("match", args=[site.played.pk])
    page.goto("about:blank")
    page.goto(f"{address}#leg=3&move=7&seat=1")
    expect(page.locator("[data-view=where]")).to_have_text(where)
    expect(page.locator("[data-leg='3']")).to_have_attribute("aria-current", "true")
    expect(page.locator("[data-seat-link='1']")).to_have_attribute("aria-current", "true")


def test_a_move_in_the_sheet_and_a_leg_in_the_deals_are_links(look, site):
    page = open_replay(look(), site.played)
    replay = page.locator("kibitz-replay")
    page.locator(".sheet [data-at='5']").click()
    expect(replay).to_have_attribute("data-move", "5")
    page.locator("[data-made-in='4']").first.click()
    expect(page.locator("[data-leg='4']")).to_have_attribute("aria-current", "true")
    expect(replay).to_have_attribute("data-move", "0")
    page.go_back()
    expect(replay).to_have_attribute("data-move", "5")


def test_the_first_fault_can_be_jumped_to_and_is_explained_to_its_owner(look, noted, as_bob):
    page = open_replay(look(as_bob), noted)
    page.get_by_role("button", name="First fault: blue-owl, illegal").click()
    expect(page.locator("[data-view=told]")).to_contain_text("The bot of blue-owl faulted")
    expect(page.locator("[data-view=beside]")).to_contain_text("red+pink is <not> legal")
    expect(page.get_by_text("house plays", exact=True).first).to_be_visible()


def test_an_owner_reads_notes_beside_the_moves(look, noted, as_alice):
    page = open_replay(look(as_alice), noted)
    own = page.locator("[data-view=beside] .own-note")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(own.or_(page.locator("[data-view=beside] .clocks"))).not_to_have_count(0)
    seen = [own.count()]
    for _ in range(3):
        page.keyboard.press("ArrowRight")
        seen.append(own.count())
    assert any(seen)
    expect(page.locator("[data-view=debug]")).to_contain_text("some <debug> output")


def test_results_can_be_hidden(look, site):
    page = open_replay(look(), site.played)
    points = page.locator(".podium .result").first
    expect(points).to_be_visible()
    page.get_by_role("button", name="Hide results").click()
    expect(points).to_be_hidden()
    page.reload()
    expect(points).to_be_hidden()


def test_eight_seats_fit_on_a_phone_and_on_a_projector(look, match_of):
    match = match_of("sticheln", players=8)
    for width in (390, 1920):
        page = open_replay(look(viewport={"width": width, "height": 900}), match, leg=2, move=100)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(STICKING_OUT) == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_replay_can_be_read_by_everybody(look, match_of, scheme):
    match = match_of("stop-it")
    page = open_replay(look(color_scheme=scheme), match, leg=1, move=8)
    wrong = {
        rule["id"]: [node["html"] for node in rule["nodes"]]
        for rule in Axe().run(page).response["violations"]
    }
    assert wrong == {}


def test_without_scripts_a_leg_is_told(look, site):
    page = look(java_script_enabled=False)
    page.goto(f"{reverse('match', args=[site.played.pk])}?leg=2")
    expect(page.get_by_role("heading", name="Leg 2")).to_be_visible()
    expect(page.locator(".told.score").last).to_contain_text("That was the last round.")
    expect(page.locator(".told.score").last).to_be_visible()
    expect(page.locator("kibitz-replay")).to_be_hidden()
