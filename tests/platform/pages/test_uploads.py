"""Uploading by hand: a new bot or a new version, picked or pasted, and what is refused and why."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from accounts.models import Switches
from bots import files
from bots.models import Bot, Version
from workers.contract import ARCHIVE_BYTES

pytestmark = pytest.mark.django_db

SOURCE = "print('my own')\n"
DATA = SOURCE.encode()


def file(data=DATA, name="mine.py"):
    return SimpleUploadedFile(name, data)


def first(**changes):
    return {"name": "my-bot", "game": "stop-it", "file": file(), "notes": "begun"} | changes


def test_a_picked_file_becomes_a_bot_with_its_first_version(as_alice, alice):
    answer = as_alice.post(reverse("bot_new"), first(about="Mine."))
    assert answer.url == reverse("version", args=["my-bot", 1])
    version = Version.objects.get(bot__name="my-bot")
    assert (version.bot.owner, version.bot.game, version.bot.about) == (alice, "stop-it", "Mine.")
    assert (version.state, version.file_name, version.notes) == ("checking", "mine.py", "begun")
    assert files.archive_bytes(version.archive) == DATA


def test_pasted_source_is_kept_with_the_line_ends_it_had(as_alice):
    pasted = {"source": "import sys\r\n  print(1)\r\n", "file_name": "paste.js"}
    as_alice.post(reverse("bot_new"), first(file="", **pasted))
    version = Version.objects.get()
    assert files.archive_bytes(version.archive) == b"import sys\n  print(1)\n"
    assert version.file_name == "paste.js"


def test_pasted_source_without_a_name_is_python(as_alice):
    as_alice.post(reverse("bot_new"), first(file="", source=SOURCE, file_name=""))
    assert Version.objects.get().file_name == "bot.py"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"file": ""}, "Pick a file, or paste one."),
        ({"source": SOURCE}, "Pick a file or paste one, not both."),
        ({"name": "no spaces"}, "A name is made of the letters a to z"),
        ({"name": "ab"}, "A name has 3 to 24 letters"),
        ({"name": "admin"}, "is kept for the site; choose another."),
        ({"game": "bridge"}, "Select a valid choice."),
        ({"file": file(b"")}, "The file is empty."),
        ({"file": file(b"x" * (ARCHIVE_BYTES + 1))}, "a bot may have 4,194,304"),
        ({"notes": "x" * 1001}, "at most 1000 characters"),
    ],
)
def test_what_cannot_be_taken_is_said_beside_the_form(as_alice, change, said, text):
    answer = as_alice.post(reverse("bot_new"), first(**change))
    assert answer.status_code == 200
    assert said in text(answer)
    assert not Bot.objects.exists()


def test_a_name_that_looks_like_anothers_is_refused(site, as_charlie, text):
    answer = as_charlie.post(reverse("bot_new"), first(name="RED_F0X"))
    assert "A bot of this name, or one that looks like it, exists." in text(answer)


def test_what_was_written_is_still_there_after_an_error(as_alice):
    wrong = first(file="", source=SOURCE, name="x", notes="my <notes>")
    page = as_alice.post(reverse("bot_new"), wrong).content.decode()
    assert "print(&#x27;my own&#x27;)" in page
    assert "my &lt;notes&gt;" in page


def test_while_uploads_are_closed_the_form_says_so(as_alice, text):
    Switches.objects.create(pk=1, uploads=False)
    answer = as_alice.post(reverse("bot_new"), first())
    assert "Uploads are closed at the moment; try again later." in text(answer)


def test_a_quota_is_said_with_its_limit(as_alice, settings, text):
    settings.QUOTAS = settings.QUOTAS | {"bots": 1}
    as_alice.post(reverse("bot_new"), first())
    answer = as_alice.post(reverse("bot_new"), first(name="second", file=file(b"2")))
    assert "You have 1 bots, the most there may be; retire one first." in text(answer)


def test_the_next_version_is_uploaded_to_its_bot(site, as_alice):
    address = reverse("bot_upload", args=["red-fox"])
    answer = as_alice.post(address, {"file": file(), "notes": "better"})
    assert answer.url == reverse("version", args=["red-fox", 2])
    assert site.alices.versions.get(number=2).notes == "better"


def test_the_same_bytes_again_lead_to_the_version_they_are(site, as_alice, text):
    address = reverse("bot_upload", args=["red-fox"])
    as_alice.post(address, {"file": file()})
    answer = as_alice.post(address, {"file": file()}, follow=True)
    assert answer.redirect_chain == [(reverse("version", args=["red-fox", 2]), 302)]
    assert "These bytes are red-fox v2 already." in text(answer)


def test_somebody_elses_bytes_are_refused(site, as_alice, as_bob, text):
    as_alice.post(reverse("bot_upload", args=["red-fox"]), {"file": file()})
    answer = as_bob.post(reverse("bot_upload", args=["blue-owl"]), {"file": file()})
    assert "Somebody else has uploaded exactly these bytes before." in text(answer)


def test_the_curl_lines_have_this_sites_address_and_the_bots_name(site, as_alice, text):
    new = text(as_alice.get(f"{reverse('bot_new')}?game=stop-it"))
    assert "-F game=stop-it -F name=NAME -F file=@bot.py http://testserver/api/v1/bots<" in new
    next_one = text(as_alice.get(reverse("bot_upload", args=["red-fox"])))
    assert "-F file=@bot.py http://testserver/api/v1/bots/red-fox/versions<" in next_one
    assert "Authorization: Bearer $KIBITZ_TOKEN" in next_one


def test_the_game_can_be_chosen_by_the_link(as_alice, text):
    assert '<option value="stop-it" selected>' in text(as_alice.get("/bots/new/?game=stop-it"))


@pytest.mark.parametrize("name", ["bot_new", "challenge_new", "ladder_new"])
def test_a_stranger_logs_in_first_and_comes_back(client, name, db):
    address = reverse(name)
    assert client.get(address).url == f"{reverse('account_login')}?next={address}"
