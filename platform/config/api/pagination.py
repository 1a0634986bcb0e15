"""Pages that begin after the last row of the page before: the last is as quick as the first."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet
from rest_framework import serializers
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

USUAL, MOST = 50, 200
BETWEEN = "~"  # the values of `after`

Order = tuple[str, ...]


class KeysetPages(BasePagination):
    """`after` has the last row's values of what the view's `order` sorts by, `limit` how many rows
    there are to be."""

    parameters = ("after", "limit")

    def paginate_queryset(  # type: ignore[override]
        self, queryset: QuerySet[Any], request: Request, view: Any = None
    ) -> list[Any]:
        self.address = request.build_absolute_uri()
        self.order: Order = view.order
        limit = limit_of(request.query_params.get("limit"))
        if (after := request.query_params.get("after")) is not None:
            queryset = queryset.filter(beyond(self.order, values_of(after, queryset, self.order)))
        rows = list(queryset.order_by(*self.order)[: limit + 1])
        self.last = rows[limit - 1] if len(rows) > limit else None
        return rows[:limit]

    @property
    def next(self) -> str | None:
        if self.last is None:
            return None
        after = BETWEEN.join(str(getattr(self.last, field_of(key))) for key in self.order)
        return replace_query_param(self.address, "after", after)

    def get_paginated_response(self, data: Any) -> Response:
        headers = {"Link": f'<{self.next}>; rel="next"'} if self.next else {}
        return Response({"results": data, "next": self.next}, headers=headers)

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        following = {
            "type": ["string", "null"],
            "format": "uri",
            "description": "The address of the next page, also in the header `Link`.",
        }
        return {
            "type": "object",
            "required": ["results", "next"],
            "properties": {"results": schema, "next": following},
        }

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        return [
            {
                "name": "after",
                "in": "query",
                "description": "Where the page begins; taken from `next` of the page before.",
                "schema": {"type": "string"},
            },
            {
                "name": "limit",
                "in": "query",
                "description": "How many there are to be on a page.",
                "schema": {"type": "integer", "minimum": 1, "maximum": MOST, "default": USUAL},
            },
        ]


def limit_of(word: str | None) -> int:
    if word is None:
        return USUAL
    if not (word.isascii() and word.isdecimal() and 1 <= len(word) <= 4 and 1 <= int(word) <= MOST):
        raise serializers.ValidationError({"limit": f"This is a number from 1 to {MOST}."})
    return int(word)


def values_of(after: str, queryset: QuerySet[Any], order: Order) -> list[Any]:
    words = after.split(BETWEEN)
    try:
        return [value_of(queryset.model, key, word) for key, word in zip(order, words, strict=True)]
    except (ValueError, ValidationError):
        raise serializers.ValidationError(
            {"after": "This is no place in the list; take it from `next` of a page."}
        ) from None


def value_of(model: type[Model], key: str, word: str) -> Any:
    field: Any = model._meta.get_field(field_of(key))
    return field.to_python(word)


def field_of(key: str) -> str:
    return key.removeprefix("-")


def beyond(order: Order, values: list[Any]) -> Q:
    """The rows that come after these values in this order."""
    key, value = order[0], values[0]
    field, way = field_of(key), "lt" if key.startswith("-") else "gt"
    further = Q(**{f"{field}__{way}": value})
    if len(order) == 1:
        return further
    # The first condition adds nothing to the answer; by it the database finds the place in its index.
    return Q(**{f"{field}__{way}e": value}) & (further | beyond(order[1:], values[1:]))
