"""Challenges: a table of one's choice, played for no rating."""

import pytest
from django.urls import reverse

from bots.services import pause, upload
from tournaments.models import Match

pytestmark = pytest.mark.django_db

NEW = reverse("challenge_new")
TABLE = f"{NEW}?game=color-stock"


def newest():
    return Match.objects.latest("pk")


def test_a_table_is_chosen_by_names(site, as_alice, alice):
    form = {"bot_0": "red-fox", "bot_1": " blue-owl ", "bot_3": "house-good-color-stock"}
    answer = as_alice.post(TABLE, form | {"rounds": "1"})
    match = newest()
    assert answer.url == reverse("match", args=[match.pk])
    names = [seat.bot.name for seat in match.seats.order_by("index")]
    assert names == ["red-fox", "blue-owl", "house-good-color-stock"]
    assert (match.created_by, match.is_rated, match.options) == (alice, False, {"rounds": 1})


def test_own_versions_are_chosen_by_their_number(site, as_alice, hands):
    version, _ = upload(bot=site.alices, data=b"print(2)", file_name="bot.py")
    hands.check(version)
    as_alice.post(TABLE, {"bot_0": "red-fox v1", "bot_1": "red-fox v2"})
    numbers = [seat.version.number for seat in newest().seats.order_by("index")]
    assert numbers == [1, 2]


def test_a_link_brings_the_first_bot_and_its_game(site, as_bob, text):
    page = text(as_bob.get(f"{NEW}?bot=red-fox"))
    assert "A table of Color Stock" in page
    assert 'value="red-fox"' in page
    assert '<option value="house-simple-color-stock">' in page
    assert '<option value="blue-owl v1">' in page


def test_without_a_game_it_is_asked_for(site, as_alice, text):
    page = text(as_alice.get(NEW))
    for game in ("sticheln", "stop-it", "color-stock"):
        assert f'href="?game={game}"' in page


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"bot_0": ""}, "A table has bots of one game, not of none."),
        ({"bot_0": "red-fox"}, "is for 2 to 4 players, not 1."),
        ({"bot_0": "red-fox", "bot_1": "no-such-bot"}, "There is no bot no-such-bot that could"),
        ({"bot_0": "red-fox v7", "bot_1": "blue-owl"}, "There is no bot red-fox v7 that could"),
        ({"bot_0": "red fox", "bot_1": "blue-owl"}, "NAME v3."),
        ({"bot_0": "red-fox", "bot_1": "house-good-stop-it"}, "A table has bots of one game"),
        ({"bot_0": "red-fox", "bot_1": "blue-owl", "rounds": "2"}, "Select a valid choice."),
    ],
)
def test_what_cannot_be_is_said_beside_the_form(site, as_alice, form, said, text):
    before = Match.objects.count()
    answer = as_alice.post(TABLE, form)
    assert answer.status_code == 200
    assert said in text(answer)
    assert Match.objects.count() == before


def test_a_paused_bot_of_somebody_else_does_not_play(site, as_alice, text):
    pause(bot=site.bobs)
    answer = as_alice.post(TABLE, {"bot_0": "red-fox", "bot_1": "blue-owl"})
    assert "blue-owl v1 does not play at present; choose another bot." in text(answer)


def test_the_quota_is_said_with_its_limit(site, as_alice, settings, text):
    settings.QUOTAS = settings.QUOTAS | {"challenges_a_day": 1}
    answer = as_alice.post(TABLE, {"bot_0": "red-fox", "bot_1": "blue-owl"})
    assert "1 challenges in 24 hours are the most there may be" in text(answer)
