"""Signing up: open, by invitation, closed."""

import threading

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import connections
from django.test import Client
from django.urls import reverse

from accounts.models import Act, Invitation, Switches, User
from accounts.names import skeleton
from accounts.services import make_invitation, use_invitation

SIGN_UP = "/accounts/signup/"
GOOD = {"username": "dora", "password1": "queen-of-hearts-7"}


@pytest.fixture
def by_invitation(db):
    Switches.objects.create(pk=1, sign_up=Switches.SignUp.INVITATION)


def test_the_page_says_what_a_name_is_and_what_the_address_is_for(client, db, text_of):
    page = text_of(client.get(SIGN_UP))
    assert "3 to 24 letters: a to z, digits" in page
    assert "without it a lost password cannot be reset" in page
    assert "Invitation" not in page


def test_a_name_and_a_password_are_enough(client, db):
    response = client.post(SIGN_UP, GOOD)
    assert response.status_code == 302
    assert response.url == reverse("home")
    dora = User.objects.get(username="dora")
    assert dora.skeleton == skeleton("dora")
    assert dora.email == ""
    assert dora.check_password("queen-of-hearts-7")
    assert not dora.is_staff
    assert client.session["_auth_user_id"] == str(dora.pk)
    assert mail.outbox == []


def test_the_name_is_kept_as_it_was_written(client, db, log_in):
    client.post(SIGN_UP, GOOD | {"username": "Dora"})
    assert User.objects.get().username == "Dora"
    client.logout()
    assert log_in("dora", GOOD["password1"]).status_code == 302


def test_after_signing_up_one_goes_on_to_where_one_was(client, db):
    response = client.post(f"{SIGN_UP}?next=/bots/new/", GOOD)
    assert response.url == "/bots/new/"


def test_nobody_is_sent_to_another_site(client, db):
    response = client.post(f"{SIGN_UP}?next=https://example.com/", GOOD)
    assert response.url == reverse("home")


def test_an_address_is_confirmed_by_the_link_in_a_mail(client, db, link_in, text_of):
    client.post(SIGN_UP, GOOD | {"email": "dora@example.org"})
    address = EmailAddress.objects.get()
    assert (address.email, address.verified) == ("dora@example.org", False)
    [letter] = mail.outbox
    assert letter.to == ["dora@example.org"]
    assert letter.subject == "[Kibitz] Confirm your address"
    assert "Welcome dora" in letter.body
    link = link_in(letter)
    assert "Is dora@example.org the address of dora?" in text_of(client.get(link))
    response = client.post(link, follow=True)
    assert "dora@example.org is confirmed." in text_of(response)
    assert EmailAddress.objects.get().verified


@pytest.mark.parametrize(
    ("wrong", "field", "why"),
    [
        ({"username": "al"}, "username", "3 to 24 letters; this one has 2"),
        ({"username": "admin"}, "username", "kept for the site"),
        ({"username": "dör"}, "username", "letters a to z"),
        ({"username": "a1ice"}, "username", "taken, or looks like one that is"),
        ({"username": ""}, "username", "required"),
        ({"password1": "short"}, "password1", "too short"),
        ({"password1": "12345678901"}, "password1", "numeric"),
        ({"password1": "password123"}, "password1", "too common"),
        ({"username": "longname", "password1": "longname1"}, "password1", "too similar"),
        ({"email": "alice@example.org"}, "email", "An account has this address: log in"),
        ({"email": "ALICE@Example.org"}, "email", "An account has this address: log in"),
        ({"email": "nonsense"}, "email", "valid email"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(client, alice, wrong, field, why):
    response = client.post(SIGN_UP, GOOD | wrong)
    assert response.status_code == 200
    assert why in " ".join(response.context["form"].errors[field])
    assert User.objects.count() == 1


def test_the_password_is_not_sent_back(client, db):
    page = client.post(SIGN_UP, GOOD | {"username": "x"}).content.decode()
    assert GOOD["password1"] not in page


def test_a_closed_site_says_so_and_takes_nobody(client, db, text_of):
    Switches.objects.create(pk=1, sign_up=Switches.SignUp.CLOSED)
    for response in (client.get(SIGN_UP), client.post(SIGN_UP, GOOD)):
        assert "Sign-up is closed" in text_of(response)
        assert "takes no new people at the moment" in text_of(response)
    assert not User.objects.exists()


def test_sign_ups_from_one_network_are_throttled(client, db, settings, text_of):
    settings.ACCOUNT_RATE_LIMITS = {"signup": "2/m/ip"}
    for _ in range(2):
        assert client.post(SIGN_UP, {}).status_code == 200
    response = client.post(SIGN_UP, GOOD)
    assert response.status_code == 429
    assert "Wait a minute and try again" in text_of(response)
    assert not User.objects.exists()


def test_a_whole_class_behind_one_address_can_sign_up(db):
    for number in range(30):
        response = Client().post(SIGN_UP, GOOD | {"username": f"pupil{number}"})
        assert response.status_code == 302, response.content.decode()


# -- Invitations ----------------------------------------------------------------------------------


def test_by_invitation_nobody_gets_in_without_a_code(client, by_invitation):
    response = client.post(SIGN_UP, GOOD)
    assert "required" in response.context["form"].errors["invitation"][0]
    response = client.post(SIGN_UP, GOOD | {"invitation": "guessed"})
    assert "unknown, or was used already" in response.context["form"].errors["invitation"][0]
    assert not User.objects.exists()


def test_an_invitation_lets_one_person_in(client, by_invitation, operator):
    code = make_invitation(created_by=operator, note="Dora from class 10b").code
    response = client.get(f"{SIGN_UP}?invitation={code}")
    assert f'value="{code}"' in response.content.decode()
    client.post(SIGN_UP, GOOD | {"invitation": f" {code} "})
    invitation = Invitation.objects.get()
    assert invitation.used_by == User.objects.get(username="dora")
    assert invitation.used_at is not None
    client.logout()
    response = client.post(SIGN_UP, GOOD | {"username": "emil", "invitation": code})
    assert "was used already" in response.context["form"].errors["invitation"][0]
    assert not User.objects.filter(username="emil").exists()


def test_inviting_is_kept_in_the_log(operator):
    invitation = make_invitation(created_by=operator, note="class 10b")
    assert len(invitation.code) == 12
    act = Act.objects.get()
    assert (act.who, act.verb, act.what) == (operator, "invited", "class 10b")


def test_who_comes_second_with_an_invitation_is_told(client, by_invitation, operator, monkeypatch):
    """Both had a good code when the form was read; then one was quicker."""
    invitation = make_invitation(created_by=operator)
    alice = User.objects.create_user("alice")

    def quicker(*, code, user):
        use_invitation(code=code, user=alice)
        use_invitation(code=code, user=user)

    monkeypatch.setattr("accounts.forms.use_invitation", quicker)
    response = client.post(SIGN_UP, GOOD | {"invitation": invitation.code})
    assert response.status_code == 200
    assert "was used already" in response.context["form"].errors["invitation"][0]
    assert not User.objects.filter(username="dora").exists()
    assert "_auth_user_id" not in client.session


def test_a_name_that_was_taken_meanwhile_is_told(client, db, monkeypatch):
    monkeypatch.setattr("accounts.adapter.check_user_name", lambda name: None)
    User.objects.create_user("d0ra")
    response = client.post(SIGN_UP, GOOD)
    assert "taken, or looks like" in response.context["form"].errors["username"][0]
    assert User.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_only_one_gets_in_by_an_invitation():
    Switches.objects.create(pk=1, sign_up=Switches.SignUp.INVITATION)
    Invitation.objects.create(code="for-one-only")
    names = [f"pupil{number}" for number in range(5)]
    answers, together = [], threading.Barrier(len(names))

    def sign_up(name):
        try:
            together.wait(10)
            about = GOOD | {"username": name, "invitation": "for-one-only"}
            answers.append(Client().post(SIGN_UP, about).status_code)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=sign_up, args=[name]) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [200, 200, 200, 200, 302]
    assert Invitation.objects.get().used_by == User.objects.get()


@pytest.mark.django_db(transaction=True)
def test_of_two_at_once_only_one_gets_the_name():
    answers, together = [], threading.Barrier(2)

    def sign_up(name):
        try:
            together.wait(10)
            answers.append(Client().post(SIGN_UP, GOOD | {"username": name}).status_code)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=sign_up, args=[name]) for name in ("dora", "d0ra")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [200, 302]
    assert User.objects.count() == 1
