"""Whatever the schema allows is asked, and much that it does not: every answer is as the schema says."""

import json
from functools import cache

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from accounts.services import make_token
from config.api.schema import schema_text

EXAMPLES = 8
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
KNOWN = {"name": ["red-fox", "blue-owl"], "slug": ["open-table", "evening-class"], "number": [1]}

schema = schemathesis.openapi.from_dict(json.loads(schema_text()))
schema.app = lambda environ, start: site_itself()(environ, start)


@cache
def site_itself():
    """Made in a test, under the settings of tests."""
    return WSGIHandler()


@schema.hook
def map_path_parameters(context, path_parameters):
    """Three requests of four are about something that is there."""
    if not path_parameters:
        return path_parameters
    chosen = {
        name: known[len(str(path_parameters[name])) % len(known)]
        for name, known in KNOWN.items()
        if name in path_parameters
    }
    return path_parameters | chosen if len(str(path_parameters)) % 4 else path_parameters


@pytest.fixture
def one_connection():
    """All requests are part of the test's own transaction."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def token(one_connection, site, alice, settings):
    settings.ALLOWED_HOSTS = ["localhost"]
    settings.API_RATES = dict.fromkeys(settings.API_RATES, (10**6, 60))
    return make_token(user=alice, name="schemathesis")[1]


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_is_as_the_schema_says(case, token):
    case.call_and_validate(checks=CHECKS, headers={"Authorization": f"Bearer {token}"})
