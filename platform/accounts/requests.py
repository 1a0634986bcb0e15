"""What a view knows of a request once it has asked for a log-in."""

from django.http import HttpRequest

from accounts.models import User


class OwnRequest(HttpRequest):
    """A request of somebody who has logged in."""

    user: User
