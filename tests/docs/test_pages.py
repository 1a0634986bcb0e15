"""The pages link only to what is there, and name all that the games can be asked for."""

import re
from itertools import product
from pathlib import Path

import pytest

from games import GAMES
from games.base import ranks
from games.sticheln import Sticheln

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted({ROOT / "README.md", *DOCS.glob("*.md")})

LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
ELSEWHERE = re.compile(r"[a-z]+:")

SEED = bytes(32)
EVERY_CHOICE = [
    (game, dict(zip(game.choices, values, strict=True)))
    for game in GAMES.values()
    for values in product(*game.choices.values())
]


def text_of(page):
    return page.read_text(encoding="utf-8")


def links_of(page):
    links = LINK.findall(CODE.sub("", text_of(page)))
    return [link for link in links if not ELSEWHERE.match(link)]


def anchors_of(page):
    """The names that GitHub gives to the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", text_of(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def page_of(game):
    return text_of(DOCS / f"{game.name}.md")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_somewhere(page):
    for link in links_of(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{page.name} links to {link}"
        assert not anchor or anchor in anchors_of(target), f"{page.name} links to {link}"


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_index_and_the_common_rules_lead_to_every_game(game):
    assert f"{game.name}.md" in links_of(DOCS / "README.md")
    assert f"{game.name}.md" in links_of(DOCS / "common-rules.md")


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_games_page_leads_to_the_common_rules_and_the_protocol(game):
    assert {"common-rules.md", "protocol.md"} <= set(links_of(DOCS / f"{game.name}.md"))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_games_page_names_every_option_with_its_values(game):
    for option, values in game.choices.items():
        row = f"| `{option}` | {', '.join(f'`{value}`' for value in values)} |"
        assert row in page_of(game)


@pytest.mark.parametrize(("game", "options"), EVERY_CHOICE)
def test_a_games_page_names_its_numbers_of_players(game, options):
    counts = game.player_counts(game.complete(options))
    assert f"{counts[0]}\u2013{counts[-1]}" in page_of(game)


@pytest.mark.parametrize(("game", "options"), EVERY_CHOICE)
def test_a_games_page_says_how_many_cards_there_are_and_in_each_hand(game, options):
    for players in game.player_counts(game.complete(options)):
        position = game.deal(players, options, SEED)
        deck = game.deck(players, position.options)
        sizes = [len(hand) for hand in position.hands]
        in_hand = str(sizes[0]) if len(set(sizes)) == 1 else ", ".join(map(str, sizes))
        assert f"| {players} | {len(deck)} | {in_hand} |" in page_of(game)


def rows_of(page, columns):
    """The rows of all tables of a page that have so many columns, by cell."""
    lines = [line for line in text_of(page).splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in rows if len(row) == columns and row[0].startswith("seat")]


def test_the_ranks_of_the_common_rules_are_those_of_the_games():
    plain = rows_of(DOCS / "common-rules.md", 3)
    totals = [int(total.replace("\u2212", "-")) for _, total, _ in plain]
    assert ranks(totals, {}) == [int(rank) for *_, rank in plain]

    faulty = rows_of(DOCS / "common-rules.md", 4)
    totals = [int(total.replace("\u2212", "-")) for _, total, _, _ in faulty]
    decisions = {"at the fifth decision": 4, "at the ninth decision": 8}
    out = {seat: decisions[row[2]] for seat, row in enumerate(faulty) if row[2] != "none"}
    assert ranks(totals, out) == [int(rank) for *_, rank in faulty]


def test_the_next_dealer_of_the_misery_example_is_the_one_of_the_games():
    position = Sticheln.deal(4, {"rules": "misery"}, SEED)
    position.starter, position.totals, position.scores = 2, [5, 3, 3, 3], [[4, -2, -2, 1]]
    assert f"seat {position.next_dealer()} deals next" in page_of(Sticheln)
