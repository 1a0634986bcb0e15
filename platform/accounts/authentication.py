"""Tokens at the API's door."""

from datetime import timedelta

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.models import Token, User
from accounts.tokens import is_well_formed, token_hash

SEEN_EVERY = timedelta(minutes=1)  # not every request writes


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer kbz_…`"""

    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        kind, _, word = get_authorization_header(request).decode("latin-1").partition(" ")
        if kind.lower() != "bearer":
            return None
        token = self.token(word.strip())
        if token is None:
            raise AuthenticationFailed(
                "This token is unknown, revoked or expired. Make a new one on your account's page."
            )
        return token.user, token

    def token(self, word: str) -> Token | None:
        if not is_well_formed(word):
            return None
        now = timezone.now()
        token = (
            Token.objects.valid(now).select_related("user").filter(sha256=token_hash(word)).first()
        )
        if token and (token.last_used_at is None or token.last_used_at < now - SEEN_EVERY):
            Token.objects.filter(pk=token.pk).update(last_used_at=now)
        return token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="Kibitz"'
