"""The site's scripts alone in a browser, to which they come by plain HTTP from another machine."""

import os
import shutil
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import sync_playwright

CHROMIUM = shutil.which("chromium")
STATIC = Path(__file__).parents[3] / "platform" / "static"
NO_BROWSER = pytest.mark.skipif(
    not CHROMIUM and "CI" not in os.environ, reason="needs Chromium: apt install chromium"
)


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(NO_BROWSER)


class Files(SimpleHTTPRequestHandler):
    """Static files, and the pages of a test."""

    protocol_version = "HTTP/1.1"
    pages = {}  # by their paths: what answers a request

    def do_GET(self):
        answer = self.pages.get(self.path.partition("?")[0])
        answer(self) if answer else super().do_GET()

    def log_message(self, *about):
        """Nobody reads it."""


@pytest.fixture(scope="session")
def served():
    """The address of the site's static files, under a name that no browser trusts."""
    files = partial(Files, directory=STATIC)
    with ThreadingHTTPServer(("127.0.0.1", 0), files) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://classroom.test:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def browser():
    rule = "--host-resolver-rules=MAP classroom.test 127.0.0.1"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", rule])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def window(served, browser):
    """A page of that address, with nothing on it."""
    page = browser.new_page()
    page.goto(f"{served}/kibitz.svg")
    return page


@pytest.fixture
def pages():
    """What the server answers at paths beside the static files."""
    Files.pages.clear()
    yield Files.pages
    Files.pages.clear()
