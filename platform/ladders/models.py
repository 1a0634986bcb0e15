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
from workers.contract import Clocks

FIRST_RATING = 1500.0
PROVISIONAL_MATCHES = 20


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
    """A bot on a ladder, with the standing of the version that plays there."""

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="entries")
    bot = models.ForeignKey(Bot, models.CASCADE, related_name="entries")
    version = models.ForeignKey(Version, models.PROTECT, null=True, related_name="+")
    rating = models.FloatField(default=FIRST_RATING)
    matches = models.PositiveIntegerField(default=0)  # rated ones, of this version
    matches_made = models.PositiveIntegerField(default=0)  # of all versions, begun or not
    faults = models.PositiveIntegerField(default=0)  # legs of this version that ended in one
    entered_at = models.DateTimeField(default=timezone.now)
    left_at = models.DateTimeField(null=True, blank=True)

    objects = EntryQuerySet.as_manager()

    class Meta:
        ordering = ("-rating", "id")
        constraints = [models.UniqueConstraint(fields=["ladder", "bot"], name="entry_once")]
        indexes = [
            models.Index(
                fields=["ladder", "-rating", "id"], condition=Q(left_at=None), name="standings"
            ),
            models.Index(
                fields=["ladder", "matches_made", "id"], condition=Q(left_at=None), name="fewest"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.bot} on {self.ladder}"

    @property
    def is_provisional(self) -> bool:
        return self.matches < PROVISIONAL_MATCHES


class Rating(models.Model):
    """How strong one version of an entered bot seems, by all its rated matches on that ladder."""

    entry = models.ForeignKey(Entry, models.CASCADE, related_name="ratings")
    version = models.ForeignKey(Version, models.CASCADE, related_name="ratings")
    rating = models.FloatField(default=FIRST_RATING)
    matches = models.PositiveIntegerField(default=0)
    faults = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["entry", "version"], name="rating_once"),
        ]

    def __str__(self) -> str:
        return f"{self.version}: {self.rating:.0f}"
