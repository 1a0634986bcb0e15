"""The forms of matches: what to list, a challenge, a comparison."""

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from bots.models import Bot, Version
from games import GAMES
from games.base import Game
from jobs.models import State
from ladders.forms import option_field, players_of
from ladders.models import Ladder

SUGGESTED = 100
CHOICE = re.compile("([A-Za-z0-9_-]+)(?: +v([0-9]{1,6}))?")


STATES = {
    State.WAITING: _("waiting"),
    State.PLAYING: _("being played"),
    State.FINISHED: _("finished"),
    State.VOID: _("void"),
}


class MatchFilter(forms.Form):
    """Which matches are listed."""

    ladder = forms.ModelChoiceField(
        label=_("Ladder"),
        queryset=Ladder.objects.none(),
        to_field_name="slug",
        required=False,
        empty_label=_("all"),
    )
    game = forms.ChoiceField(
        label=_("Game"),
        choices=[("", _("all")), *((name, game.title) for name, game in GAMES.items())],
        required=False,
    )
    bot = forms.CharField(
        label=_("Bot"),
        required=False,
        max_length=40,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    state = forms.ChoiceField(
        label=_("State"), choices=[("", _("any")), *STATES.items()], required=False
    )

    def __init__(self, data: Any, *, user: Any) -> None:
        super().__init__(data)
        self.fields["ladder"].queryset = Ladder.objects.visible_to(user)  # type: ignore[attr-defined]


class VersionField(forms.CharField):
    """A version by the name of its bot: the one that plays, or the one whose number is given."""

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        if not text:
            return None
        said = CHOICE.fullmatch(text)
        if said is None:
            raise ValidationError("Write a bot's name, or a name and a version: NAME v3.")
        name, number = said.groups()
        meant = Q(number=int(number)) if number else Q(pk=F("bot__active_version"))
        version = Version.objects.select_related("bot__owner").filter(meant, bot__name=name).first()
        if version is None:
            raise ValidationError(f"There is no bot {text} that could play.")
        return version


class ChallengeForm(forms.Form):
    """A table of bots that play one game: a field for each seat, and the game's options."""

    def __init__(self, data: Any = None, *, game: type[Game], user: User, bot: str = "") -> None:
        super().__init__(data)
        self.game, self.user = game, user
        for seat in range(players_of(game)[-1]):
            attributes = {"list": "bots", "autocomplete": "off", "spellcheck": "false"}
            self.fields[f"bot_{seat}"] = VersionField(
                label=f"Bot {seat + 1}",
                required=False,
                max_length=60,
                initial=bot if seat == 0 else "",
                widget=forms.TextInput(attrs=attributes),
            )
        for name, values in game.choices.items():
            self.fields[name] = option_field(name, values)

    @property
    def seats(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("bot_")]

    @property
    def rules(self) -> list[forms.BoundField]:
        return [self[name] for name in self.game.choices]

    @property
    def suggestions(self) -> list[str]:
        """What may be written into a seat's field: own versions, and bots that play."""
        own = Version.objects.filter(bot__owner=self.user, bot__game=self.game.name)
        ready = own.filter(state=Version.State.READY).select_related("bot").order_by("-pk")
        others = Bot.objects.playing().filter(game=self.game.name).order_by("-is_house", "name")
        names = others.values_list("name", flat=True)[:SUGGESTED]
        return [*map(str, ready[:SUGGESTED]), *names]

    @property
    def versions(self) -> list[Version]:
        """The lineup."""
        chosen = (self.cleaned_data[field.name] for field in self.seats)
        return [version for version in chosen if version]

    @property
    def options(self) -> dict[str, Any]:
        given = {name: self.cleaned_data[name] for name in self.game.choices}
        return {name: value for name, value in given.items() if value is not None}


class ComparisonForm(forms.Form):
    """Two versions of a bot that are ready, and a ladder of its game."""

    new = forms.ModelChoiceField(
        queryset=Version.objects.none(), label=_("Is this version"), empty_label=None
    )
    old = forms.ModelChoiceField(
        queryset=Version.objects.none(),
        label=_("better than this one"),
        empty_label=None,
    )
    ladder = forms.ModelChoiceField(
        queryset=Ladder.objects.none(),
        to_field_name="slug",
        label=_("by the rules of"),
        empty_label=None,
        help_text=_("Its bots of about the same strength sit with the two."),
    )

    def __init__(self, data: Any = None, *, bot: Bot, number: str = "") -> None:
        super().__init__(data)
        ready = bot.versions.filter(state=Version.State.READY).select_related("bot")
        ladders = Ladder.objects.visible_to(bot.owner).filter(game=bot.game)
        for name, choices in (("new", ready), ("old", ready), ("ladder", ladders)):
            self.fields[name].queryset = choices  # type: ignore[attr-defined]
        self.versions = list(ready)
        self.initial = self.suggested(bot, number)

    @property
    def has_two(self) -> bool:
        return len(self.versions) > 1

    def suggested(self, bot: Bot, number: str) -> dict[str, Any]:
        """The version that is asked for, or the newest, with the one that plays, or the one before; on a
        ladder of the bot's."""
        entry = bot.entries.present().select_related("ladder").order_by("-matches", "pk").first()
        chosen = [one for one in self.versions if str(one.number) == number] or self.versions
        new = chosen[0] if chosen else None
        older = [one for one in self.versions if new and one.number < new.number]
        playing = [one for one in self.versions if one.pk == bot.active_version_id and one != new]
        old = next(iter([*playing, *older]), None)
        return {"new": new, "old": old, "ladder": entry.ladder.slug if entry else None}
