"""What the operator's pages share: who may use them, asking for a reason, keeping all in the log."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Model, QuerySet
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode

from accounts.models import User
from accounts.services import note_act
from config.refusals import REFUSALS, sentence_of

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
    Inline = admin.TabularInline[Any, Any]
else:
    ModelAdmin, Inline = admin.ModelAdmin, admin.TabularInline

MOST_AT_ONCE = 500


class ReasonForm(forms.Form):
    reason = forms.CharField(
        max_length=300,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Kept in the log, and shown to whom it concerns.",
    )


class Site(admin.AdminSite):
    """The operator's pages. One comes in by the site's own door, where attempts are counted."""

    site_title = site_header = "Operating Kibitz"
    index_title = "What there is"
    enable_nav_sidebar = False  # the lists are wide

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Only what keeps a log is here: neither Django's groups nor the tables of allauth are."""
        if admin_class is not None and issubclass(admin_class, OperatorAdmin):
            super().register(model_or_iterable, admin_class, **options)

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        if self.has_permission(request):
            return redirect("admin:index")
        if request.user.is_authenticated:
            raise PermissionDenied
        return redirect_to_login(request.GET.get("next") or reverse("admin:index"))

    def logout(self, request: HttpRequest, extra_context: Any = None) -> Any:
        return redirect("account_logout")

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> Any:
        return redirect("account_change_password")


class OperatorAdmin(ModelAdmin):
    """Rows that operators may see, and as far as a subclass says so, add and change."""

    may_add = may_change = False
    list_per_page = 50
    show_full_result_count = False
    actions_on_bottom = False

    # -- Who may -----------------------------------------------------------------------------------

    def has_module_permission(self, request: HttpRequest) -> bool:
        return getattr(request.user, "may_operate", False)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_module_permission(request)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.may_add and self.has_module_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.may_change and self.has_module_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    # -- What is kept ------------------------------------------------------------------------------

    def construct_change_message(
        self, request: HttpRequest, form: Any, formsets: Any, add: bool = False
    ) -> Any:
        return changes_of(form)

    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> Any:
        return note_act(who=operator(request), verb="added", what=name_of(obj), detail=message)

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> Any:
        return note_act(who=operator(request), verb="changed", what=name_of(obj), detail=message)

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        """What the log has about a row."""
        row = self.get_object(request, object_id)
        searched = urlencode({"q": name_of(row)}) if row else ""
        return redirect(f"{reverse('admin:accounts_act_changelist')}?{searched}")

    # -- What is done to many ----------------------------------------------------------------------

    def for_each(
        self, request: HttpRequest, chosen: QuerySet[Any], done: str, do: Callable[[Any], object]
    ) -> None:
        """Does something to each row that was chosen, and says what came of it."""
        if chosen.count() > MOST_AT_ONCE:
            messages.error(request, f"Choose at most {MOST_AT_ONCE} at once.")
            return
        number = 0
        for row in chosen:
            try:
                with transaction.atomic():
                    do(row)
            except REFUSALS as refusal:
                messages.error(request, f"Not done for {row}: {sentence_of(refusal)}")
            else:
                number += 1
        if number:
            messages.success(request, f"{done}: {number}.")

    def for_a_reason(
        self,
        request: HttpRequest,
        chosen: QuerySet[Any],
        done: str,
        do: Callable[[Any, str], object],
    ) -> HttpResponse | None:
        """Asks for a reason on a page of its own, and then does it to each."""
        form = ReasonForm(request.POST if "reason" in request.POST else None)
        if form.is_valid():
            reason = form.cleaned_data["reason"]
            self.for_each(request, chosen, done, lambda row: do(row, reason))
            return None
        action = request.POST["action"]
        about = {
            "action": action,
            "chosen": chosen[:MOST_AT_ONCE],
            "form": form,
            "hidden_name": ACTION_CHECKBOX_NAME,
            "hidden_values": request.POST.getlist(ACTION_CHECKBOX_NAME),
            "select_across": request.POST.get("select_across", "0"),
            "title": dict(self.get_action_choices(request))[action],
        }
        return self.page(request, "admin/reason.html", about)

    def page(self, request: HttpRequest, template: str, about: dict[str, Any]) -> HttpResponse:
        around = self.admin_site.each_context(request) | {"opts": self.opts}
        return render(request, template, around | about)


class ReadOnlyInline(Inline):
    """Rows that belong to the one that is shown."""

    extra = 0
    can_delete = False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return getattr(request.user, "may_operate", False)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def operator(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def name_of(row: Model) -> str:
    """How the log calls a row."""
    kind, name = str(row._meta.verbose_name), str(row)
    return name if name.startswith(kind) else f"{kind} {name}"


def changes_of(form: BaseForm) -> str:
    """What a form has changed, from what to what."""
    return "\n".join(
        f"{name}: {form.initial.get(name, '')} → {form.cleaned_data[name]}"
        for name in form.changed_data
    )
