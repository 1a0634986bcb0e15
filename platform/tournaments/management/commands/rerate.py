"""Works all ratings out anew from the stored results and shows that nothing changed, or what did."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ladders.models import Ladder
from tournaments.rerating import rerate


class Command(BaseCommand):
    help = "Rebuilds ratings and counts from the stored results, and says whether anything changed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "ladders", nargs="*", metavar="LADDER", help="slugs; all if none is given"
        )

    def handle(self, *args: Any, ladders: list[str], **options: Any) -> None:
        known = Ladder.objects.filter(anchor__isnull=False).in_bulk(field_name="slug")
        if unknown := [slug for slug in ladders if slug not in known]:
            raise CommandError(
                f"There is no ladder {', '.join(unknown)}; there are {', '.join(known) or 'none'}."
            )
        changed = sum(self.rerate(known[slug]) for slug in ladders or known)
        if changed:
            raise CommandError(f"{changed} numbers changed. They are now what the results give.")

    def rerate(self, ladder: Ladder) -> int:
        found = rerate(ladder=ladder)
        for difference in found.differences:
            self.stdout.write(f"{ladder.slug}: {difference}")
        self.stdout.write(
            f"{ladder.slug}: {found.lines} lines, {found.versions} versions, {found.pairs} pairs; "
            + (f"{len(found.differences)} changed" if found.differences else "nothing changed")
        )
        return len(found.differences)
