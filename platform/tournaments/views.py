"""The pages of matches: the list, a match, its replay, a challenge."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import conditional_page, require_http_methods, require_safe

from accounts.requests import OwnRequest
from bots.models import Bot
from config.paging import newest_first
from config.refusals import posted, told_in
from games import GAMES
from games.base import Event, may_know
from games.seating import seatings
from jobs.models import State
from tournaments import replays, services
from tournaments.deals import deals_of
from tournaments.forms import ChallengeForm, MatchFilter
from tournaments.lines import add_lineups, as_lines
from tournaments.models import Match, Seat
from tournaments.scenes import leg_scenes
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
        about |= replay_of(match, seats, request)
    return render(request, "tournaments/match.html", about)


def replay_of(match: Match, seats: Sequence[Seat], request: HttpRequest) -> dict[str, Any]:
    """What the page shows of a finished match: the result, and a leg from all sides or from one."""
    legs = replays.legs_of(match)
    number = number_in(request.GET.get("leg", ""), range(1, len(legs) + 1)) or 1
    seat = number_in(request.GET.get("seat", ""), range(match.players))
    own = own_seats(seats, request)
    private = private_of_leg(match, legs[number - 1], number, own, seat)
    return {
        "by_place": sorted(seats, key=lambda seat: (seat.place, seat.index)),
        "numbers": range(1, len(legs) + 1),
        "deals": deals_of(seats, [leg["seating"] for leg in legs]),
        "leg": told_leg(match, seats, number, legs[number - 1], private, seat),
        "lineup": [in_lineup(seat, seat.index in own) for seat in seats],
        "viewed_seat": seat,
        "has_own": bool(own),
    }


NOTHING_PRIVATE: dict[str, Any] = {"notes": [], "faults": [], "debug": {}}


def private_of_leg(
    match: Match, leg: dict[str, Any], number: int, own: set[int], seat: int | None
) -> dict[str, Any]:
    """What is private of the own bots in a leg, or of the one on a seat that is looked from."""
    shown = own if seat is None else own & {leg["seating"][seat]}
    return replays.private_of(match, shown)[number - 1] if shown else NOTHING_PRIVATE


def number_in(text: str, numbers: range) -> int | None:
    return int(text) if text in map(str, numbers) else None


def own_seats(seats: Sequence[Seat], request: HttpRequest) -> set[int]:
    return {seat.index for seat in seats if seat.bot.owner_id == request.user.pk}


def in_lineup(seat: Seat, is_own: bool) -> dict[str, Any]:
    """A bot of the lineup, as scripts need to know it."""
    return {
        "name": seat.bot.name,
        "version": seat.version.number,
        "author": seat.bot.owner.username,
        "address": reverse("bot", args=[seat.bot.name]),
        "isHouse": seat.bot.is_house,
        "isOwn": is_own,
    }


def told_leg(
    match: Match,
    seats: Sequence[Seat],
    number: int,
    leg: dict[str, Any],
    private: dict[str, Any],
    viewed: int | None,
) -> ToldLeg:
    """A leg in words; seen from a seat without the hands that it did not know."""
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
        rounds=told(match.game, match.options, names, known(leg["events"], viewed)),
        notes=[
            Note(note["decision"], names[note["seat"]], move_at(leg, note), note["note"])
            for note in private["notes"]
        ],
        faults=[fault | {"bot": names[fault["seat"]]} for fault in private["faults"]],
    )


def known(events: list[Event], seat: int | None) -> list[Event]:
    return [event for event in events if seat is None or may_know(event, seat)]


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


# -- A leg for scripts ----------------------------------------------------------------------------


@require_safe
@gzip_page
@conditional_page
def leg(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """A leg in scenes; with `seat` no more of it than that seat knew."""
    match = visible_match(request, pk)
    leg = finished_leg(match, number)
    scenes = leg_scenes(match, number, leg, asked_seat(request, match))
    return JsonResponse(
        scenes,
        json_dumps_params={"ensure_ascii": False, "separators": (",", ":")},
        headers={"Cache-Control": "private, max-age=86400, immutable"},
    )


@require_safe
def leg_private(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Notes, debug output and faults of the reader's own bots in a leg; with `seat` of that one."""
    match = visible_match(request, pk)
    leg = finished_leg(match, number)
    own = own_seats(replays.seats_of(match), request)
    private = private_of_leg(match, leg, number, own, asked_seat(request, match))
    return JsonResponse(private, headers={"Cache-Control": "private, no-store"})


def finished_leg(match: Match, number: int) -> dict[str, Any]:
    if match.state != State.FINISHED:
        raise Http404("This match has not finished: its legs are there when it has.")
    legs = replays.legs_of(match)
    if number not in range(1, len(legs) + 1):
        raise Http404(f"This match has legs 1 to {len(legs)}.")
    return legs[number - 1]


def asked_seat(request: HttpRequest, match: Match) -> int | None:
    """The seat that is looked from; nobody's: all hands are open."""
    text = request.GET.get("seat")
    seat = number_in(text or "", range(match.players))
    if text is not None and seat is None:
        raise Http404(f"This match has seats 0 to {match.players - 1}.")
    return seat


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
