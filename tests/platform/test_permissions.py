"""Who may ask what: every address × everybody × every method, from the URL configuration itself.

An address without a row in a table fails, and so does a row without an address. All that addresses name is
alice's: her bot, her private ladder, her challenge, her comparison, her token. `login` is a way to the log-in page.
"""

import re

import pytest
from django.apps import apps
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse
from django.utils.timezone import now

from accounts.models import Switches
from accounts.services import make_invitation, make_token, note_act, tell
from bots.models import Bot
from jobs.services import make_worker
from ladders.models import Ladder
from ladders.services import enter
from tests.platform.api.conftest import (
    finish,
    new_bot,
    new_comparison,
    new_ladder,
    new_match,
)
from tournaments.models import WatchedPair

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
NOT_TAKEN = {"login", "401", "405"}  # what a method without a row is answered with

#                                            nobody stranger owner operator
TABLE = """
home                                  GET    200    200      200   200
status                                GET    200    200      200   200
search                                GET    200    200      200   200
docs                                  GET    200    200      200   200
docs_page                             GET    200    200      200   200
docs_file                             GET    200    200      200   200
examples                              GET    200    200      200   200
example                               GET    200    200      200   200
game_list                             GET    200    200      200   200
game                                  GET    200    200      200   200
bot_list                              GET    200    200      200   200
player                                GET    200    200      200   200
bot_new                               GET    login  200      200   200
                                      POST   login  200      200   200
bot_upload                            GET    login  403      200   403
                                      POST   login  403      200   403
bot_activate                          POST   login  403      302   403
bot_pause                             POST   login  403      302   403
bot_resume                            POST   login  403      302   403
bot_rename                            POST   login  403      302   403
bot_retire                            POST   login  403      302   403
version                               GET    login  403      200   200
version_check                         GET    login  403      200   200
version_log                           GET    login  403      200   200
version_archive                       GET    login  403      200   403
bot                                   GET    200    200      200   200
ladder_list                           GET    200    200      200   200
ladder_new                            GET    login  403      403   200
                                      POST   login  403      403   200
ladder_enter                          POST   login  404      302   302
ladder_leave                          POST   login  404      302   302
ladder_join                           GET    login  200      302   302
                                      POST   login  200      302   302
ladder                                GET    404    404      200   200
ladder_tables                         GET    404    404      200   200
match_list                            GET    200    200      200   200
match                                 GET    404    404      200   200
match_leg                             GET    404    404      200   200
leg_private                           GET    404    404      200   200
match_replay                          GET    404    404      200   200
match_embed                           GET    404    404      404   404
oembed                                GET    404    404      404   404
match_preview                         GET    404    404      404   404
ladder_preview                        GET    404    404      404   404
bot_preview                           GET    200    200      200   200
challenge_new                         GET    login  200      200   200
                                      POST   login  200      200   200
comparison_list                       GET    login  200      200   200
comparison                            GET    404    404      200   200
comparison_cancel                     POST   login  404      302   404
comparison_new                        GET    login  403      200   403
                                      POST   login  403      200   403
table_new                             GET    login  200      200   200
                                      POST   login  200      200   200
table                                 GET    login  404      302   404
table_news                            GET    login  404      503   404
table_answer                          POST   login  404      409   404
table_leave                           POST   login  404      302   404
account_export                        GET    login  200      200   200
account_delete                        GET    login  200      200   200
                                      POST   login  200      200   200
account_login                         GET    200    302      302   302
                                      POST   200    302      302   302
                                      PUT    200    302      302   302
                                      PATCH  405    302      302   302
                                      DELETE 405    302      302   302
account_logout                        GET    302    200      200   200
                                      POST   302    302      302   302
account_signup                        GET    200    302      302   302
                                      POST   200    302      302   302
                                      PUT    200    302      302   302
                                      PATCH  405    302      302   302
                                      DELETE 405    302      302   302
account_reauthenticate                GET    login  200      200   200
                                      POST   login  200      200   200
                                      PUT    login  200      200   200
account_email                         GET    login  200      200   200
                                      POST   login  302      302   302
                                      PUT    login  302      302   302
account_confirm_email                 GET    200    200      200   200
                                      POST   404    404      404   404
account_change_password               GET    login  200      200   200
                                      POST   login  200      200   200
                                      PUT    login  200      200   200
account_reset_password                GET    200    200      200   200
                                      POST   200    200      200   200
                                      PUT    200    200      200   200
account_reset_password_done           GET    200    200      200   200
account_reset_password_from_key       GET    200    200      200   200
                                      POST   200    200      200   200
                                      PUT    200    200      200   200
                                      PATCH  200    200      200   200
                                      DELETE 200    200      200   200
account_reset_password_from_key_done  GET    200    200      200   200
account                               GET    login  200      200   200
token_new                             POST   login  200      200   200
token_revoke                          POST   login  404      302   404
notice_read                           POST   login  404      302   404
notices_read                          POST   login  302      302   302
api:bots                              GET    200    200      200   200
                                      POST   401    400      400   400
api:bot                               GET    200    200      200   200
                                      PATCH  401    403      200   403
api:bot_pause                         POST   401    403      200   403
api:bot_resume                        POST   401    403      200   403
api:bot_retire                        POST   401    403      200   403
api:versions                          GET    200    200      200   200
                                      POST   401    403      400   403
api:version                           GET    200    200      200   200
api:version_activate                  POST   401    403      200   403
api:version_archive                   GET    401    403      200   403
api:version_log                       GET    401    403      200   200
api:ladders                           GET    200    200      200   200
                                      POST   401    403      403   400
api:ladder                            GET    404    404      200   200
                                      PATCH  401    404      200   200
api:ladder_join                       POST   401    400      400   400
api:ladder_log                        GET    404    404      200   200
api:standings                         GET    404    404      200   200
api:crosstable                        GET    404    404      200   200
api:entries                           POST   401    404      400   400
api:entry                             GET    404    404      200   200
                                      DELETE 401    404      204   403
api:matches                           GET    200    200      200   200
api:matches_export                    GET    200    200      200   200
api:match                             GET    404    404      200   200
api:match_replay                      GET    404    404      200   200
api:match_replay_private              GET    401    404      200   403
api:challenges                        GET    401    200      200   200
                                      POST   401    400      400   400
api:comparisons                       GET    401    200      200   200
                                      POST   401    400      400   400
api:comparison                        GET    401    404      200   200
api:comparison_cancel                 POST   401    404      200   404
api:tokens                            GET    401    200      200   200
                                      POST   401    400      400   400
api:token                             DELETE 401    404      204   404
api:notices                           GET    401    200      200   200
api:notice_read                       POST   401    404      204   404
api:me                                GET    401    200      200   200
api:games                             GET    200    200      200   200
api:status                            GET    200    200      200   200
api:schema                            GET    200    200      200   200
api:docs                              GET    200    200      200   200
api:nothing                           GET    404    404      404   404
                                      POST   404    404      404   404
                                      PUT    404    404      404   404
                                      PATCH  404    404      404   404
                                      DELETE 404    404      404   404
worker_claim                          POST   401    401      401   401
worker_progress                       POST   401    401      401   401
worker_record                         POST   401    401      401   401
worker_give_back                      POST   401    401      401   401
worker_archive                        GET    403    403      403   403
health                                GET    200    200      200   200
"""

# The operator's pages send everybody else to the log-in page; what an operator gets by GET and POST.
OPERATORS_TABLE = """
admin:index                                      200 200
admin:login                                      302 302
admin:logout                                     302 302
admin:password_change                            302 302
admin:password_change_done                       200 405
admin:autocomplete                               403 405
admin:jsi18n                                     200 405
admin:view_on_site                               404 404
admin:accounts_user_changelist                   200 200
admin:accounts_user_add                          403 403
admin:accounts_user_history                      302 302
admin:accounts_user_delete                       403 403
admin:accounts_user_change                       200 200
admin/accounts/user/<path:object_id>/            302 302
admin:accounts_token_changelist                  200 200
admin:accounts_token_add                         403 403
admin:accounts_token_history                     302 302
admin:accounts_token_delete                      403 403
admin:accounts_token_change                      200 403
admin/accounts/token/<path:object_id>/           302 302
admin:accounts_notice_changelist                 200 200
admin:accounts_notice_add                        200 200
admin:accounts_notice_history                    302 302
admin:accounts_notice_delete                     403 403
admin:accounts_notice_change                     200 403
admin/accounts/notice/<path:object_id>/          302 302
admin:accounts_switches_changelist               302 302
admin:accounts_switches_add                      403 403
admin:accounts_switches_history                  302 302
admin:accounts_switches_delete                   403 403
admin:accounts_switches_change                   200 200
admin/accounts/switches/<path:object_id>/        302 302
admin:accounts_invitation_changelist             200 200
admin:accounts_invitation_add                    200 200
admin:accounts_invitation_history                302 302
admin:accounts_invitation_delete                 403 403
admin:accounts_invitation_change                 200 403
admin/accounts/invitation/<path:object_id>/      302 302
admin:accounts_act_changelist                    200 200
admin:accounts_act_add                           403 403
admin:accounts_act_history                       302 302
admin:accounts_act_delete                        403 403
admin:accounts_act_change                        200 403
admin/accounts/act/<path:object_id>/             302 302
admin:jobs_worker_changelist                     200 200
admin:jobs_worker_add                            200 200
admin:jobs_worker_history                        302 302
admin:jobs_worker_delete                         403 403
admin:jobs_worker_change                         200 403
admin/jobs/worker/<path:object_id>/              302 302
admin:bots_bot_changelist                        200 200
admin:bots_bot_add                               403 403
admin:bots_bot_history                           302 302
admin:bots_bot_delete                            403 403
admin:bots_bot_change                            200 200
admin/bots/bot/<path:object_id>/                 302 302
admin:bots_version_changelist                    200 200
admin:bots_version_add                           403 403
admin:bots_version_history                       302 302
admin:bots_version_delete                        403 403
admin:bots_version_change                        200 403
admin/bots/version/<path:object_id>/             302 302
admin:ladders_ladder_changelist                  200 200
admin:ladders_ladder_add                         403 403
admin:ladders_ladder_history                     302 302
admin:ladders_ladder_delete                      403 403
admin:ladders_ladder_change                      200 200
admin/ladders/ladder/<path:object_id>/           302 302
admin:tournaments_match_changelist               200 200
admin:tournaments_match_add                      403 403
admin:tournaments_match_history                  302 302
admin:tournaments_match_delete                   403 403
admin:tournaments_match_change                   200 403
admin/tournaments/match/<path:object_id>/        302 302
admin:tournaments_comparison_changelist          200 200
admin:tournaments_comparison_add                 403 403
admin:tournaments_comparison_history             302 302
admin:tournaments_comparison_delete              403 403
admin:tournaments_comparison_change              200 403
admin/tournaments/comparison/<path:object_id>/   302 302
admin:tournaments_watchedpair_changelist         200 200
admin:tournaments_watchedpair_add                403 403
admin:tournaments_watchedpair_history            302 302
admin:tournaments_watchedpair_delete             403 403
admin:tournaments_watchedpair_change             200 403
admin/tournaments/watchedpair/<path:object_id>/  302 302
admin:app_list                                   200 200
admin/(?P<url>.*)$                               404 404
"""


def leaves(resolver, route="", namespace=""):
    """Every address of the site by its full name, or by its route if it has none."""
    for pattern in resolver.url_patterns:
        here = route + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield f"{namespace}{pattern.name}" if pattern.name else here, here
        else:
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from leaves(pattern, here, inner)


ADDRESSES = dict(leaves(get_resolver()))
OPERATORS = {name: route for name, route in ADDRESSES.items() if route.startswith("admin/")}
OTHERS = {name: route for name, route in ADDRESSES.items() if name not in OPERATORS}


def rows(table):
    """What is expected, by address and method, for everybody in turn."""
    expected, name = {}, ""
    for line in table.strip().splitlines():
        words = line.split()
        if words[0] not in METHODS:
            name = words.pop(0)
        expected[name, words[0]] = words[1:]
    return expected


@pytest.fixture
def sessions(alice, bob, operator):
    """The cookies of nobody, a stranger, the owner and an operator."""
    found = []
    for user in (None, bob, alice, operator):
        client = Client()
        if user:
            client.force_login(user)
        found.append(client.cookies.output(header=""))
    return found


@pytest.fixture
def values(alice, operator):
    """What stands for the parameters of addresses."""
    bot = new_bot(alice, "red-fox")
    ladder = new_ladder("class", is_public=False, created_by=alice)
    enter(ladder=ladder, bot=bot)
    match = finish(new_match([bot, bot], None, alice))
    table = finish(new_match([bot, bot], None, alice))
    type(table).objects.filter(pk=table.pk).update(person=alice)
    token = make_token(user=alice, name="laptop")[0]
    notice = tell(user=alice, text="Told.")
    return {
        "name": bot.name,
        "number": 1,
        "slug": ladder.slug,
        "username": alice.username,
        "digest": bot.active_version.archive_id,
        "uidb36": "a",
        "key": "b",
        "match": match.pk,
        "table": table.pk,
        "token": token.pk,
        "notice": notice.pk,
        "comparison": new_comparison(bot, ladder).pk,
        "app_label": "accounts",
        "content_type_id": 1,
        "url": "nonsense",
        "page": "protocol",
        "game": "sticheln",
        "language": "python",
    }


@pytest.fixture
def one_of_each(values, operator):
    """What else operators look at."""
    Switches.objects.create(pk=1)
    make_invitation(created_by=operator)
    make_worker(name="one", created_by=operator)
    note_act(who=operator, verb="looked", what="around")
    bot = Bot.objects.get()
    WatchedPair.objects.create(
        ladder=Ladder.objects.get(), one=bot, other=bot, matches=60, gain=0.2, z=5, found_at=now()
    )


def address_of(name, route, values):
    """An address with something that is there for each of its parameters."""
    named = re.findall(r"<(?:\w+:)?(\w+)>", route)
    chosen = {parameter: value_of(parameter, name, values) for parameter in named}
    if name != route:
        return reverse(name, kwargs=chosen)
    path = re.sub(r"\(?(?:\?P)?<(?:\w+:)?(\w+)>(?:\.\*\))?", lambda one: str(chosen[one[1]]), route)
    return f"/{path.removesuffix('$')}"


def value_of(parameter, name, values):
    if parameter == "file":
        return {"docs_file": "rerate.py", "example": "good_bot.py"}[name]
    if parameter in ("pk", "id"):
        kinds = ("token", "notice", "comparison", "table")
        return values[next((kind for kind in kinds if kind in name), "match")]
    if parameter == "object_id":
        model = re.match(r"admin.(\w+?)[_/](\w+)(?:_history|_delete|_change|/<)", name)
        return apps.get_model(*model.groups()).objects.first().pk if model else 1
    return values[parameter]


def asked(cookies, method, path):
    """The answer to one request, which leaves nothing behind."""
    client = Client(raise_request_exception=False)
    client.cookies.load(cookies)
    cache.clear()
    with transaction.atomic():
        answer = client.generic(method, path)
        transaction.set_rollback(True)
    is_login = answer.status_code == 302 and "/login/?next=" in answer["Location"]
    return "login" if is_login else str(answer.status_code)


def test_every_address_answers_everybody_as_the_table_says(sessions, values):
    expected, found = rows(TABLE), {}
    for name, route in OTHERS.items():
        path = address_of(name, route, values)
        for method in METHODS:
            answers = [asked(cookies, method, path) for cookies in sessions]
            if (name, method) in expected or not set(answers) <= NOT_TAKEN:
                found[name, method] = answers
    assert found == expected


def test_every_address_has_a_row():
    assert {name for name, _ in rows(TABLE)} == set(OTHERS)


@pytest.mark.parametrize("method", METHODS)
def test_the_operators_pages_are_for_operators(sessions, values, one_of_each, method):
    for name, route in OPERATORS.items():
        if name not in ("admin:login", "admin:logout"):
            path = address_of(name, route, values)
            assert (name, [asked(one, method, path) for one in sessions[:3]]) == (
                name,
                ["login"] * 3,
            )


def test_operators_get_what_their_table_says(sessions, values, one_of_each):
    expected = {line.split()[0]: line.split()[1:] for line in OPERATORS_TABLE.strip().splitlines()}
    found = {}
    for name, route in OPERATORS.items():
        path = address_of(name, route, values)
        found[name] = [asked(sessions[3], method, path) for method in ("GET", "POST")]
    assert found == expected
