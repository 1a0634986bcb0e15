"""Makes what every site has: the standard ladders, the house bots and, if wanted, a worker's token."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from accounts.tokens import WORKER, is_well_formed, new_token, token_hash
from jobs.models import Worker
from jobs.services import make_worker
from ladders.services import ensure_standards
from tournaments.house import ensure_house


class Command(BaseCommand):
    help = "Makes the standard ladders and house bots, as far as they are not there."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--worker-token-file",
            type=Path,
            help="a file with a worker's token; made with a new one if it is not there",
        )

    def handle(self, *args: Any, worker_token_file: Path | None, **options: Any) -> None:
        ladders, bots = ensure_standards(), ensure_house()
        if worker_token_file:
            admit_worker(worker_token_file)
        self.stdout.write(f"{len(ladders)} standard ladders and {len(bots)} house bots are there.")


def admit_worker(path: Path) -> None:
    """Lets whoever has that file play for this site."""
    letters = path.read_text(encoding="utf-8").strip() if path.exists() else ""
    if not is_well_formed(letters):
        letters = new_token(WORKER)
        path.touch(mode=0o600)
        path.write_text(letters, encoding="utf-8")
    if Worker.objects.filter(sha256=token_hash(letters), revoked_at=None).exists():
        return
    number = 1 + Worker.objects.count()
    make_worker(name=f"worker-{number}", created_by=None, letters=letters)
