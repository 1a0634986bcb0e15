"""Bots and versions: who may upload what, and what plays."""

import io
import zipfile
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import pytest
import time_machine
from django.core.exceptions import ValidationError
from django.core.files.storage import default_storage
from django.utils import timezone

from accounts.models import Switches
from accounts.services import NotPossible, QuotaReached
from bots import files
from bots.examples import PYTHON_BLOCK, house_example, published
from bots.models import Archive, Bot, Check, Version
from bots.services import (
    activate,
    make_bot,
    pause,
    recheck,
    rename,
    resume,
    retire,
    upload,
    upload_first,
)
from jobs.models import State
from workers.archive import Rejected

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parents[3]
SOURCE = b"print('a bot')"


@pytest.fixture
def bot(alice):
    return make_bot(owner=alice, game="sticheln", name="lucky")


def uploaded(bot, data=SOURCE, state="ready", **about):
    """A version that has come out of its check."""
    version, _ = upload(bot=bot, data=data, file_name="bot.py", **about)
    Version.objects.filter(pk=version.pk).update(state=state)
    version.refresh_from_db()
    return version


# -- Names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["lucky", "Lucky", "l-u-c-k-y", "Iucky"])
def test_a_name_that_looks_like_a_taken_one_is_refused(bot, bob, name):
    with pytest.raises(ValidationError, match="looks like it, exists"):
        make_bot(owner=bob, game="sticheln", name=name)


@pytest.mark.parametrize(
    "name", ["ab", "x" * 25, "with space", "házi", "house-bot", "admin", "9lives"]
)
def test_a_name_out_of_the_rules_is_refused_with_the_rule(alice, name):
    with pytest.raises(ValidationError, match=r"A name|kept for the site"):
        make_bot(owner=alice, game="sticheln", name=name)


def test_a_bot_may_be_renamed_to_what_looks_like_itself(bot):
    rename(bot=bot, name="Lucky")
    assert Bot.objects.get(pk=bot.pk).name == "Lucky"


def test_a_game_that_is_not_there_is_refused_with_those_that_are(alice):
    with pytest.raises(ValidationError, match="there are sticheln, stop-it, color-stock"):
        make_bot(owner=alice, game="chess", name="lucky")


# -- Uploads --------------------------------------------------------------------------------------


def test_an_upload_is_a_version_with_its_check(bot):
    version, is_new = upload(bot=bot, data=SOURCE, file_name="bot.py", notes="first try")
    assert is_new
    assert (version.number, version.state, version.notes) == (1, "checking", "first try")
    assert files.archive_bytes(version.archive) == SOURCE
    check = Check.objects.get(version=version)
    assert (check.state, check.players) == (State.WAITING, 4)
    assert check.options == {"rules": "sticheln", "all_zero_trick": "first"}


def test_the_same_bytes_again_are_the_same_version(bot):
    version = uploaded(bot)
    again, is_new = upload(bot=bot, data=SOURCE, file_name="another_name.py")
    assert (again, is_new) == (version, False)
    assert (bot.versions.count(), again.state) == (1, "ready")


def test_the_same_bytes_from_somebody_else_are_refused(bot, bob):
    uploaded(bot)
    with pytest.raises(NotPossible, match="Somebody else has uploaded exactly these bytes"):
        upload_first(owner=bob, game="sticheln", name="copycat", data=SOURCE, file_name="bot.py")
    assert not Bot.objects.filter(name="copycat").exists()


def test_a_second_bot_of_the_same_bytes_is_refused(bot, alice):
    uploaded(bot)
    with pytest.raises(NotPossible, match="This is lucky v1 already"):
        upload_first(owner=alice, game="sticheln", name="twin", data=SOURCE, file_name="bot.py")


def test_anyone_may_upload_a_published_example_which_is_marked(alice, bob):
    data = house_example("stop-it", "simple").data
    for number, owner in enumerate((alice, bob)):
        version = upload_first(
            owner=owner, game="stop-it", name=f"first-bot-{number}", data=data, file_name="bot.py"
        )
        assert version.is_example


def test_every_example_file_is_published():
    files = (ROOT / "examples").glob("*/*/*.*")
    assert {sha256(path.read_bytes()).hexdigest() for path in files} <= published()


def test_the_bot_of_the_readme_is_that_of_the_tutorial_and_published():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    [bot] = PYTHON_BLOCK.findall(readme)
    assert sha256(bot.encode()).hexdigest() in published()


def zip_bomb():
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bot.py", b"\0" * 50_000_000)
    return raw.getvalue()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"x" * (4 * 2**20 + 1), "4,194,304"),
        (b"PK\x03\x04 no zip", "damaged"),
        (b"\x7fELF\x02\x01", "compiled program"),
        (zip_bomb(), "16,777,216 bytes"),
    ],
    ids=["empty", "large", "damaged", "compiled", "bomb"],
)
def test_a_broken_or_hostile_archive_leaves_nothing_behind(bot, data, said):
    with pytest.raises(Rejected, match=said):
        upload(bot=bot, data=data, file_name="bot.zip")
    assert not Archive.objects.exists()
    assert not Version.objects.exists()
    assert default_storage.exists("") is False or default_storage.listdir("") == ([], [])


@pytest.mark.parametrize("name", ["../../etc/passwd", "C:\\bots\\bot.py", "/tmp/bot.py"])
def test_only_the_last_part_of_a_file_name_counts(bot, name):
    version, _ = upload(bot=bot, data=SOURCE, file_name=name)
    assert version.file_name in ("passwd", "bot.py")


def test_uploads_can_be_closed(bot):
    Switches.objects.create(pk=1, uploads=False)
    with pytest.raises(NotPossible, match="Uploads are closed"):
        upload(bot=bot, data=SOURCE, file_name="bot.py")


@pytest.mark.parametrize(
    ("quota", "said"), [("uploads_a_day", "2 uploads in 24 hours"), ("versions", "has 2 versions")]
)
def test_quotas_say_the_limit_and_refused_uploads_take_no_room(bot, settings, quota, said):
    settings.QUOTAS = settings.QUOTAS | {quota: 2}
    for number in range(2):
        upload(bot=bot, data=b"print(%d)" % number, file_name="bot.py")
    with pytest.raises(QuotaReached, match=said):
        upload(bot=bot, data=SOURCE, file_name="bot.py")
    with pytest.raises(files.Missing):
        files.kept(sha256(SOURCE).hexdigest())
    assert Archive.objects.count() == 2


def test_the_daily_quota_ends_with_the_day(bot, settings):
    settings.QUOTAS = settings.QUOTAS | {"uploads_a_day": 1}
    upload(bot=bot, data=b"print(1)", file_name="bot.py")
    with time_machine.travel(timezone.now() + timedelta(hours=25)):
        assert upload(bot=bot, data=SOURCE, file_name="bot.py")[1]


def test_the_number_of_bots_is_limited_but_for_retired_ones(alice, settings):
    settings.QUOTAS = settings.QUOTAS | {"bots": 1}
    first = make_bot(owner=alice, game="sticheln", name="first-one")
    with pytest.raises(QuotaReached, match="You have 1 bots"):
        make_bot(owner=alice, game="sticheln", name="second-one")
    retire(bot=first)
    assert make_bot(owner=alice, game="sticheln", name="second-one")


# -- What plays -----------------------------------------------------------------------------------


def test_the_owner_goes_back_to_an_old_version(bot):
    old, new = uploaded(bot), uploaded(bot, b"print(2)")
    activate(version=new)
    activate(version=old)
    bot.refresh_from_db()
    assert bot.active_version == old


@pytest.mark.parametrize("state", ["checking", "rejected"])
def test_only_a_ready_version_can_be_active(bot, state):
    with pytest.raises(NotPossible, match="only a version that has passed its check plays"):
        activate(version=uploaded(bot, state=state))


def test_a_paused_bot_is_resumed_by_whoever_paused_it(bot):
    pause(bot=bot)
    resume(bot=bot)
    assert Bot.objects.get(pk=bot.pk).state == Bot.State.ACTIVE
    pause(bot=bot, by=Bot.PausedBy.OPERATOR, reason="noise")
    with pytest.raises(NotPossible, match="paused by an operator"):
        resume(bot=bot)
    resume(bot=bot, by=Bot.PausedBy.OPERATOR)
    assert Bot.objects.get(pk=bot.pk).state == Bot.State.ACTIVE


def test_a_bot_paused_for_faults_needs_another_version(bot):
    old, new = uploaded(bot), uploaded(bot, b"print(2)")
    activate(version=new)
    pause(bot=bot, by=Bot.PausedBy.FAULTS, reason="crashed")
    with pytest.raises(NotPossible, match="Upload a version without the fault"):
        resume(bot=bot)
    activate(version=new)
    assert Bot.objects.get(pk=bot.pk).state == Bot.State.PAUSED
    activate(version=old)
    assert Bot.objects.get(pk=bot.pk).state == Bot.State.ACTIVE


def test_an_owners_pause_outlasts_faults(bot):
    activate(version=uploaded(bot))
    pause(bot=bot)
    pause(bot=bot, by=Bot.PausedBy.FAULTS, reason="crashed")
    assert Bot.objects.get(pk=bot.pk).paused_by == Bot.PausedBy.OWNER


def test_retired_is_for_good(bot):
    version = uploaded(bot)
    retire(bot=bot)
    for act in (
        lambda: pause(bot=bot),
        lambda: resume(bot=bot),
        lambda: activate(version=version),
        lambda: upload(bot=bot, data=b"print(3)", file_name="bot.py"),
    ):
        with pytest.raises(NotPossible, match="retired"):
            act()


def test_a_version_under_check_cannot_be_checked_again(bot):
    version, _ = upload(bot=bot, data=SOURCE, file_name="bot.py")
    with pytest.raises(NotPossible, match="is being checked"):
        recheck(version=version)


# -- Files ----------------------------------------------------------------------------------------


def test_a_file_is_kept_once_and_proved_when_it_is_read(db):
    digest = files.keep(b"abc")
    assert files.keep(b"abc") == digest
    assert files.kept(digest) == b"abc"
    with default_storage.open(files.name_of(digest), "wb") as file:
        file.write(b"abd")
    with pytest.raises(files.Missing, match="is damaged"):
        files.kept(digest)


def test_half_a_file_is_written_anew(db):
    digest = files.keep(b"abc")
    with default_storage.open(files.name_of(digest), "wb") as file:
        file.write(b"a")
    files.keep(b"abc")
    assert files.kept(digest) == b"abc"


def test_a_file_that_is_gone_is_missed(db):
    digest = files.keep(b"abc")
    files.forget(digest)
    with pytest.raises(files.Missing, match="cannot be read"):
        files.kept(digest)
