"""The forms of accounts: allauth's, in the site's words, and those of the account's page."""

from datetime import datetime, timedelta
from typing import Any

from allauth.account import forms as allauth
from allauth.account.adapter import get_adapter
from django import forms
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import Invitation, Switches, Token, User
from accounts.names import LEAST, MOST
from accounts.services import UNKNOWN_INVITATION, use_invitation


class Plain:
    """Takes the placeholders away: every field has a label."""

    fields: dict[str, forms.Field]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)

    def say(self, name: str, label: str, help_text: str = "") -> None:
        self.fields[name].label = label
        if help_text:
            self.fields[name].help_text = help_text


class LogInForm(Plain, allauth.LoginForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.say("login", _("Name or e-mail address"))
        self.fields["login"].widget.attrs["autocomplete"] = "username"


class SignUpForm(Plain, allauth.SignupForm):  # type: ignore[misc]
    """Signing up, with an invitation where the site asks for one."""

    field_order = ("invitation", "username", "email", "password1")

    invitation = forms.CharField(
        label=gettext_lazy("Invitation code"),
        max_length=32,
        help_text=gettext_lazy("This site takes people by invitation."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if Switches.now().sign_up != Switches.SignUp.INVITATION:
            del self.fields["invitation"]
        self.say(
            "username",
            _("Name"),
            _("%(least)s to %(most)s letters: a to z, digits, '-' and '_'. Everybody sees it.")
            % {"least": LEAST, "most": MOST},
        )
        self.say(
            "email",
            _("E-mail address"),
            _(
                "Only the operator sees it. It is for a lost password and for news of your bots: "
                "without it a lost password cannot be reset."
            ),
        )

    def clean_invitation(self) -> str:
        code: str = self.cleaned_data["invitation"]
        if not Invitation.objects.filter(code=code, used_at=None).exists():
            raise forms.ValidationError(UNKNOWN_INVITATION)
        return code

    def save(self, request: HttpRequest) -> User:
        with transaction.atomic():
            user: User = super().save(request)
            if "invitation" in self.cleaned_data:
                use_invitation(code=self.cleaned_data["invitation"], user=user)
        return user


class EmailForm(Plain, allauth.AddEmailForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.say(
            "email",
            _("New address"),
            _("It counts once you have followed the link we send there."),
        )


class PasswordForm(Plain, allauth.ChangePasswordForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.say("oldpassword", _("Password until now"))
        self.say("password1", _("New password"))
        self.say("password2", _("New password again"))


class ResetForm(Plain, allauth.ResetPasswordForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.say("email", _("E-mail address of your account"))


class ResetFromKeyForm(Plain, allauth.ResetPasswordKeyForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.say("password1", _("New password"))
        self.say("password2", _("New password again"))


class ReauthenticateForm(Plain, allauth.ReauthenticateForm):  # type: ignore[misc]
    """The password once more, before something is changed that matters."""


class TokenForm(forms.Form):
    """A new token's name, and for how long it is good."""

    DAYS = {
        "30": gettext_lazy("30 days"),
        "90": gettext_lazy("90 days"),
        "365": gettext_lazy("a year"),
        "ever": gettext_lazy("until I revoke it"),
    }

    name = forms.CharField(
        label=gettext_lazy("Name of the token"),
        max_length=Token._meta.get_field("name").max_length,
        help_text=gettext_lazy("To know it again by: the machine or the program that will use it."),
    )
    days = forms.ChoiceField(
        label=gettext_lazy("Good for"), choices=list(DAYS.items()), initial="90"
    )

    def expires_at(self) -> datetime | None:
        days = self.cleaned_data["days"]
        return None if days == "ever" else timezone.now() + timedelta(days=int(days))


class DeleteForm(forms.Form):
    """Leaving for good takes the name, so that nobody does it by mistake, and the password."""

    name = forms.CharField(label=gettext_lazy("Your name, to make sure"))
    password = forms.CharField(
        label=gettext_lazy("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_name(self) -> None:
        if self.cleaned_data["name"] != self.user.username:
            raise forms.ValidationError(_("Your name is %s.") % self.user.username)

    def clean_password(self) -> None:
        adapter = get_adapter()
        if not adapter.reauthenticate(self.user, self.cleaned_data["password"]):
            raise adapter.validation_error("incorrect_password")
