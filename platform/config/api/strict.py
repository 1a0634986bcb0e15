"""What comes in, read strictly: what is unknown, doubled or of another type is refused by name."""

from collections.abc import Iterable, Mapping
from typing import IO, Any

from django.http import QueryDict
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from config.api.problems import LengthRequired, TooLarge
from games import strict_json

MOST_NESTING = 8
JSON_TYPES: dict[type[serializers.Field[Any, Any, Any, Any]], tuple[type, str]] = {
    serializers.BooleanField: (bool, "true or false"),
    serializers.IntegerField: (int, "a whole number"),
    serializers.CharField: (str, "a text"),
    serializers.ChoiceField: (str, "a text"),
    serializers.DateTimeField: (str, "a text"),
}


class StrictJSON(BaseParser):
    """JSON without doubled keys, NaN or torn texts."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        try:
            return strict_json.read(stream.read(), MOST_NESTING)
        except strict_json.NotStrict as error:
            raise ParseError(f"The body is {error}.") from None


class Strict(serializers.Serializer[Any]):
    """A body of which every field is known. In JSON a number is no text, and a text is no number."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            self.refuse(data)
        return super().to_internal_value(data)

    def refuse(self, data: Mapping[str, Any]) -> None:
        known = {name: field for name, field in self.fields.items() if not field.read_only}
        wrong = {key: unknown(known) for key in data if key not in known}
        if isinstance(data, QueryDict):
            wrong |= {key: "This stands twice." for key in data if len(data.getlist(key)) > 1}
        else:
            wrong |= {
                name: f"This must be {kind}."
                for name, field in known.items()
                if name in data and (kind := other_type(field, data[name]))
            }
        if wrong:
            raise serializers.ValidationError(wrong)


def choice_of(words: list[str]) -> serializers.ChoiceField:
    """A field that takes these words, and names them where another one comes."""
    invalid = f"This is one of {', '.join(words)}."
    return serializers.ChoiceField(words, error_messages={"invalid_choice": invalid})


def unknown(known: Iterable[str]) -> str:
    listed = ", ".join(sorted(known))
    return f"There is no such field; there are {listed}." if listed else "There are no fields here."


def other_type(field: serializers.Field[Any, Any, Any, Any], value: Any) -> str | None:
    """What a field's value must be, if it is not."""
    if value is None:
        return None  # the field itself knows whether it may be
    for kind, (type_, words) in JSON_TYPES.items():
        if isinstance(field, kind):
            return None if type(value) is type_ else words
    return None


def refuse_unknown_parameters(request: Request, known: Iterable[str]) -> None:
    wrong = {}
    for name in request.query_params:
        if name not in known:
            wrong[name] = unknown_parameter(known)
        elif len(request.query_params.getlist(name)) > 1:
            wrong[name] = "This parameter stands twice."
    if wrong:
        raise serializers.ValidationError(wrong)


def unknown_parameter(known: Iterable[str]) -> str:
    listed = ", ".join(sorted(known))
    return f"This address knows {listed}." if listed else "This address has no parameters."


def refuse_large(request: Request, most: int) -> None:
    """A body that is too large is not read at all, nor is one of unknown length."""
    if "chunked" in request.META.get("HTTP_TRANSFER_ENCODING", "").lower():
        raise LengthRequired("Send the body with its Content-Length, not in chunks.")
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not length.isdecimal() or int(length) > most:
        raise TooLarge(
            f"A body may have {most:,} bytes here; this one has {length}. Leave out what you can."
        )
