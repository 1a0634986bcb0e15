"""How the API tells what a ladder knows of its bots beside the standings."""

from typing import Any

from rest_framework import serializers


class MomentSerializer(serializers.Serializer[Any]):
    at = serializers.DateTimeField()
    version = serializers.IntegerField()
    rating = serializers.FloatField()
    plus_minus = serializers.IntegerField()
    matches = serializers.IntegerField(help_text="That this version had played.")


class OpponentSerializer(serializers.Serializer[Any]):
    """Another bot, all of its versions together."""

    bot = serializers.CharField()
    is_house = serializers.BooleanField()
    matches = serializers.IntegerField(source="result.matches")
    share = serializers.FloatField(
        source="result.share", help_text="Of the legs in which it finished ahead, from 0 to 1."
    )
    plus_minus = serializers.FloatField(
        source="result.plus_minus", help_text="Half of the share's 95 % interval."
    )


class SeatResultSerializer(serializers.Serializer[Any]):
    seat = serializers.IntegerField()
    legs = serializers.IntegerField()
    share = serializers.FloatField(help_text="Of the others it finished ahead of, from 0 to 1.")
    points = serializers.FloatField(help_text="A leg.")


class DetailsSerializer(serializers.Serializer[Any]):
    """Of the rated version, but for the history."""

    history = MomentSerializer(many=True, help_text="Of all versions, the newest 1,000 points.")
    opponents = OpponentSerializer(many=True, help_text="The 100 met most often.")
    seats = SeatResultSerializer(many=True)
    kinds = serializers.DictField(
        child=serializers.IntegerField(), help_text="Faults by their kind."
    )


class CrossingSerializer(serializers.Serializer[Any]):
    """A row of the crosstable."""

    bot = serializers.CharField(source="entry.bot.name")
    version = serializers.IntegerField(
        source="entry.version.number",
        default=None,
        allow_null=True,
        help_text="The one that is rated.",
    )
    rank = serializers.IntegerField(source="entry.rank")
    results = OpponentSerializer(
        many=True, source="opponents", help_text="Against those of the others that it has met."
    )


class CrosstableSerializer(serializers.Serializer[Any]):
    rows = CrossingSerializer(many=True, help_text="The first of the standings.")
