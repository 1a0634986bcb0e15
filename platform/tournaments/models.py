"""Matches and their seats, the log, pairs that are watched, comparisons and their units."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from bots.models import Bot, Version
from config.live import HOME, STATUS
from games import GAMES
from games.player import Limits
from jobs.models import Job, JobQuerySet, State
from ladders.models import Entry, Ladder
from ratings.comparison import Comparison as Played
from ratings.monitor import is_suspicious
from workers import contract
from workers.contract import Clocks


class MatchQuerySet(JobQuerySet["Match"]):
    def visible_to(self, user: Any) -> "MatchQuerySet":
        """Those of public ladders; of private ones and challenges, to those concerned."""
        if getattr(user, "may_operate", False):
            return self
        public = Q(ladder__is_public=True)
        if not user.is_authenticated:
            return self.filter(public)
        return self.filter(
            public
            | Q(created_by=user)
            | Q(ladder__in=Ladder.objects.visible_to(user).filter(is_public=False))
            | Q(ladder=None, pk__in=Seat.objects.filter(bot__owner=user).values("match"))
        )


class Match(Job):
    """One lineup on one set of deals. The seed's hash is public from the beginning, the seed and all
    that happened only when it has finished."""

    kind: ClassVar[contract.Kind] = "match"

    ladder = models.ForeignKey(
        Ladder, models.PROTECT, null=True, blank=True, related_name="matches"
    )
    is_rated = models.BooleanField()
    is_newcomers = models.BooleanField(default=False)  # somebody waits for it
    created_by = models.ForeignKey(
        User, models.SET_NULL, null=True, blank=True, related_name="challenges"
    )
    game = models.CharField(max_length=20, choices=[(name, name) for name in GAMES])
    options = models.JSONField()
    players = models.PositiveSmallIntegerField()
    limits = models.JSONField()
    seed = models.CharField(max_length=64, editable=False)
    seed_sha256 = models.CharField(max_length=64)
    played_at = models.CharField(max_length=40, blank=True)  # as the worker wrote it
    mode = models.CharField(max_length=20, blank=True)
    legs_sha256 = models.CharField(max_length=64, blank=True)  # of what is kept of the replay
    private_sha256 = models.CharField(max_length=64, blank=True)
    is_logged = models.BooleanField(default=False, editable=False)  # in its ladder's log
    removed_for = models.CharField(max_length=300, blank=True, editable=False)

    objects = MatchQuerySet.as_manager()

    class Meta(Job.Meta):
        ordering = ("-id",)
        verbose_name_plural = "matches"
        indexes = [
            *Job.Meta.indexes,
            models.Index(fields=["ladder", "state", "-id"]),
            models.Index(fields=["state", "-id"]),
            models.Index(fields=["created_by", "-id"]),
            models.Index(fields=["finished_at"]),
            models.Index(
                fields=["ladder", "finished_at", "id"],
                condition=Q(state=State.FINISHED, is_rated=True, is_logged=False),
                name="unlogged",
            ),
        ]
        constraints = [
            *Job.Meta.constraints,
            models.CheckConstraint(
                condition=Q(is_rated=False) | Q(ladder__isnull=False),
                name="rated_match_has_a_ladder",
            ),
            models.CheckConstraint(
                condition=~Q(state=State.FINISHED) | ~Q(legs_sha256=""),
                name="finished_match_has_legs",
            ),
        ]

    def __str__(self) -> str:
        return f"match {self.pk}"

    @property
    def queue(self) -> str:
        return contract.QUEUES["newcomer" if self.is_newcomers else "match"]

    @property
    def topic(self) -> str:
        return f"match/{self.pk}"

    @property
    def topics(self) -> tuple[str, ...]:
        ladder = (Ladder.topic_of(self.ladder_id),) if self.ladder_id else ()
        return HOME, STATUS, self.topic, *ladder

    @property
    def clocks(self) -> Clocks:
        return Clocks.of(Limits(**self.limits))


class Seat(models.Model):
    """A bot in a match's lineup, and what came of it over all legs."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()  # in the lineup
    bot = models.ForeignKey(Bot, models.PROTECT, related_name="seats")
    version = models.ForeignKey(Version, models.PROTECT, related_name="seats")
    entry = models.ForeignKey(Entry, models.SET_NULL, null=True, related_name="seats")
    ranks = models.JSONField(default=list)  # by leg
    scores = models.JSONField(default=list)  # by leg
    points = models.IntegerField(null=True)  # of all legs together
    place = models.PositiveSmallIntegerField(null=True)  # by points, equal ones share the better
    ahead = models.FloatField(null=True)  # of the others, on average, by the ranks of the legs
    faults = models.PositiveSmallIntegerField(default=0)
    kinds = models.JSONField(default=list)  # of the faults by leg, "" where there was none
    rating_before = models.FloatField(null=True)
    rating_after = models.FloatField(null=True)

    class Meta:
        ordering = ("match", "index")
        constraints = [
            models.UniqueConstraint(fields=["match", "index"], name="seat_once"),
        ]
        indexes = [models.Index(fields=["bot", "-match"])]

    def __str__(self) -> str:
        return f"{self.version} in {self.match}"


class LogLine(models.Model):
    """A line of a ladder's public log: a rated match, or that one counts no more. It never changes."""

    ladder = models.ForeignKey(Ladder, models.PROTECT, related_name="log")
    number = models.PositiveIntegerField()
    match = models.ForeignKey(Match, models.PROTECT, related_name="log_lines")
    line = models.TextField()
    hash = models.CharField(max_length=64)

    class Meta:
        ordering = ("ladder", "number")
        constraints = [
            models.UniqueConstraint(fields=["ladder", "number"], name="log_line_once"),
        ]

    def __str__(self) -> str:
        return f"line {self.number} of {self.ladder}"


class WatchedPair(models.Model):
    """Two bots of a ladder, and how much better the one does against third parties when the other is at
    the table, as of the last time that somebody looked."""

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="watched_pairs")
    one = models.ForeignKey(Bot, models.CASCADE, related_name="+")
    other = models.ForeignKey(Bot, models.CASCADE, related_name="+")
    matches = models.PositiveIntegerField()
    gain = models.FloatField()  # as a share of the legs
    z = models.FloatField()  # the gain in standard errors
    found_at = models.DateTimeField()

    class Meta:
        ordering = ("-z", "id")
        indexes = [models.Index(fields=["-z", "id"])]
        constraints = [
            models.UniqueConstraint(fields=["ladder", "one", "other"], name="watched_pair_once"),
        ]

    def __str__(self) -> str:
        return f"pair {self.one} with {self.other} on {self.ladder}"

    @property
    def is_suspicious(self) -> bool:
        return is_suspicious(self.z, self.matches)

    @property
    def shared(self) -> "MatchQuerySet":
        """The rated matches in which both sat, but for those that were removed."""
        return Match.objects.filter(
            ladder=self.ladder_id,
            is_rated=True,
            state=State.FINISHED,
            removed_for="",
            pk__in=Seat.objects.filter(bot=self.other_id).values("match"),
        ).filter(pk__in=Seat.objects.filter(bot=self.one_id).values("match"))


# -- Comparisons ----------------------------------------------------------------------------------


class ComparisonQuerySet(models.QuerySet["Comparison"]):
    def visible_to(self, user: Any) -> "ComparisonQuerySet":
        """One's own; operators see all."""
        if getattr(user, "may_operate", False):
            return self
        return self.filter(owner=user) if user.is_authenticated else self.none()


class Comparison(models.Model):
    """Whether a version of a bot is better than another one. What is known so far are sums of whole
    numbers over the units that have been judged, one after the other."""

    class State(models.TextChoices):
        RUNNING = "running"
        FINISHED = "finished"  # with a verdict
        CANCELLED = "cancelled"
        FAULTY = "faulty"  # one of the two kept faulting
        FAILED = "failed"  # our side did

    owner = models.ForeignKey(User, models.CASCADE, related_name="comparisons")
    new = models.ForeignKey(Version, models.PROTECT, related_name="+")
    old = models.ForeignKey(Version, models.PROTECT, related_name="+")
    ladder = models.ForeignKey(Ladder, models.PROTECT, related_name="+")
    state = models.CharField(max_length=9, choices=State.choices, default=State.RUNNING)
    most_games = models.PositiveIntegerField()
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)

    made = models.PositiveIntegerField(default=0)  # the number of the next unit
    judged = models.PositiveIntegerField(default=0)  # the number of the first that is not judged
    voids = models.PositiveIntegerField(default=0)  # of those, how many count for nothing
    counted = models.PositiveIntegerField(default=0)  # and how many count
    halves = models.PositiveIntegerField(default=0)
    halves_squared = models.PositiveIntegerField(default=0)
    margin = models.IntegerField(default=0)
    margin_squared = models.PositiveBigIntegerField(default=0)
    new_faults = models.PositiveIntegerField(default=0)  # games in which it faulted
    old_faults = models.PositiveIntegerField(default=0)
    fault = models.CharField(max_length=500, blank=True)  # the first of them

    objects = ComparisonQuerySet.as_manager()

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.UniqueConstraint(
                fields=["owner"], condition=Q(state="running"), name="one_running_comparison"
            ),
            models.CheckConstraint(condition=~Q(new=models.F("old")), name="compares_two_versions"),
            models.CheckConstraint(
                condition=Q(state="running", finished_at=None)
                | (~Q(state="running") & Q(finished_at__isnull=False)),
                name="comparison_ends_at_a_time",
            ),
        ]
        indexes = [
            models.Index(fields=["owner", "-id"]),
            models.Index(fields=["made", "id"], condition=Q(state="running"), name="to_be_fed"),
        ]

    def __str__(self) -> str:
        return f"comparison {self.pk}"

    @property
    def is_running(self) -> bool:
        return self.state == Comparison.State.RUNNING

    @property
    def played(self) -> Played:
        """What is known so far."""
        return Played(
            self.most_games,
            self.counted,
            self.halves,
            self.halves_squared,
            self.margin,
            self.margin_squared,
        )


class Unit(Job):
    """One deal played twice, the two versions exchanging seats, as a job. Nothing is kept of it but
    what it says about them."""

    kind: ClassVar[contract.Kind] = "unit"
    resend_s: ClassVar[float] = 60.0  # it may wait for long while there are matches to play

    comparison = models.ForeignKey(Comparison, models.CASCADE, related_name="units")
    number = models.PositiveIntegerField()
    seed = models.CharField(max_length=64, editable=False)
    table = models.JSONField()  # the versions by seat in the first game
    halves = models.PositiveSmallIntegerField(null=True)  # of the new one over the old one, of 4
    margin = models.IntegerField(null=True)  # in points, in both games together
    new_faults = models.PositiveSmallIntegerField(default=0)  # games in which it faulted
    old_faults = models.PositiveSmallIntegerField(default=0)
    fault = models.CharField(max_length=500, blank=True)  # the first of them

    objects = JobQuerySet["Unit"].as_manager()

    class Meta(Job.Meta):
        ordering = ("-number",)
        indexes = [*Job.Meta.indexes, models.Index(fields=["finished_at"])]
        constraints = [
            *Job.Meta.constraints,
            models.UniqueConstraint(fields=["comparison", "number"], name="unit_once"),
            models.CheckConstraint(
                condition=~Q(state=State.FINISHED) | Q(halves__isnull=False, margin__isnull=False),
                name="finished_unit_says_something",
            ),
        ]

    def __str__(self) -> str:
        return f"unit {self.number} of comparison {self.comparison_id}"

    @property
    def pair(self) -> tuple[int, int]:
        """The seats of the new and the old version in the first game."""
        versions = self.comparison
        return self.table.index(versions.new_id), self.table.index(versions.old_id)
