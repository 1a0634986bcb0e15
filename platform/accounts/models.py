"""People, their tokens, and what operators do."""

from datetime import datetime
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.db import models
from django.utils import timezone

from accounts.names import BONES, MOST, skeleton

TAKEN = "This name is taken, or looks like one that is."


class People(UserManager["User"]):
    """Everybody with an account; a name is kept together with what it looks like."""

    use_in_migrations = False

    def _create_user_object(
        self, username: str, email: str | None, password: str | None, **about: Any
    ) -> "User":
        about["skeleton"] = skeleton(username)
        if self.filter(skeleton=about["skeleton"]).exists():
            raise ValidationError(TAKEN, code="unique")
        return super()._create_user_object(username, email, password, **about)  # type: ignore[misc, no-any-return]


class User(AbstractUser):
    """Somebody with an account. One who is deleted stays as `deleted-N`, so that matches do."""

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    username = models.CharField(
        "name",
        max_length=MOST,
        unique=True,
        error_messages={"unique": TAKEN},
    )
    skeleton = models.CharField(max_length=BONES * MOST, unique=True, editable=False)
    email = models.EmailField("e-mail address", blank=True)
    may_create_ladders = models.BooleanField(
        default=False, help_text="Operators always may; this lets others, a teacher for instance."
    )
    is_house = models.BooleanField(default=False, editable=False)
    suspended_for = models.CharField(max_length=300, blank=True, help_text="Shown to the person.")
    deleted_at = models.DateTimeField(null=True, editable=False)

    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects: ClassVar[People] = People()

    class Meta:
        ordering = ("username",)

    @property
    def may_operate(self) -> bool:
        return self.is_active and self.is_staff

    @property
    def creates_ladders(self) -> bool:
        return self.may_operate or self.may_create_ladders


class TokenQuerySet(models.QuerySet["Token"]):
    def valid(self, now: datetime) -> "TokenQuerySet":
        unexpired = models.Q(expires_at=None) | models.Q(expires_at__gt=now)
        return self.filter(unexpired, revoked_at=None, user__is_active=True)


class Token(models.Model):
    """A key for the API. Only its hash is kept, so it can be shown once and never again."""

    user = models.ForeignKey(User, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=60)
    sha256 = models.CharField(max_length=64, unique=True, editable=False)
    hint = models.CharField(max_length=12, editable=False)  # its first letters, to recognise it
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, editable=False)
    revoked_at = models.DateTimeField(null=True, editable=False)

    objects = TokenQuerySet.as_manager()

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.name} ({self.hint}…)"

    @property
    def has_expired(self) -> bool:
        return self.expires_at is not None and self.expires_at <= timezone.now()


class Notice(models.Model):
    """Something a person is told on the site, and by mail if there is an address."""

    user = models.ForeignKey(User, models.CASCADE, related_name="notices")
    text = models.TextField(max_length=4000)
    link = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    read_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-id",)
        indexes = [models.Index(fields=["user", "-id"])]

    def __str__(self) -> str:
        return self.text


class Invitation(models.Model):
    """Lets one person sign up while the site is not open to all."""

    code = models.CharField(max_length=32, unique=True)
    note = models.CharField(max_length=200, blank=True, help_text="For whom, or what for.")
    created_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    used_by = models.OneToOneField(User, models.SET_NULL, null=True, blank=True, related_name="+")
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return self.note or self.code


class Switches(models.Model):
    """What the operator turns on and off while the site runs; there is one row."""

    class SignUp(models.TextChoices):
        OPEN = "open", "open to everybody"
        INVITATION = "invitation", "by invitation"
        CLOSED = "closed", "closed"

    uploads = models.BooleanField("uploads are taken", default=True)
    matchmaking = models.BooleanField("rated matches are made", default=True)
    sign_up = models.CharField(max_length=10, choices=SignUp.choices, default=SignUp.OPEN)
    banner = models.TextField(
        blank=True, validators=[MaxLengthValidator(500)], help_text="Shown on every page."
    )

    class Meta:
        verbose_name = verbose_name_plural = "switches"
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="one_row_of_switches")]

    def __str__(self) -> str:
        return "switches"

    @classmethod
    def now(cls) -> "Switches":
        return cls.objects.filter(pk=1).first() or cls(pk=1)


class Act(models.Model):
    """What an operator has done, kept for good."""

    who = models.ForeignKey(User, models.SET_NULL, null=True, related_name="acts")
    at = models.DateTimeField(default=timezone.now)
    verb = models.CharField(max_length=40)
    what = models.CharField(max_length=200)
    detail = models.TextField(blank=True)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.verb} {self.what}"
