"""The API's own description, in OpenAPI 3.1: /api/schema, and /api/docs for reading."""

import json
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_safe
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import get_lib_doc_excludes

from config.api.problems import MEDIA_TYPE
from config.api.views import ApiView, ListView, PersonalView
from games import GAMES

MEANINGS = {
    "400": "Something in the request is wrong; `errors` names the fields.",
    "401": "Nobody, or nobody known, has asked.",
    "403": "Not yours to do.",
    "404": "Nothing there, or nothing that you may see.",
    "406": "There is no such form of the answer.",
    "409": "Not possible as things are; `detail` says why.",
    "411": "The body came without its length.",
    "413": "The body is too large.",
    "415": "The body is of the wrong kind.",
    "422": "The archive was rejected; `detail` says what to change.",
    "429": "Too many requests, or a quota is used up.",
}
ANYWHERE = ("400", "401", "406", "429")
WITH_PATH = ("404",)
WITH_CHANGE = ("403", "411", "413")
WITH_BODY = ("415",)
PROBLEM = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
GAME_NAMES = list(GAMES)
CHANGES = ("post", "patch", "delete")


class BearerToken(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the schema describes tokens."""

    target_class = "accounts.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "`Authorization: Bearer kbz_…`; tokens are made on your account's page.",
        }


def without_words() -> list[type]:
    """Whose docstrings are for readers of the code."""
    return [*get_lib_doc_excludes(), ApiView, PersonalView, ListView]  # type: ignore[no-untyped-call]


def only_version_1(endpoints: list[tuple[str, str, str, Any]]) -> list[tuple[str, str, str, Any]]:
    return [endpoint for endpoint in endpoints if endpoint[0].startswith("/api/v1/")]


def with_problems(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Adds to every operation the problems that it may answer with."""
    for operations in result["paths"].values():
        for method, operation in operations.items():
            for code in codes_of(method, operation):
                operation["responses"].setdefault(code, {"content": PROBLEM})
            for code, answer in operation["responses"].items():
                answer["description"] = MEANINGS.get(code, answer.get("description", ""))
    return result


def with_summaries(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """What is described in one sentence is told beside its address."""
    for operations in result["paths"].values():
        for operation in operations.values():
            if "summary" not in operation:
                operation["summary"] = operation.pop("description").rstrip(".")
    return result


def codes_of(method: str, operation: dict[str, Any]) -> list[str]:
    named = [one for one in operation.get("parameters", []) if one["in"] == "path"]
    return [
        *ANYWHERE,
        *(WITH_PATH if named else ()),
        *(WITH_CHANGE if method in CHANGES else ()),
        *(WITH_BODY if "requestBody" in operation else ()),
    ]


@cache
def schema_text() -> str:
    """Made once: it is the same for everybody, and takes a while."""
    found = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return json.dumps(found, indent=1)


@require_safe
@conditional_page
@cache_control(public=True, max_age=300)
def schema(request: HttpRequest) -> HttpResponse:
    return HttpResponse(schema_text(), content_type="application/vnd.oai.openapi+json")
