"""Logging in and out, how often one may try, and what a suspended person is told."""

import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from django.core.cache import cache, caches
from django.urls import reverse

from accounts.services import lift_suspension, make_token, suspend
from deploy.broker import Broker, server

LOCKED_OUT = "Too many wrong passwords. Wait five minutes"


@pytest.mark.parametrize(
    "name", ["alice", "ALICE", " alice ", "alice@example.org", "Alice@Example.org"]
)
def test_one_logs_in_by_name_or_address(alice, log_in, password, client, name):
    assert log_in(name, password).url == reverse("home")
    assert client.session["_auth_user_id"] == str(alice.pk)


def test_one_goes_on_to_where_one_was(alice, client, password):
    response = client.get(reverse("account"))
    assert response.url == "/accounts/login/?next=/account/"
    response = client.post(response.url, {"login": "alice", "password": password})
    assert response.url == "/account/"


@pytest.mark.parametrize(
    "elsewhere", ["https://example.com/", "//example.com", "javascript:alert(1)"]
)
def test_nobody_is_sent_to_another_site(alice, client, password, elsewhere):
    about = {"login": "alice", "password": password, "next": elsewhere}
    assert client.post("/accounts/login/", about).url == reverse("home")


@pytest.mark.parametrize("name", ["alice", "nobody-at-all"])
def test_a_wrong_password_and_an_unknown_name_get_the_same_answer(alice, log_in, client, name):
    response = log_in(name, "wrong")
    assert response.context["form"].non_field_errors() == ["The name or the password is wrong."]
    assert "_auth_user_id" not in client.session


def test_the_page_leads_to_a_new_password_and_to_signing_up(client, db):
    page = client.get("/accounts/login/").content.decode()
    assert reverse("account_reset_password") in page
    assert reverse("account_signup") in page
    assert 'autocomplete="username"' in page
    assert "placeholder" not in page.partition("<main")[2]


def test_one_logs_out_by_a_button(alice, client, text_of):
    client.force_login(alice)
    assert "Log out?" in text_of(client.get("/accounts/logout/"))
    assert "_auth_user_id" in client.session
    response = client.post("/accounts/logout/", follow=True)
    assert "You are logged out." in text_of(response)
    assert "_auth_user_id" not in client.session


# -- How often one may try ------------------------------------------------------------------------


@pytest.fixture
def redis():
    """The address of a server of our own."""
    with tempfile.TemporaryDirectory(prefix="kz") as folder:
        broker = Broker(data=Path(folder), socket=Path(folder) / "s")
        process = subprocess.Popen(broker.command(server()), stdout=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + 20
            while not broker.answers():
                assert process.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.02)
            yield f"unix://{broker.socket}?db=1"
        finally:
            process.kill()
            process.wait()


@pytest.fixture(params=["memory", "redis"])
def any_cache(request, settings):
    if request.param == "redis":
        address = request.getfixturevalue("redis")
        backend = "config.cache.ForgetfulCache"
        settings.CACHES = {"default": {"BACKEND": backend, "LOCATION": address}}
    yield request.param
    if request.param == "redis":
        caches["default"]._cache._get_connection_pool(write=True).disconnect()
        del caches["default"]


def test_after_five_wrong_passwords_one_has_to_wait(any_cache, alice, log_in, password, text_of):
    for _ in range(5):
        assert "is wrong" in text_of(log_in("alice", "wrong"))
    response = log_in("alice", password)
    assert response.status_code == 200
    assert LOCKED_OUT in text_of(response)
    assert "reset your password" in text_of(response)


def test_while_redis_is_away_one_logs_in_uncounted(settings, alice, log_in, password, caplog):
    nobody = {"BACKEND": "config.cache.ForgetfulCache", "LOCATION": "unix:///nonexistent/socket"}
    settings.CACHES = {"default": nobody}
    assert [log_in("alice", "wrong").status_code for _ in range(6)] == [200] * 6
    assert log_in("alice", password).status_code == 302
    assert "The cache is away" in caplog.text
    del caches["default"]


def test_the_wait_is_over_after_five_minutes(alice, log_in, password, time_machine, text_of):
    time_machine.move_to("2026-11-18 12:00:00Z", tick=False)
    for _ in range(5):
        log_in("alice", "wrong")
    time_machine.move_to("2026-11-18 12:04:50Z", tick=False)
    assert LOCKED_OUT in text_of(log_in("alice", password))
    time_machine.move_to("2026-11-18 12:05:10Z", tick=False)
    assert log_in("alice", password).status_code == 302


def test_waiting_for_one_account_does_not_shut_out_another(alice, bob, log_in, password):
    for _ in range(6):
        log_in("alice", "wrong")
    assert log_in("bob", password).status_code == 302


def test_right_passwords_are_not_counted(alice, log_in, password, client):
    for _ in range(8):
        assert log_in("alice", password).status_code == 302
        client.logout()


def test_one_network_cannot_try_many_accounts(alice, log_in, password, text_of):
    for number in range(30):
        log_in(f"guess{number}", "wrong")
    assert LOCKED_OUT in text_of(log_in("alice", password))
    assert log_in("alice", password, REMOTE_ADDR="10.1.2.3").status_code == 302


def test_a_made_up_forwarding_does_not_make_another_network(alice, log_in, password, text_of):
    for number in range(30):
        log_in(f"guess{number}", "wrong", headers={"X-Forwarded-For": f"10.0.0.{number}"})
    response = log_in("alice", password, headers={"X-Forwarded-For": "10.0.0.99"})
    assert LOCKED_OUT in text_of(response)


def test_a_network_is_not_left_by_another_address_of_it(alice, log_in, password, text_of):
    for number in range(30):
        log_in(f"guess{number}", "wrong", REMOTE_ADDR=f"2001:db8::{number:x}")
    assert LOCKED_OUT in text_of(log_in("alice", password, REMOTE_ADDR="2001:db8::ffff"))


def test_a_flood_of_log_ins_is_turned_away(any_cache, alice, log_in, settings, text_of):
    settings.ACCOUNT_RATE_LIMITS = {"login": "3/m/ip"}
    for _ in range(3):
        log_in("", "")
    response = log_in("alice", "whatever")
    assert response.status_code == 429
    assert "Wait a minute and try again" in text_of(response)
    cache.clear()


def test_the_operators_door_is_the_same_door(operator, client, log_in, password):
    response = client.get("/admin/", follow=True)
    assert response.redirect_chain[-1][0] == "/accounts/login/?next=/admin/"
    answer = client.post("/admin/login/", {"username": "olivia", "password": password})
    assert answer.url.startswith("/accounts/login/")
    assert "_auth_user_id" not in client.session


# -- Suspension -----------------------------------------------------------------------------------


def test_a_suspended_person_is_told_why(alice, operator, client, log_in, password, text_of):
    suspend(user=alice, reason="Three accounts of one person.", who=operator)
    response = log_in("alice", password)
    assert response.status_code == 403
    assert "The account alice is suspended" in text_of(response)
    assert "Three accounts of one person." in text_of(response)
    assert "_auth_user_id" not in client.session


def test_nobody_else_is_told(alice, operator, log_in, text_of):
    suspend(user=alice, reason="Three accounts of one person.", who=operator)
    page = text_of(log_in("alice", "wrong"))
    assert "The name or the password is wrong." in page
    assert "Three accounts" not in page


def test_a_suspension_ends_what_is_open(alice, operator, client):
    client.force_login(alice)
    _, letters = make_token(user=alice, name="laptop")
    suspend(user=alice, reason="Spam.", who=operator)
    assert client.get("/account/").url.startswith("/accounts/login/")
    assert not alice.tokens.valid(alice.date_joined).exists()
    assert letters


def test_after_it_is_lifted_all_is_as_before(alice, operator, log_in, password):
    suspend(user=alice, reason="Spam.", who=operator)
    lift_suspension(user=alice, who=operator)
    assert alice.suspended_for == ""
    assert log_in("alice", password).status_code == 302


def test_a_suspended_person_cannot_come_back_by_a_new_password(
    alice, operator, client, mailoutbox, confirmed
):
    confirmed(alice)
    suspend(user=alice, reason="Spam.", who=operator)
    mailoutbox.clear()
    client.post("/accounts/password/reset/", {"email": "alice@example.org"})
    assert [letter.subject for letter in mailoutbox] == ["[Kibitz] No account has this address"]
