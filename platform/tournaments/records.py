"""Takes the record of a match: proved by the rules, then written down in one transaction."""

import logging
from collections.abc import Sequence

from django.db import transaction
from django.urls import reverse

from accounts.services import tell
from bots.models import Bot
from bots.services import pause
from games import replay
from games.replay import Difference
from jobs.models import State, Worker
from jobs.services import Overtaken, current, finish, refuse_record, row_id
from ladders.models import Ladder, Rating
from ratings import preview
from tournaments.models import Match, Seat
from tournaments.replays import header, keep_legs, seats_of
from workers.contract import FaultShown, LegRecord, MatchRecord

log = logging.getLogger("kibitz.matches")

# A bot is paused when it faults in two legs of one match, or in more than a tenth of its last ones.
MOST_FAULTS_A_MATCH = 1
WATCHED_LEGS, MOST_FAULTS_WATCHED = 50, 5


class Refused(Exception):
    """A record that is not what the rules give; says where."""


def take(*, record: MatchRecord, worker: Worker) -> Match:
    """Writes a match's result down, once. A record that the rules do not give is refused, and the
    match is played again."""
    match = under_way(record, worker)
    try:
        prove(match, record)
    except Difference as difference:
        refuse_record(kind=Match, name=record.job, worker=worker, why=str(difference))
        raise Refused(str(difference)) from None
    legs_sha256, private_sha256 = keep_legs(record)
    return write_down(
        record=record, worker=worker, legs_sha256=legs_sha256, private_sha256=private_sha256
    )


def under_way(record: MatchRecord, worker: Worker) -> Match:
    """The match, if it is this worker's now. It is asked again when the row is held: proving takes
    too long to hold it meanwhile."""
    match = Match.objects.filter(pk=row_id(record.id)).first()
    if match is None or match.state != State.PLAYING or match.attempt != record.attempt:
        raise Overtaken
    if match.worker_id != worker.pk:
        raise Overtaken
    return match


def prove(match: Match, record: MatchRecord) -> None:
    """Deals and plays the match again and compares everything with the record."""
    if record.limits != match.clocks:
        raise Difference("the limits are not those of the ticket")
    if [leg.seating for leg in record.legs] != match.seatings:
        raise Difference("the seatings are not those of the match")
    match.played_at = record.played_at
    legs = [leg.entry for leg in record.legs]
    replay.verify(header(match, seats_of(match)) | {"legs": legs})


@transaction.atomic
def write_down(
    *, record: MatchRecord, worker: Worker, legs_sha256: str, private_sha256: str
) -> Match:
    match = current(Match, record.job, worker)
    seats = seats_of(match)
    finish(match)
    match.played_at, match.mode = record.played_at, record.mode
    match.legs_sha256, match.private_sha256 = legs_sha256, private_sha256
    match.save()
    count_up(seats, record.legs)
    if match.is_rated:
        preview_ratings(seats, match.ladder)
    Seat.objects.bulk_update(seats, RESULT_FIELDS)
    pause_faulty(match, seats, record)
    return match


RESULT_FIELDS = [
    "ranks",
    "scores",
    "points",
    "place",
    "ahead",
    "faults",
    "kinds",
    "rating_before",
    "rating_after",
]


# -- Counting -------------------------------------------------------------------------------------


def count_up(seats: Sequence[Seat], legs: Sequence[LegRecord]) -> None:
    """What came of each bot over all legs."""
    for seat in seats:
        places = [leg.seating.index(seat.index) for leg in legs]
        seat.ranks = [leg.ranks[at] for leg, at in zip(legs, places, strict=True)]
        seat.scores = [leg.scores[at] for leg, at in zip(legs, places, strict=True)]
        seat.points = sum(seat.scores)
        seat.kinds = [kind_of(leg, at) for leg, at in zip(legs, places, strict=True)]
        seat.faults = sum(kind != "" for kind in seat.kinds)
    points = [seat.points or 0 for seat in seats]
    shares = shares_of(seats)
    for seat in seats:
        seat.place = 1 + sum(other > points[seat.index] for other in points)
        rivals = [share for at, share in enumerate(shares[seat.index]) if at != seat.index]
        seat.ahead = sum(rivals) / len(rivals)


def kind_of(leg: LegRecord, seat: int) -> str:
    """How the bot on that seat faulted, if it did."""
    return next((fault.kind for fault in leg.faults if fault.seat == seat), "")


def shares_of(seats: Sequence[Seat]) -> list[list[float]]:
    """How often each bot finished ahead of each other one."""
    return preview.ahead(list(zip(*(seat.ranks for seat in seats), strict=True)))


# -- Rating ---------------------------------------------------------------------------------------


def preview_ratings(seats: Sequence[Seat], ladder: Ladder | None) -> None:
    """What the ratings were, and what Elo's formula makes of the match until the next fit."""
    known = Rating.objects.filter(entry__in={seat.entry_id for seat in seats})
    known = known.select_related("version").order_by("version__number")
    ratings = [rating_before(seat, list(known)) for seat in seats]
    changes = preview.changes(
        shares_of(seats),
        [rating.rating for rating in ratings],
        [rating.matches for rating in ratings],
        [seat.version_id or 0 for seat in seats],
    )
    for seat, rating in zip(seats, ratings, strict=True):
        own = [changes[other.index] for other in seats if other.version_id == seat.version_id]
        seat.rating_before = rating.rating
        is_anchor = ladder is not None and seat.version_id == ladder.anchor_id
        seat.rating_after = rating.rating + (0.0 if is_anchor else sum(own) / len(own))


def rating_before(seat: Seat, known: Sequence[Rating]) -> Rating:
    """That of the last fit; of a version that has not played yet, that of the one before it."""
    number = seat.version.number if seat.version else 0
    upto = [
        rating
        for rating in known
        if rating.entry_id == seat.entry_id and rating.version.number <= number
    ]
    if upto and upto[-1].version_id != seat.version_id:
        return Rating(rating=upto[-1].rating)
    return upto[-1] if upto else Rating()


# -- Faults ---------------------------------------------------------------------------------------


def pause_faulty(match: Match, seats: Sequence[Seat], record: MatchRecord) -> None:
    """Pauses bots that keep faulting, and tells their owners with the fault."""
    if not match.is_rated:
        return
    for seat in seats:
        if seat.bot and seat.faults and keeps_faulting(seat):
            shown = first_fault(record, seat.index)
            address = reverse("match", args=[match.pk])
            reason = f"{seat.version} kept faulting: {shown.kind} in match {match.pk}, {shown.why}."
            pause(bot=seat.bot, by=Bot.PausedBy.FAULTS, reason=reason)
            tell(
                user=seat.bot.owner,
                text=f"{seat.bot} is paused.\n{reason}\nUpload a version without the fault, or go "
                "back to an older one, and it plays again.",
                link=address,
            )


def keeps_faulting(seat: Seat) -> bool:
    if seat.faults > MOST_FAULTS_A_MATCH:
        return True
    legs = len(seat.ranks)
    before = (
        Seat.objects.filter(version=seat.version, match__is_rated=True, points__isnull=False)
        .exclude(match=seat.match_id)
        .order_by("-match")
        .values_list("faults", flat=True)[: WATCHED_LEGS // legs]
    )
    return sum(before) + seat.faults > MOST_FAULTS_WATCHED


def first_fault(record: MatchRecord, index: int) -> FaultShown:
    return next(
        fault
        for leg in record.legs
        for fault in leg.private.faults
        if leg.seating[fault.seat] == index
    )
