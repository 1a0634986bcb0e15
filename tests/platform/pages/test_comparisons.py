"""The pages of comparisons: where one begins, how it is followed, what is drawn, how it ends."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from jobs.models import State
from tests.platform.tournaments.conftest import new_version
from tournaments.comparison_views import Bar, figures_of
from tournaments.comparisons import compare, make_units
from tournaments.models import Comparison, Unit

__all__ = ["new_version"]

pytestmark = pytest.mark.django_db

NEW = reverse("comparison_new", args=["red-fox"])


@pytest.fixture
def two(site, new_version):
    return [site.alices.active_version, new_version(site.alices)]


@pytest.fixture
def comparison(site, two, alice):
    old, new = two
    return compare(user=alice, new=new, old=old, ladder=site.public)


def address(comparison):
    return reverse("comparison", args=[comparison.pk])


def counted(comparison, **changed):
    """As if twelve units had been judged."""
    about = {"made": 12, "judged": 12, "counted": 12, "halves": 26, "halves_squared": 70}
    Comparison.objects.filter(pk=comparison.pk).update(
        **(about | {"margin": 30, "margin_squared": 300} | changed)
    )


# -- Where it begins ------------------------------------------------------------------------------


def test_it_begins_at_the_versions_of_ones_own_bot(site, two, as_alice, as_bob, text):
    link = f'href="{NEW}?version=2"'
    assert link in text(as_alice.get(reverse("bot", args=["red-fox"])))
    assert link not in text(as_bob.get(reverse("bot", args=["red-fox"])))


def test_the_form_suggests_what_one_wants_to_know(site, two, as_alice):
    old, new = two
    form = as_alice.get(f"{NEW}?version=2").context["form"]
    assert (form.initial["new"], form.initial["old"]) == (new, old)
    assert form.initial["ladder"] == site.public.slug
    form = as_alice.get(NEW).context["form"]
    assert (form.initial["new"], form.initial["old"]) == (new, old)


def test_a_form_begins_a_comparison(site, two, as_alice, alice):
    old, new = two
    answer = as_alice.post(NEW, {"new": new.pk, "old": old.pk, "ladder": site.public.slug})
    comparison = alice.comparisons.get()
    assert answer.url == address(comparison)
    assert (comparison.new, comparison.old, comparison.ladder) == (new, old, site.public)


def test_what_cannot_be_is_said_beside_the_form(site, two, as_alice, text):
    old, _ = two
    answer = as_alice.post(NEW, {"new": old.pk, "old": old.pk, "ladder": site.public.slug})
    assert "of itself a version is never better" in text(answer)
    other = reverse("comparison_new", args=["blue-owl"])
    assert as_alice.get(other).status_code == 403


def test_a_bot_with_one_version_has_nothing_to_compare(site, as_alice, text):
    assert "needs two versions that have passed their check" in text(as_alice.get(NEW))


# -- While it runs --------------------------------------------------------------------------------


def test_before_the_first_game_it_says_what_it_waits_for(comparison, as_alice, text):
    page = text(as_alice.get(address(comparison)))
    assert "Is red-fox v2 better than v1?" in page
    assert "Waits for a worker: checks and matches go first." in page
    assert "Nothing has been played yet." in page
    assert f'data-live="{address(comparison)}"' in page
    assert '<meta http-equiv="refresh" content="3">' in page


def test_it_shows_how_far_it_has_come(comparison, as_alice, text, hands):
    make_units()
    unit = Unit.objects.earliest("number")
    assert hands.report(hands.unit_record(hands.ticket(unit.name))).status_code == 200
    hands.ticket(Unit.objects.filter(state=State.WAITING).first().name)
    counted(comparison)
    page = text(as_alice.get(address(comparison)))
    assert "Being played." in page
    assert "Not clear yet: +29 ±" in page
    assert "24 of at most 4000 games" in page
    assert "not rated" in page
    assert len(re.findall("<svg", page)) == 3  # one is the switch of themes
    [shown] = as_alice.get(address(comparison)).context["units"]
    assert (shown.unit, shown.new + shown.old) == (unit, 2.0)
    assert len(shown.others) == site_players(comparison) - 2


def site_players(comparison):
    return comparison.ladder.players


def test_a_fault_is_shown_to_the_owner_alone(comparison, as_alice, as_operator, text):
    counted(comparison, new_faults=1, fault="v2 faulted: crashed, the process ended")
    said = "v2 1, v1 0. The first: v2 faulted: crashed, the process ended."
    assert said in text(as_alice.get(address(comparison)))
    assert said not in text(as_operator.get(address(comparison)))


# -- How it ends ----------------------------------------------------------------------------------


def test_the_answer_is_given_in_words_and_the_page_comes_to_rest(comparison, as_alice, text):
    counted(comparison, counted=40, halves=120, halves_squared=380)
    Comparison.objects.update(state="finished", finished_at=timezone.now())
    page = text(as_alice.get(address(comparison)))
    assert "The new one is better: +" in page
    assert "data-live" not in page
    assert "refresh" not in page


def test_it_is_cancelled_by_its_owner(comparison, as_alice, as_bob, as_operator, text):
    cancel = reverse("comparison_cancel", args=[comparison.pk])
    assert as_bob.post(cancel).status_code == 404
    assert f'action="{cancel}"' not in text(as_operator.get(address(comparison)))
    assert f'action="{cancel}"' in text(as_alice.get(address(comparison)))
    answer = as_alice.post(cancel, follow=True)
    assert "The comparison is cancelled." in text(answer)
    assert "Cancelled." in text(answer)
    assert "This comparison has ended already." in text(as_alice.post(cancel, follow=True))


def test_it_is_private(comparison, client, as_bob, as_operator):
    assert client.get(address(comparison)).status_code == 404
    assert as_bob.get(address(comparison)).status_code == 404
    assert as_operator.get(address(comparison)).status_code == 200


def test_the_list_has_ones_own_with_their_answers(comparison, as_alice, as_bob, text):
    page = text(as_alice.get(reverse("comparison_list")))
    assert f'href="{address(comparison)}"' in page
    assert "Nothing has been played yet." in page
    assert address(comparison) not in text(as_bob.get(reverse("comparison_list")))


# -- What is drawn --------------------------------------------------------------------------------


def test_a_bar_lies_where_its_numbers_are():
    assert Bar.between(-50, 50, 100) == Bar(250.0, 500.0)
    assert Bar.between(0, -3, 3) == Bar(0.0, 500.0)
    assert Bar.between(-500, 500, 100) == Bar(0.0, 1000.0)


def test_the_line_is_as_long_as_the_interval_needs(comparison):
    counted(comparison)
    comparison.refresh_from_db()
    figures = figures_of(comparison.played)
    points, plus_minus = comparison.played.gain
    assert figures.span % 20 == 0
    assert points + plus_minus <= figures.span < points + plus_minus + 20
    assert figures.interval.start + figures.interval.width <= 1000
    assert figures.points.startswith("+")


def test_evidence_against_it_lies_to_the_left(comparison):
    counted(comparison, halves=20, halves_squared=44)
    comparison.refresh_from_db()
    figures = figures_of(comparison.played)
    assert figures.evidence.startswith("\N{MINUS SIGN}")
    assert figures.weight.start + figures.weight.width == 500.0
