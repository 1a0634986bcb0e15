"""The API of ladders: standings, entries, and joining a private one."""

from typing import Any, ClassVar

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.services import NotPossible
from bots.api import own_bot
from config.api import throttles
from config.api.filters import one_of
from config.api.problems import problems
from config.api.strict import Strict, choice_of
from config.api.views import ApiView, ListView, body, person
from games import GAMES
from games.player import Limits
from ladders import services
from ladders.forms import LIMITS
from ladders.models import Entry, Ladder
from ladders.standings import provisional, ranked, words_of
from ladders.stats import crosstable, details_of
from ladders.stats_api import CrosstableSerializer, DetailsSerializer

OPTION_LETTERS = 100


# -- What is told ---------------------------------------------------------------------------------


class LimitsSerializer(serializers.Serializer[Any]):
    """The clocks of a leg, and how long a line may be."""

    start_ms = serializers.IntegerField()
    bank_ms = serializers.IntegerField()
    increment_ms = serializers.IntegerField()
    wall_ms = serializers.IntegerField()
    line_bytes = serializers.IntegerField()


@extend_schema_field({"type": ["string", "integer"]})
class OptionField(serializers.Field[Any, Any, Any, Any]):
    """A value of an option; which there are, the rules say."""

    def to_internal_value(self, data: Any) -> str | int:
        if type(data) is int or (isinstance(data, str) and len(data) <= OPTION_LETTERS):
            return data
        raise serializers.ValidationError("This must be a short text or a whole number.")

    def to_representation(self, value: Any) -> Any:
        return value


class OptionsField(serializers.DictField):
    """The options of a game."""

    child = OptionField()


def runs(request: Request, ladder: Ladder) -> bool:
    """Whether somebody may change a ladder."""
    own = ladder.created_by_id is not None and ladder.created_by_id == request.user.pk
    return own or getattr(request.user, "may_operate", False)


class LadderSerializer(serializers.ModelSerializer[Ladder]):
    url = serializers.HyperlinkedIdentityField(
        "api:ladder", lookup_field="slug", help_text="Its address in this API."
    )
    options = OptionsField(help_text="Of the game, complete.")
    limits = LimitsSerializer()
    created_by = serializers.CharField(
        source="created_by.username", default=None, allow_null=True, help_text="Null: the site."
    )
    join_code = serializers.SerializerMethodField(
        help_text="Of a private ladder, for whoever runs it; else null."
    )

    class Meta:
        model = Ladder
        fields = [
            "url",
            "slug",
            "title",
            "about",
            "game",
            "options",
            "players",
            "limits",
            "opens_at",
            "closes_at",
            "is_public",
            "is_standard",
            "created_by",
            "created_at",
            "join_code",
        ]
        read_only_fields = fields

    def get_join_code(self, ladder: Ladder) -> str | None:
        return (ladder.join_code or None) if runs(self.context["request"], ladder) else None


class StandingSerializer(serializers.ModelSerializer[Entry]):
    """A bot on a ladder."""

    bot = serializers.CharField(source="bot.name")
    owner = serializers.CharField(source="bot.owner.username")
    is_house = serializers.BooleanField(source="bot.is_house")
    state = serializers.CharField(source="bot.state")
    version = serializers.IntegerField(
        source="version.number", default=None, allow_null=True, help_text="The one that is rated."
    )
    challenger = serializers.IntegerField(
        source="challenger.number",
        default=None,
        allow_null=True,
        help_text="A later version that plays already; it takes the place after enough matches.",
    )
    is_provisional = serializers.BooleanField(help_text="Too little is known for a rank.")
    words = serializers.SerializerMethodField(
        help_text="What may be said of the lead over the next one; null for the last."
    )

    class Meta:
        model = Entry
        fields = [
            "rank",
            "best",
            "worst",
            "bot",
            "owner",
            "is_house",
            "state",
            "version",
            "challenger",
            "rating",
            "plus_minus",
            "is_provisional",
            "ahead",
            "words",
            "matches",
            "faults",
            "places",
            "owners_met",
            "entered_at",
        ]
        read_only_fields = fields
        extra_kwargs: ClassVar[dict[str, Any]] = {
            "rank": {"help_text": "Null for those of which too little is known."},
            "best": {"help_text": "The best rank that cannot be ruled out (97.5 %)."},
            "worst": {"help_text": "The worst rank that cannot be ruled out (97.5 %)."},
            "plus_minus": {
                "help_text": "Half of the rating's 95 % interval; null before the first match."
            },
            "ahead": {"help_text": "How likely it is ahead of the next one; null for the last."},
        }

    places = serializers.ListField(
        child=serializers.IntegerField(), help_text="How often first, second, … in a match."
    )

    def get_words(self, entry: Entry) -> str | None:
        return words_of(entry)


class EntrySerializer(serializers.Serializer[Any]):
    """A bot on a ladder, with all that is known of it there."""

    standing = StandingSerializer()
    details = DetailsSerializer()


# -- What is asked --------------------------------------------------------------------------------


class LadderFilter(filters.FilterSet):  # type: ignore[misc]
    game = one_of(list(GAMES))


class StandingsQuery(serializers.Serializer[Any]):
    provisional = serializers.BooleanField(
        default=False, help_text="Those that have played too little to be ranked, instead."
    )


class LimitsBody(Strict):
    """What differs from the usual limits."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {
            name: serializers.IntegerField(required=False, min_value=least, max_value=most)
            for name, (_, least, most) in LIMITS.items()
        }


class UsualLimitsBody(Strict):
    """What is to be less than the usual limits."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        usual = Limits()
        return {
            name: serializers.IntegerField(
                required=False, min_value=least, max_value=getattr(usual, name)
            )
            for name, (_, least, _) in LIMITS.items()
        }


class LadderChange(Strict):
    title = serializers.CharField(required=False, max_length=60)
    about = serializers.CharField(required=False, allow_blank=True, max_length=500)
    opens_at = serializers.DateTimeField(required=False)
    closes_at = serializers.DateTimeField(
        required=False, allow_null=True, help_text="Null: never. A closed ladder stays readable."
    )
    is_public = serializers.BooleanField(
        required=False, help_text="A private ladder is joined with its code."
    )


class LadderBody(LadderChange):
    title = serializers.CharField(max_length=60)
    game = choice_of(list(GAMES))
    options = OptionsField(required=False, help_text="What is not given is as the rules have it.")
    players = serializers.IntegerField(min_value=2, max_value=16)
    limits = LimitsBody(required=False)


class EntryBody(Strict):
    bot = serializers.CharField(max_length=100, help_text="The name of a bot of your own.")


class JoinBody(Strict):
    code = serializers.CharField(max_length=32)


def visible_ladder(request: Request, slug: str) -> Ladder:
    """A ladder that this person may see; a private one does not exist for others."""
    visible = Ladder.objects.visible_to(request.user).select_related("created_by")
    return get_object_or_404(visible, slug=slug)


def told(request: Request, ladder: Ladder, code: int = status.HTTP_200_OK) -> Response:
    return Response(LadderSerializer(ladder, context={"request": request}).data, code)


# -- Ladders --------------------------------------------------------------------------------------


class LadderList(ListView[Ladder]):
    """The ladders that you may see."""

    queryset = Ladder.objects.all()
    serializer_class = LadderSerializer
    filterset_class = LadderFilter
    order = ("id",)

    def get_queryset(self) -> QuerySet[Ladder]:
        return Ladder.objects.visible_to(self.request.user).select_related("created_by")

    @extend_schema(
        summary="Create a ladder",
        request=LadderBody,
        responses={201: LadderSerializer, **problems(403)},
    )
    def post(self, request: Request) -> Response:
        """For operators, and for those whom they allow it."""
        if not person(request).creates_ladders:
            raise PermissionDenied("Ask an operator to let you create ladders.")
        wanted = {"options": {}} | body(request, LadderBody)
        ladder = services.make_ladder(created_by=person(request), **wanted)
        return told(request, ladder, status.HTTP_201_CREATED)


class LadderDetail(ApiView):
    @extend_schema(summary="A ladder", responses=LadderSerializer)
    def get(self, request: Request, slug: str) -> Response:
        return told(request, visible_ladder(request, slug))

    @extend_schema(summary="Change a ladder", request=LadderChange, responses=LadderSerializer)
    def patch(self, request: Request, slug: str) -> Response:
        """For whoever created it, and for operators. Its game, options, players and limits are what
        its ratings mean: they stay."""
        ladder = visible_ladder(request, slug)
        if not runs(request, ladder):
            raise PermissionDenied(f"Only whoever created {ladder} may change it.")
        changes = body(request, LadderChange)
        return told(request, services.change_ladder(ladder=ladder, **changes))


class LadderJoin(ApiView):
    counted = {"POST": throttles.Joins}

    @extend_schema(
        summary="Join a private ladder",
        request=JoinBody,
        responses={200: LadderSerializer, **problems(409)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """With its code. Whether there is such a ladder is not told to those without."""
        code = body(request, JoinBody)["code"]
        ladder = Ladder.objects.select_related("created_by").filter(slug=slug).first()
        if ladder is None:
            raise NotPossible(services.WRONG_CODE)
        services.join(ladder=ladder, user=person(request), code=code)
        return told(request, ladder)


# -- Standings and entries ------------------------------------------------------------------------


class Standings(ListView[Entry]):
    queryset = Entry.objects.all()
    serializer_class = StandingSerializer
    query_class = StandingsQuery

    @property
    def order(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("-rating", "id") if self.query["provisional"] else ("rank", "id")

    def get_queryset(self) -> QuerySet[Entry]:
        ladder = visible_ladder(self.request, self.kwargs["slug"])
        entries = provisional(ladder) if self.query["provisional"] else ranked(ladder)
        return entries.select_related("bot__owner", "version", "challenger")

    @extend_schema(summary="The standings of a ladder, the best first", parameters=[StandingsQuery])
    def get(self, request: Request, **_: Any) -> Response:
        return super().get(request)


class Entries(ApiView):
    @extend_schema(
        summary="Enter a bot",
        request=EntryBody,
        responses={201: StandingSerializer, **problems(409)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Puts a bot of your own on a ladder, or back on it where it was."""
        ladder = visible_ladder(request, slug)
        bot = own_bot(request, body(request, EntryBody)["bot"])
        entry = services.enter(ladder=ladder, bot=bot)
        return Response(StandingSerializer(entry).data, status.HTTP_201_CREATED)


class EntryDetail(ApiView):
    @extend_schema(summary="A bot on a ladder", responses=EntrySerializer)
    def get(self, request: Request, slug: str, name: str) -> Response:
        """With its history, and its results by seat and against whom."""
        present = visible_ladder(request, slug).entries.present()
        shown = present.select_related("bot__owner", "version", "challenger")
        entry = get_object_or_404(shown, bot__name=name)
        return Response(EntrySerializer({"standing": entry, "details": details_of(entry)}).data)

    @extend_schema(summary="Take a bot off a ladder", responses={204: None, **problems(409)})
    def delete(self, request: Request, slug: str, name: str) -> Response:
        """Its matches stay, and so does its rating if it comes back."""
        ladder, bot = visible_ladder(request, slug), own_bot(request, name)
        entry = get_object_or_404(ladder.entries.present().select_related("ladder"), bot=bot)
        services.leave(entry=entry)
        return Response(status=status.HTTP_204_NO_CONTENT)


class Crosstable(ApiView):
    @extend_schema(
        summary="The first of a ladder against each other", responses=CrosstableSerializer
    )
    def get(self, request: Request, slug: str) -> Response:
        """How often each has finished ahead of each other one, with its 95 % interval."""
        rows = crosstable(visible_ladder(request, slug))
        return Response(CrosstableSerializer({"rows": rows}).data)
