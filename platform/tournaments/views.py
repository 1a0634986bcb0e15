"""The pages of matches: the list, a match, its replay, a challenge."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import conditional_page, require_http_methods, require_safe

from accounts.requests import OwnRequest
from bots.models import Bot
from config.paging import newest_first
from config.refusals import posted, told_in
from games import GAMES
from games.seating import seatings
from jobs.models import State
from tournaments import replays, services
from tournaments.forms import ChallengeForm, MatchFilter
from tournaments.lines import add_lineups, as_lines
from tournaments.models import Match, Seat
from tournaments.telling import Round, told


def visible_match(request: HttpRequest, pk: int) -> Match:
    """A match this person may see; one of a private ladder does not exist for others."""
    visible = Match.objects.visible_to(request.user).select_related("ladder", "created_by")
    return get_object_or_404(visible, pk=pk)


@require_safe
def match_list(request: HttpRequest) -> HttpResponse:
    form = MatchFilter(request.GET, user=request.user)
    matches = Match.objects.visible_to(request.user)
    if form.is_valid():
        chosen = form.cleaned_data
        if chosen["ladder"]:
            matches = matches.filter(ladder=chosen["ladder"])
        if chosen["game"]:
            matches = matches.filter(game=chosen["game"])
        if chosen["bot"]:
            matches = matches.filter(
                pk__in=Seat.objects.filter(bot__name=chosen["bot"]).values("match")
            )
        if chosen["state"]:
            matches = matches.filter(state=chosen["state"])
    else:
        matches = matches.none()
    page = newest_first(as_lines(matches), request)
    add_lineups(page.rows)
    return render(request, "tournaments/list.html", {"form": form, "page": page})


# -- A match --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """Who sat where in a leg, and what came of it."""

    seat: Seat
    score: int
    rank: int
    fault: str
    is_own: bool
    debug: str


@dataclass(frozen=True)
class Note:
    """What an own bot wrote beside a move."""

    decision: int
    bot: str
    move: str
    text: str


@dataclass(frozen=True)
class ToldLeg:
    """A leg as it is shown, with what is private of the reader's own bots."""

    number: int
    places: list[Place]
    rounds: list[Round]
    notes: list[Note]
    faults: list[dict[str, Any]]


@require_safe
def match(request: HttpRequest, pk: int) -> HttpResponse:
    match = visible_match(request, pk)
    seats = replays.seats_of(match)
    about: dict[str, Any] = {
        "match": match,
        "seats": seats,
        "legs": len(seatings(match.players)),
    }
    if match.state == State.FINISHED:
        legs = replays.legs_of(match)
        number = leg_number(request.GET.get("leg", ""), len(legs))
        own = {seat.index for seat in seats if seat.bot.owner_id == request.user.pk}
        private = replays.private_of(match, own)[number - 1] if own else NOTHING_PRIVATE
        about |= {
            "by_place": sorted(seats, key=lambda seat: (seat.place, seat.index)),
            "numbers": range(1, len(legs) + 1),
            "leg": told_leg(match, seats, number, legs[number - 1], private),
        }
    return render(request, "tournaments/match.html", about)


NOTHING_PRIVATE: dict[str, Any] = {"notes": [], "faults": [], "debug": {}}


def leg_number(text: str, legs: int) -> int:
    return int(text) if text in map(str, range(1, legs + 1)) else 1


def told_leg(
    match: Match, seats: Sequence[Seat], number: int, leg: dict[str, Any], private: dict[str, Any]
) -> ToldLeg:
    lineup = [seats[index] for index in leg["seating"]]
    names = [seat.bot.name for seat in lineup]
    kinds = {fault["seat"]: fault["kind"] for fault in leg["faults"]}
    debug = private["debug"]
    return ToldLeg(
        number=number,
        places=[
            Place(seat, score, rank, kinds.get(at, ""), str(at) in debug, debug.get(str(at), ""))
            for at, (seat, score, rank) in enumerate(
                zip(lineup, leg["scores"], leg["ranks"], strict=True)
            )
        ],
        rounds=told(match.game, match.options, names, leg["events"]),
        notes=[
            Note(note["decision"], names[note["seat"]], move_at(leg, note), note["note"])
            for note in private["notes"]
        ],
        faults=[fault | {"bot": names[fault["seat"]]} for fault in private["faults"]],
    )


def move_at(leg: dict[str, Any], note: dict[str, Any]) -> str:
    decision = leg["decisions"][note["decision"]]
    move: str = decision["moves"][decision["seats"].index(note["seat"])]
    return move


@require_safe
@conditional_page
def replay(request: HttpRequest, pk: int) -> HttpResponse:
    """The file of a match; the owner of a bot in it has what is private of that bot, too."""
    match = visible_match(request, pk)
    if match.state != State.FINISHED:
        raise Http404("This match has not finished: its replay is there when it has.")
    user = request.user
    if user.is_authenticated and match.seats.filter(bot__owner=user).exists():
        data = replays.owners_replay(match, user)
    else:
        data = replays.public_replay(match)
    return HttpResponse(
        data,
        content_type="application/json",
        headers={
            "Content-Disposition": f'attachment; filename="match-{match.pk}.json"',
            "Cache-Control": "private, no-cache",
        },
    )


# -- A challenge ----------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def challenge(request: OwnRequest) -> HttpResponse:
    """First the game is chosen, or the first bot, then who sits at the table."""
    bot = Bot.objects.filter(name=request.GET.get("bot", "")).first()
    game = GAMES.get(bot.game if bot else request.GET.get("game", ""))
    if game is None:
        return render(request, "tournaments/challenge.html", {"games": list(GAMES)})
    form = ChallengeForm(
        posted(request)[0], game=game, user=request.user, bot=bot.name if bot else ""
    )
    if form.is_valid():
        with told_in(form):
            match = services.challenge(
                user=request.user, versions=form.versions, options=form.options
            )
        if form.is_valid():
            return redirect("match", match.pk)
    return render(request, "tournaments/challenge.html", {"form": form, "game": game.name})
