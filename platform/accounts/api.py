"""The API of accounts: tokens and notices."""

from datetime import datetime

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import services
from accounts.models import Notice, Token
from config.api.strict import Strict
from config.api.views import ListView, PersonalView, body, person


class TokenSerializer(serializers.ModelSerializer[Token]):
    class Meta:
        model = Token
        fields = ["id", "name", "hint", "created_at", "expires_at", "last_used_at", "revoked_at"]
        read_only_fields = fields


class NewTokenSerializer(TokenSerializer):
    """A token with its letters, which are never shown again."""

    letters = serializers.CharField()

    class Meta(TokenSerializer.Meta):
        fields = [*TokenSerializer.Meta.fields, "letters"]
        read_only_fields = fields


class TokenBody(Strict):
    name = serializers.CharField(max_length=60, help_text="What it is for.")
    expires_at = serializers.DateTimeField(required=False, allow_null=True)

    def validate_expires_at(self, moment: datetime | None) -> datetime | None:
        if moment is not None and moment <= timezone.now():
            raise serializers.ValidationError("A token expires in the future, or never (null).")
        return moment


class TokenList(ListView[Token]):
    """Your tokens, also those that are revoked."""

    permission_classes = PersonalView.permission_classes
    queryset = Token.objects.all()
    serializer_class = TokenSerializer

    def get_queryset(self) -> QuerySet[Token]:
        return person(self.request).tokens.all()

    @extend_schema(summary="Make a token", request=TokenBody, responses={201: NewTokenSerializer})
    def post(self, request: Request) -> Response:
        """The answer has its letters, this once."""
        token, letters = services.make_token(user=person(request), **body(request, TokenBody))
        token.letters = letters  # type: ignore[attr-defined]
        once = {"Cache-Control": "private, no-store"}
        return Response(NewTokenSerializer(token).data, status.HTTP_201_CREATED, headers=once)


class TokenDetail(PersonalView):
    @extend_schema(summary="Revoke a token", responses={204: None})
    def delete(self, request: Request, id: int) -> Response:  # noqa: A002
        services.revoke_token(token=get_object_or_404(person(request).tokens, pk=id))
        return Response(status=status.HTTP_204_NO_CONTENT)


class NoticeSerializer(serializers.ModelSerializer[Notice]):
    class Meta:
        model = Notice
        fields = ["id", "text", "link", "created_at", "read_at"]
        read_only_fields = fields


class NoticeFilter(filters.FilterSet):  # type: ignore[misc]
    unread = filters.BooleanFilter("read_at", "isnull", label="Only those you have not read.")


class NoticeList(ListView[Notice]):
    """What the site has told you."""

    permission_classes = PersonalView.permission_classes
    queryset = Notice.objects.all()
    serializer_class = NoticeSerializer
    filterset_class = NoticeFilter

    def get_queryset(self) -> QuerySet[Notice]:
        return person(self.request).notices.all()


class NoticeRead(PersonalView):
    @extend_schema(summary="Mark a notice as read", request=None, responses={204: None})
    def post(self, request: Request, id: int) -> Response:  # noqa: A002
        notice = get_object_or_404(person(request).notices, pk=id)
        services.mark_read(notices=Notice.objects.filter(pk=notice.pk))
        return Response(status=status.HTTP_204_NO_CONTENT)
