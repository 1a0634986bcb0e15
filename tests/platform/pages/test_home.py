"""Home: what this is, who leads, what is played, how to begin."""

import pytest
from django.urls import reverse

from bots.services import retire
from games import GAMES
from ladders.models import Entry

pytestmark = pytest.mark.django_db


def test_a_stranger_is_shown_the_way_to_a_first_bot(client, ladders, text):
    page = text(client.get("/"))
    assert "Your first bot in three steps" in page
    for game in GAMES.values():
        assert f'<a href="{reverse("game", args=[game.name])}">{game.title}</a>' in page
    assert reverse("bot_new") in page


def test_somebody_with_bots_sees_them_instead(site, as_alice, text):
    page = text(as_alice.get("/"))
    assert "Your first bot in three steps" not in page
    assert "Your bots" in page
    retire(bot=site.alices)
    assert "Your first bot in three steps" in text(as_alice.get("/"))


def test_the_ladders_are_there_with_their_leaders(site, client, rank, text):
    fox, owl = (Entry.objects.get(bot=bot, ladder=site.public) for bot in (site.alices, site.bobs))
    assert "Nobody is ranked yet." in text(client.get("/"))
    rank(fox, 1700.4)
    rank(owl, 1800)
    page = text(client.get("/"))
    leaders = page[page.index('class="leaders"') :]
    assert leaders.index("blue-owl") < leaders.index("1800") < leaders.index("red-fox")
    assert "1700" in leaders


def test_what_is_being_played_is_there_and_what_is_private_is_not(site, client, hands, as_alice):
    hands.ticket(site.waiting.name)
    hands.ticket(site.challenge.name)
    theirs, everybodys = f"Match {site.challenge.pk}<", f"Match {site.waiting.pk}<"
    assert theirs not in client.get("/").content.decode()
    assert everybodys in client.get("/").content.decode()
    assert theirs in as_alice.get("/").content.decode()
