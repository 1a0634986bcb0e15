"""The pictures of the pages are those that the rules give, and can be read without seeing them."""

from xml.etree import ElementTree

import pytest

from docs import charts, pictures, terminal
from docs.pictures import FOLDER

PICTURES = pictures.drawn() | charts.drawn()
PAGES = sorted(FOLDER.parent.glob("*.md"))
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_what_the_script_draws_now(name):
    kept = (FOLDER / name).read_text(encoding="utf-8")
    assert kept == PICTURES[name], "draw it anew: python -m docs.pictures, docs.charts"


def test_there_is_no_picture_that_the_script_does_not_draw():
    assert {path.name for path in FOLDER.iterdir()} == set(PICTURES) | {terminal.PICTURE.name}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_tells_a_screen_reader_what_it_shows(name):
    picture = ElementTree.fromstring(PICTURES[name])
    assert picture.get("role") == "img"
    assert picture.findtext(f"{SVG}title")
    assert picture.findtext(f"{SVG}desc")


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_shown_on_a_page(name):
    assert any(f"(pictures/{name})" in page.read_text(encoding="utf-8") for page in PAGES)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("sticheln-three-tricks.svg", ["Andrew takes it", "Connor takes it", "Jillian takes it"]),
        ("sticheln-score.svg", ["Jillian scores \u22125", "Andrew scores +2"]),
        ("sticheln-misery-score.svg", ["Axel scores +3"]),
        (
            "color-stock-player-a.svg",
            ["Yellow in the hand is worth 3", "Red in the hand is worth 0"],
        ),
    ],
)
def test_the_examples_come_out_as_the_rulebooks_say(name, said):
    places = [PICTURES[name].find(words) for words in said]
    assert -1 not in places
    assert places == sorted(places)
