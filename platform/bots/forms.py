"""The forms of bots: uploads and names."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from accounts.names import MOST
from bots.models import Bot, Version
from bots.services import check_bot_name
from games import GAMES
from workers.contract import ARCHIVE_BYTES

FILE_NAME = "bot.py"


class UploadForm(forms.Form):
    """A version, as a file or as pasted source; both end up as `data` and `file_name`."""

    most_bytes = ARCHIVE_BYTES

    file = forms.FileField(
        label=_("File"),
        required=False,
        allow_empty_file=True,
        help_text=format_lazy(
            _("One source file, a .zip or a .tar.gz, at most {most} MB."), most=ARCHIVE_BYTES >> 20
        ),
    )
    source = forms.CharField(
        label=_("Or paste one source file"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"class": "source", "spellcheck": "false", "rows": 10}),
    )
    file_name = forms.CharField(
        label=_("Name of the pasted file"),
        required=False,
        max_length=100,
        initial=FILE_NAME,
        help_text=_("Its ending tells the language: .py, .js, .c, .cpp, .java, .go, .rs …"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    notes = forms.CharField(
        label=_("Notes"),
        required=False,
        max_length=1000,
        help_text=_("What is new in this version. Everybody can read it."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file is not None and file.size > ARCHIVE_BYTES:
            raise ValidationError(
                _(
                    "This file has %(size)s bytes; a bot may have %(most)s. "
                    "Leave out what it does not need to run."
                )
                % {"size": f"{file.size:,}", "most": f"{ARCHIVE_BYTES:,}"}
            )
        return file

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        file, source = given.get("file"), given.get("source")
        if file and source:
            raise ValidationError(_("Pick a file or paste one, not both."))
        if not file and not source and not self.errors:
            raise ValidationError(_("Pick a file, or paste one."))
        if file:
            given |= {"data": file.read(), "file_name": file.name}
        elif source:
            # Browsers end the lines of a text field in CR LF, whatever was pasted.
            given["data"] = source.replace("\r\n", "\n").encode()
            given["file_name"] = given.get("file_name") or FILE_NAME
        return given


class NewBotForm(UploadForm):
    """A bot with its first version."""

    name = forms.CharField(
        label=_("Name"),
        max_length=MOST,
        help_text=_("Letters, digits, - and _. It can be changed later."),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "spellcheck": "false", "autocapitalize": "none"}
        ),
    )
    game = forms.ChoiceField(
        label=_("Game"),
        choices=[(game.name, game.title) for game in GAMES.values()],
        help_text=_("A bot plays one game, for good."),
    )
    about = forms.CharField(
        label=_("About it"), required=False, max_length=300, help_text=_("A sentence for its page.")
    )
    field_order = ["name", "game", "file", "source", "file_name", "notes", "about"]

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        check_bot_name(name)
        return name


class NameForm(forms.Form):
    name = forms.CharField(
        label=_("New name"),
        max_length=MOST,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )


class ActivateForm(forms.Form):
    """Picks one of a bot's ready versions."""

    version = forms.ModelChoiceField(queryset=Version.objects.none(), to_field_name="number")

    def __init__(self, data: Any, *, bot: Bot) -> None:
        super().__init__(data)
        ready = bot.versions.filter(state=Version.State.READY)
        self.fields["version"].queryset = ready  # type: ignore[attr-defined]
