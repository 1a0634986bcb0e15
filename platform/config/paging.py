"""Lists in pages by key: a page says where the next one begins, so the last costs what the first does."""

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import QuerySet
from django.http import HttpRequest

SIZE = 50

Row = TypeVar("Row")


@dataclass(frozen=True)
class Page(Generic[Row]):
    """Some rows of a list; `following` is the key after which the next page begins, "" at the end."""

    rows: list[Row]
    following: str
    is_first: bool


def newest_first(
    rows: QuerySet[Any, Row], request: HttpRequest, key: str = "before", size: int = SIZE
) -> Page[Row]:
    """The newest rows, or those older than the one whose id is given."""
    before = request.GET.get(key, "")
    if is_given := before.isascii() and before.isdecimal() and len(before) < 19:
        rows = rows.filter(pk__lt=int(before))
    found = list(rows.order_by("-pk")[: size + 1])
    following = str(pk_of(found[size - 1])) if len(found) > size else ""
    return Page(found[:size], following, not is_given)


def pk_of(row: Any) -> int:
    pk: int = row["pk"] if isinstance(row, dict) else row.pk
    return pk
