"""Ladders, entries and ratings."""

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from bots.models import Bot, Version
from games import GAMES
from games.player import Limits
from ratings.log import BEFORE_THE_FIRST
from ratings.scale import FIRST
from workers.contract import Clocks


class LadderQuerySet(models.QuerySet["Ladder"]):
    def open(self, now: datetime) -> "LadderQuerySet":
        """Those on which matches are made now."""
        not_closed = Q(closes_at=None) | Q(closes_at__gt=now)
        return self.filter(not_closed, opens_at__lte=now)

    def visible_to(self, user: Any) -> "LadderQuerySet":
        """Public ones, and private ones to those who have joined, run or operate them."""
        if getattr(user, "may_operate", False):
            return self
        if not user.is_authenticated:
            return self.filter(is_public=True)
        return self.filter(
            Q(is_public=True) | Q(created_by=user) | Q(pk__in=user.ladders_joined.values("ladder"))
        )


class Ladder(models.Model):
    """A game with its options, a number of seats and limits, on which bots are rated."""

    slug = models.SlugField(max_length=40, unique=True)
    title = models.CharField(max_length=60)
    about = models.CharField(max_length=500, blank=True)
    game = models.CharField(max_length=20, choices=[(name, name) for name in GAMES])
    options = models.JSONField(default=dict, blank=True)
    players = models.PositiveSmallIntegerField()
    limits = models.JSONField(default=dict)
    opens_at = models.DateTimeField(default=timezone.now)
    closes_at = models.DateTimeField(null=True, blank=True)
    is_public = models.BooleanField(default=True)
    join_code = models.CharField(max_length=32, blank=True)
    is_standard = models.BooleanField(default=False, editable=False)
    created_by = models.ForeignKey(
        User, models.SET_NULL, null=True, blank=True, related_name="ladders_created"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    matched_at = models.DateTimeField(null=True, editable=False)  # when a match was last made
    # Of the ratings: what is 1500 for ever, and how far the last fit has come.
    anchor = models.ForeignKey(
        Version, models.PROTECT, null=True, editable=False, related_name="anchored"
    )
    is_stale = models.BooleanField(default=True, editable=False)  # something else than a match came
    fits = models.PositiveIntegerField(default=0, editable=False)
    fitted_at = models.DateTimeField(null=True, editable=False)
    counted_lines = models.PositiveIntegerField(default=0, editable=False)  # of the log
    fitted_lines = models.PositiveIntegerField(default=0, editable=False)
    last_hash = models.CharField(max_length=64, default=BEFORE_THE_FIRST, editable=False)

    objects = LadderQuerySet.as_manager()

    class Meta:
        ordering = ("id",)
        constraints = [
            models.CheckConstraint(
                condition=Q(closes_at=None) | Q(closes_at__gt=models.F("opens_at")),
                name="ladder_closes_after_it_opens",
            ),
            models.CheckConstraint(
                condition=Q(is_public=True) | ~Q(join_code=""),
                name="private_ladder_has_a_join_code",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    def clean(self) -> None:
        """What the rules do not have is refused with what they do have."""
        if self.closes_at and self.closes_at <= self.opens_at:
            raise ValidationError({"closes_at": "A ladder closes after it opens."})
        if self.game not in GAMES:
            return
        game = GAMES[self.game]
        try:
            self.options = game.complete(self.options)
            game.check_players(self.players, self.options)
        except ValueError as refusal:
            raise ValidationError(f"{refusal}.") from None

    def has_opened(self, now: datetime) -> bool:
        return self.opens_at <= now

    def has_closed(self, now: datetime) -> bool:
        return self.closes_at is not None and self.closes_at <= now

    @staticmethod
    def topic_of(pk: int) -> str:
        return f"ladder/{pk}"

    @property
    def topic(self) -> str:
        return self.topic_of(self.pk)

    @property
    def clocks(self) -> Clocks:
        return Clocks.of(Limits(**self.limits))


class Membership(models.Model):
    """Somebody who has given a private ladder's join code."""

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, models.CASCADE, related_name="ladders_joined")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["ladder", "user"], name="membership_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user} on {self.ladder}"


class EntryQuerySet(models.QuerySet["Entry"]):
    def present(self) -> "EntryQuerySet":
        return self.filter(left_at=None)

    def playing(self) -> "EntryQuerySet":
        """Those that may be drawn for a table."""
        return self.present().filter(
            bot__state=Bot.State.ACTIVE,
            bot__active_version__isnull=False,
            bot__owner__is_active=True,
        )


class Entry(models.Model):
    """A bot on a ladder, with its standing as of the last fit. What stands there is a version; a later
    one that plays already takes its place when it has played enough."""

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="entries")
    bot = models.ForeignKey(Bot, models.CASCADE, related_name="entries")
    version = models.ForeignKey(Version, models.PROTECT, null=True, related_name="+")
    challenger = models.ForeignKey(Version, models.PROTECT, null=True, related_name="+")
    matches_made = models.PositiveIntegerField(default=0)  # of the one that plays, begun or not
    since_house = models.PositiveIntegerField(default=0)  # of them, since a house bot was there
    entered_at = models.DateTimeField(default=timezone.now)
    left_at = models.DateTimeField(null=True, blank=True)
    # The rating of the version, as it stands in its Rating.
    rating = models.FloatField(default=FIRST)
    plus_minus = models.PositiveIntegerField(null=True)
    matches = models.PositiveIntegerField(default=0)
    faults = models.PositiveIntegerField(default=0)
    owners_met = models.PositiveIntegerField(default=0)
    places = models.JSONField(default=list)
    # Its rank, if it has one, and what may be said of it.
    rank = models.PositiveIntegerField(null=True)
    best = models.PositiveIntegerField(null=True)
    worst = models.PositiveIntegerField(null=True)
    ahead = models.FloatField(null=True)  # how likely it is ahead of the next one
    is_clear = models.BooleanField(default=False)  # whether that may be said without a doubt
    trend = models.JSONField(default=list)  # the last ratings of its history

    objects = EntryQuerySet.as_manager()

    class Meta:
        ordering = ("-rating", "id")
        constraints = [models.UniqueConstraint(fields=["ladder", "bot"], name="entry_once")]
        indexes = [
            models.Index(fields=["ladder", "rank"], condition=Q(left_at=None), name="standings"),
            models.Index(
                fields=["ladder", "-rating", "id"],
                condition=Q(left_at=None, rank=None),
                name="provisional",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.bot} on {self.ladder}"

    @property
    def is_provisional(self) -> bool:
        return self.rank is None

    @property
    def plays(self) -> Version:
        """The version that is drawn for tables: an anchor stays what it is."""
        if self.ladder.anchor and self.ladder.anchor.bot_id == self.bot_id:
            return self.ladder.anchor
        assert self.bot.active_version is not None  # or it would not be playing
        return self.bot.active_version


class Rating(models.Model):
    """One version of an entered bot, by all its rated matches on that ladder: how strong it seems, as
    of the last fit, and what it has done."""

    entry = models.ForeignKey(Entry, models.CASCADE, related_name="ratings")
    version = models.ForeignKey(Version, models.CASCADE, related_name="ratings")
    previous = models.ForeignKey(Version, models.PROTECT, null=True, related_name="+")
    rating = models.FloatField(default=FIRST)
    plus_minus = models.PositiveIntegerField(null=True)  # none before the first fit
    matches = models.PositiveIntegerField(default=0)
    faults = models.PositiveIntegerField(default=0)  # legs that ended in one
    kinds = models.JSONField(default=dict)  # of faults, with their number
    places = models.JSONField(default=list)  # how often first, second, … in a match
    seats = models.JSONField(default=list)  # by seat: legs, duels, half-points, points
    owners_met = models.PositiveIntegerField(default=0)
    often_met = models.JSONField(default=dict)  # owners in an eighth of its matches or more
    noted_matches = models.PositiveIntegerField(null=True)  # when its history was last written
    noted_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["entry", "version"], name="rating_once"),
        ]

    def __str__(self) -> str:
        return f"{self.version}: {self.rating:.0f}"


class RatingPoint(models.Model):
    """A rating as it once was."""

    rated = models.ForeignKey(Rating, models.CASCADE, related_name="points")
    at = models.DateTimeField(default=timezone.now)
    rating = models.FloatField()
    plus_minus = models.PositiveIntegerField()
    matches = models.PositiveIntegerField()

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"{self.rating:.0f} ±{self.plus_minus} after {self.matches} matches"


class Meeting(models.Model):
    """What a version has done against another one at the same tables of a ladder. A match is one
    observation: the share of its legs in which it finished ahead, in thousandths."""

    rated = models.ForeignKey(Rating, models.CASCADE, related_name="meetings")
    other = models.ForeignKey(Rating, models.CASCADE, related_name="+")
    owner = models.BigIntegerField()  # of the other one, as `owner_number` has it
    matches = models.IntegerField(default=0)
    thousandths = models.BigIntegerField(default=0)
    squares = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["rated", "other"], name="meeting_once"),
        ]

    def __str__(self) -> str:
        return f"{self.rated_id} against {self.other_id}"


def owner_number(bot: Bot) -> int:
    """Whose a bot is when one counts owners: each house bot is an owner of its own."""
    return -bot.pk if bot.is_house else bot.owner_id
