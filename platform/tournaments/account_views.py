"""The two pages of an account that concern all that somebody has: taking a copy, and leaving."""

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods

from accounts.forms import DeleteForm
from accounts.requests import OwnRequest
from config.refusals import told_in
from tournaments.leaving import delete_account, export_of


@never_cache
@login_required
@require_GET
def export(request: OwnRequest) -> HttpResponseBase:
    return StreamingHttpResponse(
        export_of(request.user),
        content_type="application/zip",
        headers={
            "Content-Disposition": f'attachment; filename="kibitz-{request.user.username}.zip"'
        },
    )


@never_cache
@sensitive_post_parameters("password")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: OwnRequest) -> HttpResponse:
    form = DeleteForm(request.POST or None, user=request.user)
    if form.is_valid():
        with told_in(form):
            delete_account(user=request.user)
            logout(request)
            messages.success(request, "Your account is deleted.")
            return redirect("home")
    return render(request, "accounts/delete.html", {"form": form})
