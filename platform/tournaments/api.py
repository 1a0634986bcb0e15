"""The API of matches: lists, replays one by one and in bulk, challenges."""

from hashlib import sha256
from typing import Any

from django.db.models import F, Prefetch, QuerySet
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import quote_etag
from django_filters import rest_framework as filters
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from accounts.services import NotPossible
from bots.models import Version
from config.api import throttles
from config.api.filters import MomentFilter, one_of
from config.api.problems import problems
from config.api.renderers import JSONLines
from config.api.strict import Strict
from config.api.views import ApiView, ListView, PersonalView, body, filters_of, person
from jobs.models import State
from ladders.api import LimitsSerializer, OptionsField, UsualLimitsBody, visible_ladder
from tournaments import replays, services
from tournaments.exporting import export_of
from tournaments.models import Match, Seat

EXPORTED_USUALLY, EXPORTED_MOST = 100, 1000
EXPORTED_AT_ONCE = 50
REPLAY_AGE_S = 24 * 3600  # a renamed bot and a deleted account are soon out of all caches


# -- What is told ---------------------------------------------------------------------------------


class SeatSerializer(serializers.ModelSerializer[Seat]):
    """A bot in a match, or the person at the table; what came of it is null until the match has
    finished."""

    bot = serializers.CharField(
        source="bot.name", allow_null=True, help_text="Null for the person at the table."
    )
    owner = serializers.CharField(source="owner.username", help_text="Or the person.")
    version = serializers.IntegerField(source="version.number", allow_null=True)
    points = serializers.IntegerField(allow_null=True, help_text="Of all legs together.")
    place = serializers.IntegerField(allow_null=True, help_text="By points.")
    faults = serializers.IntegerField(help_text="Legs that ended in one for this bot.")

    class Meta:
        model = Seat
        fields = [
            "index",
            "bot",
            "owner",
            "version",
            "points",
            "place",
            "faults",
            "rating_before",
            "rating_after",
        ]
        read_only_fields = fields


class MatchSerializer(serializers.ModelSerializer[Match]):
    url = serializers.HyperlinkedIdentityField(
        "api:match", lookup_field="id", help_text="Its address in this API."
    )
    ladder = serializers.CharField(
        source="ladder.slug", default=None, allow_null=True, help_text="Null for a challenge."
    )
    options = OptionsField(help_text="Of the game, complete.")
    limits = LimitsSerializer()
    seed = serializers.SerializerMethodField(help_text="Null until the match has finished.")
    seats = SeatSerializer(many=True)
    replay = serializers.SerializerMethodField(
        help_text="Where its replay is; null until the match has finished."
    )

    class Meta:
        model = Match
        fields = [
            "url",
            "id",
            "state",
            "ladder",
            "is_rated",
            "game",
            "options",
            "players",
            "limits",
            "seed_sha256",
            "seed",
            "created_at",
            "started_at",
            "finished_at",
            "void_reason",
            "seats",
            "replay",
        ]
        read_only_fields = fields

    def get_seed(self, match: Match) -> str | None:
        return match.seed if match.state == State.FINISHED else None

    @extend_schema_field({"type": ["string", "null"], "format": "uri"})
    def get_replay(self, match: Match) -> str | None:
        if match.state != State.FINISHED:
            return None
        return reverse("api:match_replay", args=[match.pk], request=self.context["request"])


SEATS = Prefetch("seats", Seat.objects.select_related("bot__owner", "version").order_by("index"))


def visible_matches(request: Request) -> QuerySet[Match]:
    """The matches that this person may see, with all that is told of them."""
    visible = Match.objects.visible_to(request.user)
    return visible.select_related("ladder", "person").prefetch_related(SEATS)


# -- What is asked --------------------------------------------------------------------------------


class ReplayFilter(filters.FilterSet):  # type: ignore[misc]
    """Which matches; times are those at which they were made."""

    ladder = filters.CharFilter("ladder__slug", label="The slug of a ladder.")
    bot = filters.CharFilter(method="with_bot", label="The name of a bot in it.")
    since = MomentFilter("created_at", "gte", label="Made then or later.")
    until = MomentFilter("created_at", "lt", label="Made before that.")

    def with_bot(self, matches: QuerySet[Match], name: str, value: str) -> QuerySet[Match]:
        return matches.filter(pk__in=Seat.objects.filter(bot__name=value).values("match"))


class MatchFilter(ReplayFilter):
    state = one_of(State.values)


class ExportQuery(serializers.Serializer[Any]):
    after = serializers.IntegerField(
        default=0,
        min_value=0,
        max_value=2**63 - 1,
        help_text="Matches after this one: to go on, the `match` of the last line you have.",
    )
    max = serializers.IntegerField(
        default=EXPORTED_USUALLY, min_value=1, max_value=EXPORTED_MOST, help_text="How many lines."
    )


class ChallengeSeat(Strict):
    bot = serializers.CharField(max_length=100)
    version = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=10**6,
        help_text="The one that plays, if not given; of others' bots there is no other choice.",
    )


class ChallengeBody(Strict):
    seats = serializers.ListField(child=ChallengeSeat(), min_length=2, max_length=16)
    options = OptionsField(required=False, help_text="What is not given is as the rules have it.")
    limits = UsualLimitsBody(required=False)


# -- Matches --------------------------------------------------------------------------------------


class MatchList(ListView[Match]):
    """The matches that you may see, the latest first."""

    queryset = Match.objects.all()
    serializer_class = MatchSerializer
    filterset_class = MatchFilter

    def get_queryset(self) -> QuerySet[Match]:
        return visible_matches(self.request)


class MatchDetail(ApiView):
    @extend_schema(summary="A match", responses=MatchSerializer)
    def get(self, request: Request, id: int) -> Response:  # noqa: A002
        """Before it has finished: its lineup, its state and the hash of its seed."""
        match = get_object_or_404(visible_matches(request), pk=id)
        return Response(MatchSerializer(match, context={"request": request}).data)


def finished_match(request: Request, pk: int) -> Match:
    match = get_object_or_404(visible_matches(request), pk=pk)
    if match.state != State.FINISHED:
        raise NotPossible(
            f"Match {match.pk} is {match.state}; its replay comes when it has finished."
        )
    return match


class MatchReplay(ApiView):
    @extend_schema(
        summary="The replay of a match",
        responses={(200, "application/json"): OpenApiTypes.OBJECT, **problems(409)},
    )
    def get(self, request: Request, id: int) -> HttpResponseBase:  # noqa: A002
        """As `kibitz verify` reads it."""
        match = finished_match(request, id)
        tag = tag_of(match)
        answer = get_conditional_response(request._request, etag=tag) or HttpResponse(
            replay_of(match), content_type="application/json"
        )
        answer["ETag"] = tag
        everybodys = match.ladder is not None and match.ladder.is_public
        whose = {"public": True} if everybodys else {"private": True}
        patch_cache_control(answer, max_age=REPLAY_AGE_S, immutable=True, **whose)
        return answer


def tag_of(match: Match) -> str:
    """What a replay is, without a look at its legs: they never change, but names do."""
    names = [(seat.name, seat.owner.username) for seat in match.seats.all()]
    return quote_etag(sha256(f"{match.legs_sha256} {names}".encode()).hexdigest())


def replay_of(match: Match) -> bytes:
    """The replay of a match whose seats have been fetched."""
    return replays.with_legs(replays.header(match, list(match.seats.all())), match)


class MatchOwnersReplay(PersonalView):
    @extend_schema(
        summary="A replay with what is private of your own bots",
        responses={(200, "application/json"): OpenApiTypes.OBJECT, **problems(403, 409)},
    )
    def get(self, request: Request, id: int) -> HttpResponse:  # noqa: A002
        """Their notes, debug output and faults stand under `private`."""
        match = finished_match(request, id)
        if all(seat.owner != person(request) for seat in match.seats.all()):
            raise PermissionDenied("None of your bots was in this match.")
        return HttpResponse(
            replays.owners_replay(match, person(request)), content_type="application/json"
        )


class MatchExport(ApiView, GenericAPIView[Match]):
    queryset = Match.objects.all()
    filterset_class = ReplayFilter
    query_class = ExportQuery
    renderer_classes = [JSONLines]
    counted = {"GET": throttles.Exports}

    @property
    def parameters(self) -> set[str]:
        return super().parameters | set(filters_of(self))

    @extend_schema(
        summary="Many replays",
        parameters=[ExportQuery],
        filters=True,
        responses={(200, JSONLines.media_type): OpenApiTypes.STR},
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """A replay a line (NDJSON), the oldest match first. To go on where an export has ended, ask
        again with `after`."""
        asked = self.query
        finished = visible_matches(request).filter(state=State.FINISHED, pk__gt=asked["after"])
        matches = self.filter_queryset(finished).order_by("pk")[: asked["max"]]
        lines = map(replay_of, matches.iterator(EXPORTED_AT_ONCE))
        return StreamingHttpResponse(lines, content_type=JSONLines.media_type)


class LadderLog(ApiView):
    renderer_classes = [JSONLines]
    counted = {"GET": throttles.Exports}

    @extend_schema(
        summary="The public log of a ladder, with all published numbers",
        responses={(200, JSONLines.media_type): OpenApiTypes.STR},
    )
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        """Every rated match a line (NDJSON), each with the hash of the one before it. With it anybody can
        work the ratings out again: `docs/rerate.py` does."""
        ladder = visible_ladder(request, slug)
        return StreamingHttpResponse(export_of(ladder), content_type=JSONLines.media_type)


# -- Challenges -----------------------------------------------------------------------------------


class ChallengeList(ListView[Match]):
    """Your own challenges, the latest first."""

    permission_classes = PersonalView.permission_classes
    queryset = Match.objects.all()
    serializer_class = MatchSerializer

    def get_queryset(self) -> QuerySet[Match]:
        return visible_matches(self.request).filter(
            created_by=person(self.request), ladder=None, person=None
        )

    @extend_schema(
        summary="Challenge bots to an unrated match",
        request=ChallengeBody,
        responses={201: MatchSerializer, **problems(409)},
    )
    def post(self, request: Request) -> Response:
        """A table of your choice: your own versions, any that are ready, and of others, the house too,
        the one that plays."""
        wanted = body(request, ChallengeBody)
        made = services.challenge(
            user=person(request),
            versions=[version_at(index, seat) for index, seat in enumerate(wanted["seats"])],
            options=wanted.get("options"),
            limits=wanted.get("limits"),
        )
        match = visible_matches(request).get(pk=made.pk)
        told = MatchSerializer(match, context={"request": request}).data
        return Response(told, status.HTTP_201_CREATED, headers={"Location": told["url"]})


def version_at(index: int, seat: dict[str, Any]) -> Version:
    versions = Version.objects.select_related("bot__owner").filter(bot__name=seat["bot"])
    if "version" in seat:
        version = versions.filter(number=seat["version"]).first()
    else:
        version = versions.filter(pk=F("bot__active_version")).first()
    if version is None:
        raise ValidationError(
            {f"seats.{index}": "There is no such bot, or no version of it that plays."}
        )
    return version
