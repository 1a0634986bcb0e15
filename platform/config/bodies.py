"""Requests that are too large for any page are turned away before they are read."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from workers.contract import ARCHIVE_BYTES

MOST_BYTES = 2 * ARCHIVE_BYTES + 2**20  # what is a little too large still gets its form back
ELSEWHERE = ("/api/", "/worker/")  # they have limits and answers of their own


def bounded(answer: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Comes last, so that the page knows who asks: until a view is called, no body is read."""

    def bounded_answer(request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if request.path.startswith(ELSEWHERE) or int(length) <= MOST_BYTES:
            return answer(request)
        about = {"most_bytes": MOST_BYTES, "archive_bytes": ARCHIVE_BYTES}
        return render(request, "413.html", about, status=413)

    return bounded_answer
