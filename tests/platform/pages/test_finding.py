"""Finding bots, authors and matches: the list with its filter, and the search."""

import pytest
from django.urls import reverse

from bots.models import Bot

pytestmark = pytest.mark.django_db

LIST, SEARCH = reverse("bot_list"), reverse("search")


def listed(answer):
    return {bot.name for bot in answer.context["page"].rows}


# -- The list of bots -----------------------------------------------------------------------------


def test_all_bots_are_listed_newest_first(site, client):
    rows = client.get(LIST).context["page"].rows
    assert [bot.pk for bot in rows] == sorted((bot.pk for bot in Bot.objects.all()), reverse=True)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"name": "FOX"}, {"red-fox"}),
        ({"name": "bob"}, {"blue-owl"}),
        ({"name": "fox", "game": "sticheln"}, set()),
        ({"language": "rust"}, set()),
        ({"name": "simple", "game": "stop-it"}, {"house-simple-stop-it"}),
    ],
)
def test_the_list_is_filtered(site, client, query, found):
    assert listed(client.get(LIST, query)) == found


def test_a_list_of_nothing_says_so(site, client, text):
    page = text(client.get(LIST, {"name": "nobody-at-all"}))
    assert "There is no such bot." in page
    assert f'href="{LIST}">Show all</a>' in page


def test_a_filter_that_is_none_is_said(site, client, text):
    answer = client.get(LIST, {"game": "bridge"})
    assert listed(answer) == set()
    assert "Select a valid choice." in text(answer)


# -- The search -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "address"),
    [
        ("red-fox", "/bots/red-fox/"),
        ("  RED-FOX ", "/bots/red-fox/"),
        ("alice", "/players/alice/"),
    ],
)
def test_a_name_leads_straight_to_what_has_it(site, client, words, address):
    assert client.get(SEARCH, {"q": words}).url == address


def test_a_number_leads_to_its_match(site, client):
    for words in ("{}", "#{}", "match {}", "Match #{}"):
        answer = client.get(SEARCH, {"q": words.format(site.played.pk)})
        assert answer.url == reverse("match", args=[site.played.pk])


def test_the_number_of_a_match_that_one_may_not_see_leads_nowhere(site, client, as_alice):
    query = {"q": str(site.challenge.pk)}
    assert client.get(SEARCH, query).status_code == 200
    assert as_alice.get(SEARCH, query).status_code == 302


def test_a_part_of_a_name_finds_bots_and_authors(site, client):
    about = client.get(SEARCH, {"q": "o"}).context
    assert {"red-fox", "blue-owl", "house-good-stop-it"} <= {bot.name for bot in about["bots"]}
    assert [author.username for author in about["authors"]] == ["bob", "olivia"]


def test_who_has_left_and_the_house_are_no_authors(site, client, bob):
    bob.deleted_at = bob.date_joined
    bob.save()
    for words in ("bob", "house"):
        assert not client.get(SEARCH, {"q": words}).context["authors"]


def test_a_search_without_a_result_says_where_else_to_look(site, client, text):
    page = text(client.get(SEARCH, {"q": "<nothing>"}))
    assert "called “&lt;nothing&gt;”" in page
    assert LIST in within(page)


def within(page):
    return page.partition("<main")[2]


def test_a_search_for_nothing_shows_the_form(client):
    answer = client.get(SEARCH)
    assert "bots" not in answer.context
    assert b'name="q"' in answer.content
