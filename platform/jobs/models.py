"""Workers, and what every job has: a state, an attempt, a lease."""

from datetime import datetime, timedelta
from typing import ClassVar, TypeVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from workers import contract

LEASE_S = 30.0
MOST_FAILURES = 3
RESEND_S = 20.0  # a message that nobody has claimed by then may be lost
PRESENT_S = 60.0  # a worker heard of since then is there


class WorkerQuerySet(models.QuerySet["Worker"]):
    def present(self, now: datetime) -> "WorkerQuerySet":
        since = now - timedelta(seconds=PRESENT_S)
        return self.filter(revoked_at=None, last_seen_at__gt=since)


class Worker(models.Model):
    """A token that machines play matches with; several machines may share one."""

    name = models.CharField(max_length=60, unique=True)
    sha256 = models.CharField(max_length=64, unique=True, editable=False)
    created_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_seen_at = models.DateTimeField(null=True, editable=False)
    mode = models.CharField(max_length=20, blank=True, editable=False)
    languages = models.JSONField(default=dict, editable=False)
    refused_records = models.PositiveIntegerField(default=0, editable=False)

    objects = WorkerQuerySet.as_manager()

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name


class State(models.TextChoices):
    WAITING = "waiting"
    PLAYING = "playing"
    FINISHED = "finished"
    VOID = "void"


ENDED = (State.FINISHED, State.VOID)
AnyJob = TypeVar("AnyJob", bound="Job")


class JobQuerySet(models.QuerySet[AnyJob]):
    def expired(self, now: datetime) -> "JobQuerySet[AnyJob]":
        """Those whose worker has shown no sign of life for a lease."""
        return self.filter(state=State.PLAYING, lease_until__lt=now)

    def unsent(self, now: datetime) -> "JobQuerySet[AnyJob]":
        """Those that wait, and no worker may know of."""
        overdue = Q(sent_at=None) | Q(sent_at__lt=now - timedelta(seconds=self.model.resend_s))
        return self.filter(overdue, state=State.WAITING)


class Job(models.Model):
    """One thing for a worker to do: waiting, then playing, then finished or void. The attempt
    counts up whenever it is to be done anew; what an older attempt reports changes nothing."""

    kind: ClassVar[contract.Kind]
    resend_s: ClassVar[float] = RESEND_S

    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    attempt = models.PositiveIntegerField(default=1)
    failures = models.PositiveSmallIntegerField(default=0)
    claim = models.CharField(max_length=64, blank=True)
    worker = models.ForeignKey(Worker, models.SET_NULL, null=True, blank=True, related_name="+")
    machine = models.CharField(max_length=100, blank=True)  # as the worker calls itself
    refused_from = models.ForeignKey(
        Worker, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    lease_until = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    void_reason = models.CharField(max_length=300, blank=True)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(state=State.PLAYING, lease_until__isnull=False)
                | (~Q(state=State.PLAYING) & Q(lease_until=None)),
                name="%(class)s_leased_while_playing",
            ),
            models.CheckConstraint(
                condition=Q(state__in=ENDED, finished_at__isnull=False)
                | (~Q(state__in=ENDED) & Q(finished_at=None)),
                name="%(class)s_finished_has_a_time",
            ),
        ]
        indexes = [
            models.Index(
                fields=["state", "sent_at"],
                condition=Q(state__in=(State.WAITING, State.PLAYING)),
                name="%(class)s_under_way",
            ),
        ]

    @property
    def queue(self) -> str:
        return contract.QUEUES[self.kind]

    @property
    def name(self) -> contract.Job:
        """As the queue and the workers call this attempt."""
        return contract.Job(self.kind, str(self.pk), self.attempt)

    @property
    def topics(self) -> tuple[str, ...]:
        """What pages are about that show this job."""
        raise NotImplementedError

    @property
    def has_ended(self) -> bool:
        return self.state in ENDED
