"""Between a form and what is done with it: what was sent, and what was refused, as sentences."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.forms import BaseForm
from django.http import HttpRequest
from django.utils.datastructures import MultiValueDict

from accounts.services import NotPossible
from workers.archive import Rejected

Sent = MultiValueDict[str, Any] | None

REFUSALS = (NotPossible, Rejected, ValidationError)


def posted(request: HttpRequest) -> tuple[Sent, Sent]:
    """The fields and files that were sent; nothing while the form is only shown."""
    return (request.POST, request.FILES) if request.method == "POST" else (None, None)


@contextmanager
def told(request: HttpRequest, done: str) -> Iterator[None]:
    """Says on the next page that it was done, or why not."""
    try:
        yield
    except REFUSALS as refusal:
        messages.error(request, sentence_of(refusal))
    else:
        messages.success(request, done)


@contextmanager
def told_in(form: BaseForm) -> Iterator[None]:
    """Puts why it was not done into the form: the caller asks afterwards whether it is still valid."""
    try:
        yield
    except ValidationError as refusal:
        known = hasattr(refusal, "error_dict") and set(refusal.error_dict) <= set(form.fields)
        form.add_error(None, refusal if known else sentence_of(refusal))
    except REFUSALS as refusal:
        form.add_error(None, sentence_of(refusal))


def sentence_of(refusal: Exception) -> str:
    return " ".join(refusal.messages) if isinstance(refusal, ValidationError) else str(refusal)
