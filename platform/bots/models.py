"""Bots, their versions, the archives those are, and the checks they must pass."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from accounts.names import BONES, MOST
from config.live import STATUS
from games import GAMES
from jobs.models import Job, JobQuerySet
from workers import contract


class BotQuerySet(models.QuerySet["Bot"]):
    def playing(self) -> "BotQuerySet":
        """Those that may be drawn for a rated table."""
        return self.filter(
            state=Bot.State.ACTIVE, active_version__isnull=False, owner__is_active=True
        )


class Bot(models.Model):
    """An author's program for one game, in all its versions."""

    class State(models.TextChoices):
        ACTIVE = "active"
        PAUSED = "paused"
        RETIRED = "retired"

    class PausedBy(models.TextChoices):
        NOBODY = ""
        OWNER = "owner"
        FAULTS = "faults"
        OPERATOR = "operator"

    owner = models.ForeignKey(User, models.PROTECT, related_name="bots")
    game = models.CharField(max_length=20, choices=[(name, name) for name in GAMES])
    name = models.CharField(max_length=MOST + 16, unique=True)
    skeleton = models.CharField(max_length=BONES * (MOST + 16), unique=True, editable=False)
    about = models.CharField(max_length=300, blank=True)
    state = models.CharField(max_length=8, choices=State.choices, default=State.ACTIVE)
    paused_by = models.CharField(max_length=8, choices=PausedBy.choices, blank=True)
    paused_for = models.CharField(max_length=1000, blank=True)
    active_version = models.ForeignKey(
        "Version", models.PROTECT, null=True, blank=True, related_name="+"
    )
    is_house = models.BooleanField(default=False, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = BotQuerySet.as_manager()

    class Meta:
        ordering = ("-id",)
        indexes = [models.Index(fields=["owner", "-id"])]
        constraints = [
            models.CheckConstraint(
                condition=(Q(state="paused") & ~Q(paused_by=""))
                | (~Q(state="paused") & Q(paused_by="")),
                name="bot_paused_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def can_play(self) -> bool:
        return self.state == Bot.State.ACTIVE and self.active_version_id is not None


class Archive(models.Model):
    """An upload, byte for byte, kept under its sha256; its bytes go when its author does."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    size = models.PositiveIntegerField()
    stored = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return self.sha256[:12]


class Version(models.Model):
    """One upload of a bot; it never changes."""

    class State(models.TextChoices):
        CHECKING = "checking"
        READY = "ready"
        REJECTED = "rejected"

    bot = models.ForeignKey(Bot, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    archive = models.ForeignKey(Archive, models.PROTECT, related_name="versions")
    file_name = models.CharField(max_length=200)
    notes = models.CharField(max_length=1000, blank=True)
    language = models.CharField(max_length=100, blank=True)
    state = models.CharField(max_length=8, choices=State.choices, default=State.CHECKING)
    verdict = models.TextField(blank=True)  # the sentence for the author
    steps = models.JSONField(default=list)  # of the check: name, outcome, detail
    is_example = models.BooleanField(default=False, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ("-number",)
        constraints = [
            models.UniqueConstraint(fields=["bot", "number"], name="version_number_once"),
            models.UniqueConstraint(fields=["bot", "archive"], name="version_archive_once"),
        ]

    def __str__(self) -> str:
        return f"{self.bot} v{self.number}"

    @property
    def is_active(self) -> bool:
        return self.bot.active_version_id == self.pk


class Check(Job):
    """The check of a version, as a job."""

    kind: ClassVar[contract.Kind] = "check"

    version = models.OneToOneField(Version, models.CASCADE, related_name="check_job")
    options = models.JSONField()
    players = models.PositiveSmallIntegerField()
    limits = models.JSONField()
    seed = models.CharField(max_length=64)

    objects = JobQuerySet["Check"].as_manager()

    class Meta(Job.Meta):
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"check of {self.version}"

    @property
    def topic(self) -> str:
        return f"check/{self.pk}"

    @property
    def topics(self) -> tuple[str, ...]:
        return STATUS, self.topic


class CheckLine(models.Model):
    """A line of a check's log, in the order in which they came, of one attempt."""

    check_job = models.ForeignKey(Check, models.CASCADE, related_name="lines")
    attempt = models.PositiveIntegerField()
    text = models.CharField(max_length=contract.LINE_LETTERS)

    class Meta:
        ordering = ("id",)
        indexes = [models.Index(fields=["check_job", "attempt", "id"])]

    def __str__(self) -> str:
        return self.text
