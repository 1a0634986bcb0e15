"""The pages around a person's table: sitting down, what is said about it, and who sees it."""

import pytest
from django.test import Client
from django.urls import reverse

from jobs.models import State
from tests.workers.conftest import broker, redis_server
from tournaments.models import Match
from tournaments.services import sit_down

__all__ = ["broker", "redis_server"]

pytestmark = pytest.mark.django_db

NEW = reverse("table_new")
COLOR_STOCK = f"{NEW}?game=color-stock"


@pytest.fixture
def match(site, alice):
    return sit_down(user=alice, versions=[site.bobs.active_version], options={"rounds": 1})


def address(name, match):
    return reverse(name, args=[match.pk])


def test_a_table_is_chosen_by_names(site, as_alice, alice):
    answer = as_alice.post(COLOR_STOCK, {"bot_0": "blue-owl", "rounds": "1"})
    match = Match.objects.latest("pk")
    assert answer.url == address("table", match)
    assert sorted(seat.name for seat in match.seats.all()) == ["alice", "blue-owl"]
    assert (match.person, match.options) == (alice, {"rounds": 1})


def test_the_form_begins_with_as_many_house_bots_as_there_must_be(site, as_alice, text):
    page = text(as_alice.get(f"{NEW}?game=stop-it"))
    assert 'value="house-good-stop-it"' in page
    assert 'value="house-simple-stop-it"' in page
    assert 'name="bot_3"' in page
    assert 'name="bot_4"' not in page


def test_what_cannot_be_is_said_beside_the_form(site, as_alice, text):
    before = Match.objects.count()
    said = text(as_alice.post(COLOR_STOCK, {"bot_0": ""}))
    assert "A table has bots of one game, not of none." in said
    assert Match.objects.count() == before


def test_who_sits_somewhere_is_led_there(match, as_alice, text):
    assert f'href="{address("table", match)}"' in text(as_alice.get(COLOR_STOCK))
    assert f'href="{address("table", match)}"' in text(as_alice.get(address("match", match)))


def test_the_page_has_all_that_it_needs_and_no_card(match, as_alice, text):
    page = text(as_alice.get(address("table", match)))
    assert f'data-news="{address("table_news", match)}"' in page
    assert "blue-owl" in page
    assert match.seed not in page


def test_a_table_at_which_all_is_over_leads_to_the_match(match, as_alice):
    as_alice.post(address("table_leave", match))
    match.refresh_from_db()
    assert match.state == State.VOID
    assert as_alice.get(address("table", match)).url == address("match", match)


def test_a_refused_answer_is_told_with_its_reason(match, as_alice, broker, settings):
    settings.BROKER = broker
    answer = as_alice.post(address("table_answer", match), {"id": "1", "move": "red+red"})
    assert answer.status_code == 409
    assert "is not asked any more" in answer.json()["detail"]


def test_news_are_told_once(match, as_alice, broker, settings):
    settings.BROKER = broker
    news = as_alice.get(address("table_news", match)).json()
    assert (news["state"], news["question"], news["table"]) == ("waiting", None, None)
    again = as_alice.get(address("table_news", match), {"after": news["at"]})
    assert again.status_code == 204


def test_no_other_site_can_answer_or_leave(match, alice):
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    for name in ("table_answer", "table_leave"):
        assert client.post(address(name, match)).status_code == 403


def test_a_person_stands_in_lists_and_lineups(match, as_alice, as_bob, as_charlie, text):
    for caller in (as_alice, as_bob):
        for page in (reverse("match_list"), address("match", match)):
            assert f'href="{reverse("player", args=["alice"])}"' in text(caller.get(page))
    assert as_charlie.get(address("match", match)).status_code == 404
