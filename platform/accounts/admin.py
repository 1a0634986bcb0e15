"""The operator's pages of people, their tokens and notices, of switches, invitations and the log."""

from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.internal.flows.password_reset import get_reset_password_from_key_url
from allauth.account.utils import user_pk_to_url_str
from django import forms
from django.conf import settings
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from accounts import services
from accounts.models import Act, Invitation, Notice, Switches, Token, User
from accounts.names import skeleton
from accounts.operating import OperatorAdmin, name_of, operator

MOST_INVITATIONS = 100


# -- People ---------------------------------------------------------------------------------------


class UserForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = User
        fields = ("username", "may_create_ladders", "is_staff")
        labels = {"is_staff": "operator"}
        help_texts = {"is_staff": "May use these pages."}

    def clean_username(self) -> str:
        name: str = self.cleaned_data["username"]
        if name != self.instance.username:
            services.check_user_name(name, but=self.instance)
        return name


@admin.register(User)
class UserAdmin(OperatorAdmin):
    may_change = True
    form = UserForm
    list_display = (
        *("username", "email", "is_active", "suspended_for"),
        *("may_create_ladders", "is_staff", "date_joined", "last_login"),
    )
    list_filter = ("is_active", "is_staff", "may_create_ladders")
    search_fields = ("username", "email")
    ordering = ("-id",)
    actions = ("suspend", "lift_suspension", "allow_ladders", "forbid_ladders", "password_link")
    fields = (
        *("username", "may_create_ladders", "is_staff", "email", "is_active", "suspended_for"),
        *("date_joined", "last_login", "deleted_at"),
    )
    readonly_fields = fields[3:]

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Nobody changes who is gone or the house; operators are changed by superusers only."""
        if obj is not None and (obj.deleted_at or obj.is_house):
            return False
        if obj is not None and obj.is_staff and not operator(request).is_superuser:
            return False
        return super().has_change_permission(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        own = () if operator(request).is_superuser else ("is_staff",)
        return (*self.readonly_fields, *own)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        obj.skeleton = skeleton(obj.username)
        obj.save()

    @admin.action(description="Suspend, for a reason")
    def suspend(self, request: HttpRequest, chosen: QuerySet[User]) -> HttpResponse | None:
        def do(user: User, reason: str) -> None:
            services.suspend(user=user, reason=reason, who=operator(request))

        return self.for_a_reason(request, chosen, "Suspended", do)

    @admin.action(description="Lift the suspension")
    def lift_suspension(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        def do(user: User) -> None:
            services.lift_suspension(user=user, who=operator(request))

        self.for_each(request, chosen, "Suspensions lifted", do)

    @admin.action(description="Allow to create ladders")
    def allow_ladders(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        def do(user: User) -> None:
            services.allow_ladders(user=user, allowed=True, who=operator(request))

        self.for_each(request, chosen, "Allowed to create ladders", do)

    @admin.action(description="Allow no longer to create ladders")
    def forbid_ladders(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        def do(user: User) -> None:
            services.allow_ladders(user=user, allowed=False, who=operator(request))

        self.for_each(request, chosen, "No longer allowed to create ladders", do)

    @admin.action(description="Make a link to choose a new password")
    def password_link(self, request: HttpRequest, chosen: QuerySet[User]) -> HttpResponse | None:
        """For people without an address: the operator hands the link on, and never knows a password."""
        links = {}

        def do(user: User) -> None:
            if not user.is_active or not self.has_change_permission(request, user):
                raise services.NotPossible("This account's password is not yours to reset.")
            links[user.username] = reset_link(request, user)
            services.note_act(
                who=operator(request), verb="made a password link for", what=name_of(user)
            )

        self.for_each(request, chosen, "Links made", do)
        about = {"title": "Links to choose a new password", "links": links}
        return self.page(request, "admin/password_links.html", about) if links else None


def reset_link(request: HttpRequest, user: User) -> str:
    key = f"{user_pk_to_url_str(user)}-{default_token_generator.make_token(user)}"
    link: str = get_reset_password_from_key_url(request, key)
    return link


@admin.register(Token)
class TokenAdmin(OperatorAdmin):
    list_display = (
        *("name", "user", "hint", "created_at", "last_used_at", "expires_at", "revoked_at"),
    )
    list_select_related = ("user",)
    search_fields = ("name", "user__username", "hint")
    actions = ("revoke",)
    fields = list_display

    @admin.action(description="Revoke")
    def revoke(self, request: HttpRequest, chosen: QuerySet[Token]) -> None:
        def do(token: Token) -> None:
            services.revoke_token(token=token)
            what = f"{name_of(token)} of {token.user}"
            services.note_act(who=operator(request), verb="revoked", what=what)

        self.for_each(request, chosen.select_related("user"), "Revoked", do)


@admin.register(Notice)
class NoticeAdmin(OperatorAdmin):
    may_add = True
    list_display = ("user", "text", "created_at", "read_at")
    list_select_related = ("user",)
    search_fields = ("user__username", "text")
    autocomplete_fields = ("user",)
    fields = ("user", "text", "link")

    def save_model(self, request: HttpRequest, obj: Notice, form: Any, change: bool) -> None:
        obj.pk = services.tell(user=obj.user, text=obj.text, link=obj.link).pk

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        return services.note_act(
            who=operator(request), verb="told", what=name_of(obj.user), detail=obj.text
        )


# -- The site -------------------------------------------------------------------------------------


@admin.register(Switches)
class SwitchesAdmin(OperatorAdmin):
    """One row, made when it is first looked at."""

    may_change = True

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Switches:
        return Switches.objects.get_or_create(pk=1)[0]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return redirect("admin:accounts_switches_change", 1)


class InvitationForm(forms.ModelForm):  # type: ignore[type-arg]
    how_many = forms.IntegerField(
        min_value=1,
        max_value=MOST_INVITATIONS,
        initial=1,
        help_text=f"Each lets one person in; at most {MOST_INVITATIONS} at once.",
    )

    class Meta:
        model = Invitation
        fields = ("note",)


@admin.register(Invitation)
class InvitationAdmin(OperatorAdmin):
    may_add = True
    form = InvitationForm
    list_display = ("link", "note", "created_by", "created_at", "used_by", "used_at")
    list_select_related = ("created_by", "used_by")
    search_fields = ("code", "note", "used_by__username")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.list_display if obj else ("note", "how_many")

    @admin.display(description="link to give away")
    def link(self, invitation: Invitation) -> str:
        asked = urlencode({"invitation": invitation.code})
        return f"{settings.SITE_ADDRESS}{reverse('account_signup')}?{asked}"

    def save_model(self, request: HttpRequest, obj: Invitation, form: Any, change: bool) -> None:
        for _ in range(form.cleaned_data["how_many"]):
            invitation = services.make_invitation(created_by=operator(request), note=obj.note)
            obj.pk, obj.code = invitation.pk, invitation.code

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Whoever is invited is in the log already."""


@admin.register(Act)
class ActAdmin(OperatorAdmin):
    """The log; nobody adds to it, changes it or takes anything away."""

    list_display = ("at", "who", "verb", "what", "detail")
    list_select_related = ("who",)
    list_filter = (("who", admin.RelatedOnlyFieldListFilter), "verb")
    search_fields = ("what", "verb", "detail", "who__username")
