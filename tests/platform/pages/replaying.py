"""What tests of the replay share."""

import json
from urllib.parse import urlencode

from django.urls import reverse

GAMES = {"sticheln": 3, "stop-it": 4, "color-stock": 2}  # with so many players


def leg_address(match, leg, asked=None):
    address = reverse("match_leg", args=[match.pk, leg])
    return f"{address}?{urlencode(asked)}" if asked else address


def scenes_of(client, match, leg, **asked):
    answer = client.get(leg_address(match, leg, asked))
    assert answer.status_code == 200
    return json.loads(answer.content)
