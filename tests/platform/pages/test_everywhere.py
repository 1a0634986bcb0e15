"""What every page has: an answer for everybody, the banners, no script or style of its own."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import path, reverse

from accounts.models import Switches
from config import bodies
from config.urls import handler500
from config.urls import urlpatterns as site_urls
from tests.platform.api.conftest import new_comparison
from tournaments.models import Comparison

pytestmark = pytest.mark.django_db

__all__ = ["handler500"]


def public(site):
    return [
        reverse("home"),
        reverse("status"),
        reverse("bot_list"),
        f"{reverse('search')}?q=fox2",
        reverse("docs"),
        reverse("docs_page", args=["protocol"]),
        reverse("examples"),
        reverse("game_list"),
        reverse("game", args=["sticheln"]),
        reverse("ladder_list"),
        reverse("ladder", args=[site.public.slug]),
        reverse("match_list"),
        *(reverse("match", args=[m.pk]) for m in (site.played, site.waiting, site.void)),
        reverse("bot", args=["red-fox"]),
        reverse("bot", args=["house-good-color-stock"]),
        reverse("player", args=["alice"]),
    ]


def alices_own(site):
    return [
        reverse("bot_new"),
        reverse("bot_upload", args=["red-fox"]),
        reverse("version", args=["red-fox", 1]),
        reverse("ladder", args=[site.private.slug]),
        reverse("match", args=[site.challenge.pk]),
        reverse("challenge_new"),
        f"{reverse('challenge_new')}?bot=red-fox",
        reverse("ladder_join", args=["some-class"]),
        reverse("comparison_list"),
        reverse("comparison_new", args=["red-fox"]),
        reverse("comparison", args=[begun(site).pk]),
    ]


def begun(site):
    """A comparison of Alice's."""
    return Comparison.objects.first() or new_comparison(site.alices, site.public)


def test_everybody_may_read_what_is_public(site, client, as_alice, as_operator):
    for caller in (client, as_alice, as_operator):
        for address in public(site):
            assert caller.get(address).status_code == 200, address
            assert caller.head(address).status_code == 200, address


def test_the_owner_reads_what_is_alices(site, as_alice):
    for address in alices_own(site):
        assert as_alice.get(address).status_code == 200, address


def test_no_page_has_a_script_or_style_inside(site, as_alice):
    """The policy forbids them: they would silently not work."""
    for address in public(site) + alices_own(site):
        answer = as_alice.get(address)
        page = answer.content.decode()
        assert not re.search(r"<script(?![^>]* src=)|<style|\sstyle=|\son[a-z]+=", page), address
        policy = answer["Content-Security-Policy"]
        assert "unsafe" not in policy
        assert "default-src 'self'" in policy


def test_every_page_has_one_heading_and_a_title_of_its_own(site, as_alice):
    titles = {}
    for address in public(site) + alices_own(site):
        page = as_alice.get(address).content.decode()
        assert page.count("<h1") == 1, address
        titles[address.partition("?")[0]] = re.search(r"<title>(.*?)</title>", page, re.S)[
            1
        ].strip()
    matches = [reverse("match", args=[m.pk]) for m in (site.played, site.waiting)]
    assert titles[matches[0]] != titles[matches[1]]


def test_ids_are_there_once(site, as_alice):
    for address in public(site) + alices_own(site):
        ids = re.findall(r'\sid="([^"]+)"', as_alice.get(address).content.decode())
        assert len(ids) == len(set(ids)), address


def test_the_local_sandbox_is_told_on_every_page(site, client, settings):
    for is_local in (True, False):
        settings.LOCAL_SANDBOX = is_local
        for address in public(site):
            assert (b"local sandbox" in client.get(address).content) is is_local, address


def test_the_operators_banner_is_on_every_page_and_is_text(site, client):
    Switches.objects.create(pk=1, banner="Down at <b>noon</b>")
    for address in public(site):
        assert b"Down at &lt;b&gt;noon&lt;/b&gt;" in client.get(address).content, address


def test_unread_notices_are_counted_beside_the_name(as_alice, alice, text):
    alice.notices.create(text="Something has happened.")
    assert '<span class="unread">1<span class="vh"> unread notices' in text(as_alice.get("/"))


# -- What goes wrong ------------------------------------------------------------------------------


def test_an_address_that_is_none_has_a_page_that_says_so(client, db):
    answer = client.get("/nowhere/")
    assert (answer.status_code, b"There is nothing here" in answer.content) == (404, True)


def test_somebody_elses_bot_has_a_page_that_says_whose_it_is(site, as_charlie, text):
    answer = as_charlie.get(reverse("bot_upload", args=["red-fox"]))
    assert answer.status_code == 403
    assert "red-fox belongs to alice, and only its owner may do this." in text(answer)


def test_a_form_that_has_expired_has_a_page_that_says_what_to_do(alice, site):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(alice)
    answer = strict.post(reverse("bot_pause", args=["red-fox"]))
    assert (answer.status_code, b"load the page again" in answer.content) == (403, True)
    site.alices.refresh_from_db()
    assert site.alices.state == "active"


def test_a_body_that_is_far_too_large_is_turned_away_unread(as_alice, monkeypatch):
    monkeypatch.setattr(bodies, "MOST_BYTES", 1000)
    file = SimpleUploadedFile("bot.py", b"x" * 2000)
    answer = as_alice.post(reverse("bot_new"), {"file": file})
    assert answer.status_code == 413
    assert b"leave out what it does not need to run" in answer.content
    assert b"alice" in answer.content


def broken(request):
    raise RuntimeError("on purpose")


urlpatterns = [path("broken/", broken), *site_urls]


@pytest.mark.urls(__name__)
def test_an_error_of_ours_has_a_page_that_needs_no_database(django_assert_num_queries):
    client = Client(raise_request_exception=False)
    with django_assert_num_queries(0):
        answer = client.get("/broken/")
    assert answer.status_code == 500
    assert b"<h1>Something broke here</h1>" in answer.content
