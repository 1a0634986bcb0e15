"""Changing and resetting a password, and the address that is needed for it."""

import smtplib
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings as site
from django.core.mail.backends.base import BaseEmailBackend
from django.test import Client

NEW = "knave-of-clubs-11"
RESET = "/accounts/password/reset/"


class Broken(BaseEmailBackend):
    """A mail server that is away."""

    def send_messages(self, messages):
        raise smtplib.SMTPServerDisconnected("nobody there")


@pytest.fixture
def home(client, alice, password):
    """Alice, logged in through the page."""
    client.post("/accounts/login/", {"login": "alice", "password": password})
    return client


def letters(mailoutbox):
    return [(letter.to, letter.subject.removeprefix("[Kibitz] ")) for letter in mailoutbox]


# -- Changing -------------------------------------------------------------------------------------


def test_a_password_is_changed_by_who_knows_it(home, alice, password, text_of):
    wrong = {"oldpassword": "wrong", "password1": NEW, "password2": NEW}
    assert "This is not your password." in text_of(home.post("/accounts/password/change/", wrong))
    right = wrong | {"oldpassword": password}
    response = home.post("/accounts/password/change/", right, follow=True)
    assert response.redirect_chain == [("/account/", 302)]
    assert "Your password is changed." in text_of(response)
    alice.refresh_from_db()
    assert alice.check_password(NEW)


def test_the_new_password_is_given_twice_and_is_a_good_one(home, password, text_of):
    about = {"oldpassword": password, "password1": NEW, "password2": "another"}
    assert "same password each time" in text_of(home.post("/accounts/password/change/", about))
    about = {"oldpassword": password, "password1": "12345678", "password2": "12345678"}
    assert "too common" in text_of(home.post("/accounts/password/change/", about))


def test_elsewhere_one_is_logged_out_by_it(home, alice, password):
    elsewhere = Client()
    elsewhere.force_login(alice)
    about = {"oldpassword": password, "password1": NEW, "password2": NEW}
    home.post("/accounts/password/change/", about)
    assert home.get("/account/").status_code == 200
    assert elsewhere.get("/account/").status_code == 302


def test_a_change_is_told_to_the_address(home, alice, password, confirmed, mailoutbox):
    confirmed(alice)
    about = {"oldpassword": password, "password1": NEW, "password2": NEW}
    home.post("/accounts/password/change/", about)
    assert letters(mailoutbox) == [(["alice@example.org"], "Your password was changed")]
    assert "from the network address 127.0.0.1" in mailoutbox[0].body
    assert NEW not in mailoutbox[0].body


# -- Resetting ------------------------------------------------------------------------------------


def test_a_lost_password_is_reset_by_a_link(
    client, alice, confirmed, mailoutbox, link_in, log_in, text_of
):
    confirmed(alice)
    response = client.post(RESET, {"email": "Alice@example.org"}, follow=True)
    assert "Look into your mail" in text_of(response)
    [letter] = mailoutbox
    assert letters(mailoutbox) == [(["alice@example.org"], "Choose a new password")]
    assert "Hello alice" in letter.body
    form = client.get(link_in(letter), follow=True)
    assert "Choose a new password" in text_of(form)
    action = form.redirect_chain[-1][0]
    assert "set-password" in action  # the key itself is not in an address that others may see
    response = client.post(action, {"password1": NEW, "password2": NEW}, follow=True)
    assert "Your password is changed" in text_of(response)
    assert log_in("alice", NEW).status_code == 302
    assert letters(mailoutbox)[1:] == [(["alice@example.org"], "Your password was reset")]


def test_a_link_works_once(client, alice, confirmed, mailoutbox, link_in, text_of):
    confirmed(alice)
    client.post(RESET, {"email": "alice@example.org"})
    link = link_in(mailoutbox[0])
    action = client.get(link, follow=True).redirect_chain[-1][0]
    client.post(action, {"password1": NEW, "password2": NEW})
    assert "This link does not work any more" in text_of(Client().get(link, follow=True))


def test_a_made_up_link_does_not_work(client, alice, text_of):
    page = text_of(client.get("/accounts/password/reset/key/1-abc-def/"))
    assert "This link does not work any more" in page
    assert "Ask for a new one" in page


def test_whether_an_address_is_known_is_told_only_to_the_address(client, alice, mailoutbox):
    answers = [
        client.post(RESET, {"email": email}, follow=True).content
        for email in ("alice@example.org", "nobody@example.org")
    ]
    assert answers[0] == answers[1]
    assert letters(mailoutbox) == [
        (["alice@example.org"], "Choose a new password"),
        (["nobody@example.org"], "No account has this address"),
    ]
    assert "http://testserver/accounts/signup/" in mailoutbox[1].body


def test_nobody_is_flooded_with_mail(client, alice, mailoutbox, text_of):
    for _ in range(5):
        client.post(RESET, {"email": "alice@example.org"})
    response = client.post(RESET, {"email": "alice@example.org"})
    assert response.status_code == 429
    assert "Wait a minute" in text_of(response)
    assert len(mailoutbox) == 5


def test_a_mail_server_that_is_away_breaks_nothing(client, alice, settings, caplog, text_of):
    settings.EMAIL_BACKEND = f"{__name__}.Broken"
    response = client.post(RESET, {"email": "alice@example.org"}, follow=True)
    assert response.status_code == 200
    assert "nobody there" in caplog.text
    about = {"username": "dora", "email": "dora@example.org", "password1": NEW}
    assert client.post("/accounts/signup/", about).status_code == 302


# -- The address ----------------------------------------------------------------------------------


def test_a_new_address_takes_the_password_and_then_a_link(
    home, alice, password, confirmed, mailoutbox, link_in, text_of
):
    confirmed(alice)
    response = home.post("/accounts/email/", {"email": "a@example.net", "action_add": ""})
    assert response.url == "/accounts/reauthenticate/?next=%2Faccounts%2Femail%2F"
    assert "This is not your password" in text_of(home.post(response.url, {"password": "wrong"}))
    home.post("/accounts/email/", {"email": "a@example.net", "action_add": ""})
    page = home.post(response.url, {"password": password}, follow=True)
    assert "a@example.net not confirmed" in text_of(page)
    alice.refresh_from_db()
    assert alice.email == "alice@example.org"
    assert letters(mailoutbox) == [(["a@example.net"], "Confirm your address")]
    home.post(link_in(mailoutbox[0]))
    alice.refresh_from_db()
    assert alice.email == "a@example.net"
    assert [address.email for address in EmailAddress.objects.all()] == ["a@example.net"]
    assert letters(mailoutbox)[1:] == [(["alice@example.org"], "Your address was changed")]


@pytest.fixture
def trusted(home, password):
    """Has given the password once more already."""
    home.post("/accounts/reauthenticate/", {"password": password})
    return home


def test_an_address_can_be_removed(trusted, alice, confirmed, text_of):
    confirmed(alice)
    about = {"email": "alice@example.org", "action_remove": ""}
    page = text_of(trusted.post("/accounts/email/", about, follow=True))
    assert "alice@example.org is removed." in page
    assert "a lost password cannot be reset" in page
    alice.refresh_from_db()
    assert alice.email == ""


def test_the_link_can_be_sent_again_but_not_at_once(trusted, alice, mailoutbox, time_machine):
    time_machine.move_to("2026-11-18 12:00:00Z", tick=False)
    about = {"email": "alice@example.org", "action_send": ""}
    trusted.post("/accounts/email/", about)
    trusted.post("/accounts/email/", about)
    assert len(mailoutbox) == 1
    time_machine.move_to("2026-11-18 12:04:00Z", tick=False)
    trusted.post("/accounts/email/", about)
    assert len(mailoutbox) == 2


def test_somebody_elses_address_cannot_be_confirmed(
    trusted, alice, bob, confirmed, mailoutbox, link_in, text_of
):
    confirmed(bob, "bob@example.org")
    trusted.post("/accounts/email/", {"email": "bob@example.org", "action_add": ""})
    link = link_in(mailoutbox[0])
    assert "belongs to another account" in text_of(trusted.get(link))
    trusted.post(link)
    assert not EmailAddress.objects.filter(user=alice, verified=True).exists()


def test_a_link_that_is_too_old_or_made_up_says_so(client, db, text_of):
    page = text_of(client.get("/accounts/confirm-email/made-up/"))
    assert "This link does not work any more" in page


# -- The words ------------------------------------------------------------------------------------


def test_every_mail_has_a_subject_and_words_of_its_own():
    folder = Path(site.PLATFORM) / "templates/account/email"
    names = {path.name for path in folder.iterdir()}
    for name in names:
        assert (folder / name).read_text().strip()
        pair = name.replace("_message.", "_subject."), name.replace("_subject.", "_message.")
        assert set(pair) <= names
