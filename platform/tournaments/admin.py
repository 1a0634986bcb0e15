"""The operator's pages of ladders and matches; a ladder's ratings are counted from its matches."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.operating import OperatorAdmin, ReadOnlyInline, name_of, operator
from accounts.services import NotPossible, note_act
from ladders.models import Ladder
from ladders.services import change_ladder
from ratings.monitor import SUSPICIOUS
from tournaments import comparisons, services
from tournaments.models import Comparison, Match, Seat, WatchedPair
from tournaments.rerating import rerate

SHOWN = 20  # of the differences that a rerating has found


@admin.register(Ladder)
class LadderAdmin(OperatorAdmin):
    may_change = True
    list_display = (
        *("title", "slug", "game", "players", "is_public", "is_standard"),
        *("opens_at", "closes_at", "created_by"),
    )
    list_select_related = ("created_by",)
    list_filter = ("game", "is_standard", "is_public")
    search_fields = ("title", "slug", "created_by__username")
    actions = ("close", "rerate")
    fields = (
        *("title", "about", "is_public", "opens_at", "closes_at", "slug", "game", "players"),
        *("options", "limits", "join_code", "is_standard", "created_by", "created_at"),
    )
    readonly_fields = fields[5:]

    def save_model(self, request: HttpRequest, obj: Ladder, form: Any, change: bool) -> None:
        change_ladder(ladder=obj, **{name: form.cleaned_data[name] for name in form.changed_data})

    @admin.action(description="Close now")
    def close(self, request: HttpRequest, chosen: QuerySet[Ladder]) -> None:
        def do(ladder: Ladder) -> None:
            now = timezone.now()
            if ladder.has_closed(now):
                raise NotPossible("It has closed already.")
            change_ladder(ladder=ladder, closes_at=now)
            note_act(who=operator(request), verb="closed", what=name_of(ladder))

        self.for_each(request, chosen, "Closed", do)

    @admin.action(description="Count the ratings anew from the matches")
    def rerate(self, request: HttpRequest, chosen: QuerySet[Ladder]) -> None:
        def do(ladder: Ladder) -> None:
            found = rerate(ladder=ladder, who=operator(request))
            for difference in found.differences[:SHOWN]:
                messages.warning(request, f"{ladder}: {difference}")

        self.for_each(request, chosen, "Rated anew", do)


class SeatInline(ReadOnlyInline):
    model = Seat
    fields = (
        "index",
        "bot",
        "version",
        "points",
        "place",
        "faults",
        "rating_before",
        "rating_after",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        return super().get_queryset(request).select_related("bot", "version__bot", "match")


class PairFilter(admin.SimpleListFilter):
    """The matches that a watched pair shares, so that they can be looked at, and taken out together."""

    title = "watched pair"
    parameter_name = "pair"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        pairs = WatchedPair.objects.select_related("ladder", "one", "other")
        chosen = pairs.filter(Q(pk=pair_number(self.value())) | Q(z__gt=SUSPICIOUS))
        known = {str(pair.pk): str(pair) for pair in chosen}
        # Without a choice Django would leave the filter out, and all matches would be shown.
        asked_for = self.value()
        unknown = {asked_for: "a pair that is not there"} if asked_for is not None else {}
        return list((unknown | known).items())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        if self.value() is None:
            return queryset
        pair = WatchedPair.objects.filter(pk=pair_number(self.value())).first()
        return queryset & pair.shared if pair else queryset.none()


def pair_number(value: str | None) -> int:
    """0, which no row has, for what is no number."""
    return int(value) if value and value.isdecimal() and len(value) < 19 else 0


@admin.register(Match)
class MatchAdmin(OperatorAdmin):
    """The seed is not among what is shown: who operates may play, too."""

    list_display = (
        *("id", "ladder", "game", "state", "attempt", "failures", "worker", "machine"),
        *("created_at", "finished_at", "void_reason"),
    )
    list_select_related = ("ladder", "worker")
    list_filter = ("state", "game", "is_rated", PairFilter)
    search_fields = ("=id", "=ladder__slug", "machine")
    actions = ("requeue", "void", "remove")
    inlines = (SeatInline,)
    fields = (
        *list_display,
        *(
            "is_rated",
            "created_by",
            "person",
            "options",
            "players",
            "limits",
            "seed_sha256",
            "refused_from",
        ),
        *("sent_at", "lease_until", "started_at", "played_at", "mode"),
    )

    @admin.action(description="Have it played again")
    def requeue(self, request: HttpRequest, chosen: QuerySet[Match]) -> None:
        def do(match: Match) -> None:
            services.requeue(match=match, who=operator(request))

        self.for_each(request, chosen, "To be played again", do)

    @admin.action(description="Declare void, for a reason")
    def void(self, request: HttpRequest, chosen: QuerySet[Match]) -> HttpResponse | None:
        def do(match: Match, reason: str) -> None:
            services.void(match=match, reason=reason, who=operator(request))

        return self.for_a_reason(request, chosen, "Void", do)

    @admin.action(description="Take out of the ratings, for a reason")
    def remove(self, request: HttpRequest, chosen: QuerySet[Match]) -> HttpResponse | None:
        def do(match: Match, reason: str) -> None:
            services.remove(match=match, reason=reason, who=operator(request))

        return self.for_a_reason(request, chosen, "Taken out of the ratings", do)


@admin.register(Comparison)
class ComparisonAdmin(OperatorAdmin):
    list_display = (
        *("id", "owner", "new", "old", "ladder", "state", "made", "counted", "voids"),
        *("created_at", "finished_at"),
    )
    list_select_related = ("owner", "new__bot", "old__bot", "ladder")
    list_filter = ("state",)
    search_fields = ("=id", "owner__username", "new__bot__name")
    actions = ("cancel",)
    fields = (*list_display, "most_games", "new_faults", "old_faults", "fault")

    @admin.action(description="Cancel")
    def cancel(self, request: HttpRequest, chosen: QuerySet[Comparison]) -> None:
        def do(comparison: Comparison) -> None:
            comparisons.cancel(comparison=comparison)
            note_act(who=operator(request), verb="cancelled", what=name_of(comparison))

        self.for_each(request, chosen, "Cancelled", do)


@admin.register(WatchedPair)
class WatchedPairAdmin(OperatorAdmin):
    """The most remarkable pairs of each ladder. Whether one helps the other, people judge by the replays."""

    list_display = (
        *("ladder", "one", "other", "standard_errors", "gain_in_percent", "suspicious"),
        *("their_matches", "found_at"),
    )
    list_display_links = None
    list_select_related = ("ladder", "one__owner", "other__owner")
    list_filter = ("ladder",)
    search_fields = ("one__name", "other__name", "=ladder__slug")
    fields = ("ladder", "one", "other", "matches", "gain", "z", "found_at")

    @admin.display(description="z", ordering="z")
    def standard_errors(self, pair: WatchedPair) -> str:
        return f"{pair.z:.1f}"

    @admin.display(description="gain of the one", ordering="gain")
    def gain_in_percent(self, pair: WatchedPair) -> str:
        return f"{pair.gain:+.1%}"

    @admin.display(description="suspicious", boolean=True)
    def suspicious(self, pair: WatchedPair) -> bool:
        return pair.is_suspicious

    @admin.display(description="matches", ordering="matches")
    def their_matches(self, pair: WatchedPair) -> SafeString:
        address = reverse("admin:tournaments_match_changelist")
        return format_html('<a href="{}?pair={}">{} matches</a>', address, pair.pk, pair.matches)
