"""The addresses that workers use; those of the contract."""

from django.urls import path

from tournaments import desk
from workers import contract


def below(address: str) -> str:
    return address.removeprefix("/worker/")


urlpatterns = [
    path(below(contract.CLAIM), desk.claimed, name="worker_claim"),
    path(below(contract.PROGRESS), desk.progressed, name="worker_progress"),
    path(below(contract.RECORD), desk.recorded, name="worker_record"),
    path(below(contract.GIVE_BACK), desk.gave_back, name="worker_give_back"),
    path("archives/<slug:digest>", desk.archive, name="worker_archive"),
]
