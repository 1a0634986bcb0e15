"""The operator's pages of bots and their versions. Code is shown to nobody but its owner."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from accounts.operating import OperatorAdmin, name_of, operator
from accounts.services import note_act, tell
from bots import services
from bots.models import Bot, Version


class BotForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Bot
        fields = ("name", "about")

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name != self.instance.name:
            services.check_bot_name(name, but=self.instance)
        return name


@admin.register(Bot)
class BotAdmin(OperatorAdmin):
    may_change = True
    form = BotForm
    list_display = ("name", "owner", "game", "state", "paused_by", "active_version", "created_at")
    list_select_related = ("owner", "active_version__bot")
    list_filter = ("game", "state", "paused_by", "is_house")
    search_fields = ("name", "owner__username")
    actions = ("pause", "resume", "retire")
    fields = (
        *("name", "about", "owner", "game", "state", "paused_by", "paused_for"),
        *("active_version", "is_house", "created_at"),
    )
    readonly_fields = fields[2:]

    def has_change_permission(self, request: HttpRequest, obj: Bot | None = None) -> bool:
        if obj is not None and (obj.is_house or obj.owner.deleted_at):
            return False
        return super().has_change_permission(request, obj)

    def save_model(self, request: HttpRequest, obj: Bot, form: Any, change: bool) -> None:
        services.rename(bot=obj, name=obj.name)
        services.describe(bot=obj, about=obj.about)

    @admin.action(description="Pause, for a reason")
    def pause(self, request: HttpRequest, chosen: QuerySet[Bot]) -> HttpResponse | None:
        def do(bot: Bot, reason: str) -> None:
            services.pause(bot=bot, by=Bot.PausedBy.OPERATOR, reason=reason)
            keep(request, bot, "paused", reason)

        return self.for_a_reason(request, chosen, "Paused", do)

    @admin.action(description="Resume")
    def resume(self, request: HttpRequest, chosen: QuerySet[Bot]) -> None:
        def do(bot: Bot) -> None:
            services.resume(bot=bot, by=Bot.PausedBy.OPERATOR)
            keep(request, bot, "resumed")

        self.for_each(request, chosen, "Resumed", do)

    @admin.action(description="Retire for good, for a reason")
    def retire(self, request: HttpRequest, chosen: QuerySet[Bot]) -> HttpResponse | None:
        def do(bot: Bot, reason: str) -> None:
            services.retire(bot=bot)
            keep(request, bot, "retired", reason)

        return self.for_a_reason(request, chosen, "Retired", do)


def keep(request: HttpRequest, bot: Bot, verb: str, reason: str = "") -> None:
    """Puts it into the log, and tells the owner."""
    note_act(who=operator(request), verb=verb, what=name_of(bot), detail=reason)
    if not bot.is_house:
        text = f"An operator has {verb} {bot}{f': {reason}' if reason else '.'}"
        tell(user=bot.owner, text=text, link=reverse("bot", args=[bot.name]))


@admin.register(Version)
class VersionAdmin(OperatorAdmin):
    list_display = ("__str__", "owner", "state", "language", "is_example", "created_at")
    list_select_related = ("bot__owner",)
    list_filter = ("state", "is_example", "bot__game")
    search_fields = ("bot__name", "bot__owner__username", "archive__sha256")
    ordering = ("-id",)
    actions = ("recheck",)
    fields = (
        *("bot", "number", "archive", "file_name", "notes", "language", "state", "verdict"),
        *("steps", "is_example", "created_at"),
    )

    @admin.display(ordering="bot__owner__username")
    def owner(self, version: Version) -> str:
        return version.bot.owner.username

    @admin.action(description="Check again")
    def recheck(self, request: HttpRequest, chosen: QuerySet[Version]) -> None:
        def do(version: Version) -> None:
            services.recheck(version=version)
            note_act(who=operator(request), verb="had checked again", what=name_of(version))

        self.for_each(request, chosen, "To be checked again", do)
