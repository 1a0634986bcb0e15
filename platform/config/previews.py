"""The pictures of matches, ladders and bots, for whoever shares a link; strangers see no more of them than elsewhere."""

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe

from bots.models import Bot
from config.pictures import Line, Poster
from games import GAMES, words
from jobs.models import State
from ladders.models import Entry, Ladder
from ladders.standings import ranked
from tournaments import replays
from tournaments.models import Match

SHARED_FOR_S = 600
STRANGER = AnonymousUser()
LEADERS = 5


def picture(poster: Poster) -> HttpResponse:
    headers = {"Cache-Control": f"public, max-age={SHARED_FOR_S}"}
    return HttpResponse(poster.png(), content_type="image/png", headers=headers)


@require_safe
@conditional_page
def match(request: HttpRequest, pk: int) -> HttpResponse:
    visible = Match.objects.visible_to(STRANGER).select_related("ladder")
    match = get_object_or_404(visible, pk=pk)
    return picture(
        Poster(
            title=_("Match {number}").format(number=match.pk),
            above=GAMES[match.game].title,
            below=str(match.ladder),
            lines=lineup(match),
            cards=first_hand(match),
        )
    )


def lineup(match: Match) -> list[Line]:
    """The result, or who plays."""
    seats = sorted(replays.seats_of(match), key=lambda seat: (seat.place or 0, seat.index))
    if match.state != State.FINISHED:
        return [Line("·", seat.bot.name) for seat in seats]
    return [Line(str(seat.place), seat.bot.name, words.number(seat.points or 0)) for seat in seats]


def first_hand(match: Match) -> list[str]:
    """Some of the first cards dealt; nothing of a match is shown before it has finished."""
    if match.state != State.FINISHED:
        return []
    events = replays.legs_of(match)[0]["events"]
    hand: list[str] = next(event["hand"] for event in events if event["event"] == "dealt")
    return hand[:: max(1, len(hand) // LEADERS)]


@require_safe
@conditional_page
def ladder(request: HttpRequest, slug: str) -> HttpResponse:
    ladder = get_object_or_404(Ladder.objects.visible_to(STRANGER), slug=slug)
    leaders = ranked(ladder).select_related("bot").order_by("rank", "pk")[:LEADERS]
    return picture(
        Poster(
            title=ladder.title,
            above=GAMES[ladder.game].title,
            below=_("Ladder for {players} players").format(players=ladder.players),
            lines=[
                Line(str(entry.rank), entry.bot.name, f"{entry.rating:.0f}") for entry in leaders
            ],
            cards=from_deck(ladder.game, ladder.players, ladder.options),
        )
    )


@require_safe
@conditional_page
def bot(request: HttpRequest, name: str) -> HttpResponse:
    bot = get_object_or_404(Bot.objects.select_related("owner"), name=name)
    public = Ladder.objects.visible_to(STRANGER)
    entries = Entry.objects.present().filter(bot=bot, ladder__in=public).select_related("ladder")
    game = GAMES[bot.game]
    options = game.complete({})
    return picture(
        Poster(
            title=bot.name,
            above=game.title,
            below=_("A bot by {author}").format(author=bot.owner.username),
            lines=[
                Line("·", entry.ladder.title, f"{entry.rating:.0f}") for entry in entries[:LEADERS]
            ],
            cards=from_deck(bot.game, game.player_counts(options)[-1], options),
        )
    )


def from_deck(game: str, players: int, options: dict[str, str | int]) -> list[str]:
    """A card of each of the first colours."""
    deck = GAMES[game].deck(players, options)
    return list(deck[:: max(1, len(deck) // LEADERS)])
