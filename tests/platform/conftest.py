"""The cast of the site's tests, with quick passwords, an empty cache and files that go away."""

import os
import shutil

import pytest
from django.core.cache import cache
from django.test import override_settings
from playwright.sync_api import sync_playwright

from accounts.models import User

PASSWORD = "ten-red-tricks"
CHROMIUM = shutil.which("chromium")


@pytest.fixture(autouse=True)
def quick_and_clean(settings, tmp_path):
    """What a password is hashed with, and where files go, is no concern of these tests."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES = settings.STORAGES | {
        "default": {
            "BACKEND": "django.core.files.storage.FileSystemStorage",
            "OPTIONS": {"location": tmp_path / "files"},
        }
    }
    settings.WHITENOISE_AUTOREFRESH = True  # or it asks for files that were never collected
    cache.clear()


@pytest.fixture
def password():
    """Everybody's."""
    return PASSWORD


@pytest.fixture
def alice(db):
    return User.objects.create_user("alice", "alice@example.org", PASSWORD)


@pytest.fixture
def bob(db):
    return User.objects.create_user("bob", password=PASSWORD)


@pytest.fixture
def charlie(db):
    return User.objects.create_user("charlie", password=PASSWORD)


@pytest.fixture
def operator(db):
    return User.objects.create_superuser("olivia", password=PASSWORD)


# -- A browser ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def chromium():
    """Playwright runs a loop of its own in this thread, which Django would take for a mistake."""
    if not CHROMIUM and "CI" not in os.environ:
        pytest.skip("needs Chromium: apt install chromium")
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    expect.set_options(timeout=20_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()
    if before is None:
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture(scope="session")
def uncollected():
    """The server looks for static files when it is asked for them; nobody has collected any."""
    with override_settings(WHITENOISE_AUTOREFRESH=True):
        yield


@pytest.fixture
def look(uncollected, live_server, chromium):
    """Opens a window of the site, of somebody who has logged in or of nobody; an error in its
    console fails the test."""
    contexts, errors = [], []

    def open_window(caller=None, **about):
        context = chromium.new_context(base_url=live_server.url, **about)
        context.set_default_timeout(15_000)
        contexts.append(context)
        if caller:
            cookie = caller.cookies["sessionid"]
            context.add_cookies(
                [{"name": cookie.key, "value": cookie.value, "url": live_server.url}]
            )
        page = context.new_page()
        page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        return page

    yield open_window
    for context in contexts:
        context.close()
    assert not errors
