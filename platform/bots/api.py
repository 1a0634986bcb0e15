"""The API of bots: uploads, versions and their checks."""

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.http import content_disposition_header
from django_filters import rest_framework as filters
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from bots import files, services
from bots.models import Bot, Check, Version
from config.api import throttles
from config.api.filters import one_of
from config.api.problems import problems
from config.api.renderers import Bytes
from config.api.strict import Strict, choice_of
from config.api.views import ApiView, ListView, PersonalView, about_field, body, person
from games import GAMES
from jobs.models import State
from workers.contract import ARCHIVE_BYTES, PROGRESS_LINES

UPLOAD_BYTES = ARCHIVE_BYTES + 16 * 2**10  # a whole form
FILE_NAME_LETTERS = 200


# -- What is told ---------------------------------------------------------------------------------


def may_follow(request: Request, bot: Bot) -> bool:
    """Whether somebody may see a bot's checks, and why it is paused."""
    return bot.owner_id == request.user.pk or getattr(request.user, "may_operate", False)


class BotSerializer(serializers.ModelSerializer[Bot]):
    url = serializers.HyperlinkedIdentityField(
        "api:bot", lookup_field="name", help_text="Its address in this API."
    )
    owner = serializers.CharField(source="owner.username")
    active_version = serializers.IntegerField(
        source="active_version.number",
        default=None,
        allow_null=True,
        help_text="The one that plays.",
    )
    paused_for = serializers.SerializerMethodField(
        help_text="Why it is paused, for its owner; else null."
    )

    class Meta:
        model = Bot
        fields = [
            "url",
            "name",
            "game",
            "owner",
            "about",
            "state",
            "paused_by",
            "paused_for",
            "active_version",
            "is_house",
            "created_at",
        ]
        read_only_fields = fields

    def get_paused_for(self, bot: Bot) -> str | None:
        return bot.paused_for if may_follow(self.context["request"], bot) else None


class StepSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    outcome = serializers.ChoiceField(["passed", "failed", "skipped"])
    detail = serializers.CharField()


class CheckSerializer(serializers.Serializer[Check]):
    """The check of a version, for its owner."""

    state = serializers.ChoiceField(State.choices)
    verdict = serializers.CharField(source="version.verdict", help_text="A sentence, in the end.")
    steps = StepSerializer(source="version.steps", many=True)
    log = serializers.SerializerMethodField(help_text="Where to follow it.")

    @extend_schema_field(OpenApiTypes.URI)
    def get_log(self, check: Check) -> str:
        return address_of("api:version_log", check.version, self.context)


class ArchiveSerializer(serializers.Serializer[Version]):
    """What was uploaded, for its owner."""

    file_name = serializers.CharField()
    size = serializers.IntegerField(source="archive.size")
    sha256 = serializers.CharField(source="archive_id")
    url = serializers.SerializerMethodField(help_text="Where to download it.")

    @extend_schema_field(OpenApiTypes.URI)
    def get_url(self, version: Version) -> str:
        return address_of("api:version_archive", version, self.context)


class VersionSerializer(serializers.ModelSerializer[Version]):
    url = serializers.SerializerMethodField(help_text="Its address in this API.")
    bot = serializers.CharField(source="bot.name")
    is_active = serializers.BooleanField(help_text="Whether it is the one that plays.")
    archive = serializers.SerializerMethodField(help_text="For its owner; else null.")
    check = serializers.SerializerMethodField(help_text="For its owner; else null.")

    class Meta:
        model = Version
        fields = [
            "url",
            "bot",
            "number",
            "state",
            "is_active",
            "language",
            "notes",
            "is_example",
            "created_at",
            "archive",
            "check",
        ]
        read_only_fields = fields

    @extend_schema_field(OpenApiTypes.URI)
    def get_url(self, version: Version) -> str:
        return address_of("api:version", version, self.context)

    @extend_schema_field(ArchiveSerializer(allow_null=True))
    def get_archive(self, version: Version) -> dict[str, Any] | None:
        if version.bot.owner_id != self.context["request"].user.pk:
            return None
        return ArchiveSerializer(version, context=self.context).data

    @extend_schema_field(CheckSerializer(allow_null=True))
    def get_check(self, version: Version) -> dict[str, Any] | None:
        if not may_follow(self.context["request"], version.bot) or version.bot.is_house:
            return None
        return CheckSerializer(version.check_job, context=self.context).data


class LogSerializer(serializers.Serializer[Any]):
    """The next lines of a check's log."""

    state = serializers.ChoiceField(Version.State.choices, help_text="Of the version.")
    is_over = serializers.BooleanField(help_text="Whether no more lines will come.")
    after = serializers.IntegerField(help_text="What to ask for next, as `?after=`.")
    lines = serializers.ListField(child=serializers.CharField())


def address_of(name: str, version: Version, context: Mapping[str, Any]) -> str:
    return reverse(name, args=[version.bot.name, version.number], request=context["request"])


# -- What is asked --------------------------------------------------------------------------------


class BotFilter(filters.FilterSet):  # type: ignore[misc]
    game = one_of(list(GAMES))
    owner = filters.CharFilter("owner__username", label="The name of a person.")
    state = one_of(Bot.State.values)


class UploadBody(Strict):
    """A version as a form: `curl -F file=@bot.py`."""

    file = serializers.FileField(
        max_length=FILE_NAME_LETTERS,
        allow_empty_file=True,
        help_text=f"One source file, a .zip or a .tar.gz; at most {ARCHIVE_BYTES:,} bytes.",
        error_messages={
            "required": "The file is missing: send it as -F file=@bot.py.",
            "invalid": "This is a text, not a file: write -F file=@bot.py, with the @.",
            "no_name": "The file has no name; its ending tells the language.",
            "max_length": f"Give the file a name of at most {FILE_NAME_LETTERS} letters.",
        },
    )
    notes = serializers.CharField(
        required=False, allow_blank=True, max_length=1000, help_text="Everybody can read them."
    )


class FirstUploadBody(UploadBody):
    game = choice_of(list(GAMES))
    name = serializers.CharField(max_length=100)
    about = serializers.CharField(required=False, allow_blank=True, max_length=300)


class BotChange(Strict):
    name = serializers.CharField(required=False, max_length=100)
    about = serializers.CharField(required=False, allow_blank=True, max_length=300)


class LogQuery(serializers.Serializer[Any]):
    after = serializers.IntegerField(
        default=0, min_value=0, max_value=10**6, help_text="How many lines you have already."
    )


def bot_named(name: str) -> Bot:
    return get_object_or_404(Bot.objects.select_related("owner", "active_version"), name=name)


def own_bot(request: Request, name: str) -> Bot:
    bot = bot_named(name)
    if bot.owner_id != person(request).pk:
        raise PermissionDenied(f"{bot} belongs to {bot.owner}, and only its owner may do this.")
    return bot


def versions_of(bot: Bot, request: Request) -> QuerySet[Version]:
    """A bot's versions with all that is told of them; strangers see those that may play."""
    versions = bot.versions.select_related("bot__owner", "archive", "check_job__version__bot")
    return versions if may_follow(request, bot) else versions.filter(state=Version.State.READY)


# -- Bots -----------------------------------------------------------------------------------------


class BotList(ListView[Bot]):
    """All bots, the latest first."""

    queryset = Bot.objects.select_related("owner", "active_version")
    serializer_class = BotSerializer
    filterset_class = BotFilter
    parser_classes = [MultiPartParser]
    body_bytes = UPLOAD_BYTES
    counted = {"POST": throttles.Uploads}

    @extend_schema(
        summary="Upload a bot",
        request=FirstUploadBody,
        responses={
            200: VersionSerializer,
            201: VersionSerializer,
            **problems(409, 422),
        },
    )
    def post(self, request: Request) -> Response:
        """Makes the bot if it is new, else adds a version to it. Sending the same bytes again is
        safe: they are known by their sha256 and answered with the version they are, and 200."""
        given = body(request, FirstUploadBody)
        bot = Bot.objects.filter(name=given["name"], owner=person(request)).first()
        if bot is None:
            about = {key: given[key] for key in ("game", "name", "about") if key in given}
            with about_field("name"):
                version = services.upload_first(owner=person(request), **about, **upload_of(given))
            return uploaded(request, version, is_new=True)
        if bot.game != given["game"]:
            raise ValidationError({"game": f"{bot} plays {bot.game}, and a bot keeps its game."})
        return uploaded(request, *services.upload(bot=bot, **upload_of(given)))


def upload_of(given: dict[str, Any]) -> dict[str, Any]:
    file = given["file"]
    return {"data": file.read(), "file_name": file.name, "notes": given.get("notes", "")}


def uploaded(request: Request, version: Version, is_new: bool) -> Response:
    told = VersionSerializer(version, context={"request": request}).data
    code = status.HTTP_201_CREATED if is_new else status.HTTP_200_OK
    return Response(told, code, headers={"Location": told["url"]})


class BotDetail(ApiView):
    @extend_schema(summary="A bot", responses=BotSerializer)
    def get(self, request: Request, name: str) -> Response:
        return told(request, bot_named(name))

    @extend_schema(
        summary="Change a bot's name or what is said about it",
        request=BotChange,
        responses=BotSerializer,
    )
    def patch(self, request: Request, name: str) -> Response:
        bot = own_bot(request, name)
        changes = body(request, BotChange)
        if "name" in changes:
            with about_field("name"):
                services.rename(bot=bot, name=changes["name"])
        if "about" in changes:
            services.describe(bot=bot, about=changes["about"])
        return told(request, bot)


def told(request: Request, bot: Bot) -> Response:
    return Response(BotSerializer(bot, context={"request": request}).data)


class BotAct(ApiView):
    """Something an owner does to a bot."""

    act: Callable[..., None]

    @extend_schema(request=None, responses={200: BotSerializer, **problems(409)})
    def post(self, request: Request, name: str) -> Response:
        bot = own_bot(request, name)
        self.act(bot=bot)
        return told(request, bot)


class BotPause(BotAct):
    """Takes a bot out of matchmaking for a while."""

    act = staticmethod(services.pause)


class BotResume(BotAct):
    """Lets a paused bot play again."""

    act = staticmethod(services.resume)


class BotRetire(BotAct):
    """Ends a bot's career for good; what it has played stays."""

    act = staticmethod(services.retire)


# -- Versions -------------------------------------------------------------------------------------


class VersionList(ListView[Version]):
    """The versions of a bot, the latest first; of others' bots those that may play."""

    queryset = Version.objects.all()
    serializer_class = VersionSerializer
    order = ("-number",)
    parser_classes = [MultiPartParser]
    body_bytes = UPLOAD_BYTES
    counted = {"POST": throttles.Uploads}

    def get_queryset(self) -> QuerySet[Version]:
        return versions_of(bot_named(self.kwargs["name"]), self.request)

    @extend_schema(
        summary="Upload a version",
        request=UploadBody,
        responses={200: VersionSerializer, 201: VersionSerializer, **problems(409, 422)},
    )
    def post(self, request: Request, name: str) -> Response:
        """Like an upload to /bots, for a bot that exists."""
        bot = own_bot(request, name)
        given = body(request, UploadBody)
        return uploaded(request, *services.upload(bot=bot, **upload_of(given)))


class VersionDetail(ApiView):
    @extend_schema(summary="A version", responses=VersionSerializer)
    def get(self, request: Request, name: str, number: int) -> Response:
        """With its check and its archive if it is your own."""
        version = get_object_or_404(versions_of(bot_named(name), request), number=number)
        return Response(VersionSerializer(version, context={"request": request}).data)


class VersionActivate(ApiView):
    @extend_schema(
        summary="Let a version play, an older one too",
        request=None,
        responses={200: BotSerializer, **problems(409)},
    )
    def post(self, request: Request, name: str, number: int) -> Response:
        version = get_object_or_404(versions_of(own_bot(request, name), request), number=number)
        services.activate(version=version)
        return told(request, bot_named(name))


class VersionArchive(PersonalView):
    renderer_classes = [Bytes]

    @extend_schema(
        summary="Download what was uploaded",
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY, **problems(403)},
    )
    def get(self, request: Request, name: str, number: int) -> HttpResponse:
        """Byte for byte, for its owner only."""
        version = get_object_or_404(versions_of(own_bot(request, name), request), number=number)
        disposition = content_disposition_header(True, version.file_name)
        return HttpResponse(
            files.archive_bytes(version.archive),
            content_type="application/octet-stream",
            headers={"Content-Disposition": disposition or "attachment"},
        )


class VersionLog(PersonalView):
    query_class = LogQuery

    @extend_schema(
        summary="Follow a check",
        parameters=[LogQuery],
        responses={200: LogSerializer, **problems(403)},
    )
    def get(self, request: Request, name: str, number: int) -> Response:
        """The lines of a check's log after so many, at most 500 at a time. Ask again with the
        answer's `after` until `is_over`."""
        check = get_object_or_404(
            Check.objects.select_related("version__bot"),
            version__bot__name=name,
            version__number=number,
        )
        if not may_follow(request, check.version.bot):
            raise PermissionDenied("Only the bot's owner may follow its check.")
        return Response(LogSerializer(log_of(check, self.query["after"])).data)


def log_of(check: Check, after: int) -> dict[str, Any]:
    """Lines are counted, not numbered by the database: a record brings them all anew."""
    lines = check.lines.filter(attempt=check.attempt).values_list("text", flat=True)
    next_ones = list(lines[after : after + PROGRESS_LINES])
    return {
        "state": check.version.state,
        "is_over": check.has_ended and len(next_ones) < PROGRESS_LINES,
        "after": after + len(next_ones),
        "lines": next_ones,
    }
