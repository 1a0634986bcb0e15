"""Matches: the list with its filters and pages, a match before and after its end, its replay."""

import json

import pytest
from django.urls import reverse
from django.utils import timezone

from games import replay
from tournaments.matchmaker import Lobby, make_one
from tournaments.services import challenge
from workers.bench import EXAMPLES
from workers.inside import choose_of

pytestmark = pytest.mark.django_db

LIST = reverse("match_list")
SIMPLE = choose_of(EXAMPLES / "color-stock" / "python" / "simple_bot.py")


def page_of(match):
    return reverse("match", args=[match.pk])


def listed(answer):
    return [line["pk"] for line in answer.context["page"].rows]


# -- The list -------------------------------------------------------------------------------------


def test_the_list_has_what_one_may_see_newest_first(site, client, as_alice, as_charlie):
    public = [site.waiting.pk, site.void.pk, site.played.pk]
    assert listed(client.get(LIST)) == listed(as_charlie.get(LIST)) == public
    assert listed(as_alice.get(LIST)) == [site.challenge.pk, *public]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"state": "finished"}, ["played"]),
        ({"state": "void"}, ["void"]),
        ({"ladder": "color-stock"}, ["waiting", "void", "played"]),
        ({"ladder": "misery"}, []),
        ({"bot": "nobody"}, []),
        ({"ladder": "color-stock", "state": "waiting"}, ["waiting"]),
    ],
)
def test_the_list_is_filtered(site, client, query, found):
    assert listed(client.get(LIST, query)) == [getattr(site, name).pk for name in found]


def test_the_list_is_filtered_by_bot_and_has_each_match_once(site, as_alice, alice, hands):
    twice = challenge(user=alice, versions=[site.alices.active_version] * 2)
    found = listed(as_alice.get(LIST, {"bot": "red-fox"}))
    assert found[:2] == [twice.pk, site.challenge.pk]
    assert len(found) == len(set(found))


def test_a_filter_that_is_none_is_said(site, client, text):
    answer = client.get(LIST, {"ladder": "no-such-ladder"})
    assert listed(answer) == []
    assert "Select a valid choice." in text(answer)


def test_a_private_ladder_is_no_choice_for_others(site, client, as_alice):
    slug = site.private.slug.encode()
    assert slug not in client.get(LIST).content
    assert slug in as_alice.get(LIST).content


def test_pages_lead_on_and_keep_the_filter(site, client, color_stock, monkeypatch):
    monkeypatch.setattr("config.paging.newest_first.__defaults__", ("before", 2))
    first = client.get(LIST, {"ladder": "color-stock"})
    assert listed(first) == [site.waiting.pk, site.void.pk]
    following = f"?ladder=color-stock&amp;before={site.void.pk}"
    assert following in first.content.decode()
    second = client.get(LIST, {"ladder": "color-stock", "before": site.void.pk})
    assert listed(second) == [site.played.pk]
    assert "Back to the beginning" in second.content.decode()
    assert "Next page" not in second.content.decode()


@pytest.mark.parametrize("before", ["", "x", "-1", "9" * 30, "٣"])
def test_a_page_that_is_none_is_the_first(site, client, before):
    assert len(listed(client.get(LIST, {"before": before}))) == 3


# -- Before the end -------------------------------------------------------------------------------


def test_before_its_end_a_match_shows_its_lineup_and_the_hash_of_its_seed(site, client, hands):
    for claim in (None, "playing"):
        if claim:
            hands.ticket(site.waiting.name, claim)
        page = client.get(page_of(site.waiting)).content.decode()
        assert site.waiting.seed_sha256 in page
        assert site.waiting.seed not in page
        for seat in site.waiting.seats.all():
            assert seat.bot.name in page
        assert client.get(reverse("match_replay", args=[site.waiting.pk])).status_code == 404


def test_a_match_under_way_is_live_with_and_without_scripts(site, client):
    page = client.get(page_of(site.waiting)).content.decode()
    assert f'data-live="{page_of(site.waiting)}"' in page
    assert 'http-equiv="refresh"' in page.partition("</head>")[0]
    for match in (site.played, site.void):
        page = client.get(page_of(match)).content.decode()
        assert "data-live" not in page
        assert "refresh" not in page


def test_a_void_match_says_why_and_that_nobody_lost(site, client, text):
    page = text(client.get(page_of(site.void)))
    assert "The engine died" in page
    assert "nobody has lost anything" in page
    assert site.void.seed not in page


# -- After the end --------------------------------------------------------------------------------


def test_after_its_end_a_match_shows_result_seed_and_moves(site, client, text):
    page = text(client.get(page_of(site.played)))
    assert site.played.seed in page
    assert site.played.seed_sha256 in page
    for seat in site.played.seats.all():
        assert f"<b>{seat.bot.name}</b>" in page
        assert f'<td class="r strong">{str(seat.points).replace("-", "−")}</td>' in page
    assert "puts down" in page
    assert "That was the last round." in page


def test_every_leg_can_be_read(site, client):
    pages = [client.get(page_of(site.played), {"leg": leg}) for leg in range(1, 5)]
    assert [page.context["leg"].number for page in pages] == [1, 2, 3, 4]
    seats = {tuple(place.seat.index for place in page.context["leg"].places) for page in pages}
    assert len(seats) == 4


@pytest.mark.parametrize("leg", ["0", "5", "x", "9" * 5000, "-1"])
def test_a_leg_that_is_none_is_the_first(site, client, leg):
    assert client.get(page_of(site.played), {"leg": leg}).context["leg"].number == 1


@pytest.mark.parametrize("slug", ["sticheln", "misery", "stick-em", "stop-it"])
def test_every_game_is_told(ladders, hands, client, slug, text):
    match = make_one(Lobby(ladders[slug], timezone.now()), newcomers=False)
    assert hands.play(match).status_code == 200
    leg = client.get(page_of(match)).context["leg"]
    assert all(each.deal and each.moves and each.score for each in leg.rounds)
    told = " ".join(move for each in leg.rounds for move in each.moves)
    assert '<span class="cx" data-suit="red">red' in told


def test_a_private_match_is_not_there_for_others(site, client, as_charlie, as_bob):
    for caller in (client, as_charlie):
        assert caller.get(page_of(site.challenge)).status_code == 404
        assert caller.get(reverse("match_replay", args=[site.challenge.pk])).status_code == 404
    assert as_bob.get(page_of(site.challenge)).status_code == 200


# -- What only owners see -------------------------------------------------------------------------


def test_owners_see_notes_debug_output_and_faults_of_their_own_bots(noted, as_alice, as_bob, text):
    alices, bobs = (text(caller.get(page_of(noted))) for caller in (as_alice, as_bob))
    assert "a &lt;secret&gt; note" in alices
    assert "some &lt;debug&gt; output" in alices
    assert "red+pink is &lt;not&gt; legal" not in alices
    assert "red+pink is &lt;not&gt; legal" in bobs
    assert "secret" not in bobs
    assert "debug&gt;" not in bobs


def test_everybody_sees_that_there_was_a_fault(noted, as_alice, text):
    page = text(as_alice.get(page_of(noted)))
    assert '<span class="tag bad">illegal</span>' in page
    assert "The bot of <b>blue-owl</b> faulted: from now on the house plays." in page


def test_operators_do_not_see_what_is_private(noted, as_operator, text):
    page = text(as_operator.get(page_of(noted)))
    assert "secret" not in page
    assert "red+pink is" not in page


# -- The replay -----------------------------------------------------------------------------------


def test_the_replay_can_be_verified(site, client):
    answer = client.get(reverse("match_replay", args=[site.played.pk]))
    assert answer["Content-Type"] == "application/json"
    assert f'filename="match-{site.played.pk}.json"' in answer["Content-Disposition"]
    replay.verify(replay.read(answer.content))
    assert "private" not in json.loads(answer.content)


def test_the_owners_replay_has_what_is_private_of_own_bots(noted, as_alice):
    answer = as_alice.get(reverse("match_replay", args=[noted.pk]))
    private = json.loads(answer.content)["private"]
    assert {note["note"] for leg in private for note in leg["notes"]} == {"a <secret> note"}
    assert not any(leg["faults"] for leg in private)


def test_a_replay_that_has_not_changed_is_not_sent_again(site, client):
    address = reverse("match_replay", args=[site.played.pk])
    tag = client.get(address)["ETag"]
    answer = client.get(address, headers={"if-none-match": tag})
    assert (answer.status_code, answer.content) == (304, b"")
