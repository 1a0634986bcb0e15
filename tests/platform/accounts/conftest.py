"""What the tests of accounts share."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.urls import reverse


@pytest.fixture
def log_in(client):
    """Tries to log in through the page."""

    def log_in(name, password, **about):
        return client.post(reverse("account_login"), {"login": name, "password": password}, **about)

    return log_in


@pytest.fixture
def confirmed():
    """Gives somebody a confirmed address."""

    def confirmed(user, email=None):
        user.email = email or user.email
        user.save()
        return EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)

    return confirmed


@pytest.fixture
def link_in():
    """The path of the one link in a mail."""

    def link_in(mail):
        [link] = re.findall(r"https?://\S+", mail.body)
        return link.removeprefix("http://testserver")

    return link_in


@pytest.fixture
def text_of():
    """What a page says, without its tags."""

    def text_of(response):
        page = re.sub(r"<[^>]*>", " ", response.content.decode())
        return re.sub(r"\s+", " ", page)

    return text_of
