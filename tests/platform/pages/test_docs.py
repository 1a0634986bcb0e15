"""The documentation on the site: every page, link, anchor and picture of it, the games, the examples."""

import re
from html import unescape

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from bots.examples import all_examples
from config.docs import pages
from config.docs.markdown import rendered
from games import GAMES
from jobs.models import Worker

pytestmark = pytest.mark.django_db


def addresses():
    return [
        reverse("docs"),
        reverse("examples"),
        reverse("game_list"),
        *(page.address for page in pages.contents()),
    ]


def within(page):
    return page.partition("<main")[2].partition("</main>")[0]


def ids_of(page):
    return set(re.findall(r'\sid="([^"]+)"', page))


# -- Links, anchors, pictures ---------------------------------------------------------------------


@pytest.mark.parametrize("address", addresses())
def test_every_link_and_anchor_of_a_page_leads_somewhere(client, as_alice, address):
    page = within(client.get(address).content.decode())
    for link in map(unescape, re.findall(r'<a [^>]*href="([^"]+)"', page)):
        if re.match("https?:", link):
            continue
        path, _, anchor = link.partition("#")
        answer = as_alice.get(path or address)
        assert answer.status_code == 200, f"{address} links to {link}"
        assert not anchor or anchor in ids_of(answer.content.decode()), f"{address}: {link}"


@pytest.mark.parametrize("address", addresses())
def test_every_picture_is_served_with_its_size_and_words(client, address):
    for picture in re.findall("<img [^>]+>", within(client.get(address).content.decode())):
        about = dict(re.findall(r'(\w+)="([^"]*)"', picture))
        assert finders.find(about["src"].removeprefix("/static/"))
        assert int(about["width"])
        assert int(about["height"])
        assert about["alt"]


def test_the_pictures_are_those_of_the_files(client):
    shown = {re.search(r"pictures/([\w-]+\.svg)", each)[1] for each in pictures(client)}
    drawn = {path.name for path in (pages.FOLDER / "pictures").glob("*.svg")}
    assert shown == drawn - {"terminal.svg"}  # which is for those who have not opened the site yet


def pictures(client):
    for address in addresses():
        yield from re.findall("<img [^>]+>", client.get(address).content.decode())


def test_every_file_of_the_documentation_has_its_page():
    files = {path.stem for path in pages.FOLDER.glob("*.md")} - {"README"}
    assert {page.name for page in pages.contents()} == files


@pytest.mark.parametrize("page", ["sticheln", "nothing", "README", "..", "pictures"])
def test_a_page_that_is_none_is_not_there(client, page):
    assert client.get(f"/docs/{page}/").status_code == 404


# -- How Markdown is shown ------------------------------------------------------------------------


def shown(text):
    return rendered(f"# Title\n\n{text}", pages.Links(pages.FOLDER))


def test_markdown_lets_no_html_through():
    assert "<script>" not in shown("<script>alert(1)</script> <b>bold</b>").body
    assert "javascript:" not in shown("[here](javascript:alert(1))").body.replace("(javascript", "")


def test_a_heading_that_comes_again_has_an_anchor_of_its_own():
    headings = shown("## Cards\n\n## Cards\n\n### Stop It!").headings
    assert [(each.anchor, each.level) for each in headings] == [
        ("cards", 2),
        ("cards-1", 2),
        ("stop-it", 3),
    ]


def test_the_empty_corner_of_a_table_is_no_heading():
    body = shown("| | b |\n|---|---|\n| a | 1 |").body
    assert "<th></th>" not in body
    assert "<td></td>\n<th>b</th>" in body


def test_a_link_to_an_example_that_stands_alone_shows_the_file():
    link = "[bot.js](../examples/sticheln/javascript/bot.js)"
    alone, among_words = shown(link).body, shown(f"See {link}.").body
    assert "JSON.parse(line)" in unescape(alone)
    assert "JSON.parse" not in among_words
    assert reverse("example", args=["sticheln", "javascript", "bot.js"]) in among_words


def test_a_link_to_what_the_site_does_not_have_is_a_mistake():
    with pytest.raises(ValueError, match="is not on the site"):
        shown("[here](../Makefile)")


# -- Languages, games and files -------------------------------------------------------------------


def test_the_box_has_the_languages_of_the_workers_that_are_there(client, text):
    address = reverse("docs_page", args=["box"])
    assert "No worker is there at the moment that could tell." in text(client.get(address))
    now = timezone.now()
    for name, languages in (
        ("one", {"python": "Python 3.11.2", "c": "gcc 12.2.0"}),
        ("two", {"python": "Python 3.11.2", "c": "gcc 14.1.0"}),
    ):
        Worker.objects.create(name=name, sha256=name, last_seen_at=now, languages=languages)
    assert client.get(address).context["languages"] == [
        ("c", "gcc 12.2.0, gcc 14.1.0"),
        ("python", "Python 3.11.2"),
    ]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_leads_to_its_ladders_its_examples_and_to_an_upload(client, ladders, game, text):
    page = text(client.get(reverse("game", args=[game])))
    assert "Moves of a bot" in page
    for ladder in ladders.values():
        assert (reverse("ladder", args=[ladder.slug]) in page) is (ladder.game == game)
    assert f"{reverse('bot_new')}?game={game}" in page
    assert reverse("example", args=[game, "python", "good_bot.py"]) in page


def test_a_game_that_is_none_is_not_there(client):
    assert client.get(reverse("game", args=["bridge"])).status_code == 404


def test_every_example_can_be_taken_as_it_is():
    for example in all_examples():
        named = [example.game, example.language, example.path.name]
        answer = Client().get(reverse("example", args=named))
        assert answer.content == example.data
        assert answer["Content-Disposition"] == f'attachment; filename="{example.path.name}"'
        assert answer["Content-Type"] == "text/plain; charset=utf-8"


@pytest.mark.parametrize("file", ["rerate.py", "vectors.json"])
def test_files_that_pages_name_can_be_taken(client, file):
    answer = client.get(reverse("docs_file", args=[file]))
    assert answer.content == (pages.FOLDER / file).read_bytes()


@pytest.mark.parametrize(
    "address",
    ["/docs/files/pictures.py", "/docs/files/..", "/docs/examples/sticheln/python/bot.py"],
)
def test_other_files_are_not_given_away(client, address):
    assert client.get(address).status_code == 404
