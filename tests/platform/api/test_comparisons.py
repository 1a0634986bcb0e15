"""Comparisons in the API: begun, followed, cancelled, and nobody else's."""

import pytest

from tournaments.models import Comparison

pytestmark = pytest.mark.django_db


@pytest.fixture
def two(make, site):
    """A second version of Alice's bot."""
    Comparison.objects.filter(pk=make.comparison(site.alices, site.public).pk).delete()


def wanted(**changed):
    return {"bot": "red-fox", "new": 2, "old": 1, "ladder": "open-table"} | changed


def test_an_owner_compares_two_versions(as_alice, two, site):
    answer = as_alice.post("comparisons", wanted())
    assert answer.status_code == 201, answer.content
    told = answer.json()
    assert (told["bot"], told["new"], told["old"]) == ("red-fox", 2, 1)
    assert (told["ladder"], told["state"], told["most_games"]) == ("open-table", "running", 4000)
    assert (told["games"], told["verdict"], told["elo"]) == (0, None, None)
    assert told["sentence"] == "Nothing has been played yet."
    assert answer["Location"] == told["url"]
    assert as_alice.get(told["url"]).json() == told
    assert as_alice.get("comparisons").json()["results"] == [told]


def test_what_is_known_so_far_is_told(as_alice, make, site):
    comparison = make.comparison(site.alices, site.public)
    known = {"made": 40, "judged": 40, "counted": 40, "halves": 120, "halves_squared": 380}
    Comparison.objects.update(margin=200, margin_squared=1800, new_faults=1, fault="x", **known)
    told = as_alice.get(f"comparisons/{comparison.pk}").json()
    assert (told["games"], told["share"], told["verdict"]) == (80, 0.75, "better")
    assert told["elo"]["value"] == pytest.approx(190.8, abs=0.1)
    assert told["elo"]["plus_minus"] > 0
    assert told["evidence"] > told["clear_at"] == pytest.approx(2.944, abs=0.001)
    assert told["points_not_rated"]["value"] == 2.5
    assert (told["new_faults"], told["old_faults"], told["fault"]) == (1, 0, "x")


def test_it_is_cancelled_once(as_alice, make, site):
    address = f"comparisons/{make.comparison(site.alices, site.public).pk}"
    answer = as_alice.post(f"{address}/cancel")
    assert (answer.status_code, answer.json()["state"]) == (200, "cancelled")
    again = as_alice.post(f"{address}/cancel")
    assert (again.status_code, again.json()["detail"]) == (
        409,
        "This comparison has ended already.",
    )


def test_it_is_nobody_elses(as_bob, as_operator, anyone, make, site):
    address = f"comparisons/{make.comparison(site.alices, site.public).pk}"
    assert as_bob.get(address).status_code == 404
    assert as_bob.post(f"{address}/cancel").status_code == 404
    assert as_bob.get("comparisons").json()["results"] == []
    assert anyone.get(address).status_code == 401
    assert as_operator.get(address).status_code == 200


@pytest.mark.parametrize(
    ("changed", "code", "said"),
    [
        ({"bot": "blue-owl"}, 400, "You have no such bot"),
        ({"new": 7}, 400, "no such version"),
        ({"ladder": "nowhere"}, 400, "no such ladder"),
        ({"new": "2"}, 400, "a whole number"),
        ({"games": 10}, 400, "There is no such field"),
        ({"new": 1}, 409, "Choose two versions"),
    ],
)
def test_what_cannot_be_compared_is_refused(as_alice, two, changed, code, said):
    answer = as_alice.post("comparisons", wanted(**changed))
    assert answer.status_code == code, answer.content
    assert said in answer.json()["detail"]
    assert not Comparison.objects.exists()


def test_a_private_ladder_of_others_does_not_exist(as_bob, make, site):
    Comparison.objects.filter(pk=make.comparison(site.bobs, site.public).pk).delete()
    answer = as_bob.post("comparisons", wanted(bot="blue-owl", ladder="evening-class"))
    assert answer.json()["errors"][0]["field"] == "ladder"


def test_quotas_say_the_limit(as_alice, two, settings):
    first = as_alice.post("comparisons", wanted()).json()
    answer = as_alice.post("comparisons", wanted())
    assert answer.status_code == 429
    assert "one comparison running, the most there may be" in answer.json()["detail"]
    as_alice.post(f"{first['url']}/cancel")
    settings.QUOTAS = settings.QUOTAS | {"comparisons_a_day": 1}
    answer = as_alice.post("comparisons", wanted())
    assert (answer.status_code, "1 comparisons in 24 hours" in answer.json()["detail"]) == (
        429,
        True,
    )
    assert int(answer["Retry-After"]) > 80_000
