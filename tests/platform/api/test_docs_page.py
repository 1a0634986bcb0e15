"""The page of the API's schema in a real browser, under the site's own rules for scripts."""

import pytest

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_page_lists_every_operation_and_brings_all_it_needs(look, live_server):
    page = look()
    elsewhere = []
    page.on("request", lambda one: elsewhere.append(one.url))
    page.goto("/api/docs")
    page.wait_for_selector(".opblock")
    assert page.locator(".opblock").count() > 30
    page.locator(".opblock-summary-control").first.click()
    page.wait_for_selector(".opblock-body")
    assert [url for url in elsewhere if not url.startswith((live_server.url, "data:"))] == []
