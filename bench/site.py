"""How fast the site is: records against bare inserts, large tables against an empty page, matches through the
queue against the referee alone; all on one machine, in one run.

It works on a database and in folders of its own, and needs nothing but what `make run` needs.
"""

import io
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BOTS, MATCHES = 10_000, 1_000_000
RECORDS = 60
SLICES, SLICE_S = 7, 0.7
PAGE = 9_000


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        set_up(folder)
        compare_records()
        compare_pages()
    from bench import queue

    queue.main()


def set_up(folder: str) -> None:
    """A site on an empty database, in this process."""
    sys.path[:0] = [str(ROOT), str(ROOT / "platform")]
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "KIBITZ_DATA": folder,
        "KIBITZ_DATABASE": f"sqlite:///{folder}/bench.sqlite3",
        "KIBITZ_BROKER": "",
        "KIBITZ_DEBUG": "0",
        "KIBITZ_SECRET_KEY": "for-this-measurement-only",
        "KIBITZ_HOSTS": "testserver",
    }
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    call_command("prepare", stdout=io.StringIO())


def in_turn(ways: dict[str, Callable[[], object]]) -> dict[str, float]:
    """How often each way can be gone in a second: the median of slices that take turns."""
    rates: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(SLICES):
        for name, go in ways.items():
            rates[name].append(rate_of(go))
    return {name: median(found) for name, found in rates.items()}


def rate_of(go: Callable[[], object]) -> float:
    began, count = time.perf_counter(), 0
    while time.perf_counter() - began < SLICE_S:
        go()
        count += 1
    return count / (time.perf_counter() - began)


# -- Records --------------------------------------------------------------------------------------


def compare_records() -> None:
    """Everything that belongs to a record (proof, files, ratings) against its bare rows."""
    from jobs.services import make_worker
    from tournaments.records import take

    worker, _ = make_worker(name="bench", created_by=None)
    records = list(played(worker, RECORDS))
    began = time.perf_counter()
    for record in records:
        take(record=record, worker=worker)
    whole = len(records) / (time.perf_counter() - began)
    derived_s = derived() / len(records)
    bare = bare_inserts(len(records))
    print(
        f"records of Sticheln matches: {whole:.0f} a second, {bare:.0f} bare inserts of their rows"
    )
    print(f"  ratio {whole / bare:.2f}")
    print(f"log, counts and fit: {1000 * derived_s:.1f} ms a match, its rows {1000 / bare:.1f} ms")
    print(f"  with them {1 + derived_s * bare:.2f} times the rows alone")


def derived() -> float:
    """Seconds for all that follows from the records: log, head-to-heads, places, seats, ratings, standings."""
    from ladders.services import follow_versions
    from tournaments.rater import Rater

    follow_versions()
    began = time.perf_counter()
    Rater().rate_due()
    return time.perf_counter() - began


def played(worker: Any, count: int) -> Iterator[Any]:
    from django.utils import timezone

    from games import game_named
    from jobs.services import claim
    from ladders.models import Ladder
    from tournaments.desk import match_ticket
    from tournaments.matchmaker import Lobby, make_one
    from tournaments.models import Match
    from workers.bench import EXAMPLES
    from workers.contract import Claim, MatchRecord
    from workers.inside import Inside, choose_of
    from workers.jobs import leg_records
    from workers.referee import play_match

    lobby = Lobby(Ladder.objects.get(slug="sticheln"), timezone.now())
    simple = choose_of(EXAMPLES / "sticheln" / "python" / "simple_bot.py")
    for number in range(count):
        made = make_one(lobby, newcomers=False)
        assert made is not None
        match = claim(
            kind=Match, said=Claim(made.name, f"c{number}", "bench", "kept"), worker=worker
        )
        assert match is not None
        ticket = match_ticket(match)
        legs = play_match(
            game_named(ticket.game),
            ticket.options,
            [lambda: Inside(simple)] * match.players,
            bytes.fromhex(ticket.seed),
            limits=ticket.limits.limits,
        )
        yield MatchRecord(
            id=ticket.id,
            attempt=ticket.attempt,
            worker="bench",
            mode="kept",
            languages={},
            played_at="2026-11-18T12:00:00Z",
            limits=ticket.limits,
            legs=leg_records(legs),
        )


def bare_inserts(count: int) -> float:
    """The rows of finished matches, written once more as they are, a transaction each."""
    from django.db import transaction

    from tournaments.models import Match

    matches = [
        (match, list(match.seats.all()))
        for match in Match.objects.filter(state="finished").order_by("-pk")[:count]
    ]
    began = time.perf_counter()
    for match, seats in matches:
        with transaction.atomic():
            match.pk = None
            match.save(force_insert=True)
            for seat in seats:
                seat.pk, seat.match = None, match
                seat.save(force_insert=True)
    return count / (time.perf_counter() - began)


# -- Pages ----------------------------------------------------------------------------------------


def compare_pages() -> None:
    from django.test import Client

    print(f"filling in {BOTS:,} bots and {MATCHES:,} matches ...", flush=True)
    fill_in()
    client, before = Client(), key_of_page(PAGE)
    with an_empty_page():
        rates = in_turn(
            {
                "empty page": lambda: fetch(client, "/empty"),
                "standings": lambda: fetch(client, "/ladders/sticheln/"),
                "first matches": lambda: fetch(client, "/matches/"),
                f"page {PAGE:,} of them": lambda: fetch(client, f"/matches/?before={before}"),
            }
        )
    for name, rate in rates.items():
        print(f"{name:22} {rate:7.1f} a second, {rate / rates['empty page']:.2f} of the empty page")
    late = rates["first matches"] / rates[f"page {PAGE:,} of them"]
    print(f"page {PAGE:,} takes {late:.2f} times as long as the first")


def fetch(client: Any, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 200, (address, answer.status_code)


@contextmanager
def an_empty_page() -> Iterator[None]:
    """A page of the site with nothing in it: the same middleware, the same frame."""
    from django.shortcuts import render
    from django.urls import clear_url_caches, path

    from config import urls

    urls.urlpatterns.append(path("empty", lambda request: render(request, "base.html")))
    clear_url_caches()
    yield
    urls.urlpatterns.pop()


def key_of_page(page: int) -> int:
    from config.paging import SIZE
    from tournaments.models import Match

    last = Match.objects.order_by("-pk").values_list("pk", flat=True).first()
    assert last is not None
    return last + 1 - (page - 1) * SIZE


def fill_in() -> None:
    """Rows by the million, written by the database itself."""
    from django.db import connection, transaction
    from django.utils import timezone

    from bots.models import Bot
    from jobs.models import State
    from ladders.models import Entry, Ladder
    from tournaments.models import Match

    ladder = Ladder.objects.get(slug="sticheln")
    house = Bot.objects.select_related("active_version").get(name="house-simple-sticheln")
    bots = [
        Bot(
            owner_id=house.owner_id,
            game="sticheln",
            name=f"bench-{number}",
            skeleton=f"bench-{number}",
            active_version=house.active_version,
        )
        for number in range(BOTS)
    ]
    with transaction.atomic():
        Bot.objects.bulk_create(bots, batch_size=500)
        Entry.objects.bulk_create(
            [
                Entry(
                    ladder=ladder,
                    bot=bot,
                    version=house.active_version,
                    rating=2500 - at / 10,
                    plus_minus=20,
                    matches=400,
                    matches_made=400,
                    places=[100, 120, 90, 90],
                    owners_met=30,
                    rank=at + 1,
                    best=max(at - 3, 1),
                    worst=at + 4,
                    ahead=0.7,
                    trend=[2480 - at / 10 + point for point in range(20)],
                )
                for at, bot in enumerate(bots)
            ],
            batch_size=500,
        )
        first = Match.objects.filter(state=State.FINISHED).order_by("pk").first()
        assert first is not None
        first.pk, first.finished_at = None, timezone.now()
        first.save(force_insert=True)
        multiply(connection.cursor(), first.pk, bots[0].pk, house.active_version_id)


def multiply(cursor: Any, model: int, first_bot: int, version: Any) -> None:
    """So many copies of one match, each with four seats of other bots."""
    columns = columns_of(cursor, "tournaments_match")
    listed = ", ".join(columns)
    cursor.execute(
        f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {MATCHES})"  # noqa: S608
        f" INSERT INTO tournaments_match ({listed}) SELECT {listed} FROM tournaments_match, n"
        f" WHERE id = {model}"
    )
    cursor.execute(
        'INSERT INTO tournaments_seat (match_id, "index", bot_id, version_id, ranks, scores,'  # noqa: S608
        " points, place, ahead, faults)"
        f" SELECT m.id, s.i, {first_bot} + (m.id * 31 + s.i * 2503) % {BOTS}, {version}, '[1]', '[1]',"
        " 10, s.i + 1, 0.5, 0 FROM tournaments_match m,"
        " (SELECT 0 AS i UNION SELECT 1 UNION SELECT 2 UNION SELECT 3) s"
        f" WHERE m.id > {model}"
    )


def columns_of(cursor: Any, table: str) -> list[str]:
    cursor.execute(f"PRAGMA table_info({table})")
    return [row[1] for row in cursor.fetchall() if row[1] != "id"]


if __name__ == "__main__":
    main()
