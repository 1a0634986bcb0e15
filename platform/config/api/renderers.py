"""Kinds of answers that are no JSON; their views write the bytes themselves."""

from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import BaseRenderer


class Bytes(BaseRenderer):
    """A file as it is."""

    media_type = "application/octet-stream"
    format = "bytes"
    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        raise NotImplementedError("answered by the view")


class JSONLines(Bytes):
    """One JSON object a line."""

    media_type = "application/x-ndjson"
    format = "ndjson"
