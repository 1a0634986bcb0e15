"""Live pages: what is new is merged in, and whoever reads, types or unfolds something is not disturbed."""

import time
from threading import Condition, Event

import pytest
from playwright.sync_api import expect

POLL_MS, WITHIN_MS = 2000, 3000
ROOM_MS = 15_000  # a loaded machine may take that long for what takes no time

PAGE = """<!DOCTYPE html><title>Live</title>
<link rel="icon" href="data:,">
{head}<script type="module" src="/js/live.js"></script>
<main id="page" {attributes}>{inside}</main>"""


class Site:
    """One page that changes, and the stream that says so."""

    def __init__(self, pages):
        self.inside, self.attributes, self.head = "", 'data-live="/page"', ""
        self.asked, self.followers, self.lines = 0, 0, 0
        self.is_up, self.told = True, Condition()
        self.left = Event()
        pages["/page"] = self.page
        pages["/stream"] = self.stream

    def page(self, request):
        self.asked += 1
        text = PAGE.format(head=self.head, attributes=self.attributes, inside=self.inside)
        send(request, 200 if self.is_up else 503, "text/html", text.encode())

    def stream(self, request):
        request.send_response(200)
        request.send_header("Content-Type", "text/event-stream")
        request.send_header("Connection", "close")
        request.end_headers()
        self.followers += 1
        said = self.lines
        try:
            while True:
                with self.told:
                    self.told.wait(0.1)
                request.wfile.write(b"data: page\n\n" if said < self.lines else b":\n\n")
                request.wfile.flush()
                said = self.lines
        except OSError:
            self.followers -= 1
            self.left.set()

    def change(self, inside, tell=True):
        self.inside = inside
        with self.told:
            self.lines += tell
            self.told.notify_all()


def send(request, status, kind, body):
    request.send_response(status)
    request.send_header("Content-Type", f"{kind}; charset=utf-8")
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)


def part(inside, **named):
    attributes = " ".join(f'{name}="{value}"' for name, value in named.items())
    return f'<div id="part" data-part {attributes}>{inside}</div>'


def rows(*numbers):
    return part(
        "<ul>" + "".join(f'<li id="r{n}"><a href="#">{n}</a></li>' for n in numbers) + "</ul>"
    )


@pytest.fixture
def site(pages):
    found = Site(pages)
    found.change(rows(1, 2, 3))
    return found


@pytest.fixture
def opened(served, browser, site):
    """Opens the page, with or without a stream."""
    context = browser.new_context()
    context.set_default_timeout(ROOM_MS)

    def open_page(*, stream=False):
        if stream:
            site.attributes += ' data-stream="/stream"'
        page = context.new_page()
        page.goto(f"{served}/page")
        return page

    yield open_page
    context.close()


def first_row(page):
    return page.locator("li").first


# -- When it asks ---------------------------------------------------------------------------------


def test_without_a_stream_it_asks_every_few_seconds(opened, site):
    page = opened()
    site.change(rows(4, 1, 2, 3), tell=False)
    expect(first_row(page)).to_have_text("4", timeout=ROOM_MS)


def test_with_a_stream_it_asks_when_it_is_told_and_within_three_seconds(opened, site):
    page = opened(stream=True)
    page.wait_for_timeout(1000)  # it asks once when the stream opens
    site.change(rows(4, 1, 2, 3), tell=False)
    asked = site.asked
    page.wait_for_timeout(POLL_MS + 500)
    assert site.asked <= asked + 1
    began = time.monotonic()
    site.change(rows(5, 4, 1, 2, 3))
    expect(first_row(page)).to_have_text("5", timeout=ROOM_MS)
    assert time.monotonic() - began < WITHIN_MS / 1000 + 2  # the machine may be busy


def test_where_a_stream_is_refused_it_asks_every_few_seconds(opened, site, pages):
    pages["/stream"] = lambda request: send(request, 503, "text/plain", b"")
    page = opened(stream=True)
    site.change(rows(4, 1, 2, 3), tell=False)
    expect(first_row(page)).to_have_text("4", timeout=ROOM_MS)


def test_a_hidden_page_follows_nothing_and_catches_up_when_it_is_seen(opened, site):
    page = opened(stream=True)
    hide(page, True)
    assert site.left.wait(ROOM_MS / 1000)
    site.change(rows(4, 1, 2, 3))
    asked = site.asked
    page.wait_for_timeout(POLL_MS + 500)
    assert site.asked == asked
    hide(page, False)
    expect(first_row(page)).to_have_text("4", timeout=ROOM_MS)


def hide(page, is_hidden):
    page.evaluate(
        """(isHidden) => {
            Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        is_hidden,
    )


def test_a_site_that_is_away_for_a_moment_is_asked_again(opened, site):
    page = opened()
    site.is_up = False
    page.wait_for_timeout(POLL_MS + 500)
    expect(first_row(page)).to_have_text("1")
    site.is_up = True
    site.change(rows(4, 1, 2, 3), tell=False)
    expect(first_row(page)).to_have_text("4", timeout=ROOM_MS)


def test_what_has_ended_is_asked_for_no_more(opened, site):
    page = opened()
    site.attributes = ""
    site.change(rows(4), tell=False)
    expect(page.locator("li")).to_have_count(1, timeout=ROOM_MS)
    asked = site.asked
    page.wait_for_timeout(POLL_MS + 500)
    assert site.asked == asked


def test_a_page_that_needs_other_scripts_by_now_is_loaded_anew(opened, site):
    page = opened()
    page.evaluate("window.isOld = true")
    site.attributes, site.head = "", '<script type="module" src="/js/copy.js"></script>'
    site.change(rows(4), tell=False)
    expect(page.locator("li")).to_have_count(1, timeout=ROOM_MS)
    assert page.evaluate("window.isOld") is None


# -- What it leaves alone -------------------------------------------------------------------------

MERGE = """async ([before, after, act]) => {
    const { morph } = await import("/js/morph.js");
    const parsed = (html) => new DOMParser().parseFromString(html, "text/html").body.firstElementChild;
    document.body.replaceChildren(parsed(before));
    const found = eval(act);
    const settled = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    await settled();
    const was = found?.before?.();
    morph(document.body.firstElementChild, parsed(after));
    await settled();
    return [was ?? null, found?.after() ?? null];
}"""


@pytest.fixture
def merged(served, browser, pages):
    """Merges one part into another one; what `act` has looked at before and afterwards."""
    pages["/empty"] = lambda request: send(request, 200, "text/html", b"<!DOCTYPE html><body>")
    page = browser.new_page()
    page.goto(f"{served}/empty")

    def merge(before, after, act):
        was, found = page.evaluate(MERGE, [before, after, act])
        return was, found, page.evaluate("document.body.innerText").split()

    yield merge
    page.close()


def test_rows_that_stay_are_the_same_rows(merged):
    marked = "document.querySelector('#r2').mark = 'mine', { after: () => document.querySelector('#r2').mark }"
    assert merged(rows(1, 2, 3), rows(3, 4, 2), marked)[1:] == ("mine", ["3", "4", "2"])


def test_the_focus_stays_where_it_is(merged):
    focused = "document.querySelector('#r1 a').focus(), { after: () => document.activeElement.textContent }"
    assert merged(rows(1, 2, 3), rows(4, 3, 2, 1), focused)[1:] == ("1", ["4", "3", "2", "1"])


def test_what_is_selected_stays_selected(merged):
    selected = """getSelection().selectAllChildren(document.querySelector('#r2 a')),
        { after: () => getSelection().toString() }"""
    assert merged(rows(1, 2, 3), rows(4, 1, 2), selected)[1:] == ("2", ["4", "1", "2"])


def test_what_one_reads_does_not_move(merged):
    tall = "".join(f'<li id="r{n}" style="height:90px">{n}</li>' for n in range(40))
    one_more = f'<li id="new" style="height:90px">new</li>{tall}'
    reading = """scrollTo(0, document.querySelector('#r20').offsetTop),
        (where => ({ before: where, after: where }))(
            () => Math.round(document.querySelector('#r20').getBoundingClientRect().y))"""
    before, after, words = merged(part(tall), part(one_more), reading)
    assert (before, words[0]) == (after, "new")


def test_what_is_unfolded_and_typed_stays_so(merged):
    form = '<details id="d"><summary>More</summary><form id="f"><input id="i" value="{}"></form></details>'
    typed = """document.querySelector('#d').open = true, document.querySelector('#i').value = 'typed',
        { after: () => [document.querySelector('#d').open, document.querySelector('#i').value] }"""
    before, after = part(form.format("old") + "<p>1</p>"), part(form.format("fresh") + "<p>2</p>")
    assert merged(before, after, typed)[1:] == ([True, "typed"], ["More", "2"])


def log_of(count):
    lines = "".join(f"line-{n} " for n in range(count))
    style = "height:80px;width:60px;overflow:auto"
    return f'<pre data-part="grows" style="{style};white-space:pre-wrap">{lines}</pre>'


def test_a_log_grows_at_its_end_and_follows_whoever_reads_the_end(merged):
    reading = """(log => (log.scrollTop = 1e6, (first => ({ after: () =>
        [log.firstChild === first, log.scrollTop + log.clientHeight >= log.scrollHeight - 4] }))(log.firstChild)
    ))(document.querySelector('pre'))"""
    _, found, words = merged(log_of(30), log_of(60), reading)
    assert (found, words[-1]) == ([True, True], "line-59")
    assert merged(log_of(30), log_of(2), "null")[2] == ["line-0", "line-1"]


def test_attributes_come_and_go(merged):
    looking = "(get => ({ before: get, after: get }))(() => document.querySelector('#part').getAttribute('lang'))"
    assert merged(part("<p>a</p>"), part("<p>b</p>", lang="de"), looking) == (None, "de", ["b"])
    assert merged(part("<p>a</p>", lang="de"), part("<p>b</p>"), looking) == ("de", None, ["b"])
