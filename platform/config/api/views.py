"""What every address of the API does beside its own: strict reading, ETags, throttles, their headers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Model
from django.http import HttpResponseBase
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.decorators import method_decorator
from django.views.decorators.http import conditional_page
from rest_framework import serializers
from rest_framework.generics import GenericAPIView
from rest_framework.mixins import ListModelMixin
from rest_framework.permissions import SAFE_METHODS, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from accounts.models import User
from config.api import throttles
from config.api.pagination import KeysetPages, Order
from config.api.strict import Strict, refuse_large, refuse_unknown_parameters

BODY_BYTES = 64 * 2**10

AnyModel = TypeVar("AnyModel", bound=Model)


@method_decorator(conditional_page, name="dispatch")
class ApiView(APIView):
    """An address of the API."""

    http_method_names = ["get", "post", "patch", "delete", "head"]
    body_bytes = BODY_BYTES
    counted: Mapping[str, type[throttles.Throttle]] = {}  # by method, beside what counts them all
    query_class: type[serializers.Serializer[Any]] | None = None  # filters and pages apart
    asked: Sequence[BaseThrottle] = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        refuse_unknown_parameters(request, self.parameters)
        refuse_large(request, self.body_bytes)

    @property
    def parameters(self) -> set[str]:
        """Of the query."""
        return set(self.query_class().fields) if self.query_class else set()

    @property
    def query(self) -> dict[str, Any]:
        """The values of those parameters."""
        assert self.query_class
        read = self.query_class(data=self.request.query_params)
        read.is_valid(raise_exception=True)
        return dict(read.validated_data)

    def get_throttles(self) -> list[BaseThrottle]:
        found = super().get_throttles()
        if counted := self.counted.get(self.request.method or ""):
            found.append(counted())
        self.asked = found
        return found

    def finalize_response(  # type: ignore[override]
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> HttpResponseBase:
        answer: HttpResponseBase = super().finalize_response(request, response, *args, **kwargs)  # type: ignore[arg-type]
        for name, value in throttles.headers_of(self.asked).items():
            answer[name] = value
        if not answer.has_header("Cache-Control"):
            patch_cache_control(answer, private=True, no_cache=True)
        patch_vary_headers(answer, ["Authorization", "Cookie"])
        return answer


class PersonalView(ApiView):
    """An address for people with an account."""

    permission_classes = [IsAuthenticated]


class ListView(ApiView, ListModelMixin, GenericAPIView[AnyModel]):
    """An address with a list on it, page by page."""

    order: Order = ("-id",)

    @property
    def parameters(self) -> set[str]:
        if self.request.method not in SAFE_METHODS:
            return set()
        return super().parameters | {*KeysetPages.parameters, *filters_of(self)}

    def get(self, request: Request, **_: Any) -> Response:
        return self.list(request)


def filters_of(view: APIView) -> Iterable[str]:
    filters = getattr(view, "filterset_class", None)
    return filters.base_filters if filters else ()


def person(request: Request) -> User:
    """Who asks, where only people with an account may."""
    assert isinstance(request.user, User)
    return request.user


@contextmanager
def about_field(name: str) -> Iterator[None]:
    """What a service finds wrong is wrong with this field."""
    try:
        yield
    except ValidationError as error:
        raise serializers.ValidationError({name: error.messages}) from None


def body(request: Request, kind: type[Strict]) -> dict[str, Any]:
    """What the request's body says, or a problem that names its wrong fields."""
    read = kind(data=request.data)
    read.is_valid(raise_exception=True)
    return dict(read.validated_data)
