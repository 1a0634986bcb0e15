"""A bot's page and what its owner does there."""

import pytest
from django.urls import reverse

from bots.models import Bot
from bots.services import pause, upload
from ladders.models import Entry, Meeting, Rating
from tournaments.timing import time_of
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


# -- What is known of it --------------------------------------------------------------------------


@pytest.fixture
def rated(site):
    """What a fit would have written of Alice's bot."""
    entry = Entry.objects.get(bot=site.alices, ladder=site.public)
    Entry.objects.filter(pk=entry.pk).update(version=site.alices.active_version, matches=2)
    rating, _ = Rating.objects.update_or_create(
        entry=entry,
        version=site.alices.active_version,
        defaults={"kinds": {"late": 3}, "seats": [[4, 12, 18, 20]] * 4, "matches": 2},
    )
    for matches, value in ((1, 1520.0), (2, 1540.0)):
        rating.points.create(rating=value, plus_minus=90, matches=matches)
    other = Entry.objects.get(bot=site.bobs, ladder=site.public)
    theirs, _ = Rating.objects.get_or_create(entry=other, version=site.bobs.active_version)
    Meeting.objects.update_or_create(
        rated=rating,
        other=theirs,
        defaults={"owner": 0, "matches": 2, "thousandths": 1250, "squares": 800_000},
    )
    return rating


def test_a_bots_page_draws_its_rating_and_lists_its_results(rated, client, text):
    answer = client.get(PAGE)
    page = text(answer)
    assert 'class="around"' in page
    assert page.count('class="version"') == 1
    assert "Fault: late" in page
    assert "<b>62 %</b>" in page
    assert [result.share for result in answer.context["details"].seats] == [0.75] * 4
    assert "5.0" in page


def test_the_ladder_of_the_details_can_be_chosen(site, as_alice, client):
    chosen = as_alice.get(PAGE, {"ladder": site.private.slug}).context["entry"]
    assert chosen.ladder == site.private
    assert client.get(PAGE, {"ladder": site.private.slug}).context["entry"].ladder == site.public


def test_the_last_match_tells_what_time_a_bot_takes(site, hands, client, text):
    assert client.get(PAGE).context["timed"] is None
    decision = {"seats": [1, 0], "cpu_ms": [4.0, 100.0], "wall_ms": [6.0, 100.0]}
    legs = [{"seating": [0, 1], "decisions": [decision, decision]}]
    time = time_of(site.played, legs, {1})
    assert (time.leg_ms, time.mean_ms, time.most_ms, time.most_wall_ms) == (8, 4, 4, 6)


def test_only_the_owner_sees_what_came_with_a_fault(noted, as_alice, as_bob, client, text):
    owl = reverse("bot", args=["blue-owl"])
    page = text(as_bob.get(owl))
    assert "Last faults" in page
    assert "red+pink is &lt;not&gt; legal" in page
    assert "kibitz play color-stock my_bot good" in page
    assert f"--seed {noted.seed}" in page
    for caller in (as_alice, client):
        assert "Last faults" not in text(caller.get(owl))
