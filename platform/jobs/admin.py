"""The operator's page of workers."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from accounts.operating import OperatorAdmin, operator
from jobs import services
from jobs.models import Worker


@admin.register(Worker)
class WorkerAdmin(OperatorAdmin):
    may_add = True
    list_display = (
        *("name", "last_seen_at", "mode", "languages", "refused_records"),
        *("created_by", "created_at", "revoked_at"),
    )
    list_select_related = ("created_by",)
    search_fields = ("name",)
    actions = ("revoke",)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.list_display if obj else ("name",)

    def save_model(self, request: HttpRequest, obj: Worker, form: Any, change: bool) -> None:
        worker, letters = services.make_worker(name=obj.name, created_by=operator(request))
        obj.pk, obj.letters = worker.pk, letters  # type: ignore[attr-defined]

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """A worker that is made is in the log already."""

    def response_add(
        self, request: HttpRequest, obj: Any, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Shows the token this once: it is kept nowhere."""
        about = {"title": f"The token of worker {obj.name}", "letters": obj.letters}
        return self.page(request, "admin/worker_made.html", about)

    @admin.action(description="Revoke: its token is worth nothing from now on")
    def revoke(self, request: HttpRequest, chosen: QuerySet[Worker]) -> None:
        def do(worker: Worker) -> None:
            services.revoke_worker(worker=worker, who=operator(request))

        self.for_each(request, chosen, "Revoked", do)
