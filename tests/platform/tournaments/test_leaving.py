"""Taking a copy of everything, and leaving for good."""

import io
import json
from hashlib import sha256
from zipfile import ZipFile

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import is_password_usable
from django.core.files.storage import default_storage
from django.test import Client
from django.utils import timezone
from pytest_django.asserts import assertNumQueries

from accounts.models import Invitation, Notice, Token, User
from accounts.services import NotPossible, make_token, tell
from bots import files
from bots.examples import house_example
from bots.models import Archive, Bot, CheckLine, Version
from bots.services import upload, upload_first
from jobs.models import State
from ladders.services import change_ladder, enter, join, make_ladder
from tournaments.comparisons import compare, make_units
from tournaments.leaving import about_account, delete_account, export_of
from tournaments.models import Comparison, Match, Seat, Unit
from tournaments.services import challenge, make_rated

DELETE = "/account/delete/"


@pytest.fixture
def matched(color_stock):
    """A rated match of these bots."""

    def matched(*bots):
        entries = [color_stock.entries.get(bot=bot) for bot in bots]
        table = [(entry.bot.active_version, entry) for entry in entries]
        return make_rated(ladder=color_stock, table=table, is_newcomers=False)

    return matched


@pytest.fixture
def leave(alice, django_capture_on_commit_callbacks):
    def leave(user=alice):
        with django_capture_on_commit_callbacks(execute=True):
            delete_account(user=user)
        user.refresh_from_db()

    return leave


@pytest.fixture
def private(operator):
    return make_ladder(
        created_by=operator,
        title="Evening class",
        game="color-stock",
        options={},
        players=2,
        is_public=False,
    )


# -- A copy of everything -------------------------------------------------------------------------


def unpacked(pieces):
    return ZipFile(io.BytesIO(b"".join(pieces)))


def account_in(pieces):
    return json.loads(unpacked(pieces).read("account.json"))


@pytest.fixture
def compared(alice, new_bot, new_version, color_stock):
    """A comparison of Alice's that has units."""
    bot = new_bot(alice, "red-fox")
    new, old = new_version(bot), bot.versions.get(number=1)
    comparison = compare(user=alice, new=new, old=old, ladder=color_stock)
    make_units()
    return comparison


def test_a_copy_has_comparisons_with_their_answers(alice, compared):
    [about] = account_in(export_of(alice))["comparisons"]
    assert (about["new"], about["old"]) == ("red-fox v2", "red-fox v1")
    assert (about["ladder"], about["state"]) == ("color-stock", "running")
    assert about["sentence"] == "Nothing has been played yet."


def test_comparisons_go_with_their_owner(leave, compared, hands):
    unit = Unit.objects.earliest("number")
    record = hands.unit_record(hands.ticket(unit.name))
    leave()
    assert not Comparison.objects.exists()
    assert not Unit.objects.exists()
    assert hands.report(record).status_code == 409


def test_a_copy_has_all_that_one_has(alice, bob, new_bot, private, color_stock, matched, hands):
    bot, his = new_bot(alice, "red-fox"), new_bot(bob, "blue-owl")
    second, _ = upload(bot=bot, data=b"print(2)\n", file_name="second.py", notes="faster")
    join(ladder=private, user=alice, code=private.join_code)
    enter(ladder=private, bot=bot)
    match = matched(bot, his)
    hands.play(match)
    dared = challenge(user=alice, versions=[bot.active_version, his.active_version])
    _, letters = make_token(user=alice, name="laptop")
    tell(user=alice, text="red-fox is paused.", link="/bots/red-fox/")
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)

    copy = unpacked(export_of(alice))
    assert copy.testzip() is None
    raw = copy.read("account.json").decode()
    about = json.loads(raw)
    assert about["name"] == "alice"
    assert about["email"] == [{"email": "alice@example.org", "verified": True}]
    assert [token["name"] for token in about["tokens"]] == ["laptop"]
    assert [notice["text"] for notice in about["notices"]] == ["red-fox is paused."]
    assert [one["ladder__slug"] for one in about["ladders_joined"]] == ["evening-class"]
    assert about["matches"] == [match.pk, dared.pk]
    assert about["challenges"] == [dared.pk]
    [fox] = about["bots"]
    assert (fox["name"], fox["game"], fox["state"]) == ("red-fox", "color-stock", "active")
    assert {entry["ladder"] for entry in fox["entries"]} == {"color-stock", "evening-class"}
    assert [version["number"] for version in fox["versions"]] == [2, 1]
    assert fox["versions"][0]["notes"] == "faster"
    assert fox["versions"][1]["plays"]
    for version in fox["versions"]:
        assert sha256(copy.read(version["file"])).hexdigest() == version["sha256"]
    assert len(copy.namelist()) == 3
    assert copy.read("versions/red-fox/2/second.py") == b"print(2)\n"
    for secret in (letters, token_secret(alice), alice.password, match.seed, "blue-owl"):
        assert secret not in raw
    assert second.archive_id in raw


def token_secret(user):
    return user.tokens.get().sha256


def test_a_copy_of_nothing_is_fine(bob):
    about = account_in(export_of(bob))
    assert about["bots"] == about["matches"] == about["tokens"] == []


def test_a_damaged_file_is_told_and_the_rest_is_there(alice, new_bot):
    bot = new_bot(alice, "red-fox")
    upload(bot=bot, data=b"print(2)\n", file_name="second.py")
    files.forget(bot.active_version.archive_id)
    copy = unpacked(export_of(alice))
    assert "cannot be read" in copy.read("versions/red-fox/1/bot.py.missing.txt").decode()
    assert copy.read("versions/red-fox/2/second.py") == b"print(2)\n"


def test_a_copy_comes_piece_by_piece(alice, new_bot):
    bot = new_bot(alice, "red-fox")
    for number in range(3):
        data = b"# %d\n" % number + b"#" * 200_000
        upload(bot=bot, data=data, file_name="bot.py")
    pieces = list(export_of(alice))
    assert len(pieces) == 1 + 4 + 1
    assert max(map(len, pieces)) < 210_000


def test_the_page_gives_the_copy_to_its_owner(client, alice, new_bot):
    new_bot(alice, "red-fox")
    client.force_login(alice)
    response = client.get("/account/export/")
    assert response["Content-Type"] == "application/zip"
    assert response["Content-Disposition"] == 'attachment; filename="kibitz-alice.zip"'
    assert "no-store" in response["Cache-Control"]
    assert account_in(response.streaming_content)["name"] == "alice"


@pytest.mark.parametrize("many", [1, 6])
def test_a_copy_asks_the_database_the_same_whatever_there_is(alice, new_bot, many):
    for number in range(many):
        bot = new_bot(alice, f"fox-number-{number}")
        upload(bot=bot, data=b"# %d\n" % number, file_name="bot.py")
    with assertNumQueries(13):
        about_account(alice)


# -- Leaving --------------------------------------------------------------------------------------


def test_a_deleted_account_has_nothing_of_its_own_left(alice, new_bot, leave, private, operator):
    new_bot(alice, "red-fox")
    make_token(user=alice, name="laptop")
    tell(user=alice, text="red-fox is paused.")
    join(ladder=private, user=alice, code=private.join_code)
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    Invitation.objects.create(code="x", used_by=alice, used_at=timezone.now())
    alice.may_create_ladders = alice.is_staff = True
    alice.last_login = timezone.now()
    alice.save()
    leave()
    assert alice.username == alice.skeleton == f"deleted-{alice.pk}"
    assert alice.email == ""
    assert alice.deleted_at is not None
    assert alice.last_login is None
    assert not is_password_usable(alice.password)
    assert not any([alice.is_active, alice.is_staff, alice.may_create_ladders])
    for rows in (Token, Notice, EmailAddress):
        assert not rows.objects.filter(user=alice).exists()
    assert not alice.ladders_joined.exists()
    assert Invitation.objects.get().used_by is None
    assert Invitation.objects.get().used_at is not None


def test_its_bots_are_retired_under_a_name_without_meaning(alice, new_bot, leave):
    bots = [new_bot(alice, name) for name in ("red-fox", "blue-fox")]
    version = bots[0].active_version
    Version.objects.update(notes="by Alice herself")
    leave()
    for number, bot in enumerate(bots, 1):
        bot.refresh_from_db()
        assert bot.name == f"deleted-{alice.pk}-{number}"
        assert bot.state == Bot.State.RETIRED
        assert not bot.entries.present().exists()
    version.refresh_from_db()
    assert (version.notes, version.file_name, version.verdict) == ("", "", "")
    assert not CheckLine.objects.exists()


def test_two_that_are_deleted_never_get_the_same_name(db, new_bot, leave):
    """Without its dashes deleted-500-12 would be deleted-5001-2."""
    one = User.objects.create_user("somebody", pk=500)
    other = User.objects.create_user("another", pk=5001)
    for number in range(12):
        new_bot(one, f"fox-number-{number}")
    for number in range(2):
        new_bot(other, f"owl-number-{number}")
    leave(one)
    leave(other)
    names = {bot.name for bot in Bot.objects.filter(owner__in=[one, other])}
    assert {"deleted-500-12", "deleted-5001-2"} <= names


def test_the_bytes_of_its_bots_are_gone(alice, new_bot, leave):
    bot = new_bot(alice, "red-fox")
    digest = bot.active_version.archive_id
    assert default_storage.exists(files.name_of(digest))
    leave()
    assert not default_storage.exists(files.name_of(digest))
    assert not Archive.objects.get(pk=digest).stored


def test_nothing_is_gone_if_the_deletion_fails(alice, new_bot, monkeypatch):
    bot = new_bot(alice, "red-fox")

    def fail(user):
        raise NotPossible("as it happens")

    monkeypatch.setattr(User, "set_unusable_password", fail)
    with pytest.raises(NotPossible):
        delete_account(user=alice)
    bot.refresh_from_db()
    assert (bot.name, bot.state) == ("red-fox", Bot.State.ACTIVE)
    assert files.archive_bytes(bot.active_version.archive)


def test_a_published_example_stays(alice, bob, ladders, leave):
    data = house_example("color-stock", "good").data
    about = {"game": "color-stock", "data": data, "file_name": "good_bot.py"}
    version = upload_first(owner=alice, name="red-fox", **about)
    assert version.is_example
    leave()
    assert files.archive_bytes(version.archive) == data
    upload_first(owner=bob, name="blue-owl", **about)


def test_what_two_have_goes_with_the_second(alice, bob, new_bot, leave):
    archive = new_bot(alice, "red-fox").active_version.archive
    his = new_bot(bob, "blue-owl")
    Version.objects.create(bot=his, number=2, archive=archive, file_name="bot.py")
    leave(alice)
    assert files.archive_bytes(archive)
    leave(bob)
    archive.refresh_from_db()
    assert not archive.stored
    assert not default_storage.exists(files.name_of(archive.sha256))


def test_what_was_played_stays(alice, bob, new_bot, matched, hands, leave, client):
    match = matched(new_bot(alice, "red-fox"), new_bot(bob, "blue-owl"))
    assert hands.play(match).status_code == 200
    before = list(Seat.objects.filter(match=match).values())
    leave()
    assert list(Seat.objects.filter(match=match).values()) == before
    page = client.get(f"/matches/{match.pk}/").content.decode()
    assert f"deleted-{alice.pk}-1" in page
    assert "red-fox" not in page
    replay = client.get(f"/matches/{match.pk}/replay.json")
    assert replay.status_code == 200
    assert b"red-fox" not in b"".join(getattr(replay, "streaming_content", [replay.content]))


def test_no_page_links_to_who_has_left(alice, bob, new_bot, matched, hands, leave, client):
    match = matched(new_bot(alice, "red-fox"), new_bot(bob, "blue-owl"))
    assert hands.play(match).status_code == 200
    leave()
    name = f"deleted-{alice.pk}"
    for address in (f"/matches/{match.pk}/", f"/bots/{name}-1/"):
        page = client.get(address).content.decode()
        assert name in page
        assert f"/players/{name}/" not in page


def test_what_is_being_played_is_void(alice, bob, new_bot, matched, hands, leave):
    table = new_bot(alice, "red-fox"), new_bot(bob, "blue-owl")
    waiting, playing = matched(*table), matched(*table)
    ticket = hands.ticket(playing.name)
    record = hands.record(ticket)
    leave()
    for match in Match.objects.filter(pk__in=[waiting.pk, playing.pk]):
        assert match.state == State.VOID
        assert "withdrawn" in match.void_reason
    assert hands.report(record).status_code == 409
    assert Match.objects.get(pk=playing.pk).state == State.VOID


def test_a_check_under_way_ends(alice, hands, color_stock, leave):
    version = upload_first(
        owner=alice, game="color-stock", name="red-fox", data=b"print()\n", file_name="bot.py"
    )
    ticket = hands.ticket(version.check_job.name)
    leave()
    assert hands.report(hands.check_record(ticket)).status_code == 409
    version.refresh_from_db()
    assert version.state == Version.State.REJECTED
    assert version.check_job.state == State.VOID
    assert not alice.notices.exists()


def test_a_ladder_that_has_closed_stays_as_it_is(alice, new_bot, private, leave):
    bot = new_bot(alice, "red-fox")
    join(ladder=private, user=alice, code=private.join_code)
    entry = enter(ladder=private, bot=bot)
    change_ladder(ladder=private, closes_at=timezone.now())
    leave()
    entry.refresh_from_db()
    assert entry.left_at is None


def test_the_last_superuser_cannot_leave_the_site_alone(operator, alice, leave):
    with pytest.raises(NotPossible, match="make another one first"):
        delete_account(user=operator)
    User.objects.create_superuser("another")
    leave(operator)
    assert operator.deleted_at


# -- The page -------------------------------------------------------------------------------------


@pytest.fixture
def home(client, alice):
    client.force_login(alice)
    return client


def test_the_page_says_what_will_happen(home, alice):
    page = home.get(DELETE).content.decode()
    assert f"deleted-{alice.pk}" in page
    assert "This cannot be undone" in page
    assert "/account/export/" in page


@pytest.mark.parametrize(
    ("given", "field", "why"),
    [
        ({"name": "bob"}, "name", "Your name is alice."),
        ({"name": ""}, "name", "required"),
        ({"password": "wrong"}, "password", "This is not your password."),
        ({"password": ""}, "password", "required"),
    ],
)
def test_one_leaves_only_by_name_and_password(home, alice, password, given, field, why):
    response = home.post(DELETE, {"name": "alice", "password": password} | given)
    assert why in response.context["form"].errors[field][0]
    alice.refresh_from_db()
    assert alice.deleted_at is None


def test_the_password_cannot_be_guessed_there(home, alice, password):
    for _ in range(5):
        home.post(DELETE, {"name": "alice", "password": "wrong"})
    response = home.post(DELETE, {"name": "alice", "password": password})
    assert "Too many wrong passwords" in response.context["form"].errors["password"][0]


def test_who_has_left_is_logged_out_everywhere_and_cannot_come_back(home, alice, password, bob):
    elsewhere = Client()
    elsewhere.force_login(alice)
    response = home.post(DELETE, {"name": "alice", "password": password}, follow=True)
    assert response.redirect_chain == [("/", 302)]
    assert "Your account is deleted." in response.content.decode()
    assert elsewhere.get("/account/").status_code == 302
    for name in ("alice", f"deleted-{alice.pk}", "alice@example.org"):
        answer = Client().post("/accounts/login/", {"login": name, "password": password})
        assert answer.status_code == 200


def test_the_name_is_free_again(home, alice, password):
    home.post(DELETE, {"name": "alice", "password": password})
    about = {"username": "alice", "password1": "queen-of-hearts-7", "email": "alice@example.org"}
    assert Client().post("/accounts/signup/", about).status_code == 302
    assert User.objects.filter(username="alice").exists()


def test_the_last_superuser_is_told_on_the_page(client, operator, password):
    client.force_login(operator)
    response = client.post(DELETE, {"name": "olivia", "password": password})
    assert "the last superuser" in response.content.decode()
    operator.refresh_from_db()
    assert operator.deleted_at is None
