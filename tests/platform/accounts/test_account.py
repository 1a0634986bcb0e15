"""The page of one's own account: tokens and notices."""

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django.asserts import assertNumQueries

from accounts.authentication import TokenAuthentication
from accounts.models import Notice, Token
from accounts.services import QuotaReached, make_token, revoke_token, tell
from accounts.tokens import is_well_formed, token_hash

PAGES = ["/account/", "/account/export/", "/account/delete/", "/accounts/email/"]
ACTS = ["/account/tokens/", "/account/tokens/1/revoke/", "/account/notices/read/"]


@pytest.fixture
def home(client, alice):
    client.force_login(alice)
    return client


@pytest.mark.parametrize("path", [*PAGES, *ACTS, "/account/notices/1/read/"])
def test_who_has_not_logged_in_is_asked_to(client, db, path):
    for ask in (client.get, client.post):
        response = ask(path)
        assert response.status_code == 302
        assert response.url == f"/accounts/login/?next={path}"


@pytest.mark.parametrize("path", ACTS)
def test_what_changes_something_is_no_link(home, path):
    assert home.get(path).status_code == 405


def test_the_page_shows_ones_own_data(home, alice, text_of):
    page = text_of(home.get("/account/"))
    assert "alice" in page
    assert "alice@example.org" in text_of(home.get("/accounts/email/"))
    assert "Operate the site" not in page
    assert "create some" not in page
    alice.may_create_ladders = True
    alice.save()
    assert "create some" in text_of(home.get("/account/"))


def test_operators_find_their_pages(client, operator, text_of):
    client.force_login(operator)
    assert "Operate the site" in text_of(client.get("/account/"))


def test_nobody_else_may_keep_the_page(home):
    assert "no-store" in home.get("/account/")["Cache-Control"]
    made = home.post("/account/tokens/", {"name": "laptop", "days": "30"})
    assert "no-store" in made["Cache-Control"]


# -- Tokens ---------------------------------------------------------------------------------------


def test_a_token_is_shown_once_with_a_line_to_copy(home, alice, text_of):
    response = home.post("/account/tokens/", {"name": "laptop", "days": "30"})
    letters = response.context["letters"]
    page = text_of(response)
    assert is_well_formed(letters)
    assert page.count(letters) == 2
    assert f'curl -H "Authorization: Bearer {letters}" -F game=sticheln -F name=NAME' in page
    assert "-F file=@bot.py http://testserver/api/v1/bots" in page
    assert "it is shown this once" in page
    assert letters not in text_of(home.get("/account/"))


def test_only_the_hash_of_a_token_is_kept(home, alice):
    letters = home.post("/account/tokens/", {"name": "laptop", "days": "90"}).context["letters"]
    token = alice.tokens.get()
    assert token.sha256 == token_hash(letters)
    assert letters.startswith(token.hint)
    assert len(token.hint) == 8
    kept = [str(value) for value in Token.objects.values_list().get()]
    assert letters not in kept


@pytest.mark.parametrize(("days", "lasting"), [("30", 30), ("90", 90), ("365", 365)])
def test_a_token_is_good_for_as_long_as_one_says(home, alice, days, lasting):
    home.post("/account/tokens/", {"name": "laptop", "days": days})
    left = alice.tokens.get().expires_at - timezone.now()
    assert timedelta(days=lasting - 1) < left <= timedelta(days=lasting)


def test_a_token_may_be_good_until_it_is_revoked(home, alice, text_of):
    home.post("/account/tokens/", {"name": "laptop", "days": "ever"})
    assert alice.tokens.get().expires_at is None
    assert "you revoke it" in text_of(home.get("/account/"))


@pytest.mark.parametrize(
    ("about", "why"),
    [
        ({"name": "", "days": "30"}, "required"),
        ({"name": "x" * 61, "days": "30"}, "at most 60"),
        ({"name": "laptop", "days": "5000"}, "Select a valid choice"),
    ],
)
def test_a_token_that_cannot_be_made_is_told(home, alice, about, why, text_of):
    assert why in text_of(home.post("/account/tokens/", about))
    assert not alice.tokens.exists()


def test_there_may_be_only_so_many_tokens(home, alice, settings, text_of):
    settings.QUOTAS = settings.QUOTAS | {"tokens": 2}
    first, _ = make_token(user=alice, name="first")
    make_token(user=alice, name="old", expires_at=timezone.now() - timedelta(days=1))
    make_token(user=alice, name="second")
    with pytest.raises(QuotaReached, match="You have 2 tokens"):
        make_token(user=alice, name="third")
    assert "revoke one first" in text_of(
        home.post("/account/tokens/", {"name": "third", "days": "90"})
    )
    revoke_token(token=first)
    make_token(user=alice, name="third")


def test_a_token_is_revoked_by_its_owner_only(home, alice, bob, text_of):
    mine, my_letters = make_token(user=alice, name="laptop")
    his, _ = make_token(user=bob, name="his")
    assert home.post(f"/account/tokens/{his.pk}/revoke/").status_code == 404
    response = home.post(f"/account/tokens/{mine.pk}/revoke/", follow=True)
    assert f"The token laptop ({mine.hint}…) is revoked." in text_of(response)
    assert "You have none." in text_of(response)
    his.refresh_from_db()
    mine.refresh_from_db()
    assert his.revoked_at is None
    assert mine.revoked_at is not None
    assert TokenAuthentication().token(my_letters) is None


def test_the_page_tells_when_a_token_was_used_and_whether_it_has_expired(home, alice, text_of):
    _, letters = make_token(user=alice, name="laptop")
    make_token(user=alice, name="old", expires_at=timezone.now() - timedelta(days=1))
    page = text_of(home.get("/account/"))
    assert "never" in page
    assert "expired" in page
    TokenAuthentication().token(letters)
    assert alice.tokens.get(name="laptop").last_used_at is not None


# -- Notices --------------------------------------------------------------------------------------


def test_notices_are_shown_until_they_are_read(home, alice, text_of):
    tell(user=alice, text="gambler was rejected.\nIt did not build.", link="/bots/gambler/")
    tell(user=alice, text="gambler is paused.")
    page = home.get("/account/")
    assert "gambler was rejected. It did not build." in text_of(page)
    assert 'href="/bots/gambler/"' in page.content.decode()
    assert "2 unread notices" in text_of(page)
    newest = alice.notices.first()
    page = home.post(f"/account/notices/{newest.pk}/read/", follow=True)
    assert "1 unread notices" in text_of(page)
    page = home.post("/account/notices/read/", follow=True)
    assert "unread" not in text_of(page)
    assert "gambler is paused." in text_of(page)


def test_nobody_reads_the_notices_of_others(home, bob, text_of):
    his = tell(user=bob, text="his.bot is paused.")
    assert home.post(f"/account/notices/{his.pk}/read/").status_code == 404
    home.post("/account/notices/read/")
    assert Notice.objects.get().read_at is None
    assert "his.bot" not in text_of(home.get("/account/"))


def test_a_notice_is_text_and_never_more(home, alice):
    tell(user=alice, text="<script>alert(1)</script>")
    assert "<script>alert(1)" not in home.get("/account/").content.decode()


def test_a_notice_goes_to_a_confirmed_address_too(
    alice, bob, confirmed, mailoutbox, django_capture_on_commit_callbacks
):
    confirmed(alice)
    bob.email = "bob@example.org"  # never confirmed: it may be anybody's
    bob.save()
    with django_capture_on_commit_callbacks(execute=True):
        tell(user=alice, text="gambler is paused.\nIt kept faulting.", link="/bots/gambler/")
        tell(user=bob, text="another is paused.")
    [letter] = mailoutbox
    assert letter.to == ["alice@example.org"]
    assert letter.subject == "[Kibitz] gambler is paused."
    assert "It kept faulting.\n\nhttp://localhost:8000/bots/gambler/" in letter.body


def test_a_notice_of_something_undone_is_not_sent(alice, confirmed, mailoutbox, db):
    confirmed(alice)
    tell(user=alice, text="this transaction never ends")
    assert mailoutbox == []


@pytest.mark.parametrize("many", [1, 40])
def test_the_page_asks_the_database_the_same_whatever_there_is(home, alice, many):
    for number in range(many):
        tell(user=alice, text=f"notice {number}")
        Token.objects.create(user=alice, name=f"t{number}", sha256=f"{number}", hint="kbz_")
    with assertNumQueries(7):
        assert home.get("/account/").status_code == 200
