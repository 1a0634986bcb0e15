"""The rows of standings. They are written here and not in a template, which takes ten times as long for a table of many
rows."""

from dataclasses import dataclass

from django import template
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from config.drawing import Axis, axis_labels, band, interval, meter, places_bar, spark
from config.tags import STATE_WORDS, bot_link, language, owner_link, percent
from games.words import signed
from ladders.standings import Row, Standings
from ladders.stats import Share
from ratings.claims import (
    PROBABLY,
    PROVISIONAL_MATCHES,
    PROVISIONAL_WIDTH,
    words_for,
    words_for_first,
)

register = template.Library()
register.simple_tag(axis_labels)

RANKED = (
    '<tr id="entry-{pk}"{mine} data-band="{band[0]} {band[1]}">'
    '<td class="rk"><b>{rank}</b> <span>{best}–{worst}</span></td>'
    '<th scope="row" class="nm">{name}</th><td class="au">{owner}</td><td class="lg">{language}</td>'
    '<td class="rtg"><b>{rating:.0f}</b> <span>{doubt}</span></td><td class="ivc">{interval}</td>'
    '<td class="vs {kind}"><span>{words}</span></td><td class="mt">{matches}</td>'
    '<td class="pl">{places}</td><td class="tr">{trend}</td><td class="ft {look}">{faults}</td></tr>'
)
PROVISIONAL = (
    '<tr id="entry-{pk}"{mine}><td class="rk"><b>?</b></td>'
    '<th scope="row" class="nm">{name}</th><td class="au">{owner}</td><td class="lg">{language}</td>'
    '<td class="rtg"><b>{rating:.0f}?</b> <span>{doubt}</span></td><td class="ivc">{interval}</td>'
    '<td class="need">{need}</td><td class="ft {look}">{faults}</td></tr>'
)
TAG = ' <span class="tag{}">{}</span>'


@dataclass(frozen=True)
class Shown:
    """What the rows of a ladder's page depend on beside themselves."""

    axis: Axis
    reader: int | None  # whose own bots are marked
    anchor: int | None  # the version that is 1500
    playing: frozenset[str]  # the bots that are at a table now
    owners: int  # that a bot must have met to be ranked


@register.simple_tag
def ranked_rows(table: Standings, shown: Shown) -> SafeString:
    return SafeString("".join(ranked_row(row, shown) for row in table.rows))


@register.simple_tag
def provisional_rows(table: Standings, shown: Shown) -> SafeString:
    return SafeString("".join(provisional_row(row, shown) for row in table.rows))


@register.simple_tag
def own_band(table: Standings, shown: Shown) -> SafeString:
    """The band of the reader's best bot, which every row of the page shows; a script moves it to the bot
    that is pointed at."""
    own = (row for row in table.rows if row["bot__owner"] == shown.reader)
    best = next(own, None)
    left, width = band(shown.axis, best["rating"], best["plus_minus"] or 0) if best else (0, 0)
    return format_html(
        '<svg class="bands" width="0" height="0" aria-hidden="true"><defs>'
        '<rect id="band" x="{}" width="{}" height="36"/></defs></svg>',
        left,
        width,
    )


def ranked_row(row: Row, shown: Shown) -> str:
    return RANKED.format(
        **common(row, shown),
        band=band(shown.axis, row["rating"], row["plus_minus"] or 0),
        rank=row["rank"],
        best=row["best"],
        worst=row["worst"],
        kind=kind_of(row),
        words=claim(row),
        matches=row["matches"],
        places=places(row["places"]),
        trend=trend(row["trend"]),
    )


def provisional_row(row: Row, shown: Shown) -> str:
    return PROVISIONAL.format(**common(row, shown), need=missing(row, shown.owners))


def common(row: Row, shown: Shown) -> dict[str, object]:
    """What both kinds of rows show."""
    is_anchor = shown.anchor is not None and row["version"] == shown.anchor
    return {
        "pk": row["pk"],
        "mine": ' class="mine"' if row["bot__owner"] == shown.reader else "",
        "name": name_of(row, shown, is_anchor=is_anchor),
        "owner": owner_link(row["bot__owner__username"], row["bot__is_house"]),
        "language": escape(language(row["version__language"])),
        "rating": row["rating"],
        "doubt": doubt_of(row, is_anchor=is_anchor),
        "interval": interval(shown.axis, row["rating"], row["plus_minus"], look_of(row, is_anchor)),
        "look": "bad" if row["faults"] else "faint",
        "faults": row["faults"],
    }


# -- Cells ----------------------------------------------------------------------------------------


def name_of(row: Row, shown: Shown, *, is_anchor: bool) -> str:
    name = row["bot__name"]
    parts: list[str] = [bot_link(name, row["version__number"], row["bot__is_house"])]
    if name in shown.playing:
        parts.append(f'<span class="playing" title="{_("playing now")}"></span>')
    parts += [TAG.format(look, words) for look, words in tags_of(row, shown, is_anchor=is_anchor)]
    if row["challenger__number"] is not None:
        parts.append(f'<span class="sub">{challenging(row)}</span>')
    return "".join(parts)


def tags_of(row: Row, shown: Shown, *, is_anchor: bool) -> list[tuple[str, str]]:
    found = []
    if row["bot__owner"] == shown.reader:
        found.append((" on", _("yours")))
    if row["rank"] == 1:
        first = words_for_first(alone=row["ahead"] is None, clear=row["is_clear"])
        found.append((" line", first.text([], _)))
    if is_anchor:
        found.append((" line", _("anchor")))
    if row["bot__state"] != "active":
        found.append((" warn", str(STATE_WORDS[row["bot__state"]])))
    return found


def challenging(row: Row) -> str:
    return _("v%(number)d is challenging: %(matches)d of %(needed)d matches") % {
        "number": row["challenger__number"],
        "matches": row["challenged"] or 0,
        "needed": PROVISIONAL_MATCHES,
    }


def doubt_of(row: Row, *, is_anchor: bool) -> str:
    if is_anchor:
        return _("fixed")
    return "" if row["plus_minus"] is None else f"±{row['plus_minus']}"


def look_of(row: Row, is_anchor: bool) -> str:
    looks = {"house": row["bot__is_house"], "fixed": is_anchor, "open": row["rank"] is None}
    return "".join(f" {look}" for look, has in looks.items() if has)


def claim(row: Row) -> str:
    """What may be said of the lead over the next one."""
    if row["ahead"] is None:
        return ""
    return words_for(row["ahead"], row["rank"] + 1, clear=row["is_clear"]).text([], _)


def kind_of(row: Row) -> str:
    if row["ahead"] is None:
        return "none"
    if row["ahead"] < PROBABLY:
        return "close"
    return "clear" if row["is_clear"] else "prob"


def places(counts: list[int]) -> str:
    whole = sum(counts)
    if not whole:
        return ""
    label = ", ".join(f"{at}. {percent(count / whole)}" for at, count in enumerate(counts, 1))
    return f"{places_bar(counts, label)} <span>{percent(counts[0] / whole)}</span>"


def trend(ratings: list[float]) -> str:
    return spark(ratings, signed(round(ratings[-1] - ratings[0]))) if ratings else ""


def missing(row: Row, owners: int) -> str:
    """How far a bot is from a rank: matches, owners, and how sure its rating is."""
    parts = [
        _("%(done)d of %(needed)d matches")
        % {"done": row["matches"], "needed": PROVISIONAL_MATCHES},
        _("%(done)d of %(needed)d owners")
        % {"done": min(row["owners_met"], owners), "needed": owners},
    ]
    if row["plus_minus"] is not None:
        width = {"now": row["plus_minus"], "needed": PROVISIONAL_WIDTH}
        parts.append(_("±%(now)d of %(needed)d") % width)
    share = min(row["matches"] / PROVISIONAL_MATCHES, row["owners_met"] / max(owners, 1))
    return meter(share) + "".join(f"<span>{part}</span>" for part in parts)


# -- Shares ---------------------------------------------------------------------------------------


@register.simple_tag
def share_bar(share: Share) -> SafeString:
    """A share with its interval on an axis from nothing to all."""
    low, middle, high = (round(1000 * part) for part in (share.low, share.share, share.high))
    return format_html(
        '<svg class="share-bar" viewBox="0 0 1000 20" preserveAspectRatio="none" aria-hidden="true">'
        '<path class="even" d="M500 0v20"/><path d="M{} 6v8M{} 10H{}M{} 6v8"/>'
        '<path class="dot" d="M{} 10h0"/></svg>',
        low,
        low,
        high,
        high,
        middle,
    )
