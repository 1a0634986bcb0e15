"""What other sites show of a match: the viewer in a frame, oEmbed, pictures and what stands beside a link."""

import re
from xml.etree import ElementTree

import pytest
from django.urls import reverse

from config.pictures import LONGEST_NAME, Line, Poster
from games import GAMES

pytestmark = pytest.mark.django_db

OEMBED = reverse("oembed")
PNG = b"\x89PNG\r\n\x1a\n"


def embed_of(match):
    return reverse("match_embed", args=[match.pk])


def address_of(match):
    return f"http://testserver{reverse('match', args=[match.pk])}"


# -- In a frame -----------------------------------------------------------------------------------


def test_a_match_may_be_framed_by_anybody_and_nothing_else_may(site, client):
    framed = client.get(embed_of(site.played))
    assert framed.status_code == 200
    assert "X-Frame-Options" not in framed
    assert "frame-ancestors *;" in f"{framed['Content-Security-Policy']};"
    assert "script-src 'self'" in framed["Content-Security-Policy"]
    for address in ("/", reverse("match", args=[site.played.pk]), reverse("account_login")):
        page = client.get(address)
        assert page["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in page["Content-Security-Policy"]


def test_in_a_frame_nobody_is_logged_in(site, as_alice, client):
    ours, strangers = as_alice.get(embed_of(site.played)), client.get(embed_of(site.played))
    assert ours.content == strangers.content
    assert b"kibitz-replay" in ours.content
    assert not ours.cookies
    assert as_alice.get(embed_of(site.challenge)).status_code == 404


def test_a_match_under_way_is_framed_without_its_seed(site, client):
    page = client.get(embed_of(site.waiting)).content.decode()
    assert "It has not finished yet" in page
    assert site.waiting.seed not in page
    assert "Void:" in client.get(embed_of(site.void)).content.decode()


# -- oEmbed ---------------------------------------------------------------------------------------


def test_oembed_says_how_to_frame_a_match(site, client):
    answer = client.get(OEMBED, {"url": address_of(site.played), "format": "json"})
    found = answer.json()
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert (found["version"], found["type"], found["provider_name"]) == ("1.0", "rich", "Kibitz")
    assert f'src="http://testserver{embed_of(site.played)}"' in found["html"]
    assert (found["width"], found["height"]) == (960, 720)
    assert client.get(found["thumbnail_url"]).content.startswith(PNG)


def test_oembed_keeps_to_the_size_that_is_asked_for(site, client):
    about = {"url": address_of(site.played), "maxwidth": "400", "maxheight": "9999"}
    found = client.get(OEMBED, about).json()
    assert (found["width"], found["height"]) == (400, 720)
    assert 'width="400" height="720"' in found["html"]


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"format": "xml"}, 501),
        ({"maxwidth": "wide"}, 400),
        ({"url": ""}, 404),
        ({"url": "http://testserver/ladders/"}, 404),
        ({"url": "http://elsewhere.example/matches/1/"}, 404),
        ({"url": "http://[/matches/1/"}, 404),
        ({"url": "http://testserver/matches/999999/"}, 404),
    ],
    ids=str,
)
def test_oembed_says_what_is_wrong(site, client, changed, status):
    answer = client.get(OEMBED, {"url": address_of(site.played)} | changed)
    assert (answer.status_code, answer.json()["status"]) == (status, status)


def test_oembed_knows_no_private_match(site, as_alice):
    assert as_alice.get(OEMBED, {"url": address_of(site.challenge)}).status_code == 404


def test_a_match_page_says_where_its_oembed_is(site, client, as_alice):
    page = client.get(reverse("match", args=[site.played.pk])).content.decode()
    [address] = re.findall(r'type="application/json\+oembed"\s+href="([^"]+)"', page)
    assert client.get(address.replace("&amp;", "&")).json()["title"].startswith("Match ")
    private = as_alice.get(reverse("match", args=[site.challenge.pk])).content
    assert b"oembed" not in private
    assert b"og:image" not in private


# -- Beside a link --------------------------------------------------------------------------------


def test_pages_name_a_picture_that_is_there(site, client):
    for address in (
        reverse("match", args=[site.played.pk]),
        reverse("match", args=[site.waiting.pk]),
        reverse("ladder", args=[site.public.slug]),
        reverse("bot", args=["red-fox"]),
    ):
        page = client.get(address).content.decode()
        [picture] = re.findall(r'property="og:image"\s+content="http://testserver([^"]+)"', page)
        answer = client.get(picture)
        assert (answer["Content-Type"], answer.content[:8]) == ("image/png", PNG), address
        assert client.get(picture, headers={"if-none-match": answer["ETag"]}).status_code == 304


def test_a_private_ladder_has_no_picture(site, as_alice):
    assert as_alice.get(reverse("ladder_preview", args=[site.private.slug])).status_code == 404
    page = as_alice.get(reverse("ladder", args=[site.private.slug]))
    assert (page.status_code, b"og:image" in page.content) == (200, False)


# -- Pictures -------------------------------------------------------------------------------------


def texts_of(poster):
    """All that is written on a poster; a broken one cannot be parsed."""
    return [text.text or "" for text in ElementTree.fromstring(poster.svg()).findall(".//{*}text")]


def test_names_are_only_ever_text():
    nasty = "</text><script>&\x00\x1b"
    poster = Poster(nasty, nasty, nasty, [Line("1", nasty, "3")])
    assert texts_of(poster).count("</text><script>&") == 4
    assert poster.png().startswith(PNG)


def test_long_names_are_cut_and_many_lines_counted():
    poster = Poster("t", "a", "b", [Line(str(at), "x" * 40, "1") for at in range(8)])
    texts = texts_of(poster)
    assert "x" * (LONGEST_NAME - 1) + "…" in texts
    assert "+ 3" in texts


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_every_card_can_be_drawn(game):
    options = game.complete({})
    deck = game.deck(game.player_counts(options)[-1], options)
    for card in {card.partition("-")[0]: card for card in deck}.values():
        drawn = Poster("t", "a", cards=[card]).svg()
        assert drawn != Poster("t", "a").svg()
        assert ElementTree.fromstring(drawn) is not None


def test_words_are_drawn_with_the_fonts_that_are_here():
    assert Poster("Kibitz", "").png() != Poster("", "").png()
