"""What the site tells about itself and about whoever asks."""

from datetime import datetime
from itertools import product
from typing import Any

from django.conf import settings
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Switches, User
from accounts.services import A_DAY
from bots.models import Bot, Version
from config.api.views import ApiView, PersonalView, person
from config.views import matches_a_minute, queues
from games import GAMES
from games.base import Game, Options
from jobs.models import ENDED, Worker
from ladders.api import OptionsField

# -- Games ----------------------------------------------------------------------------------------


class VariantSerializer(serializers.Serializer[Any]):
    """Some options of a game, complete, and how many may play it so."""

    options = OptionsField()
    least_players = serializers.IntegerField()
    most_players = serializers.IntegerField()


class GameSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    title = serializers.CharField()
    options = serializers.DictField(
        child=serializers.ListField(child=serializers.JSONField()),
        help_text="Each option with its values.",
    )
    variants = VariantSerializer(
        many=True, help_text="The first is what the rules have by default."
    )


class GamesSerializer(serializers.Serializer[Any]):
    results = GameSerializer(many=True)


def about_game(game: type[Game]) -> dict[str, Any]:
    usual = game.complete({})
    chosen = (
        dict(zip(game.choices, values, strict=True)) for values in product(*game.choices.values())
    )
    variants = [usual, *(options for options in chosen if options != usual)]
    return {
        "name": game.name,
        "title": game.title,
        "options": {name: list(values) for name, values in game.choices.items()},
        "variants": [about_variant(game, options) for options in variants],
    }


def about_variant(game: type[Game], options: Options) -> dict[str, Any]:
    counts = game.player_counts(options)
    return {"options": options, "least_players": counts[0], "most_players": counts[-1]}


class GameList(ApiView):
    @extend_schema(
        summary="The games, their options and numbers of players", responses=GamesSerializer
    )
    def get(self, request: Request) -> Response:
        return Response({"results": [about_game(game) for game in GAMES.values()]})


# -- Me -------------------------------------------------------------------------------------------


class QuotaSerializer(serializers.Serializer[Any]):
    name = serializers.ChoiceField(list(settings.QUOTAS))
    limit = serializers.IntegerField()
    used = serializers.IntegerField(
        allow_null=True, help_text="Null where each bot, or each comparison, has its own."
    )


class MeSerializer(serializers.ModelSerializer[User]):
    creates_ladders = serializers.BooleanField()
    unread_notices = serializers.SerializerMethodField()
    quotas = serializers.SerializerMethodField()

    class Meta:
        model = User
        fields = [
            "username",
            "email",
            "date_joined",
            "creates_ladders",
            "unread_notices",
            "quotas",
        ]
        read_only_fields = fields

    def get_unread_notices(self, user: User) -> int:
        return user.notices.filter(read_at=None).count()

    @extend_schema_field(QuotaSerializer(many=True))
    def get_quotas(self, user: User) -> list[dict[str, Any]]:
        used = used_by(user, timezone.now() - A_DAY)
        return [
            {"name": name, "limit": limit, "used": used.get(name)}
            for name, limit in settings.QUOTAS.items()
        ]


def used_by(user: User, since: datetime) -> dict[str, int]:
    """How much of their quotas somebody has used."""
    return {
        "bots": user.bots.exclude(state=Bot.State.RETIRED).count(),
        "uploads_a_day": Version.objects.filter(bot__owner=user, created_at__gt=since).count(),
        "challenges_a_day": user.challenges.filter(created_at__gt=since).count(),
        "challenges_at_once": user.challenges.exclude(state__in=ENDED).count(),
        "tokens": user.tokens.valid(timezone.now()).count(),
        "comparisons_a_day": user.comparisons.filter(created_at__gt=since).count(),
        "ladders": user.ladders_created.count(),
    }


class Me(PersonalView):
    @extend_schema(summary="Who you are, and your quotas", responses=MeSerializer)
    def get(self, request: Request) -> Response:
        return Response(MeSerializer(person(request)).data)


# -- Status ---------------------------------------------------------------------------------------


class QueueSerializer(serializers.Serializer[Any]):
    title = serializers.CharField()
    waiting = serializers.IntegerField()
    playing = serializers.IntegerField()


class StatusSerializer(serializers.Serializer[Any]):
    time = serializers.DateTimeField()
    banner = serializers.CharField()
    uploads = serializers.BooleanField()
    matchmaking = serializers.BooleanField()
    sign_up = serializers.ChoiceField(Switches.SignUp.choices)
    local_sandbox = serializers.BooleanField(help_text="Bots run without boxes, for trying out.")
    workers = serializers.IntegerField(help_text="Heard of in the last minute.")
    queues = QueueSerializer(many=True)
    matches_a_minute = serializers.FloatField()


class Status(ApiView):
    @extend_schema(summary="How the site does", responses=StatusSerializer)
    def get(self, request: Request) -> Response:
        now, switches = timezone.now(), Switches.now()
        about = {
            "time": now,
            "banner": switches.banner,
            "uploads": switches.uploads,
            "matchmaking": switches.matchmaking,
            "sign_up": switches.sign_up,
            "local_sandbox": settings.LOCAL_SANDBOX,
            "workers": Worker.objects.present(now).count(),
            "queues": queues(),
            "matches_a_minute": matches_a_minute(now),
        }
        return Response(StatusSerializer(about).data)
