"""Errors as problem details (RFC 9457): what is wrong, and what to do about it."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import (
    NON_FIELD_ERRORS,
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
    ValidationError,
)
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.defaults import server_error
from rest_framework import exceptions, serializers, status

from accounts.services import NotPossible, QuotaReached
from workers.archive import Rejected

MEDIA_TYPE = "application/problem+json"
EVERYTHING = {NON_FIELD_ERRORS, "non_field_errors"}

TITLES = {
    "invalid": "The request is not as it must be",
    "unreadable": "The body cannot be read",
    "log-in": "Say who you are",
    "forbidden": "Not yours to do",
    "not-found": "There is nothing here",
    "method": "This cannot be done here",
    "not-acceptable": "There is no such form of the answer",
    "not-possible": "Not possible as things are",
    "length-required": "The length of the body is missing",
    "too-large": "The body is too large",
    "media-type": "The body is of the wrong kind",
    "rejected": "The archive was rejected",
    "quota": "The quota is used up",
    "throttled": "Too many requests",
    "error": "Something broke here",
}
LOG_IN = (
    "Send a token, `Authorization: Bearer kbz_…`. You can make one on your account's page, "
    "or with POST /api/v1/tokens while logged in."
)
NOTHING_HERE = (
    "There is nothing at this address, or nothing that you may see. "
    "Addresses have no slash at their end; /api/docs lists them."
)


class TooLarge(exceptions.APIException):
    """A body that is not even read."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "too-large"


class LengthRequired(exceptions.APIException):
    status_code = status.HTTP_411_LENGTH_REQUIRED
    default_code = "length-required"


@dataclass
class Problem:
    """One of the kinds above, in a sentence that says what to do; `errors` names fields."""

    kind: str
    status: int
    detail: str
    errors: list[dict[str, str]] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def answer(self) -> HttpResponse:
        body = {
            "type": f"urn:kibitz:problem:{self.kind}",
            "title": TITLES[self.kind],
            "status": self.status,
            "detail": self.detail,
            "errors": self.errors,
        }
        return JsonResponse(
            body,
            status=self.status,
            content_type=MEDIA_TYPE,
            headers=self.headers,
            json_dumps_params={"ensure_ascii": False},
        )


class FieldError(serializers.Serializer[Any]):
    field = serializers.CharField(help_text="A field or parameter; `seats.0.bot` is one inside.")
    detail = serializers.CharField()


class ProblemSerializer(serializers.Serializer[Any]):
    """What went wrong (RFC 9457). `detail` says what to do next."""

    type = serializers.CharField(help_text="`urn:kibitz:problem:` and a word for programs.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    errors = FieldError(many=True)  # type: ignore[assignment]  # a field, not what is wrong with it


def problems(*codes: int) -> dict[tuple[int, str], type[ProblemSerializer]]:
    """For the schema: answers that an address may give beside those that all may."""
    return {(code, MEDIA_TYPE): ProblemSerializer for code in codes}


# -- Which error is which problem -----------------------------------------------------------------


def answer_for(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """The answer to an error, or None if it is nobody's but ours."""
    problem = problem_of(error, context["view"])
    return problem.answer if problem else None


def problem_of(error: Exception, view: Any) -> Problem | None:
    match error:
        case QuotaReached():
            return quota(error)
        case NotPossible():
            return Problem("not-possible", 409, str(error))
        case Rejected():
            return Problem("rejected", 422, str(error))
        case ValidationError():
            return invalid(error.message_dict if hasattr(error, "error_dict") else error.messages)
        case Http404() | exceptions.NotFound():
            return Problem("not-found", 404, NOTHING_HERE)
        case PermissionDenied():
            return Problem("forbidden", 403, str(error) or "You may not do this.")
        case RequestDataTooBig():
            return Problem("too-large", 413, "Send less in one request.")
        case SuspiciousOperation():
            return Problem("invalid", 400, "There are too many fields, files or parameters.")
        case exceptions.APIException():
            return problem_of_framework(error, view)
    return None


def quota(error: QuotaReached) -> Problem:
    if error.room_at is None:
        return Problem("quota", 429, str(error))
    wait_s = math.ceil((error.room_at - timezone.now()).total_seconds())
    return Problem("quota", 429, str(error), headers={"Retry-After": str(max(1, wait_s))})


def problem_of_framework(error: exceptions.APIException, view: Any) -> Problem:
    """What Django REST framework has found out by itself."""
    match error:
        case exceptions.ValidationError():
            return invalid(error.detail)
        case exceptions.ParseError():
            return Problem("unreadable", 400, str(error))
        case exceptions.NotAuthenticated() | exceptions.AuthenticationFailed():
            known = isinstance(error, exceptions.AuthenticationFailed)
            challenge = {"WWW-Authenticate": view.get_authenticate_header(view.request)}
            return Problem("log-in", 401, str(error) if known else LOG_IN, headers=challenge)
        case exceptions.PermissionDenied():
            return Problem("forbidden", 403, str(error))
        case exceptions.MethodNotAllowed():
            allowed = ", ".join(view.allowed_methods)
            return Problem("method", 405, f"This address takes {allowed}.")
        case exceptions.NotAcceptable():
            kinds = ", ".join(kind.media_type for kind in view.renderer_classes)
            return Problem("not-acceptable", 406, f"This address answers with {kinds}.")
        case exceptions.UnsupportedMediaType():
            kinds = ", ".join(kind.media_type for kind in view.parser_classes)
            return Problem("media-type", 415, f"Send {kinds}, and say so in Content-Type.")
        case exceptions.Throttled():
            wait_s = error.wait or 1  # type: ignore[attr-defined]
            detail = f"Wait {wait_s} seconds before the next request."
            return Problem("throttled", 429, detail, headers={"Retry-After": str(wait_s)})
    return Problem(error.default_code, error.status_code, str(error))


def invalid(found: Any) -> Problem:
    """What is wrong with which fields."""
    errors = list(flat(found))
    general = [error["detail"] for error in errors if not error["field"]]
    named = [error for error in errors if error["field"]]
    listed = [f"{error['field']}: {error['detail']}" for error in named]
    return Problem("invalid", 400, " ".join(general + listed), named)


def flat(found: Any, place: str = "") -> Iterator[dict[str, str]]:
    """Nested errors one by one, each with the place of its field."""
    if isinstance(found, dict):
        for key, inner in found.items():
            here = place if key in EVERYTHING else f"{place}.{key}".lstrip(".")
            yield from flat(inner, here)
    elif isinstance(found, list):
        for index, inner in enumerate(found):
            nested = isinstance(inner, dict | list)
            yield from flat(inner, f"{place}.{index}".lstrip(".") if nested else place)
    else:
        yield {"field": place, "detail": str(found)}


# -- Where no view answers ------------------------------------------------------------------------


@csrf_exempt
def nothing_here(request: HttpRequest, **_: str) -> HttpResponse:
    """For every address below /api/ that is none."""
    return Problem("not-found", 404, NOTHING_HERE).answer


def broken(request: HttpRequest) -> HttpResponse:
    """For an error that is nobody's but ours; programs are told as a problem."""
    if not request.path.startswith("/api/"):
        return server_error(request)
    detail = "The error is on our side and has been noted; try again later."
    return Problem("error", 500, detail).answer
