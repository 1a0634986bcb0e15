"""Ladders and entries: what they are made of, who may enter, and what a closed one allows."""

from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.utils import timezone

from accounts.services import NotPossible, QuotaReached
from bots.services import make_bot, retire
from ladders.models import Entry, Ladder
from ladders.services import (
    change_ladder,
    ensure_standards,
    enter,
    enter_standards,
    join,
    leave,
    make_ladder,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def teacher(bob):
    bob.may_create_ladders = True
    bob.save()
    return bob


@pytest.fixture
def bot(alice):
    return make_bot(owner=alice, game="stop-it", name="lucky")


def ladder_of(owner, **changed):
    about = {"title": "Class 7b", "game": "stop-it", "options": {}, "players": 4} | changed
    return make_ladder(created_by=owner, **about)


# -- Making ---------------------------------------------------------------------------------------


def test_a_ladder_has_all_options_and_limits(teacher):
    ladder = ladder_of(teacher, options={"target": 75}, limits={"bank_ms": 1000})
    assert ladder.options == {"target": 75}
    assert ladder.limits["bank_ms"] == 1000
    assert ladder.limits["wall_ms"] == 10_000
    assert (ladder.slug, ladder.is_public, ladder.join_code) == ("class-7b", True, "")


def test_two_ladders_of_one_title_have_two_addresses(teacher):
    first, second = ladder_of(teacher), ladder_of(teacher)
    assert first.slug != second.slug
    assert second.slug.startswith("class-7b-")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"players": 9}, "3 to 5 players, not 9"),
        ({"options": {"target": 60}}, "one of 50, 75, 100, not 60"),
        ({"options": {"speed": 1}}, "no option 'speed'"),
        ({"game": "chess"}, "not a valid choice"),
        ({"title": ""}, "cannot be blank"),
    ],
)
def test_what_the_rules_do_not_have_is_refused_with_what_they_have(teacher, changed, said):
    with pytest.raises(ValidationError, match=said):
        ladder_of(teacher, **changed)


def test_a_ladder_closes_after_it_opens(teacher):
    now = timezone.now()
    with pytest.raises(ValidationError):
        ladder_of(teacher, opens_at=now, closes_at=now - timedelta(hours=1))


def test_only_operators_and_those_they_allow_create_ladders(alice, operator):
    with pytest.raises(NotPossible, match="Ask an operator"):
        ladder_of(alice)
    assert ladder_of(operator)


def test_there_is_a_quota_for_ladders(teacher, settings):
    settings.QUOTAS = settings.QUOTAS | {"ladders": 1}
    ladder_of(teacher)
    with pytest.raises(QuotaReached, match="You have 1 ladders"):
        ladder_of(teacher)


def test_what_ratings_mean_cannot_change(teacher):
    ladder = ladder_of(teacher)
    change_ladder(ladder=ladder, title="Class 8b")
    assert Ladder.objects.get().title == "Class 8b"
    with pytest.raises(NotPossible, match="The players of a ladder cannot change"):
        change_ladder(ladder=ladder, players=5)


def test_the_standard_ladders_are_made_once(db):
    assert len(ensure_standards()) == len(ensure_standards()) == Ladder.objects.count() == 5


# -- Private ladders ------------------------------------------------------------------------------


def test_a_private_ladder_is_seen_by_members_its_creator_and_operators_only(
    teacher, alice, charlie, operator
):
    ladder = ladder_of(teacher, is_public=False)
    assert len(ladder.join_code) == 8
    with pytest.raises(NotPossible, match="not the ladder's join code"):
        join(ladder=ladder, user=alice, code="wrong")
    join(ladder=ladder, user=alice, code=f" {ladder.join_code.upper()} ")
    seen = {
        user.username: Ladder.objects.visible_to(user).exists()
        for user in (teacher, alice, charlie, operator, AnonymousUser())
    }
    assert seen == {"bob": True, "alice": True, "charlie": False, "olivia": True, "": False}


def test_a_bot_enters_a_private_ladder_after_its_owner_has_joined(teacher, alice, bot):
    ladder = ladder_of(teacher, is_public=False)
    with pytest.raises(NotPossible, match="join it with its code first"):
        enter(ladder=ladder, bot=bot)
    join(ladder=ladder, user=alice, code=ladder.join_code)
    assert enter(ladder=ladder, bot=bot)


def test_a_public_ladder_needs_no_joining(teacher, alice):
    with pytest.raises(NotPossible, match="open to everybody"):
        join(ladder=ladder_of(teacher), user=alice, code="")


def test_a_ladder_made_private_has_a_code(teacher):
    ladder = change_ladder(ladder=ladder_of(teacher), is_public=False)
    assert ladder.join_code


# -- Entries --------------------------------------------------------------------------------------


def test_a_bot_comes_back_to_where_it_was(teacher, bot):
    ladder = ladder_of(teacher)
    entry = enter(ladder=ladder, bot=bot)
    Entry.objects.filter(pk=entry.pk).update(rating=1634.5, matches=30)
    leave(entry=entry)
    assert not ladder.entries.present().exists()
    again = enter(ladder=ladder, bot=bot)
    assert (again.pk, again.left_at, again.rating) == (entry.pk, None, 1634.5)


def test_a_bot_plays_on_ladders_of_its_game_only(teacher, bot):
    ladder = ladder_of(teacher, game="color-stock")
    with pytest.raises(
        NotPossible, match="lucky plays stop-it; Class 7b is a ladder of color-stock"
    ):
        enter(ladder=ladder, bot=bot)


def test_a_retired_bot_enters_nothing(teacher, bot):
    retire(bot=bot)
    with pytest.raises(NotPossible, match="retired"):
        enter(ladder=ladder_of(teacher), bot=bot)


def test_a_closed_ladder_is_frozen(teacher, bot):
    ladder = ladder_of(teacher, closes_at=timezone.now() + timedelta(hours=1))
    entry = enter(ladder=ladder, bot=bot)
    with time_machine.travel(timezone.now() + timedelta(hours=2)):
        with pytest.raises(NotPossible, match="has closed; its standings stay"):
            leave(entry=entry)
        with pytest.raises(NotPossible, match="has closed"):
            enter(ladder=ladder, bot=bot)


def test_a_bot_enters_the_standard_ladders_once(db, alice):
    ensure_standards()
    bot = make_bot(owner=alice, game="sticheln", name="lucky")
    enter_standards(bot=bot)
    assert sorted(entry.ladder.slug for entry in bot.entries.all()) == [
        "misery",
        "sticheln",
        "stick-em",
    ]
    leave(entry=bot.entries.get(ladder__slug="misery"))
    enter_standards(bot=bot)
    assert bot.entries.present().count() == 2
