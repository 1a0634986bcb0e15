"""The operator's pages: who may use them, what they do, and that all of it is kept in the log."""

import io
import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth.models import Group
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import Act, Invitation, Notice, Switches, Token, User
from accounts.names import skeleton
from accounts.services import make_invitation, make_token, note_act, suspend, tell
from bots.models import Bot, Version
from jobs.models import State, Worker
from jobs.services import make_worker
from ladders.models import Ladder
from tests.platform.api.conftest import new_comparison
from tests.platform.tournaments.conftest import color_stock, hands, ladders, new_bot
from tournaments.models import Comparison, Match, WatchedPair
from tournaments.services import challenge, make_rated

__all__ = ["color_stock", "hands", "ladders", "new_bot"]

MODELS = (
    *(Act, Bot, Comparison, Invitation, Ladder, Match, Notice, Switches, Token, User, Version),
    *(WatchedPair, Worker),
)
READ_ONLY = (Act, Comparison, Match, Token, Version, WatchedPair)


def address(model, page="changelist", *args):
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


@pytest.fixture
def desk(client, operator):
    """The operator at work."""
    client.force_login(operator)
    return client


@pytest.fixture
def act(desk):
    """Chooses rows and an action, and gives the reason if it is asked for; what the page says then."""

    def act(action, *rows, reason=None, **more):
        about = {"action": action, ACTION_CHECKBOX_NAME: [row.pk for row in rows], "index": 0}
        response = desk.post(address(type(rows[0])), about | more, follow=True)
        if reason is not None:
            assert "This concerns:" in response.content.decode()
            response = desk.post(address(type(rows[0])), confirmed(response, reason), follow=True)
        for row in rows:
            row.refresh_from_db()
        return said(response)

    return act


def confirmed(response, reason):
    """The form of the page that asks for a reason, filled in."""
    hidden = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', one_line(response))
    about = {}
    for name, value in hidden:
        about.setdefault(name, []).append(value)
    return about | {"reason": reason}


def one_line(response):
    return re.sub(r"\s+", " ", response.content.decode())


def said(response):
    """What the page tells about what was done."""
    items = re.findall(r'<li class="(success|error|warning)">(.*?)</li>', one_line(response))
    return [text for _, text in items]


def log():
    return [
        (act.who.username if act.who else None, act.verb, act.what) for act in Act.objects.all()
    ]


# -- Who may --------------------------------------------------------------------------------------


def test_there_is_a_page_for_everything_and_for_nothing_else():
    assert set(admin.site._registry) == set(MODELS)
    assert not admin.site.is_registered(Group)
    assert not admin.site.is_registered(EmailAddress)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_only_operators_get_in(client, alice, model):
    response = client.get(address(model))
    assert response.url.startswith("/admin/login/")
    client.force_login(alice)
    assert client.get(address(model), follow=True).status_code == 403
    assert client.post(address(model), {"action": "suspend"}, follow=True).status_code == 403
    alice.is_staff = True
    alice.save()
    assert client.get(address(model), follow=True).status_code == 200


def test_a_suspended_operator_is_none(client, alice, operator):
    alice.is_staff = True
    alice.save()
    client.force_login(alice)
    suspend(user=alice, reason="Spam.", who=operator)
    assert client.get("/admin/").status_code == 302


def test_the_index_leads_to_everything(desk):
    page = desk.get("/admin/").content.decode()
    for model in MODELS:
        assert address(model) in page
    assert "Recent actions" not in page


def test_password_and_log_out_are_those_of_the_site(desk):
    assert desk.get("/admin/password_change/").url == reverse("account_change_password")
    assert desk.post("/admin/logout/").url == reverse("account_logout")


def test_what_happened_is_not_changed_by_hand(desk, everything):
    for model in READ_ONLY:
        row = model.objects.first()
        assert desk.get(address(model, "add")).status_code == 403, model
        assert desk.post(address(model, "add"), {}).status_code == 403, model
        assert desk.get(address(model, "change", row.pk)).status_code == 200, model
        assert desk.post(address(model, "change", row.pk), {}).status_code == 403, model


def test_nothing_is_deleted_by_hand(desk, everything):
    for model in MODELS:
        row = model.objects.first()
        answer = desk.post(address(model, "delete", row.pk), {"post": "yes"})
        assert answer.status_code == 403, model
        about = {"action": "delete_selected", ACTION_CHECKBOX_NAME: [row.pk], "post": "yes"}
        desk.post(address(model), about, follow=True)
        assert model.objects.filter(pk=row.pk).exists(), model


# -- What the pages show --------------------------------------------------------------------------


@pytest.fixture
def everything(alice, operator, new_bot):
    """At least one row of each kind."""
    bot = new_bot(alice, "red-fox")
    house = Bot.objects.filter(is_house=True, game="color-stock").first()
    challenge(user=alice, versions=[bot.active_version, house.active_version])
    make_token(user=alice, name="laptop")
    new_comparison(bot, bot.entries.get().ladder)
    watched_pair(bot, house)
    tell(user=alice, text="red-fox is paused.")
    make_invitation(created_by=operator, note="class 10b")
    Switches.objects.create(pk=1)
    note_act(who=operator, verb="did", what="something")


def watched_pair(one, other, z=5.0):
    return WatchedPair.objects.create(
        ladder=one.entries.get().ladder,
        one=one,
        other=other,
        matches=60,
        gain=0.2,
        z=z,
        found_at=timezone.now(),
    )


def test_every_list_and_every_row_can_be_looked_at_and_searched(desk, everything):
    for model in MODELS:
        row = model.objects.first()
        pages = [address(model), f"{address(model)}?q=red", address(model, "change", row.pk)]
        for page in [*pages, address(model, "history", row.pk)]:
            assert desk.get(page, follow=True).status_code == 200, page


def asked_for(desk, page):
    """How often the database is asked for a page."""
    with CaptureQueriesContext(connection) as asked:
        assert desk.get(page, follow=True).status_code == 200
    return len(asked)


def test_a_list_asks_the_database_the_same_whatever_there_is(
    desk, everything, alice, bob, operator, new_bot
):
    lists = [address(model) for model in MODELS]
    match = address(Match, "change", Match.objects.get().pk)
    before = [asked_for(desk, page) for page in [*lists, match]]
    for number in range(5):
        person = User.objects.create_user(f"person{number}")
        bot = new_bot(person, f"fox-number-{number}")
        challenge(user=person, versions=[bot.active_version] * 2)
        new_comparison(bot, bot.entries.get().ladder)
        watched_pair(bot, Bot.objects.filter(is_house=True, game=bot.game).first())
        make_token(user=person, name="laptop")
        tell(user=person, text="news")
        make_invitation(created_by=person)
        make_worker(name=f"worker {number}", created_by=person)
        note_act(who=operator, verb="did", what="something")
    assert [asked_for(desk, page) for page in [*lists, match]] == before


def test_no_page_needs_a_script_or_style_within_it(desk, everything):
    rows = [(model, model.objects.first()) for model in MODELS]
    lists = [address(model) for model, _ in rows]
    for page in [*lists, *(address(model, "change", row.pk) for model, row in rows)]:
        response = desk.get(page, follow=True)
        shown = response.content.decode()
        assert "script-src 'self'" in response["Content-Security-Policy"], page
        within = r"<script(?![^>]*\bsrc=)(?![^>]*application/json)[^>]*>"
        assert not re.findall(within, shown), page
        assert not re.findall(r"\son\w+=|<style|\sstyle=", shown), page


def test_a_seed_is_shown_to_nobody_before_its_match_has_finished(desk, everything):
    match = Match.objects.get()
    page = desk.get(address(Match, "change", match.pk)).content.decode()
    assert match.seed_sha256 in page
    assert match.seed not in page


def test_nobody_reads_code_there(desk, everything):
    version = Version.objects.get(bot__name="red-fox", number=1)
    page = desk.get(address(Version, "change", version.pk)).content.decode()
    assert version.archive_id[:12] in page
    assert "import json" not in page


# -- People ---------------------------------------------------------------------------------------


def test_people_are_suspended_for_a_reason_and_told(act, alice, bob):
    assert act("suspend", alice, bob, reason="Two of the same.") == ["Suspended: 2."]
    for person in (alice, bob):
        assert not person.is_active
        assert person.suspended_for == "Two of the same."
        assert person.notices.get().text == "Your account is suspended: Two of the same."
    assert set(log()) == {
        ("olivia", "suspended", "user alice"),
        ("olivia", "suspended", "user bob"),
    }
    assert Act.objects.first().detail == "Two of the same."
    assert act("lift_suspension", alice) == ["Suspensions lifted: 1."]
    assert alice.is_active
    assert log()[0] == ("olivia", "lifted the suspension of", "user alice")


def test_without_a_reason_nothing_happens(desk, alice):
    about = {"action": "suspend", ACTION_CHECKBOX_NAME: [alice.pk], "reason": " "}
    assert "This field is required" in desk.post(address(User), about).content.decode()
    alice.refresh_from_db()
    assert alice.is_active


def test_what_cannot_be_done_is_told_for_each(act, alice, bob, operator):
    alice.deleted_at = timezone.now()
    alice.save()
    assert act("suspend", alice, bob, operator, reason="Spam.") == [
        "Not done for alice: alice has deleted the account.",
        "Not done for olivia: You cannot suspend yourself.",
        "Suspended: 1.",
    ]
    assert not bob.is_active
    assert act("lift_suspension", operator) == ["Not done for olivia: olivia is not suspended."]


def test_an_operator_who_is_no_superuser_touches_no_operator(client, alice, bob, operator):
    for person in (alice, bob):
        person.is_staff = True
        person.save()
    client.force_login(alice)
    for other in (bob, operator):
        about = {"action": "suspend", ACTION_CHECKBOX_NAME: [other.pk], "reason": "Envy."}
        page = client.post(address(User), about, follow=True)
        assert "only a superuser suspends operators" in one_line(page)
        about = {"action": "password_link", ACTION_CHECKBOX_NAME: [other.pk]}
        assert "not yours to reset" in one_line(client.post(address(User), about, follow=True))
        about = {"username": "renamed", "is_staff": ""}
        assert client.post(address(User, "change", other.pk), about).status_code == 403
        other.refresh_from_db()
        assert other.is_active


def test_an_operator_who_is_no_superuser_makes_no_operators(client, alice, bob):
    alice.is_staff = True
    alice.save()
    client.force_login(alice)
    about = {"username": "bob", "is_staff": "on", "may_create_ladders": "on"}
    assert client.post(address(User, "change", bob.pk), about).status_code == 302
    bob.refresh_from_db()
    assert bob.may_create_ladders
    assert not bob.is_staff


def test_a_superuser_makes_operators(desk, bob):
    desk.post(address(User, "change", bob.pk), {"username": "bob", "is_staff": "on"})
    bob.refresh_from_db()
    assert bob.may_operate
    assert log() == [("olivia", "changed", "user bob")]
    assert Act.objects.get().detail == "is_staff: False → True"


def test_people_are_allowed_to_create_ladders(act, alice, bob):
    assert act("allow_ladders", alice, bob) == ["Allowed to create ladders: 2."]
    assert alice.creates_ladders
    act("forbid_ladders", alice)
    assert not alice.creates_ladders
    assert [verb for _, verb, _ in log()] == [
        "no longer allowed to create ladders",
        *["allowed to create ladders"] * 2,
    ]


def test_a_bad_name_can_be_changed_and_follows_the_rules(desk, alice, bob):
    page = desk.post(address(User, "change", bob.pk), {"username": "a1ice"})
    assert "taken, or looks like" in page.content.decode()
    desk.post(address(User, "change", bob.pk), {"username": "robert"})
    bob.refresh_from_db()
    assert (bob.username, bob.skeleton) == ("robert", skeleton("robert"))
    assert Act.objects.get().detail == "username: bob → robert"
    assert desk.post(address(User, "change", bob.pk), {"username": "ROBERT"}).status_code == 302


def test_the_house_and_who_is_gone_are_left_alone(desk, act, ladders, alice):
    house = User.objects.get(is_house=True)
    assert desk.post(address(User, "change", house.pk), {"username": "x"}).status_code == 403
    assert act("suspend", house, reason="x") == [
        "Not done for house: house is the house; pause its bots instead."
    ]
    alice.deleted_at = timezone.now()
    alice.save()
    assert desk.post(address(User, "change", alice.pk), {"username": "x"}).status_code == 403


def test_a_link_for_a_new_password_is_handed_on(desk, bob, log_in_with):
    about = {"action": "password_link", ACTION_CHECKBOX_NAME: [bob.pk]}
    page = one_line(desk.post(address(User), about))
    [link] = re.findall(r"<code>http://testserver(\S+)</code>", page)
    visitor = Client()
    action = visitor.get(link, follow=True).redirect_chain[-1][0]
    visitor.post(action, {"password1": "knave-of-clubs-11", "password2": "knave-of-clubs-11"})
    assert log_in_with("bob", "knave-of-clubs-11") == 302
    assert log() == [("olivia", "made a password link for", "user bob")]


@pytest.fixture
def log_in_with(db):
    def log_in_with(name, password):
        about = {"login": name, "password": password}
        return Client().post("/accounts/login/", about).status_code

    return log_in_with


def test_tokens_are_revoked(act, alice):
    token, _ = make_token(user=alice, name="laptop")
    assert act("revoke", token) == ["Revoked: 1."]
    assert token.revoked_at is not None
    assert log() == [("olivia", "revoked", f"token laptop ({token.hint}…) of alice")]


def test_a_notice_is_written_by_hand(desk, alice):
    about = {"user": alice.pk, "text": "The class ends on Friday.", "link": ""}
    assert desk.post(address(Notice, "add"), about).status_code == 302
    assert alice.notices.get().text == "The class ends on Friday."
    assert log() == [("olivia", "told", "user alice")]


# -- The site -------------------------------------------------------------------------------------


def test_the_switches_are_one_row(desk, client):
    assert desk.get(address(Switches)).url == address(Switches, "change", 1)
    about = {"uploads": "on", "sign_up": "closed", "banner": "Back at noon."}
    desk.post(address(Switches, "change", 1), about)
    switches = Switches.now()
    assert (switches.uploads, switches.matchmaking, switches.sign_up) == (True, False, "closed")
    assert "Back at noon." in client.get("/").content.decode()
    [kept] = Act.objects.all()
    assert (kept.verb, kept.what) == ("changed", "switches")
    assert "matchmaking: True → False" in kept.detail
    assert "sign_up: open → closed" in kept.detail
    assert desk.get(address(Switches, "add")).status_code == 403


def test_invitations_are_made_for_a_whole_class(desk, operator):
    about = {"note": "class 10b", "how_many": "30"}
    assert desk.post(address(Invitation, "add"), about).status_code == 302
    codes = set(Invitation.objects.values_list("code", flat=True))
    assert len(codes) == 30
    page = desk.get(address(Invitation)).content.decode()
    for code in codes:
        assert f"http://localhost:8000/accounts/signup/?invitation={code}" in page
    assert log() == [("olivia", "invited", "class 10b")] * 30
    about = {"note": "", "how_many": "101"}
    assert (
        "less than or equal to 100" in desk.post(address(Invitation, "add"), about).content.decode()
    )


def test_the_log_can_be_searched_but_not_changed(desk, alice, operator, act):
    act("suspend", alice, reason="Spam.")
    page = desk.get(address(User, "history", alice.pk), follow=True)
    assert "suspended" in page.content.decode()
    kept = Act.objects.get()
    assert desk.post(address(Act, "change", kept.pk), {"verb": "praised"}).status_code == 403
    kept.refresh_from_db()
    assert kept.verb == "suspended"


# -- Workers --------------------------------------------------------------------------------------


def test_a_workers_token_is_shown_once(desk, operator):
    page = one_line(desk.post(address(Worker, "add"), {"name": "basement"}))
    [letters] = re.findall(r"KIBITZ_TOKEN=(kbw_\w{36})", page)
    worker = Worker.objects.get()
    assert worker.created_by == operator
    assert worker.sha256 != letters
    assert letters not in one_line(desk.get(address(Worker, "change", worker.pk)))
    assert log() == [("olivia", "made worker", "basement")]
    page = one_line(desk.post(address(Worker, "add"), {"name": "basement"}))
    assert "already exists" in page
    assert Worker.objects.count() == 1


def test_a_worker_is_revoked(act, operator):
    worker, _ = make_worker(name="basement", created_by=operator)
    assert act("revoke", worker) == ["Revoked: 1."]
    assert worker.revoked_at is not None
    assert log()[0] == ("olivia", "revoked worker", "basement")


# -- Bots -----------------------------------------------------------------------------------------


def test_a_bot_is_paused_for_a_reason_and_its_owner_told(act, alice, new_bot):
    bot = new_bot(alice, "red-fox")
    assert act("pause", bot, reason="It talks to the outside.") == ["Paused: 1."]
    assert (bot.state, bot.paused_by) == (Bot.State.PAUSED, Bot.PausedBy.OPERATOR)
    assert bot.paused_for == "It talks to the outside."
    notice = alice.notices.first()
    assert notice.text == "An operator has paused red-fox: It talks to the outside."
    assert notice.link == "/bots/red-fox/"
    assert act("resume", bot) == ["Resumed: 1."]
    assert bot.state == Bot.State.ACTIVE
    assert log()[:2] == [("olivia", "resumed", "bot red-fox"), ("olivia", "paused", "bot red-fox")]


def test_a_bot_is_retired_for_a_reason(act, alice, new_bot):
    bot = new_bot(alice, "red-fox")
    assert act("retire", bot, reason="Not yours.") == ["Retired: 1."]
    assert bot.state == Bot.State.RETIRED
    assert log()[0] == ("olivia", "retired", "bot red-fox")
    assert act("pause", bot, reason="x") == ["Not done for red-fox: red-fox is retired."]


def test_a_bots_bad_name_can_be_changed(desk, alice, new_bot):
    bot, _ = new_bot(alice, "red-fox"), new_bot(alice, "blue-fox")
    page = desk.post(address(Bot, "change", bot.pk), {"name": "b1ue-fox"})
    assert "looks like it, exists" in page.content.decode()
    desk.post(address(Bot, "change", bot.pk), {"name": "fox", "about": "a fox"})
    bot.refresh_from_db()
    assert (bot.name, bot.skeleton, bot.about) == ("fox", skeleton("fox"), "a fox")
    assert log()[0] == ("olivia", "changed", "bot fox")
    assert "name: red-fox → fox" in Act.objects.first().detail


def test_a_version_is_checked_again(act, alice, new_bot):
    version = new_bot(alice, "red-fox").active_version
    assert act("recheck", version) == ["To be checked again: 1."]
    assert version.state == Version.State.CHECKING
    assert log()[0] == ("olivia", "had checked again", "version red-fox v1")
    assert "is being checked" in act("recheck", version)[0]


# -- Ladders and matches --------------------------------------------------------------------------


def test_a_ladder_is_closed_now(act, color_stock):
    assert act("close", color_stock) == ["Closed: 1."]
    assert color_stock.has_closed(timezone.now())
    assert log()[0] == ("olivia", "closed", "ladder Color Stock")
    assert act("close", color_stock) == ["Not done for Color Stock: It has closed already."]


def test_a_ladder_that_has_not_opened_cannot_close(act, color_stock):
    color_stock.opens_at = timezone.now() + timedelta(days=1)
    color_stock.save()
    [told] = act("close", color_stock)
    assert told.startswith("Not done for Color Stock: ")
    assert color_stock.closes_at is None


def test_of_a_ladder_only_words_and_times_change(desk, color_stock):
    about = {
        "title": "Stock",
        "about": "",
        "is_public": "on",
        "game": "sticheln",
        "players": "7",
        "opens_at_0": "2026-01-01",
        "opens_at_1": "12:00:00",
        "closes_at_0": "",
        "closes_at_1": "",
    }
    assert desk.post(address(Ladder, "change", color_stock.pk), about).status_code == 302
    before = color_stock.players
    color_stock.refresh_from_db()
    assert (color_stock.title, color_stock.game) == ("Stock", "color-stock")
    assert color_stock.players == before
    assert "title: Color Stock → Stock" in Act.objects.first().detail
    del about["is_public"]
    desk.post(address(Ladder, "change", color_stock.pk), about)
    color_stock.refresh_from_db()
    assert color_stock.join_code


def test_a_ladder_is_rated_anew(act, color_stock):
    assert act("rerate", color_stock) == ["Rated anew: 1."]
    assert log()[0][:2] == ("olivia", "re-rated")


def test_a_match_is_void_for_a_reason_and_played_again(act, alice, new_bot):
    version = new_bot(alice, "red-fox").active_version
    match = challenge(user=alice, versions=[version, version])
    assert act("void", match, reason="The clock was wrong.") == ["Void: 1."]
    assert (match.state, match.void_reason) == (State.VOID, "The clock was wrong.")
    assert log()[0] == ("olivia", "voided", f"match {match.pk}")
    assert act("void", match, reason="x")[0].endswith("is void already.")
    assert act("requeue", match) == ["To be played again: 1."]
    assert match.state == State.WAITING
    assert log()[0] == ("olivia", "requeued", f"match {match.pk}")


def test_a_comparison_is_cancelled_and_it_is_kept_who_did_it(act, alice, new_bot):
    bot = new_bot(alice, "red-fox")
    comparison = new_comparison(bot, bot.entries.get().ladder)
    assert act("cancel", comparison) == ["Cancelled: 1."]
    assert comparison.state == Comparison.State.CANCELLED
    assert ("olivia", "cancelled", f"comparison {comparison.pk}") in log()
    assert "has ended already" in act("cancel", comparison)[0]


@pytest.fixture
def shared(new_bot, color_stock, alice, bob, hands):
    """Two bots and the only match in which both sat, played."""
    fox, owl = new_bot(alice, "red-fox"), new_bot(bob, "blue-owl")
    house = list(color_stock.entries.filter(bot__is_house=True).select_related("bot"))
    made = []
    for bots in ([fox, owl], [fox, house[2].bot]):
        two = [color_stock.entries.get(bot=bot) for bot in bots]
        table = [(entry.plays, entry) for entry in [*two, *house[:2]]]
        made.append(make_rated(ladder=color_stock, table=table, is_newcomers=False))
        assert hands.play(made[-1]).status_code == 200
    return fox, owl, made[0]


def test_a_suspicious_pair_leads_to_its_matches(desk, shared):
    fox, owl, match = shared
    pair = watched_pair(fox, owl)
    page = one_line(desk.get(address(WatchedPair)))
    assert "5.0" in page
    assert "+20.0%" in page
    assert 'alt="True"' in page
    link = f"{address(Match)}?pair={pair.pk}"
    assert f'<a href="{link}">60 matches</a>' in page
    assert list(desk.get(link).context["cl"].queryset) == [match]


def test_an_unremarkable_pair_is_not_marked_but_its_matches_can_be_seen(desk, shared):
    fox, owl, match = shared
    pair = watched_pair(fox, owl, z=1.5)
    assert 'alt="False"' in one_line(desk.get(address(WatchedPair)))
    assert list(desk.get(f"{address(Match)}?pair={pair.pk}").context["cl"].queryset) == [match]
    assert not desk.get(f"{address(Match)}?pair=x").context["cl"].queryset.exists()


def test_the_matches_of_a_pair_are_taken_out_of_the_ratings_together(desk, shared):
    fox, owl, match = shared
    pair = watched_pair(fox, owl)
    page = f"{address(Match)}?pair={pair.pk}"
    about = {"action": "remove", ACTION_CHECKBOX_NAME: [match.pk], "index": 0, "select_across": 1}
    asked = desk.post(page, about)
    assert f"match {match.pk}" in one_line(asked)
    desk.post(page, confirmed(asked, "one helps the other"), follow=True)
    match.refresh_from_db()
    assert match.removed_for == "one helps the other"
    assert Match.objects.exclude(pk=match.pk).get().removed_for == ""
    assert ("olivia", "removed", f"match {match.pk}") in log()


def test_a_result_is_kept(act, alice, new_bot, hands):
    version = new_bot(alice, "red-fox").active_version
    match = challenge(user=alice, versions=[version, version])
    hands.play(match)
    assert act("requeue", match)[0].endswith("has its result.")
    assert match.state == State.FINISHED


def test_not_too_many_at_once(act, alice, new_bot, monkeypatch):
    monkeypatch.setattr("accounts.operating.MOST_AT_ONCE", 1)
    version = new_bot(alice, "red-fox").active_version
    one, other = (challenge(user=alice, versions=[version, version]) for _ in range(2))
    assert act("requeue", one, other) == ["Choose at most 1 at once."]
    assert (one.attempt, other.attempt) == (1, 1)


def test_all_that_a_filter_finds_can_be_chosen(act, alice, new_bot):
    version = new_bot(alice, "red-fox").active_version
    one, other = (challenge(user=alice, versions=[version, version]) for _ in range(2))
    assert act("void", one, reason="All.", select_across=1) == ["Void: 2."]
    other.refresh_from_db()
    assert other.state == State.VOID


# -- The first operator ---------------------------------------------------------------------------


def test_the_first_operator_is_made_by_a_command(db, monkeypatch, log_in_with):
    monkeypatch.setenv("DJANGO_SUPERUSER_USERNAME", "admin")
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "ten-red-tricks")
    call_command("createsuperuser", interactive=False, verbosity=0)
    user = User.objects.get()
    assert (user.username, user.skeleton, user.may_operate) == ("admin", skeleton("admin"), True)
    assert log_in_with("admin", "ten-red-tricks") == 302


def test_the_command_refuses_a_name_that_looks_like_somebody_elses(alice, monkeypatch):
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "ten-red-tricks")
    with pytest.raises(CommandError, match="taken, or looks like one that is"):
        call_command("createsuperuser", username="a1ice", interactive=False, stderr=io.StringIO())
    assert User.objects.count() == 1
