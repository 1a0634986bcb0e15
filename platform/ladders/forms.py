"""The forms of ladders: a new one, a join code, a bot to enter or to take off."""

from collections.abc import Sequence
from typing import Any

from django import forms

from accounts.models import User
from bots.models import Bot
from config.options import option_title, option_value
from games.base import Game
from games.player import Limits
from ladders.models import Entry, Ladder

# The label, the least and the most of each limit that may be chosen.
LIMITS = {
    "bank_ms": ("CPU time for a leg (ms)", 0, 600_000),
    "increment_ms": ("CPU time more for each move (ms)", 0, 60_000),
    "wall_ms": ("Longest time for one answer (ms)", 100, 120_000),
    "start_ms": ("Longest time to start (ms)", 100, 120_000),
}
USUAL_PLAYERS = 4


def moment_field(label: str, help_text: str) -> forms.DateTimeField:
    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
    return forms.DateTimeField(label=label, required=False, help_text=help_text, widget=widget)


def option_field(name: str, values: Sequence[str | int]) -> forms.TypedChoiceField:
    """One of the rules' choices; left alone it is what the rules have by default."""
    by_text = {str(value): value for value in values}
    shown = [(text, option_value((name, value))) for text, value in by_text.items()]
    return forms.TypedChoiceField(
        label=option_title(name),
        required=False,
        choices=[("", "as the rules have it"), *shown],
        coerce=by_text.__getitem__,
        empty_value=None,
    )


def players_of(game: type[Game]) -> range:
    """From the fewest to the most of any options; whether the chosen ones have them, the rules say."""
    counts = [
        game.player_counts(game.complete({name: value}))
        for name, values in game.choices.items()
        for value in values
    ]
    return range(min(count[0] for count in counts), max(count[-1] for count in counts) + 1)


def players_field(game: type[Game]) -> forms.IntegerField:
    counts = players_of(game)
    return forms.IntegerField(
        label="Players at a table",
        min_value=counts[0],
        max_value=counts[-1],
        initial=min(USUAL_PLAYERS, counts[-1]),
    )


class LadderForm(forms.Form):
    """A ladder of a game that has been chosen before: each game has options of its own."""

    title = forms.CharField(label="Title", max_length=60)
    about = forms.CharField(
        label="About it", required=False, max_length=500, widget=forms.Textarea(attrs={"rows": 2})
    )
    opens_at = moment_field("Opens", "In UTC; at once if empty.")
    closes_at = moment_field("Closes", "In UTC; never if empty. A closed ladder stays readable.")
    is_private = forms.BooleanField(
        label="Private: only for those who have its join code", required=False
    )

    def __init__(self, data: Any = None, *, game: type[Game]) -> None:
        super().__init__(data)
        self.game = game
        self.fields["players"] = players_field(game)
        for name, values in game.choices.items():
            self.fields[name] = option_field(name, values)
        for name, (label, least, most) in LIMITS.items():
            usual = getattr(Limits(), name)
            self.fields[name] = forms.IntegerField(
                label=label, min_value=least, max_value=most, initial=usual
            )
        self.order_fields(["title", "about", *game.choices, "players", *LIMITS])

    @property
    def wanted(self) -> dict[str, Any]:
        """What the service is asked to make."""
        given = self.cleaned_data
        kept = ("title", "about", "players", "opens_at", "closes_at")
        return {name: given[name] for name in kept} | {
            "game": self.game.name,
            "options": {name: given[name] for name in self.game.choices if given[name] is not None},
            "limits": {name: given[name] for name in LIMITS},
            "is_public": not given["is_private"],
        }


class JoinForm(forms.Form):
    code = forms.CharField(
        label="Join code",
        max_length=32,
        help_text="Whoever runs the ladder has it.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )


class EnterForm(forms.Form):
    """One of a person's bots that plays the ladder's game and is not on it."""

    bot = forms.ModelChoiceField(
        label="Your bot", queryset=Bot.objects.none(), to_field_name="name", empty_label=None
    )

    def __init__(self, data: Any = None, *, ladder: Ladder, user: User) -> None:
        super().__init__(data)
        there = Entry.objects.present().filter(ladder=ladder).values("bot")
        own = user.bots.filter(game=ladder.game).exclude(state=Bot.State.RETIRED)
        self.fields["bot"].queryset = own.exclude(pk__in=there)  # type: ignore[attr-defined]


class LeaveForm(forms.Form):
    """One of a person's entries on the ladder, by the bot's name."""

    bot = forms.ModelChoiceField(queryset=Entry.objects.none(), to_field_name="bot__name")

    def __init__(self, data: Any, *, ladder: Ladder, user: User) -> None:
        super().__init__(data)
        own = Entry.objects.present().filter(ladder=ladder, bot__owner=user)
        self.fields["bot"].queryset = own.select_related("bot", "ladder")  # type: ignore[attr-defined]
