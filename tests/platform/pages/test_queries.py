"""Every page asks the database as often with many rows as with few."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.names import skeleton
from bots.models import Archive, Bot, CheckLine, Version
from jobs.models import State, Worker
from ladders.models import Entry, Ladder, Membership
from ratings.claims import PROVISIONAL_MATCHES
from tournaments.models import Comparison, Match, Seat, Unit

pytestmark = pytest.mark.django_db

FEW, MANY = 3, 120
MOST = 25  # questions for one page


def fill(site, alice, numbers):
    """Something of everything that a page lists, as often as there are numbers."""
    now = timezone.now()
    bots = Bot.objects.bulk_create(
        Bot(owner=alice, game="color-stock", name=f"many-{n}", skeleton=skeleton(f"many-{n}"))
        for n in numbers
    )
    archives = Archive.objects.bulk_create(
        Archive(sha256=f"{n:064x}", size=1) for n in range(2 * numbers.start, 2 * numbers.stop)
    )
    ready = Version.State.READY
    firsts = Version.objects.bulk_create(
        Version(bot=bot, number=1, archive=archive, state=ready, file_name="bot.py")
        for bot, archive in zip(bots, archives, strict=False)
    )
    for bot, version in zip(bots, firsts, strict=True):
        bot.active_version = version
    Bot.objects.bulk_update(bots, ["active_version"])
    Version.objects.bulk_create(
        Version(
            bot=site.alices,
            number=2 + numbers.start + n,
            archive=archive,
            state=ready,
            file_name="bot.py",
        )
        for n, archive in enumerate(archives[len(numbers) :])
    )
    more = Ladder.objects.bulk_create(
        Ladder(slug=f"more-{n}", title=f"More {n}", game="color-stock", players=2) for n in numbers
    )
    Membership.objects.create(ladder=more[0], user=alice)
    Entry.objects.bulk_create(
        Entry(
            ladder=site.public,
            bot=bot,
            version=version,
            matches=20 * n,
            rating=1400 + n,
            rank=n + 1,
        )
        for n, (bot, version) in enumerate(zip(bots, firsts, strict=True), numbers.start)
    )
    Entry.objects.bulk_create(
        Entry(ladder=ladder, bot=site.alices, matches=PROVISIONAL_MATCHES, rank=1)
        for ladder in more
    )
    Worker.objects.bulk_create(
        Worker(name=f"worker {n}", sha256=f"{n:064x}", last_seen_at=now) for n in numbers
    )
    CheckLine.objects.bulk_create(
        CheckLine(check_job=site.alices.active_version.check_job, attempt=1, text=f"line {n}")
        for n in numbers
    )
    comparisons = Comparison.objects.bulk_create(
        Comparison(
            owner=alice,
            new=site.alices.versions.exclude(pk=site.alices.active_version_id).first(),
            old=site.alices.active_version,
            ladder=site.public,
            state="cancelled",
            finished_at=now,
            most_games=4000,
        )
        for _ in numbers
    )
    Unit.objects.bulk_create(
        Unit(
            comparison=Comparison.objects.earliest("pk"),
            number=n,
            table=[comparisons[0].new_id, comparisons[0].old_id, version.pk],
            state=State.FINISHED,
            finished_at=now,
            halves=2,
            margin=0,
        )
        for n, version in zip(numbers, firsts, strict=True)
    )
    like = Match.objects.get(pk=site.played.pk)
    for state in State.values:
        matches = Match.objects.bulk_create(copy_of(like, state, now) for _ in numbers)
        Seat.objects.bulk_create(
            Seat(match=match, index=index, bot=bot, version=bot.active_version, **result)
            for match in matches
            for index, bot in enumerate([site.alices, site.bobs, bots[0], bots[1]])
            for result in [{"points": index, "place": 4 - index} if state == "finished" else {}]
        )


def copy_of(match, state, now):
    kept = {
        field.attname: getattr(match, field.attname)
        for field in Match._meta.concrete_fields
        if not field.primary_key
    }
    has_ended = state in (State.FINISHED, State.VOID)
    return Match(
        **kept
        | {
            "state": state,
            "lease_until": now if state == State.PLAYING else None,
            "finished_at": now if has_ended else None,
        }
    )


def addresses(site):
    return [
        reverse("home"),
        reverse("status"),
        reverse("bot_list"),
        f"{reverse('bot_list')}?name=many&game=color-stock",
        f"{reverse('search')}?q=many",
        reverse("game_list"),
        reverse("game", args=["color-stock"]),
        reverse("docs_page", args=["box"]),
        reverse("ladder_list"),
        reverse("ladder", args=[site.public.slug]),
        reverse("ladder", args=[site.private.slug]),
        f"{reverse('ladder', args=[site.public.slug])}?q=many+lang:python",
        reverse("ladder_tables", args=[site.public.slug]),
        reverse("match_list"),
        f"{reverse('match_list')}?bot=red-fox&ladder=color-stock&state=finished",
        reverse("match", args=[site.played.pk]),
        reverse("match", args=[site.waiting.pk]),
        reverse("bot", args=["red-fox"]),
        reverse("bot_upload", args=["red-fox"]),
        reverse("version", args=["red-fox", 1]),
        reverse("version_check", args=["red-fox", 1]),
        reverse("player", args=["alice"]),
        reverse("bot_new"),
        f"{reverse('challenge_new')}?bot=red-fox",
        reverse("comparison_list"),
        reverse("comparison_new", args=["red-fox"]),
        reverse("comparison", args=[Comparison.objects.earliest("pk").pk]),
        f"{reverse('table_new')}?game=color-stock",
    ]


def asked(caller, address):
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert caller.get(address).status_code == 200, address
    return len(queries)


def test_the_number_of_questions_does_not_grow(site, alice, as_alice):
    fill(site, alice, range(FEW))
    few = {address: asked(as_alice, address) for address in addresses(site)}
    fill(site, alice, range(FEW, MANY))
    many = {address: asked(as_alice, address) for address in addresses(site)}
    assert many == few
    assert max(many.values()) <= MOST


def test_further_pages_ask_about_as_often_as_the_first(site, alice, client):
    fill(site, alice, range(MANY))
    for address, key in (
        (reverse("match_list"), "before"),
        (reverse("bot_list"), "before"),
        (reverse("ladder", args=[site.public.slug]), "after"),
        (reverse("player", args=["alice"]), "before"),
    ):
        first = client.get(address)
        page = first.context.get("page") or first.context["ranked"]
        assert page.following, address
        further = asked(client, f"{address}?{key}={page.following}")
        assert further <= asked(client, address) + 1, address  # one more counts those ahead
