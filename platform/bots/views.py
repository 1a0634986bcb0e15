"""The pages of a bot's owner: uploads, checks and what else is done to a bot."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.requests import OwnRequest
from bots import files, services
from bots.forms import FILE_NAME, ActivateForm, NameForm, NewBotForm, UploadForm
from bots.models import Bot, Check, CheckLine, Version
from bots.verdicts import verdict_of
from config.languages import ENDINGS, LANGUAGES
from config.refusals import posted, told, told_in
from games import GAMES
from jobs.models import State

LAST_LINES = 400  # of a log; the page of a flood must stay readable
MOST_LETTERS = 300  # of a line, whose whole is in the log that can be downloaded
PLAIN = "text/plain; charset=utf-8"
STEPS = ("files", "build", "self-test", "a leg against itself", "a leg against examples")


def own_bot(request: OwnRequest, name: str) -> Bot:
    bot = get_object_or_404(Bot.objects.select_related("owner", "active_version"), name=name)
    if bot.owner != request.user:
        raise PermissionDenied(
            _("%(bot)s belongs to %(owner)s, and only its owner may do this.")
            % {"bot": bot, "owner": bot.owner}
        )
    return bot


def checked_version(request: OwnRequest, name: str, number: int) -> Version:
    """A version whose check this person may follow: its owner, or an operator."""
    versions = Version.objects.select_related("bot__owner", "check_job", "archive")
    version = get_object_or_404(versions, bot__name=name, number=number)
    if version.bot.owner != request.user and not request.user.may_operate:
        raise PermissionDenied(
            _("%(bot)s belongs to %(owner)s, who may follow its checks.")
            % {"bot": version.bot, "owner": version.bot.owner}
        )
    return version


# -- Uploads --------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: OwnRequest) -> HttpResponse:
    form = NewBotForm(*posted(request), initial=request.GET.dict())
    if form.is_valid():
        with told_in(form):
            given = {key: form.cleaned_data[key] for key in NEW_BOT}
            version = services.upload_first(owner=request.user, **given)
        if form.is_valid():
            return redirect("version", version.bot.name, version.number)
    fields = {"game": request.GET.get("game", next(iter(GAMES))), "name": "NAME"}
    line = curl_line(request, reverse("api:bots"), fields)
    return render(request, "bots/new.html", {"form": form, "curl": line, "endings": endings()})


def endings() -> dict[str, str]:
    """The languages that the ends of file names tell, as pages call them."""
    return {ending: LANGUAGES[language] for ending, language in ENDINGS.items()}


NEW_BOT = ("name", "game", "about", "data", "file_name", "notes")


def curl_line(request: HttpRequest, address: str, fields: dict[str, str]) -> str:
    """An upload from a terminal, ready to copy."""
    said = "".join(f" -F {name}={value}" for name, value in fields.items())
    return (
        f'curl -H "Authorization: Bearer $KIBITZ_TOKEN"{said} -F file=@{FILE_NAME} '
        f"{request.build_absolute_uri(address)}"
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: OwnRequest, name: str) -> HttpResponse:
    bot = own_bot(request, name)
    form = UploadForm(*posted(request))
    if form.is_valid():
        with told_in(form):
            given = {key: form.cleaned_data[key] for key in ("data", "file_name", "notes")}
            version, is_new = services.upload(bot=bot, **given)
        if form.is_valid():
            if not is_new:
                messages.info(request, _("These bytes are %s already.") % version)
            return redirect("version", bot.name, version.number)
    line = curl_line(request, reverse("api:versions", args=[bot.name]), {})
    about = {"bot": bot, "form": form, "curl": line, "endings": endings()}
    return render(request, "bots/upload.html", about)


# -- Versions -------------------------------------------------------------------------------------


@login_required
@require_safe
def version(request: OwnRequest, name: str, number: int) -> HttpResponse:
    version = checked_version(request, name, number)
    return render(request, "bots/version.html", about_check(version))


@login_required
@require_safe
@never_cache
def check(request: OwnRequest, name: str, number: int) -> HttpResponse:
    """What changes on a version's page while its check runs."""
    version = checked_version(request, name, number)
    return render(request, "bots/_check.html", about_check(version))


def about_check(version: Version) -> dict[str, object]:
    check = getattr(version, "check_job", None)  # a house bot's version has none
    lines = last_lines(check) if check else []
    return {
        "version": version,
        "bot": version.bot,
        "check": check,
        "lines": lines,
        "lines_are_cut": len(lines) == LAST_LINES,
        "verdict": verdict_of(version.verdict),
        "steps": version.steps or (steps_so_far(check, lines) if check else []),
    }


def last_lines(check: Check) -> list[str]:
    lines = lines_of(check).order_by("-pk")
    newest = lines.values_list("text", flat=True)[:LAST_LINES]
    return [Truncator(text).chars(MOST_LETTERS) for text in newest][::-1]


def steps_so_far(check: Check, lines: list[str]) -> list[dict[str, str]]:
    """The steps of a check under way, by the lines that say what each has found."""
    passed = {
        step: line.removeprefix(f"{step}: ")
        for step in STEPS
        for line in lines
        if line.startswith(f"{step}: ")
    }
    steps = [
        {"name": step, "outcome": "passed", "detail": passed[step]}
        if step in passed
        else {"name": step, "outcome": "waiting", "detail": ""}
        for step in STEPS
    ]
    current = next((step for step in steps if step["outcome"] == "waiting"), None)
    if current and check.state == State.PLAYING:
        current["outcome"] = "running"
    return steps


def lines_of(check: Check) -> QuerySet[CheckLine]:
    return check.lines.filter(attempt=check.attempt)


@login_required
@require_safe
@never_cache
def log(request: OwnRequest, name: str, number: int) -> HttpResponse:
    """The whole log of a check, every line in full."""
    check = get_object_or_404(Check, version=checked_version(request, name, number))
    lines = lines_of(check).values_list("text", flat=True)
    return HttpResponse("".join(f"{line}\n" for line in lines), content_type=PLAIN)


@login_required
@require_safe
def archive(request: OwnRequest, name: str, number: int) -> HttpResponse:
    """The upload as it came; only its owner may have it."""
    version = get_object_or_404(own_bot(request, name).versions, number=number)
    return HttpResponse(
        files.archive_bytes(version.archive),
        content_type="application/octet-stream",
        headers={
            "Content-Disposition": content_disposition_header(True, version.file_name) or "",
            "Cache-Control": "private, no-cache",
        },
    )


# -- What an owner does to a bot ------------------------------------------------------------------


@login_required
@require_POST
def activate(request: OwnRequest, name: str) -> HttpResponse:
    bot = own_bot(request, name)
    form = ActivateForm(request.POST, bot=bot)
    if form.is_valid():
        version = form.cleaned_data["version"]
        with told(request, _("%s plays from now on.") % version):
            services.activate(version=version)
    else:
        messages.error(request, _("%s has no such version that is ready to play.") % bot)
    return redirect("bot", bot.name)


@login_required
@require_POST
def pause(request: OwnRequest, name: str) -> HttpResponse:
    bot = own_bot(request, name)
    with told(request, _("%s is paused: it is drawn for no new match until you resume it.") % bot):
        services.pause(bot=bot)
    return redirect("bot", bot.name)


@login_required
@require_POST
def resume(request: OwnRequest, name: str) -> HttpResponse:
    bot = own_bot(request, name)
    with told(request, _("%s plays again.") % bot):
        services.resume(bot=bot)
    return redirect("bot", bot.name)


@login_required
@require_POST
def rename(request: OwnRequest, name: str) -> HttpResponse:
    bot = own_bot(request, name)
    form = NameForm(request.POST)
    if form.is_valid():
        new = form.cleaned_data["name"]
        with told(
            request, _("%(bot)s is called %(name)s from now on.") % {"bot": bot, "name": new}
        ):
            services.rename(bot=bot, name=new)
        bot.refresh_from_db()
    else:
        messages.error(request, f"{form.errors['name'][0]}")
    return redirect("bot", bot.name)


@login_required
@require_POST
def retire(request: OwnRequest, name: str) -> HttpResponse:
    bot = own_bot(request, name)
    with told(request, _("%s is retired. What it has played stays.") % bot):
        services.retire(bot=bot)
    return redirect("bot", bot.name)
