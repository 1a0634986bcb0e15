"""How allauth follows the site's own rules and says it in the site's own words."""

from typing import Any, ClassVar

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core import context as current
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from accounts.mail import deliver
from accounts.models import TAKEN, Switches, User
from accounts.names import skeleton
from accounts.services import check_user_name

WRONG = "The name or the password is wrong."


class Adapter(DefaultAccountAdapter):  # type: ignore[misc]
    error_messages: ClassVar[dict[str, Any]] = DefaultAccountAdapter.error_messages | {
        "duplicate_email": "This is your address already.",
        "email_password_mismatch": "The address or the password is wrong.",
        "email_taken": "An account has this address: log in, or reset its password.",
        "enter_current_password": "This is not your password.",
        "incorrect_password": "This is not your password.",
        "invalid_password_reset": "This link has been used, or is too old; ask for a new one.",
        "rate_limited": "Too many requests. Wait a minute and try again.",
        "too_many_login_attempts": (
            "Too many wrong passwords. Wait five minutes and try again, or reset your password."
        ),
        "username_password_mismatch": WRONG,
        "username_taken": TAKEN,
    }

    # -- Signing up --------------------------------------------------------------------------------

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return Switches.now().sign_up != Switches.SignUp.CLOSED

    def clean_username(self, username: str, shallow: bool = False) -> str:
        check_user_name(username)
        return username

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        user = super().save_user(request, user, form, commit=False)
        user.skeleton = skeleton(user.username)
        if commit:
            user.save()
        return user

    # -- Logging in --------------------------------------------------------------------------------

    def respond_user_inactive(self, request: HttpRequest, user: User) -> HttpResponse:
        """Only who knows the password is told that, and why, an account is suspended."""
        about = {"name": user.username, "reason": user.suspended_for}
        return render(request, "account/account_inactive.html", about, status=403)

    # -- Where to go next --------------------------------------------------------------------------

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account")

    def get_email_verification_redirect_url(self, email_address: EmailAddress) -> str:
        return reverse("account")

    # -- Mail --------------------------------------------------------------------------------------

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        about = {"request": current.request, "email": email} | context
        deliver(self.render_mail(template_prefix, email, about))
