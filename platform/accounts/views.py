"""Signing up, and the page of one's own account: tokens and notices."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.views import SignupView
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_POST, require_safe

from accounts.forms import SignUpForm, TokenForm
from accounts.models import TAKEN
from accounts.requests import OwnRequest
from accounts.services import NotPossible, make_token, mark_read, revoke_token
from config.refusals import told_in

NOTICES_SHOWN = 50


class SignUp(SignupView):  # type: ignore[misc]
    """Two people may want the same name, or use the same invitation, at the same moment."""

    def form_valid(self, form: SignUpForm) -> HttpResponse:
        try:
            response: HttpResponse = super().form_valid(form)
        except NotPossible as refusal:
            form.add_error("invitation", str(refusal))
        except IntegrityError:
            form.add_error("username", TAKEN)
        else:
            return response
        return self.form_invalid(form)  # type: ignore[no-any-return]

    def get_initial(self) -> dict[str, Any]:
        return {**super().get_initial(), "invitation": self.request.GET.get("invitation", "")}


@never_cache
@login_required
@require_safe
def account(request: OwnRequest) -> HttpResponse:
    return account_page(request, TokenForm())


def account_page(request: OwnRequest, token_form: TokenForm) -> HttpResponse:
    about = {
        "address": EmailAddress.objects.filter(user=request.user).order_by("-verified").first(),
        "notices": request.user.notices.all()[:NOTICES_SHOWN],
        "token_form": token_form,
        "tokens": request.user.tokens.filter(revoked_at=None),
    }
    return render(request, "accounts/account.html", about)


@never_cache
@login_required
@require_POST
@sensitive_variables("letters")
def token_new(request: OwnRequest) -> HttpResponse:
    """Answers with the token itself: it is kept nowhere, so there is no page to go on to."""
    form = TokenForm(request.POST)
    if form.is_valid():
        with told_in(form):
            token, letters = make_token(
                user=request.user, name=form.cleaned_data["name"], expires_at=form.expires_at()
            )
            uploads = request.build_absolute_uri(reverse("api:bots"))
            about = {"token": token, "letters": letters, "uploads": uploads}
            return render(request, "accounts/token_made.html", about)
    return account_page(request, form)


@login_required
@require_POST
def token_revoke(request: OwnRequest, pk: int) -> HttpResponse:
    token = get_object_or_404(request.user.tokens, pk=pk)
    revoke_token(token=token)
    messages.success(request, _("The token %s is revoked.") % token)
    return redirect("account")


@login_required
@require_POST
def notice_read(request: OwnRequest, pk: int) -> HttpResponse:
    notice = get_object_or_404(request.user.notices, pk=pk)
    mark_read(notices=request.user.notices.filter(pk=notice.pk))
    return redirect("account")


@login_required
@require_POST
def notices_read(request: OwnRequest) -> HttpResponse:
    mark_read(notices=request.user.notices.all())
    return redirect("account")
