"""The status page: workers, the queue, how fast it goes, what failed."""

from datetime import timedelta

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from accounts.models import Switches
from jobs.models import PRESENT_S, Worker
from tournaments.services import void

pytestmark = pytest.mark.django_db

PAGE = reverse("status")


def test_it_says_that_nobody_is_there_to_play(client, db, text):
    assert "No worker is there: nothing is played until one comes." in text(client.get(PAGE))


def test_workers_are_there_while_they_are_heard_of(site, client, text):
    assert "1 worker, 0.2 matches a minute over the last 5 minutes." in text(client.get(PAGE))
    assert Worker.objects.get().sha256 not in text(client.get(PAGE))
    with time_machine.travel(timezone.now() + timedelta(seconds=PRESENT_S + 1)):
        assert "No worker is there" in text(client.get(PAGE))


def test_the_queue_is_counted_by_what_is_done_first(site, client, hands):
    hands.ticket(site.challenge.name)
    checks, newcomers, others, units = client.get(PAGE).context["queues"]
    assert (checks.waiting, checks.playing) == (0, 0)
    assert (newcomers.waiting, newcomers.playing) == (1, 1)
    assert (others.waiting, others.playing) == (0, 0)
    assert (units.waiting, units.playing) == (0, 0)


def test_voids_are_told_to_those_who_may_see_the_match(site, client, as_alice, operator, text):
    void(match=site.challenge, reason="a private misfortune", who=operator)
    page = text(client.get(PAGE))
    assert "the engine died" in page
    assert "a private misfortune" not in page
    assert "a private misfortune" in text(as_alice.get(PAGE))


def test_what_is_switched_off_is_said(site, client, text):
    Switches.objects.create(pk=1, uploads=False, matchmaking=False)
    page = text(client.get(PAGE))
    assert "no rated matches are made at the moment" in page
    assert "Uploads are closed at the moment." in page
