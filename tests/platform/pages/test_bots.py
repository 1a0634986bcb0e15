"""A bot's page and what its owner does there."""

import pytest
from django.urls import reverse

from bots.models import Bot
from bots.services import pause, upload
from ladders.models import Entry
from workers.check import Verdict

pytestmark = pytest.mark.django_db

PAGE = reverse("bot", args=["red-fox"])


def act(caller, verb, **form):
    return caller.post(reverse(f"bot_{verb}", args=["red-fox"]), form, follow=True)


@pytest.fixture
def second(site, hands):
    """A second version of Alice's bot, which plays now."""
    version, _ = upload(bot=site.alices, data=b"print(2)", file_name="bot.py", notes="bolder")
    hands.check(version)
    return version


# -- What is shown --------------------------------------------------------------------------------


def test_ratings_are_shown_by_ladder_and_private_ones_to_members(
    site, client, as_alice, rank, text
):
    rank(Entry.objects.get(bot=site.alices, ladder=site.public), 1623.7)
    page = text(client.get(PAGE))
    assert "Color Stock" in page
    assert "1624" in page
    assert "Evening class" not in page
    assert "Evening class" in text(as_alice.get(PAGE))


def test_a_rank_counts_those_that_are_ranked(site, client, rank):
    for entry in Entry.objects.filter(ladder=site.public, bot__is_house=True):
        rank(entry, 1700)
    rank(Entry.objects.get(bot=site.alices, ladder=site.public), 1600)
    [entry] = client.get(PAGE).context["entries"]
    assert entry.rank == 4


def test_versions_are_shown_with_their_notes_and_rejected_ones_to_the_owner(
    second, site, hands, client, as_alice, text
):
    third, _ = upload(bot=site.alices, data=b"print(3)", file_name="bot.py", notes="broken")
    hands.check(third, Verdict(False, "python", "It does not start.", []))
    page = text(client.get(PAGE))
    assert "bolder" in page
    assert "broken" not in page
    own = text(as_alice.get(PAGE))
    assert "broken" in own
    assert reverse("version", args=["red-fox", 3]) in own
    assert reverse("version", args=["red-fox", 2]) not in page


def test_last_matches_are_shown_and_challenges_to_those_concerned(
    site, hands, client, as_alice, as_charlie
):
    assert hands.play(site.challenge).status_code == 200
    challenge = f"Match {site.challenge.pk}<".encode()
    assert challenge in as_alice.get(PAGE).content
    assert challenge not in as_charlie.get(PAGE).content
    assert challenge not in client.get(PAGE).content
    lined_up = site.played.seats.filter(bot=site.alices).exists()
    assert (f"Match {site.played.pk}<".encode() in client.get(PAGE).content) is lined_up


def test_only_the_owner_is_offered_what_owners_do(site, client, as_bob, as_operator, as_alice):
    for caller in (client, as_bob, as_operator):
        page = caller.get(PAGE).content.decode()
        assert reverse("bot_pause", args=["red-fox"]) not in page
        assert reverse("bot_upload", args=["red-fox"]) not in page
    assert reverse("bot_pause", args=["red-fox"]) in as_alice.get(PAGE).content.decode()


def test_why_it_was_paused_is_for_the_owner(site, client, as_alice, text):
    pause(bot=site.alices, by=Bot.PausedBy.FAULTS, reason="illegal in match 7: red+pink")
    own = text(as_alice.get(PAGE))
    assert "illegal in match 7: red+pink" in own
    assert "Upload a version without the fault, or go back to an older one" in own
    assert reverse("bot_resume", args=["red-fox"]) not in own
    assert "red+pink" not in text(client.get(PAGE))
    assert "paused" in text(client.get(PAGE))


# -- What is done ---------------------------------------------------------------------------------


def test_the_owner_goes_back_to_an_older_version(second, site, as_alice, text):
    assert "Let v1 play" in text(as_alice.get(PAGE))
    answer = act(as_alice, "activate", version=1)
    assert "red-fox v1 plays from now on." in text(answer)
    site.alices.refresh_from_db()
    assert site.alices.active_version.number == 1


@pytest.mark.parametrize("number", ["", "9", "x", "-1"])
def test_a_version_that_is_not_ready_cannot_be_picked(site, as_alice, number, text):
    answer = act(as_alice, "activate", version=number)
    assert "red-fox has no such version that is ready to play." in text(answer)


def test_the_owner_pauses_and_resumes(site, as_alice, text):
    assert "red-fox is paused" in text(act(as_alice, "pause"))
    assert Bot.objects.get(name="red-fox").state == "paused"
    assert "red-fox plays again." in text(act(as_alice, "resume"))
    assert Bot.objects.get(name="red-fox").state == "active"


def test_an_operators_pause_stays_and_says_why(site, as_alice, text):
    pause(bot=site.alices, by=Bot.PausedBy.OPERATOR, reason="It asks too much of the machine.")
    assert "It asks too much of the machine." in text(as_alice.get(PAGE))
    answer = act(as_alice, "resume")
    assert "red-fox was paused by an operator, who must lift that." in text(answer)


def test_the_owner_renames(site, as_alice, text):
    answer = act(as_alice, "rename", name="red-wolf")
    assert answer.redirect_chain == [(reverse("bot", args=["red-wolf"]), 302)]
    assert "red-fox is called red-wolf from now on." in text(answer)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "This field is required."),
        ("BLUE_0WL", "looks like it, exists."),
        ("a b c", "A name is made of the letters"),
    ],
)
def test_a_name_that_cannot_be_is_refused_with_the_reason(site, as_alice, name, said, text):
    answer = act(as_alice, "rename", name=name)
    assert answer.redirect_chain == [(PAGE, 302)]
    assert said in text(answer)


def test_the_owner_retires(site, as_alice, text):
    assert "red-fox is retired. What it has played stays." in text(act(as_alice, "retire"))
    page = text(as_alice.get(PAGE))
    assert "Retired: it plays no more." in page
    assert reverse("bot_retire", args=["red-fox"]) not in page


VERBS = ["activate", "pause", "resume", "rename", "retire"]


@pytest.mark.parametrize("verb", VERBS)
def test_nobody_does_anything_to_somebody_elses_bot(site, client, as_bob, as_operator, verb):
    form = {"version": 1, "name": "mine-now"}
    for caller, code in ((client, 302), (as_bob, 403), (as_operator, 403)):
        answer = caller.post(reverse(f"bot_{verb}", args=["red-fox"]), form)
        assert answer.status_code == code
    site.alices.refresh_from_db()
    assert (site.alices.name, site.alices.state) == ("red-fox", "active")


@pytest.mark.parametrize("verb", VERBS)
def test_nothing_is_done_by_following_a_link(site, as_alice, verb):
    assert as_alice.get(reverse(f"bot_{verb}", args=["red-fox"])).status_code == 405


# -- Players --------------------------------------------------------------------------------------


def test_a_players_page_has_their_bots_and_ratings(site, client, text):
    page = text(client.get(reverse("player", args=["alice"])))
    assert "red-fox" in page
    assert "Evening class" not in page
    assert "alice@example.org" not in page


def test_a_deleted_player_has_no_page(site, alice, client):
    alice.deleted_at = alice.date_joined
    alice.save()
    assert client.get(reverse("player", args=["alice"])).status_code == 404
