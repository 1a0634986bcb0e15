"""Uploads: one curl line makes a bot or adds a version; what is hostile is refused with a reason."""

import gzip
import io
import tarfile
import tracemalloc
import zipfile

import pytest
from django.conf import settings as django_settings
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.models import Switches
from bots.models import Archive, Bot, Version
from workers.contract import ARCHIVE_BYTES

SOURCE = b"print('a bot of my own')\n"


def file(data=SOURCE, name="bot.py"):
    return SimpleUploadedFile(name, data)


def first(**changes):
    return {"game": "sticheln", "name": "my-bot", "file": file()} | changes


def zipped(*names, data=b"x = 1\n", mode=None):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in names:
            info = zipfile.ZipInfo(name)
            if mode is not None:
                info.external_attr = mode << 16
            archive.writestr(info, data)
    return packed.getvalue()


def tarred(name, kind=tarfile.REGTYPE, link=""):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        info = tarfile.TarInfo(name)
        info.type, info.linkname = kind, link
        archive.addfile(info, io.BytesIO(b""))
    return packed.getvalue()


def bomb():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("main.py", bytes(40 * 2**20))
    return packed.getvalue()


# -- What uploading does --------------------------------------------------------------------------


def test_an_upload_makes_a_bot_and_says_where_to_follow_its_check(as_alice, alice):
    answer = as_alice.upload(**first(notes="The first.", about="Mine."))
    assert answer.status_code == 201, answer.content
    told = answer.json()
    assert (told["bot"], told["number"], told["state"]) == ("my-bot", 1, "checking")
    assert told["notes"] == "The first."
    assert answer["Location"] == told["url"] == "http://testserver/api/v1/bots/my-bot/versions/1"
    assert told["check"]["state"] == "waiting"
    log = as_alice.get(told["check"]["log"]).json()
    assert log == {"state": "checking", "is_over": False, "after": 0, "lines": []}
    bot = Bot.objects.get(name="my-bot")
    assert (bot.owner, bot.game, bot.about) == (alice, "sticheln", "Mine.")


def test_an_upload_to_a_bot_of_ones_own_adds_a_version(as_alice):
    as_alice.upload(**first())
    answer = as_alice.upload(**first(file=file(b"print('better')\n")))
    assert (answer.status_code, answer.json()["number"]) == (201, 2)


def test_the_same_bytes_again_are_the_version_that_they_were(as_alice):
    before = as_alice.upload(**first()).json()
    answer = as_alice.upload(**first())
    assert (answer.status_code, answer.json()) == (200, before)
    assert Version.objects.count() == 1


def test_a_version_is_uploaded_below_its_bot_as_well(as_alice):
    as_alice.upload(**first())
    answer = as_alice.upload("bots/my-bot/versions", file=file(b"print(2)\n"), notes="Second.")
    assert (answer.status_code, answer.json()["number"]) == (201, 2)
    again = as_alice.upload("bots/my-bot/versions", file=file(b"print(2)\n"))
    assert (again.status_code, again.json()["number"]) == (200, 2)


def test_what_was_uploaded_can_be_had_back_byte_for_byte(as_alice):
    packed = zipped("main.py", "table.txt")
    told = as_alice.upload(**first(file=file(packed, "Möwe.zip"))).json()
    assert told["archive"]["file_name"] == "Möwe.zip"
    answer = as_alice.get(told["archive"]["url"])
    assert (answer.status_code, answer.content) == (200, packed)
    assert "attachment" in answer["Content-Disposition"]
    assert "M%C3%B6we.zip" in answer["Content-Disposition"]


def test_an_upload_needs_somebody(anyone):
    assert anyone.upload(**first()).status_code == 401
    assert Bot.objects.count() == 0


def test_nobody_uploads_to_anothers_bot(as_alice, as_bob):
    as_alice.upload(**first())
    assert as_bob.upload("bots/my-bot/versions", file=file(b"print(2)\n")).status_code == 403
    taken = as_bob.upload(**first(file=file(b"print(2)\n")))
    assert taken.status_code == 400
    assert "exists" in taken.json()["detail"]
    assert Version.objects.count() == 1


def test_anothers_bytes_are_refused(as_alice, as_bob):
    as_alice.upload(**first())
    answer = as_bob.upload(**first(name="copy-cat"))
    assert answer.status_code == 409
    assert "Somebody else" in answer.json()["detail"]
    assert not Bot.objects.filter(name="copy-cat").exists()


def test_a_bot_keeps_its_game(as_alice):
    as_alice.upload(**first())
    answer = as_alice.upload(**first(game="stop-it"))
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == "game"


def test_a_retired_bot_takes_no_versions(as_alice):
    as_alice.upload(**first())
    as_alice.post("bots/my-bot/retire")
    assert as_alice.upload(**first(file=file(b"print(2)\n"))).status_code == 409


def test_uploads_can_be_switched_off(as_alice):
    Switches.objects.create(pk=1, uploads=False)
    answer = as_alice.upload(**first())
    assert answer.status_code == 409
    assert "closed" in answer.json()["detail"]
    assert Bot.objects.count() == 0


def test_the_daily_quota_says_its_limit(as_alice, settings):
    settings.QUOTAS = settings.QUOTAS | {"uploads_a_day": 1}
    as_alice.upload(**first())
    answer = as_alice.upload(**first(file=file(b"print(2)\n")))
    assert answer.status_code == 429
    assert "1 uploads in 24 hours" in answer.json()["detail"]
    assert 86_000 < int(answer["Retry-After"]) <= 86_400


# -- What is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "name", "why"),
    [
        (b"", "bot.py", "empty"),
        (b"\0\1\2", "bot.py", "neither"),
        (b"7z\xbc\xaf\x27\x1c", "bot.7z", "7z"),
        (b"PK\x03\x04 cut off", "bot.zip", "damaged"),
        (b"\x1f\x8b cut off", "bot.tar.gz", "damaged"),
        (zipped("../evil.py"), "bot.zip", "leads out"),
        (zipped("/etc/passwd"), "bot.zip", "absolute"),
        (zipped("a\\b.py"), "bot.zip", "Windows"),
        (zipped("main.py", "MAIN.py"), "bot.zip", "twice"),
        (zipped("link", mode=0o120777), "bot.zip", "link"),
        (zipped("pipe", mode=0o010644), "bot.zip", "ordinary"),
        (zipped(*(f"f{n}.py" for n in range(600))), "bot.zip", "500 files"),
        (zipped("a/" * 20 + "b.py"), "bot.zip", "too deep"),
        (zipped("a\nb.py"), "bot.zip", "no name"),
        (bomb(), "bot.zip", "more than"),
        (tarred("link", tarfile.SYMTYPE, "/etc/passwd"), "bot.tar.gz", "link"),
        (tarred("../evil.py"), "bot.tar.gz", "leads out"),
        (tarred("device", tarfile.CHRTYPE), "bot.tar.gz", "ordinary"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_hostile_archive_is_rejected_with_a_reason(as_alice, data, name, why):
    answer = as_alice.upload(**first(file=file(data, name)))
    assert answer.status_code == 422, answer.content
    assert why in answer.json()["detail"]
    assert (Bot.objects.count(), Archive.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    ("form", "field", "why"),
    [
        ({"file": None}, "file", "missing"),
        ({"file": "bot.py"}, "file", "with the @"),
        ({"game": "chess"}, "game", "This is one of sticheln, stop-it, color-stock."),
        ({"game": None}, "game", "required"),
        ({"name": None}, "name", "required"),
        ({"name": ""}, "name", "blank"),
        ({"name": "x" * 200_000}, "name", "100"),
        ({"notes": "x" * 1001}, "notes", "1000"),
        ({"about": "x" * 301}, "about", "300"),
        ({"colour": "red"}, "colour", "no such field"),
        ({"name": ["one-bot", "two-bot"]}, "name", "twice"),
        ({"name": "a\0b"}, "name", "Null"),
    ],
)
def test_a_wrong_form_is_refused_by_its_field(as_alice, form, field, why):
    wanted = {key: value for key, value in first(**form).items() if value is not None}
    answer = as_alice.upload(**wanted)
    assert answer.status_code == 400, answer.content
    errors = {error["field"]: error["detail"] for error in answer.json()["errors"]}
    assert why in errors[field]
    assert Bot.objects.count() == 0


@pytest.mark.parametrize("name", ["xy", "admin", "a b", "1st", "../x", "rëd"])
def test_a_name_that_no_bot_may_have_is_refused(as_alice, name):
    answer = as_alice.upload(**first(name=name))
    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == ["name"]


def raw_form(*parts, boundary="b"):
    body = b"".join(b"--b\r\nContent-Disposition: form-data; " + part for part in parts)
    return body + b"--b--\r\n", f"multipart/form-data; boundary={boundary}"


FIELDS = (b'name="game"\r\n\r\nsticheln\r\n', b'name="name"\r\n\r\nmy-bot\r\n')


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (b"../../../etc/cron.d/evil.py", "evil.py"),
        (b"C:\\\\evil\\\\bot.py", "bot.py"),
        (b"/absolute.py", "absolute.py"),
        (b"a\x01b\x7f.py", "ab.py"),
    ],
)
def test_only_the_last_part_of_a_file_name_is_kept(as_alice, sent, kept):
    file = b'name="file"; filename="' + sent + b'"\r\n\r\n' + SOURCE + b"\r\n"
    body, kind = raw_form(*FIELDS, file)
    answer = as_alice.post("bots", body, content_type=kind)
    assert answer.status_code == 201, answer.content
    assert answer.json()["archive"]["file_name"] == kept


@pytest.mark.parametrize("sent", [b"", b"..", b".", b"/", b"\x01"])
def test_a_file_without_a_name_is_refused(as_alice, sent):
    file = b'name="file"; filename="' + sent + b'"\r\n\r\n' + SOURCE + b"\r\n"
    body, kind = raw_form(*FIELDS, file)
    assert as_alice.post("bots", body, content_type=kind).status_code == 400


def test_a_file_name_that_is_too_long_is_refused(as_alice):
    answer = as_alice.upload(**first(file=file(name="x" * 230 + ".py")))
    assert answer.status_code == 400
    assert "200 letters" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"not a form", "multipart/form-data; boundary=b"),
        (b"--b\r\n", "multipart/form-data"),
        (b"--b\r\nContent-Disposition: form-data; name=", "multipart/form-data; boundary=b"),
        (b"--b\r\n\r\n--b--\r\n", "multipart/form-data; boundary=b"),
        (b"", "multipart/form-data; boundary=b"),
    ],
)
def test_a_broken_form_is_refused(as_alice, body, kind):
    answer = as_alice.post("bots", body, content_type=kind)
    assert answer.status_code == 400, answer.content
    assert answer["Content-Type"] == "application/problem+json"


def test_a_form_of_very_many_fields_is_refused(as_alice):
    body, kind = raw_form(*(b'name="x"\r\n\r\n1\r\n' for _ in range(2000)))
    assert as_alice.post("bots", body, content_type=kind).status_code == 400


def test_a_form_of_very_many_files_is_refused(as_alice):
    files = (b'name="x"; filename="f"\r\n\r\n1\r\n' for _ in range(200))
    body, kind = raw_form(*files)
    assert as_alice.post("bots", body, content_type=kind).status_code == 400


@pytest.mark.parametrize("kind", ["application/json", "application/x-www-form-urlencoded"])
def test_an_upload_that_is_no_form_is_told_to_be_one(as_alice, kind):
    answer = as_alice.post("bots", "{}", content_type=kind)
    assert answer.status_code == 415
    assert "multipart/form-data" in answer.json()["detail"]


class Untouched(io.RawIOBase):
    """A body that must not be read."""

    def readinto(self, buffer):
        raise AssertionError("read")


def test_an_upload_that_is_too_large_is_refused_unread(as_alice):
    answer = as_alice.http.generic(
        "POST",
        "/api/v1/bots",
        content_type="multipart/form-data; boundary=b",
        CONTENT_LENGTH=str(ARCHIVE_BYTES + 2**20),
        **{"wsgi.input": Untouched()},
    )
    assert answer.status_code == 413, answer.content
    assert "bytes" in answer.json()["detail"]


def test_an_archive_of_the_largest_size_is_taken_and_one_byte_more_is_not(as_alice):
    largest = b"#" * ARCHIVE_BYTES
    assert as_alice.upload(**first(file=file(largest))).status_code == 201
    answer = as_alice.upload(**first(name="too-large", file=file(largest + b"#")))
    assert answer.status_code == 422
    assert f"{ARCHIVE_BYTES:,}" in answer.json()["detail"]


def test_a_bomb_costs_no_more_memory_than_a_bot_may_have(as_alice):
    packed = gzip.compress(bytes(256 * 2**20), 1)
    assert len(packed) < ARCHIVE_BYTES
    tracemalloc.start()
    try:
        answer = as_alice.upload(**first(file=file(packed, "bomb.tar.gz")))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert answer.status_code == 422
    assert most < 96 * 2**20


def test_nothing_is_written_outside_the_storage(as_alice, tmp_path, monkeypatch):
    outside = tmp_path / "outside"
    outside.mkdir()
    monkeypatch.chdir(outside)
    monkeypatch.setattr(django_settings, "FILE_UPLOAD_TEMP_DIR", str(outside))
    for data, name in [
        (zipped("../evil.py"), "../../evil.zip"),
        (tarred("link", tarfile.SYMTYPE, "/etc/passwd"), "/evil.tar.gz"),
        (b"#" * (ARCHIVE_BYTES - 1), "large.py"),
        (SOURCE, "..\\evil.py"),
    ]:
        as_alice.upload(**first(file=file(data, name)))
    assert list(outside.iterdir()) == []
    stored = [path for path in (tmp_path / "files").rglob("*") if path.is_file()]
    assert {path.name for path in stored} == set(Archive.objects.values_list("pk", flat=True))
    assert len(stored) == 2
