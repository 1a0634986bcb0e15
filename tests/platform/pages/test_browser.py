"""The pages in a real browser, with scripts and without."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from bots.models import Version
from bots.services import upload
from ladders.models import Entry
from tests.platform.api.conftest import new_comparison
from tournaments.comparisons import make_units
from tournaments.models import Comparison
from workers.contract import Job

pytestmark = pytest.mark.django_db(transaction=True)

SOURCE = """import json, sys

for line in sys.stdin:
    message = json.loads(line)
"""


WITH_AND_WITHOUT = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "none"])


@WITH_AND_WITHOUT
def test_somebody_signs_up_and_uploads_a_first_bot(look, scripts):
    page = look(java_script_enabled=scripts)
    page.goto("/")
    page.get_by_role("link", name="Sign up").click()
    page.get_by_label("Name").fill("dora")
    page.get_by_label("Password", exact=True).fill("ten-red-tricks")
    page.locator("main").get_by_role("button").first.click()
    expect(page.get_by_role("link", name="Log out")).to_be_visible()
    page.get_by_role("link", name="Drop the file, pick it or paste it").click()
    page.get_by_label("Name", exact=True).fill("first-light")
    page.get_by_label("Game").select_option("color-stock")
    page.get_by_text("Or paste one source file").click()
    page.get_by_label("Source").fill(SOURCE)
    page.get_by_role("button", name="Upload and check").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("first-light v1")
    expect(page.get_by_role("status")).to_have_text("Its check waits for a worker.")
    assert Version.objects.get().bot.owner.username == "dora"


@WITH_AND_WITHOUT
def test_a_check_is_watched_while_it_runs(look, scripts, site, as_alice, hands):
    version, _ = upload(bot=site.alices, data=b"print(2)", file_name="two.py")
    job = Job("check", str(version.check_job.pk), 1)
    page = look(as_alice, java_script_enabled=scripts)
    page.goto("/bots/red-fox/versions/2/")
    expect(page.get_by_role("status")).to_have_text("Its check waits for a worker.")
    ticket = hands.ticket(job)
    hands.progress(job, ["files: 1 file, recognised as Python", "building ..."])
    expect(page.get_by_role("log")).to_contain_text("building ...")
    expect(page.locator("#check-steps li").nth(1)).to_have_class("running")
    hands.report(hands.check_record(ticket))
    expect(page.get_by_role("status")).to_have_text("Ready, and the version that plays.")
    expect(page.locator("#check-language dd")).to_have_text("Python")


@WITH_AND_WITHOUT
def test_a_match_is_watched_until_its_result(look, scripts, site, hands, text):
    page = look(java_script_enabled=scripts)
    page.goto(f"/matches/{site.waiting.pk}/")
    expect(page.get_by_text("Waits for a worker.")).to_be_visible()
    hands.play(site.waiting)
    expect(page.get_by_role("heading", name="Result")).to_be_visible()
    expect(page.get_by_role("heading", name="Leg 1")).to_be_visible()


@WITH_AND_WITHOUT
def test_a_comparison_is_followed_until_its_end(look, scripts, site, as_alice, hands):
    comparison = new_comparison(site.alices, site.public)
    page = look(as_alice, java_script_enabled=scripts)
    page.goto(f"/comparisons/{comparison.pk}/")
    expect(page.get_by_text("Nothing has been played yet.").first).to_be_visible()
    make_units()
    unit = comparison.units.earliest("number")
    hands.report(hands.unit_record(hands.ticket(unit.name)))
    expect(page.get_by_text("2 of at most 4000 games")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("It has ended.")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)


@pytest.mark.parametrize(
    ("tampered", "verdict"),
    [
        (False, "All that was compared follows from the seed."),
        (True, "This replay is wrong. At leg 1, round 1, seat 0 it must be"),
    ],
    ids=["right", "wrong"],
)
def test_a_reader_deals_again_and_compares(look, site, tampered, verdict):
    page = look()
    page.goto(f"/matches/{site.played.pk}/")
    if tampered:
        page.route("**/replay.json", with_other_cards)
    page.get_by_role("button", name="Verify").click()
    expect(page.locator("#verify [role=status]")).to_contain_text(verdict)
    expect(page.locator("#verify [data-check=deals]")).to_contain_text(
        "differs" if tampered else "compared, all equal"
    )
    expect(page.locator("#verify [data-check=claims]")).to_contain_text("none in this match")


def with_other_cards(route):
    replay = route.fetch().json()
    dealt = next(event for event in replay["legs"][0]["events"] if event["event"] == "dealt")
    dealt["hand"].reverse()
    route.fulfill(json=replay)


def test_light_and_dark_can_be_switched_and_are_kept(look, ladders):
    page = look(color_scheme="light")
    page.goto("/")
    light = background(page)
    page.get_by_role("button", name="Switch between light and dark").click()
    dark = background(page)
    assert light != dark
    page.goto("/ladders/")
    assert background(page) == dark


def background(page):
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


def test_the_keyboard_reaches_the_content_first(look, ladders):
    page = look()
    page.goto("/ladders/")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_main_pages_can_be_read_by_everybody(look, site, as_alice, scheme):
    page = look(as_alice, color_scheme=scheme, viewport={"width": 390, "height": 844})
    comparison = new_comparison(site.alices, site.public)
    Comparison.objects.update(counted=20, halves=50, halves_squared=150, judged=20, made=20)
    wrong = {}
    for address in (
        "/",
        "/ladders/",
        f"/ladders/{site.public.slug}/",
        f"/ladders/{site.public.slug}/tables/",
        "/matches/",
        f"/matches/{site.played.pk}/",
        "/bots/red-fox/",
        "/bots/red-fox/versions/1/",
        "/bots/new/",
        "/challenges/new/?bot=red-fox",
        "/players/alice/",
        "/status/",
        "/account/",
        "/comparisons/",
        "/bots/red-fox/compare/",
        f"/comparisons/{comparison.pk}/",
    ):
        page.goto(address)
        for rule in Axe().run(page).response["violations"]:
            wrong[address, rule["id"]] = [node["html"] for node in rule["nodes"]]
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, address
    assert wrong == {}


def test_the_band_follows_the_pointer_and_rests_on_ones_own_bot(look, site, rank, as_alice):
    for bot, rating in ((site.bobs, 1600), (site.alices, 1500)):
        rank(Entry.objects.get(bot=bot, ladder=site.public), rating)
    page = look(as_alice)
    page.goto(f"/ladders/{site.public.slug}/")
    band = page.locator("#band")
    own, other = (
        page.locator("tr", has_text=name).get_attribute("data-band").split()[0]
        for name in ("red-fox", "blue-owl")
    )
    assert own != other
    expect(band).to_have_attribute("x", own)
    page.get_by_role("row", name="blue-owl").hover()
    expect(band).to_have_attribute("x", other)
    page.get_by_role("heading", level=1).hover()
    expect(band).to_have_attribute("x", own)
    page.locator("tr", has_text="blue-owl").get_by_role("link").first.focus()
    expect(band).to_have_attribute("x", other)
