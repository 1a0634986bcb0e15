"""The legs of a match for scripts: all hands, or exactly what one seat knew."""

import gzip
import json
from itertools import pairwise
from urllib.parse import urlencode

import pytest
from django.urls import reverse

from games import game_named
from games.base import may_know
from tests.platform.pages.replaying import GAMES, leg_address, scenes_of
from tournaments import replays
from tournaments.deals import deals_of
from tournaments.models import Seat
from tournaments.scenes import leg_scenes

pytestmark = pytest.mark.django_db

every_game = pytest.mark.parametrize("game", GAMES)


# -- Scenes ---------------------------------------------------------------------------------------


@every_game
def test_the_scenes_of_a_leg_have_all_its_events_and_decisions(match_of, game, client):
    match = match_of(game)
    for number, leg in enumerate(replays.legs_of(match), 1):
        scenes = scenes_of(client, match, number)["scenes"]
        assert [event for scene in scenes for event in scene["events"]] == leg["events"]
        decided = [scene for scene in scenes if "decision" in scene]
        assert [scene["decision"] for scene in decided] == list(range(len(leg["decisions"])))
        for key in ("seats", "moves", "cpu_ms", "wall_ms"):
            assert [scene[key] for scene in decided] == [each[key] for each in leg["decisions"]]
        assert all(scene["told"] for scene in scenes)


def test_the_points_of_sticheln_become_the_score_of_the_round(match_of, client):
    scenes = scenes_of(client, match_of("sticheln"), 1)["scenes"]
    ends = [
        (before["points"], scene["events"][0]["scores"])
        for before, scene in pairwise(scenes)
        if scene["events"][0]["event"] == "scored"
    ]
    assert len(ends) == 3
    assert all(points == scores for points, scores in ends)


def test_a_hand_of_color_stock_is_worth_what_is_known_of_it(match_of, client):
    match = match_of("color-stock")
    shown, known = (scenes_of(client, match, 1, **asked)["scenes"] for asked in ({}, {"seat": 1}))
    before_the_score = [s["points"] for s in shown if s["events"][0]["event"] == "put"]
    assert all(None not in points for points in before_the_score)
    for scene, whole in zip(known, shown, strict=True):
        assert scene["points"] in (whole["points"], [None, whole["points"][1]])


def test_a_fault_stands_at_its_decision(noted, as_alice):
    found = scenes_of(as_alice, noted, 1)
    (fault,) = found["faults"]
    scene = next(s for s in found["scenes"] if s.get("decision") == fault["decision"])
    assert scene["events"][0] == {"event": "faulted", "seat": fault["seat"]}


# -- Perspectives ---------------------------------------------------------------------------------


@every_game
def test_a_seats_leg_has_what_that_seat_knew_and_no_more(match_of, game, client):
    match = match_of(game)
    leg = replays.legs_of(match)[0]
    open_scenes = scenes_of(client, match, 1)["scenes"]
    for seat in range(match.players):
        scenes = scenes_of(client, match, 1, seat=seat)["scenes"]
        events = [event for scene in scenes for event in scene["events"]]
        assert events == [event for event in leg["events"] if may_know(event, seat)]
        for scene, shown in zip(scenes, open_scenes, strict=True):
            assert_known(scene, shown, seat)


def assert_known(scene, shown, seat):
    for place, asked in enumerate(scene.get("seats", [])):
        for key in ("moves", "cpu_ms", "wall_ms"):
            is_known = asked == seat or (key == "moves" and len(scene["seats"]) == 1)
            assert scene[key][place] == (shown[key][place] if is_known else None)


@every_game
def test_a_seats_leg_is_the_same_whatever_the_others_times_were(match_of, game):
    match = match_of(game)
    leg = replays.legs_of(match)[0]
    before = leg_scenes(match, 1, leg, 1)
    for decision in leg["decisions"]:
        others = [seat != 1 for seat in decision["seats"]]
        for key in ("cpu_ms", "wall_ms"):
            pairs = zip(decision[key], others, strict=True)
            decision[key] = [999.0 if is_other else ms for ms, is_other in pairs]
    assert leg_scenes(match, 1, leg, 1) == before


def test_nobody_learns_who_else_claimed(match_of, client):
    """Only the sentences of all hands name several claimants."""
    match = match_of("stop-it")
    told = [scenes_of(client, match, 1, seat=seat) for seat in range(match.players)]
    for legs in told:
        assert "claim at the same time" not in json.dumps(legs)


@every_game
def test_the_page_of_a_seat_tells_no_other_hand(match_of, game, client):
    match = match_of(game)
    leg = replays.legs_of(match)[0]
    answer = client.get(reverse("match", args=[match.pk]), {"leg": 1, "seat": 1})
    names = [place.seat.bot.name for place in answer.context["leg"].places]
    deals = [sentence for each in answer.context["leg"].rounds for sentence in each.deal]
    assert deals
    for sentence in deals:
        assert sentence.startswith(f"<b>{names[1]}</b> is dealt") or "Not dealt" in sentence
    assert sum("is dealt" in sentence for sentence in deals) == rounds_of(leg)


def rounds_of(leg):
    return sum(event["event"] == "round" for event in leg["events"])


# -- What is sent ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("leg", "asked"), [(0, {}), (9, {}), (1, {"seat": 9}), (1, {"seat": "x"})])
def test_a_leg_or_seat_that_is_none_is_not_there(site, client, leg, asked):
    assert client.get(leg_address(site.played, leg, asked)).status_code == 404


def test_no_leg_is_shown_before_the_end_or_to_others(site, client, as_alice):
    assert client.get(leg_address(site.waiting, 1)).status_code == 404
    assert client.get(leg_address(site.challenge, 1)).status_code == 404
    assert as_alice.get(leg_address(site.challenge, 1)).status_code == 404


def test_a_leg_is_packed_kept_and_not_sent_again(site, client):
    packed = {"accept-encoding": "gzip"}
    answer = client.get(leg_address(site.played, 1), headers=packed)
    assert "immutable" in answer["Cache-Control"]
    assert json.loads(gzip.decompress(answer.content))["leg"] == 1
    again = client.get(
        leg_address(site.played, 1), headers=packed | {"if-none-match": answer["ETag"]}
    )
    assert again.status_code == 304


def test_no_name_is_in_a_leg_so_that_it_may_be_kept(site, client):
    sent = client.get(leg_address(site.played, 1)).content.decode()
    assert not any(seat.bot.name in sent for seat in site.played.seats.all())


def test_four_legs_of_sticheln_are_small(match_of, client):
    match = match_of("sticheln", players=4)
    packed = [
        client.get(leg_address(match, leg), headers={"accept-encoding": "gzip"}).content
        for leg in range(1, 5)
    ]
    assert sum(map(len, packed)) < 60_000


def test_what_is_private_is_its_owners_and_of_the_seat_looked_from(noted, as_alice, as_bob):
    def asked(caller, **query):
        address = reverse("leg_private", args=[noted.pk, 1])
        return caller.get(f"{address}?{urlencode(query)}" if query else address).json()

    seating = replays.legs_of(noted)[0]["seating"]
    alices, bobs = seating.index(0), seating.index(1)
    notes = asked(as_alice)["notes"]
    assert {note["seat"] for note in notes} == {alices}
    assert asked(as_alice, seat=alices)["notes"] == notes
    assert asked(as_alice, seat=bobs)["notes"] == []
    assert asked(as_bob)["notes"] == []
    assert [fault["seat"] for fault in asked(as_bob)["faults"]] == [bobs]


# -- The same deals -------------------------------------------------------------------------------


def test_deals_show_who_made_what_of_the_same_cards():
    seats = [Seat(index=0, scores=[5, 3], ranks=[1, 2]), Seat(index=1, scores=[2, 9], ranks=[2, 1])]
    first, second = deals_of(seats, [[0, 1], [1, 0]])
    assert (first.mean, second.mean) == (7, 2.5)
    (of_0,), (of_1,) = first.made
    assert (of_0.leg, of_0.points, of_0.difference, of_0.is_best) == (1, 5, -2, False)
    assert (of_1.leg, of_1.points, of_1.difference, of_1.is_best) == (2, 9, 2, True)
    assert (of_0.bar, of_1.bar) == (-50, 50)


def test_deals_without_a_difference_have_no_bar():
    seats = [Seat(index=at, scores=[4, 4], ranks=[1, 1]) for at in range(2)]
    assert [m.bar for deal in deals_of(seats, [[0, 1], [1, 0]]) for [m] in deal.made] == [0] * 4


@every_game
def test_the_deals_are_on_the_page(match_of, game, client):
    match = match_of(game)
    page = client.get(reverse("match", args=[match.pk]))
    deals = page.context["deals"]
    legs = len(replays.legs_of(match))
    assert sum(len(made) for deal in deals for made in deal.made) == legs * match.players
    assert game_named(game).title in page.content.decode()
