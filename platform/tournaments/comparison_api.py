"""The API of comparisons: one's own, a new one, one of them as it goes on, its end."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from bots.models import Version
from config.api.problems import problems
from config.api.strict import Strict
from config.api.views import ListView, PersonalView, body, person
from ladders.models import Ladder
from ratings.comparison import CLEAR, Estimate, Verdict
from tournaments import comparisons
from tournaments.models import Comparison

SHOWN = ("ladder", "new__bot", "old__bot", "owner")
NO_BOT = "You have no such bot, or it has no such version."
NO_LADDER = "There is no such ladder, or none that you may see."


# -- What is told ---------------------------------------------------------------------------------


class EstimateSerializer(serializers.Serializer[Any]):
    value = serializers.FloatField()
    plus_minus = serializers.FloatField(help_text="Half the width of the 95 % interval.")


class ComparisonSerializer(serializers.ModelSerializer[Comparison]):
    """What is known is null before the first game."""

    url = serializers.HyperlinkedIdentityField(
        "api:comparison", lookup_field="id", help_text="Its address in this API."
    )
    bot = serializers.CharField(source="new.bot.name")
    new = serializers.IntegerField(source="new.number", help_text="The version that may be better.")
    old = serializers.IntegerField(
        source="old.number", help_text="The version it is compared with."
    )
    ladder = serializers.CharField(source="ladder.slug")
    games = serializers.IntegerField(source="played.games", help_text="That count so far.")
    verdict = serializers.SerializerMethodField(help_text="Null while it is not clear.")
    sentence = serializers.SerializerMethodField(help_text="The answer so far, in words.")
    elo = serializers.SerializerMethodField(help_text="By how much the new one is ahead.")
    share = serializers.SerializerMethodField(
        help_text="Of the games in which the new one finished ahead, a tie being half."
    )
    evidence = serializers.FloatField(
        source="played.evidence", help_text="Clear at `clear_at` on either side."
    )
    clear_at = serializers.SerializerMethodField()
    points_not_rated = serializers.SerializerMethodField(
        help_text="By how many points of the game the new one is ahead in one game."
    )
    new_faults = serializers.IntegerField(help_text="Games in which the new one faulted.")
    old_faults = serializers.IntegerField(help_text="Games in which the old one faulted.")
    fault = serializers.CharField(help_text="The first fault, in words; empty if there was none.")

    class Meta:
        model = Comparison
        fields = [
            "url",
            "id",
            "bot",
            "new",
            "old",
            "ladder",
            "state",
            "verdict",
            "sentence",
            "games",
            "most_games",
            "elo",
            "share",
            "evidence",
            "clear_at",
            "points_not_rated",
            "new_faults",
            "old_faults",
            "fault",
            "created_at",
            "finished_at",
        ]
        read_only_fields = fields

    @extend_schema_field(
        serializers.ChoiceField([verdict.value for verdict in Verdict], allow_null=True)
    )
    def get_verdict(self, comparison: Comparison) -> str | None:
        return comparison.played.verdict if comparison.counted else None

    def get_sentence(self, comparison: Comparison) -> str:
        return comparisons.words_of(comparison)

    @extend_schema_field(EstimateSerializer(allow_null=True))
    def get_elo(self, comparison: Comparison) -> dict[str, float] | None:
        return told(comparison.played.gain) if comparison.counted else None

    def get_share(self, comparison: Comparison) -> float | None:
        return comparison.played.share if comparison.counted else None

    def get_clear_at(self, comparison: Comparison) -> float:
        return CLEAR

    @extend_schema_field(EstimateSerializer(allow_null=True))
    def get_points_not_rated(self, comparison: Comparison) -> dict[str, float] | None:
        return told(comparison.played.lead) if comparison.counted else None


def told(estimate: Estimate) -> dict[str, float]:
    return estimate._asdict()


# -- What is asked --------------------------------------------------------------------------------


class ComparisonBody(Strict):
    bot = serializers.CharField(max_length=100, help_text="One of your own.")
    new = serializers.IntegerField(min_value=1, max_value=10**6, help_text="Is this version ...")
    old = serializers.IntegerField(min_value=1, max_value=10**6, help_text="... better than this?")
    ladder = serializers.CharField(
        max_length=100,
        help_text="The slug of a ladder: its rules are played, and its bots sit with the two.",
    )


# -- Comparisons ----------------------------------------------------------------------------------


class ComparisonList(ListView[Comparison]):
    """Your own comparisons, the latest first."""

    permission_classes = PersonalView.permission_classes
    queryset = Comparison.objects.all()
    serializer_class = ComparisonSerializer

    def get_queryset(self) -> QuerySet[Comparison]:
        return Comparison.objects.filter(owner=person(self.request)).select_related(*SHOWN)

    @extend_schema(
        summary="Compare two versions of a bot",
        request=ComparisonBody,
        responses={201: ComparisonSerializer, **problems(409)},
    )
    def post(self, request: Request) -> Response:
        """Plays every deal twice, the two exchanging seats, until it is clear whether the new one is 20
        points better, or there were too many games. Checks and matches go first."""
        wanted = body(request, ComparisonBody)
        made = comparisons.compare(
            user=person(request),
            new=version_at(request, wanted, "new"),
            old=version_at(request, wanted, "old"),
            ladder=ladder_at(request, wanted["ladder"]),
        )
        told_of = about(request, made.pk)
        return Response(told_of, status.HTTP_201_CREATED, headers={"Location": told_of["url"]})


def version_at(request: Request, wanted: dict[str, Any], field: str) -> Version:
    own = Version.objects.filter(bot__owner=person(request)).select_related("bot")
    version = own.filter(bot__name=wanted["bot"], number=wanted[field]).first()
    if version is None:
        raise ValidationError({field: NO_BOT})
    return version


def ladder_at(request: Request, slug: str) -> Ladder:
    ladder = Ladder.objects.visible_to(request.user).filter(slug=slug).first()
    if ladder is None:
        raise ValidationError({"ladder": NO_LADDER})
    return ladder


def about(request: Request, pk: int) -> dict[str, Any]:
    visible = Comparison.objects.visible_to(request.user).select_related(*SHOWN)
    comparison = get_object_or_404(visible, pk=pk)
    return dict(ComparisonSerializer(comparison, context={"request": request}).data)


class ComparisonDetail(PersonalView):
    @extend_schema(summary="A comparison", responses=ComparisonSerializer)
    def get(self, request: Request, id: int) -> Response:  # noqa: A002
        """How far it has come, and its answer. Ask again until `state` is not `running`."""
        return Response(about(request, id))


class ComparisonCancel(PersonalView):
    @extend_schema(
        summary="Cancel a comparison",
        request=None,
        responses={200: ComparisonSerializer, **problems(409)},
    )
    def post(self, request: Request, id: int) -> Response:  # noqa: A002
        """What is known so far stays."""
        comparison = get_object_or_404(person(request).comparisons, pk=id)
        comparisons.cancel(comparison=comparison)
        return Response(about(request, id))
