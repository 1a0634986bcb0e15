"""Filters of lists, as query parameters that name what they take."""

from datetime import UTC, datetime
from typing import Any

from django.core.exceptions import ValidationError
from django_filters import rest_framework as filters
from django_filters.fields import IsoDateTimeField


class MomentField(IsoDateTimeField):  # type: ignore[misc]
    """A time that also exists in UTC."""

    default_error_messages = {"invalid": "Write a time as in RFC 3339: 2026-11-18T12:00:00Z."}

    def to_python(self, value: Any) -> datetime | None:
        moment: datetime | None = super().to_python(value)
        try:
            return moment.astimezone(UTC) if moment else None
        except OverflowError:
            raise ValidationError(self.error_messages["invalid"], code="invalid") from None


class MomentFilter(filters.IsoDateTimeFilter):  # type: ignore[misc]
    field_class = MomentField


def one_of(words: list[str], **about: Any) -> filters.ChoiceFilter:
    """A filter that takes these words."""
    return filters.ChoiceFilter(
        choices=[(word, word) for word in words],
        error_messages={"invalid_choice": f"This is one of {', '.join(words)}."},
        **about,
    )
