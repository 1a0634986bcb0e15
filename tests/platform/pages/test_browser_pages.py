"""The pages around ladders, bots and replays in a real browser: uploads, search, documentation, errors."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from bots import files
from bots.models import Version
from bots.services import upload
from workers.check import Verdict
from workers.contract import Job, Step

pytestmark = pytest.mark.django_db(transaction=True)

PYTHON = "import sys\n\nfor line in sys.stdin:\n    print(line)\n"
JAVASCRIPT = 'const lines = require("readline");\nconsole.log("ready");\n'

# Lets go of files over the page, as a mouse would that carries them; scripts have no other way.
DROP = """([name, text]) => {
  const carried = new DataTransfer();
  carried.items.add(new File([text], name));
  for (const kind of ["dragover", "drop"]) {
    const event = new DragEvent(kind, { dataTransfer: carried, bubbles: true, cancelable: true });
    document.querySelector("main").dispatchEvent(event);
  }
}"""
PASTE = """(text) => {
  const carried = new DataTransfer();
  carried.setData("text/plain", text);
  const event = new ClipboardEvent("paste", { clipboardData: carried, bubbles: true, cancelable: true });
  document.querySelector("main").dispatchEvent(event);
}"""


# -- Uploads --------------------------------------------------------------------------------------


def test_a_dropped_file_is_recognised_uploaded_and_checked(look, site, as_alice, hands):
    page = look(as_alice)
    page.goto("/bots/red-fox/upload/")
    page.evaluate(DROP, ["clever.py", PYTHON])
    expect(page.locator("[data-said]")).to_have_text("clever.py, 51 bytes: taken for Python.")
    page.get_by_role("button", name="Upload and check").click()
    expect(page.get_by_role("status")).to_have_text("Its check waits for a worker.")
    version = Version.objects.get(bot=site.alices, number=2)
    assert files.archive_bytes(version.archive) == PYTHON.encode()
    job = Job("check", str(version.check_job.pk), 1)
    ticket = hands.ticket(job)
    sentence = (
        "illegal at decision 1, seat 0: see below.\ncame:  red-77\n"
        "See the same at home: kibitz check clever.py --game color-stock"
    )
    steps = [Step("files", "passed", "1 file"), Step("a leg against itself", "failed", sentence)]
    hands.report(hands.check_record(ticket, Verdict(False, "python", sentence, steps)))
    expect(page.get_by_role("status")).to_have_text("Rejected.")
    expect(
        page.get_by_text("kibitz check clever.py --game color-stock", exact=True)
    ).to_be_visible()


def test_what_cannot_be_a_bot_is_said_before_it_is_sent(look, as_alice):
    page = look(as_alice)
    page.goto("/bots/new/")
    page.evaluate(DROP, ["notes.txt", "no program"])
    expect(page.locator("[data-said]")).to_contain_text("tells no language")
    page.evaluate(DROP, ["bot.py", "x" * (4 * 2**20 + 1)])
    expect(page.locator("[data-said]")).to_contain_text("more than a bot may have")
    page.evaluate(DROP, ["bot.zip", "PK"])
    expect(page.locator("[data-said]")).to_contain_text("recognised by the files in it")


def test_pasted_source_gets_a_name_in_its_language(look, as_alice):
    page = look(as_alice)
    page.goto("/bots/new/")
    page.evaluate(PASTE, JAVASCRIPT)
    expect(page.get_by_label("Source")).to_have_value(JAVASCRIPT)
    expect(page.get_by_label("Name of the file")).to_have_value("bot.js")
    expect(page.locator("[data-said]")).to_have_text("Pasted, and taken for JavaScript.")
    page.get_by_label("Name", exact=True).fill("quick-quokka")
    page.get_by_role("button", name="Upload and check").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("quick-quokka v1")
    assert Version.objects.get().file_name == "bot.js"


# -- The keyboard ---------------------------------------------------------------------------------


def test_a_slash_leads_to_the_search_and_a_name_to_its_bot(look, site):
    page = look()
    page.goto("/docs/")
    page.keyboard.press("/")
    expect(page.get_by_label("Find a bot, an author or the number of a match")).to_be_focused()
    page.keyboard.type("red-fox")
    page.keyboard.press("Enter")
    expect(page).to_have_url("/bots/red-fox/")
    page.goto("/search/")
    page.get_by_label("Name or number").press("/")
    expect(page.get_by_label("Name or number")).to_have_value("/")


# -- For everybody --------------------------------------------------------------------------------

PHONE = {"width": 390, "height": 844}


def wrong_on(page, address):
    """What of a page somebody cannot read: as axe sees it, and what lies beside a narrow screen."""
    page.goto(address)
    for rule in Axe().run(page).response["violations"]:
        yield address, rule["id"], [node["html"] for node in rule["nodes"]]
    if (width := page.evaluate("document.documentElement.scrollWidth")) > PHONE["width"]:
        yield address, "too wide", width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_can_be_read_by_everybody(look, site, as_alice, hands, scheme):
    version, _ = upload(bot=site.alices, data=b"print(2)", file_name="two.py")
    hands.check(version, Verdict(False, "python", "illegal: no.\nasked: this\ncame:  that", []))
    page = look(as_alice, color_scheme=scheme, viewport=PHONE)
    addresses = (
        "/bots/",
        "/search/?q=o",
        "/games/",
        "/games/sticheln/",
        "/docs/",
        "/docs/languages/",
        "/docs/box/",
        "/docs/privacy/",
        "/docs/examples/",
        "/bots/red-fox/versions/2/",
        "/accounts/email/",
        "/accounts/logout/",
        "/account/delete/",
    )
    assert [wrong for address in addresses for wrong in wrong_on(page, address)] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_stranger_can_read_the_way_in(look, ladders, scheme):
    page = look(color_scheme=scheme, viewport=PHONE)
    addresses = ("/", "/accounts/signup/", "/accounts/login/", "/accounts/password/reset/")
    assert [wrong for address in addresses for wrong in wrong_on(page, address)] == []
