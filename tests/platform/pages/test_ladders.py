"""Ladders: standings, who may see and enter, a new one, joining with a code."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from ladders.models import Entry, Ladder, Membership, Rating
from ladders.services import leave
from ladders.standings import provisional, provisional_page, ranked_page
from ratings.scale import FIRST

pytestmark = pytest.mark.django_db


def ladder_page(ladder):
    return reverse("ladder", args=[ladder.slug])


# -- Standings ------------------------------------------------------------------------------------


@pytest.fixture
def crowd(site, rank, new_bot, alice):
    """Entries with ratings of which two are the same."""
    entries = [*Entry.objects.filter(ladder=site.public)]
    for entry, rating in zip(entries, [1500.25, 1700, 1500.25, 1600, 1400], strict=True):
        rank(entry, rating)
    return sorted(entries, key=lambda entry: (-Entry.objects.get(pk=entry.pk).rating, entry.pk))


@pytest.mark.parametrize("size", [1, 2, 3, 5, 6])
def test_pages_of_standings_show_everyone_once_and_in_order(site, crowd, size):
    seen = [row["pk"] for row in all_pages(ranked_page, site.public, size)]
    assert seen == [entry.pk for entry in crowd]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 6])
def test_pages_of_provisional_bots_show_everyone_once_and_in_order(site, crowd, size):
    Entry.objects.update(rank=None)
    seen = [row["pk"] for row in all_pages(provisional_page, site.public, size)]
    assert seen == [entry.pk for entry in crowd]


def all_pages(page_of, ladder, size):
    rows, after = [], ""
    while True:
        page = page_of(ladder, after, size)
        assert page.is_first is (not rows)
        rows += page.rows
        if not (after := page.following):
            return rows


@pytest.mark.parametrize("key", ["", "_", "1500", "x_1", "nan_1", "inf_1", "1_-1", f"1_{2**64}"])
def test_a_key_that_is_none_begins_at_the_top(site, crowd, key):
    assert provisional_page(site.public, key, 5).is_first
    assert ranked_page(site.public, key.replace("1500", "x")).is_first


def test_who_has_played_too_little_stands_apart(site, client, rank, text):
    fox = Entry.objects.get(bot=site.alices, ladder=site.public)
    rank(fox, 1612.6)
    page = text(client.get(ladder_page(site.public)))
    standing, _, apart = page.partition("Provisional</h2>")
    assert "red-fox" in standing.partition("Standings</h2>")[2]
    assert "1613" in standing
    assert "blue-owl" in apart.partition("Your bots here")[0]
    assert [row["bot__name"] for row in ranked_page(site.public, "").rows] == ["red-fox"]
    assert fox not in provisional(site.public)


def test_who_has_left_is_on_no_standings(site, client, text):
    leave(entry=Entry.objects.get(bot=site.alices, ladder=site.public))
    page = text(client.get(ladder_page(site.public)))
    assert "red-fox" not in page.partition("Provisional</h2>")[2].partition("Your bots here")[0]


def test_a_ladder_says_by_what_it_is_played(client, ladders, text):
    page = text(client.get(ladder_page(ladders["misery"])))
    assert "<dt>Rules</dt> <dd> misery </dd>" in page
    assert "5 s of CPU a leg and 50 ms a move" in page
    assert "4 legs on the same deals" in page


def test_own_rows_are_marked_for_their_owner_only(site, as_alice, as_bob):
    for caller in (as_alice, as_bob):
        page = caller.get(ladder_page(site.public)).content.decode()
        assert page.count('class="mine"') == 1


def test_matches_are_shown_by_what_has_become_of_them(site, client, text):
    page = text(client.get(ladder_page(site.public)))
    queue, _, last = page.partition("Last matches</h2>")
    assert f"Match {site.waiting.pk}<" in queue
    assert f"Match {site.played.pk}<" in last
    assert f"Match {site.void.pk}<" not in page


def test_a_closed_ladder_is_readable_and_lets_nobody_in_or_out(site, as_alice, text):
    Ladder.objects.filter(pk=site.public.pk).update(
        opens_at=timezone.now() - timedelta(days=2), closes_at=timezone.now() - timedelta(days=1)
    )
    page = text(as_alice.get(ladder_page(site.public)))
    assert "Its standings stay as they were." in page
    assert "red-fox" in page
    assert reverse("ladder_leave", args=[site.public.slug]) not in page
    answer = as_alice.post(
        reverse("ladder_leave", args=[site.public.slug]), {"bot": "red-fox"}, follow=True
    )
    assert "Color Stock has closed; its standings stay as they are." in text(answer)


def test_a_ladder_that_opens_later_says_when(site, client, text):
    Ladder.objects.filter(pk=site.public.pk).update(opens_at=timezone.now() + timedelta(days=1))
    assert "Bots can enter already." in text(client.get(ladder_page(site.public)))


# -- Entering and leaving -------------------------------------------------------------------------


def test_a_bot_leaves_and_comes_back(site, as_alice, text):
    enter, leave = (reverse(f"ladder_{act}", args=[site.public.slug]) for act in ("enter", "leave"))
    answer = as_alice.post(leave, {"bot": "red-fox"}, follow=True)
    assert "red-fox has left Color Stock." in text(answer)
    assert not Entry.objects.present().filter(bot=site.alices, ladder=site.public).exists()
    answer = as_alice.post(enter, {"bot": "red-fox"}, follow=True)
    assert "red-fox is on Color Stock from now on." in text(answer)
    assert Entry.objects.present().filter(bot=site.alices, ladder=site.public).exists()


def test_nobody_moves_somebody_elses_bot(site, as_bob, text):
    leave = reverse("ladder_leave", args=[site.public.slug])
    answer = as_bob.post(leave, {"bot": "red-fox"}, follow=True)
    assert "Choose one of your bots that is on this ladder." in text(answer)
    assert Entry.objects.present().filter(bot=site.alices, ladder=site.public).exists()


def test_a_stranger_is_asked_to_log_in(site, client, text):
    page = text(client.get(ladder_page(site.public)))
    assert f"{reverse('account_login')}?next={ladder_page(site.public)}" in page
    answer = client.post(reverse("ladder_enter", args=[site.public.slug]), {"bot": "red-fox"})
    assert answer.url.startswith(reverse("account_login"))


# -- Private ladders ------------------------------------------------------------------------------


def test_a_private_ladder_is_not_there_for_others(site, client, as_bob, as_alice, as_operator):
    address = ladder_page(site.private)
    assert [caller.get(address).status_code for caller in (client, as_bob)] == [404, 404]
    assert [caller.get(address).status_code for caller in (as_alice, as_operator)] == [200, 200]
    for caller, is_listed in ((client, False), (as_bob, False), (as_alice, True)):
        assert (b"Evening class" in caller.get(reverse("ladder_list")).content) is is_listed


def test_whoever_runs_it_sees_the_code_and_members_do_not(site, as_operator, as_alice):
    code = site.private.join_code.encode()
    assert code in as_operator.get(ladder_page(site.private)).content
    assert code not in as_alice.get(ladder_page(site.private)).content


def test_the_code_lets_somebody_in(site, as_bob, bob):
    address = reverse("ladder_join", args=[site.private.slug])
    assert f'value="{site.private.join_code}"' in (
        as_bob.get(f"{address}?code={site.private.join_code}").content.decode()
    )
    answer = as_bob.post(address, {"code": site.private.join_code.upper()})
    assert answer.url == ladder_page(site.private)
    assert Membership.objects.filter(ladder=site.private, user=bob).exists()
    assert as_bob.get(address).url == ladder_page(site.private)


def test_a_wrong_code_and_a_ladder_that_is_none_answer_alike(site, as_bob, bob):
    wrong = as_bob.post(reverse("ladder_join", args=[site.private.slug]), {"code": "wrong"})
    none = as_bob.post(reverse("ladder_join", args=["no-such-class"]), {"code": "wrong"})
    assert b"ask whoever runs it" in wrong.content
    assert errors(wrong) == errors(none)
    assert not Membership.objects.filter(user=bob).exists()


def errors(answer):
    return answer.context["form"].non_field_errors()


# -- New ladders ----------------------------------------------------------------------------------

FORM = {
    "title": "Class 7",
    "players": 3,
    "rules": "misery",
    "bank_ms": 2000,
    "increment_ms": 20,
    "wall_ms": 5000,
    "start_ms": 5000,
    "is_private": "on",
}
NEW = "/ladders/new/?game=sticheln"


def test_only_who_may_is_offered_a_new_ladder(site, as_alice, as_operator):
    assert as_alice.get(reverse("ladder_new")).status_code == 403
    assert as_alice.post(NEW, FORM).status_code == 403
    assert b"Stop It!" in as_operator.get(reverse("ladder_new")).content
    assert reverse("ladder_new").encode() in as_operator.get(reverse("ladder_list")).content
    assert reverse("ladder_new").encode() not in as_alice.get(reverse("ladder_list")).content


def test_a_new_ladder_is_what_was_asked_for(site, as_charlie, charlie):
    charlie.may_create_ladders = True
    charlie.save()
    answer = as_charlie.post(NEW, FORM)
    ladder = Ladder.objects.get(title="Class 7")
    assert answer.url == ladder_page(ladder)
    assert ladder.options == {"rules": "misery", "all_zero_trick": "first"}
    assert (ladder.players, ladder.is_public, ladder.created_by) == (3, False, charlie)
    assert (ladder.limits["bank_ms"], ladder.limits["wall_ms"]) == (2000, 5000)
    assert ladder.entries.filter(rating=FIRST, bot__is_house=True).exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"title": ""}, "This field is required."),
        ({"players": 9}, "Ensure this value is less than or equal to 8."),
        ({"players": 8}, "is for 3 to 7 players, not 8."),
        ({"rules": "bridge"}, "Select a valid choice."),
        (
            {"opens_at": "2030-01-02T10:00", "closes_at": "2030-01-01T10:00"},
            "closes after it opens",
        ),
        ({"wall_ms": 10}, "Ensure this value is greater than or equal to 100."),
    ],
)
def test_what_cannot_be_is_said_beside_the_form(as_operator, change, said, text):
    answer = as_operator.post(NEW, FORM | change)
    assert answer.status_code == 200
    assert said in text(answer)
    assert not Ladder.objects.exists()


# -- What the standings say -----------------------------------------------------------------------


@pytest.fixture
def ranked_two(site, rank):
    """Two bots with ranks; the first is the better."""
    entries = [Entry.objects.get(bot=bot, ladder=site.public) for bot in (site.alices, site.bobs)]
    for entry, rating in zip(entries, (1650, 1580), strict=True):
        rank(entry, rating)
    return entries


@pytest.mark.parametrize(
    ("ahead", "is_clear", "said"),
    [
        (0.6, False, "too close to call with #2"),
        (0.874, False, "probably ahead of #2 (87 %)"),
        (0.99, True, "clearly ahead of #2"),
    ],
)
def test_between_neighbours_stands_what_may_be_said(
    site, client, ranked_two, text, ahead, is_clear, said
):
    Entry.objects.filter(pk=ranked_two[0].pk).update(ahead=ahead, is_clear=is_clear)
    page = text(client.get(ladder_page(site.public)))
    assert said in page
    assert ("confirmed champion" if is_clear else "leader") in page
    assert "<b>1</b> <span>1–2</span>" in page
    assert "<b>1650</b> <span>±40</span>" in page


def test_who_is_provisional_is_told_what_is_missing(site, client, text):
    fox = Entry.objects.filter(bot=site.alices, ladder=site.public)
    fox.update(matches=18, owners_met=2, plus_minus=69)
    page = text(client.get(ladder_page(site.public)))
    assert "18 of 20 matches" in page
    assert "2 of 4 owners" in page
    assert "±69 of 70" in page


def test_a_challenger_is_announced_with_its_matches(site, client, ranked_two, text):
    fox = ranked_two[0]
    Rating.objects.update_or_create(
        entry=fox, version=site.alices.active_version, defaults={"matches": 12}
    )
    Entry.objects.filter(pk=fox.pk).update(challenger=site.alices.active_version)
    page = text(client.get(ladder_page(site.public)))
    assert "v1 is challenging: 12 of 20 matches" in page


def test_the_anchor_is_fixed(site, client, text):
    anchor = Entry.objects.filter(ladder=site.public, bot=site.public.anchor.bot)
    anchor.update(version=site.public.anchor, plus_minus=0)
    page = text(client.get(ladder_page(site.public)))
    assert '<span class="tag line">anchor</span>' in page
    assert "<b>1500?</b> <span>fixed</span>" in page


# -- Finding --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("fox", {"red-fox"}),
        ("BOB", {"blue-owl"}),
        ("bob fox", set()),
        ("lang:python owl", {"blue-owl"}),
        ("lang:py owl", {"blue-owl"}),
        ("lang:c++", set()),
        ("%", set()),
        ("\0fox", {"red-fox"}),
    ],
)
def test_bots_are_found_by_name_author_and_language(site, client, wanted, found):
    for bot in (site.alices, site.bobs):
        Entry.objects.filter(bot=bot).update(version=bot.active_version)
    answer = client.get(ladder_page(site.public), {"q": wanted})
    rows = [*answer.context["ranked"].rows, *answer.context["newcomers"].rows]
    assert {row["bot__name"] for row in rows} == found


def test_what_is_looked_for_stays_in_the_field(site, client):
    page = client.get(ladder_page(site.public), {"q": '"><b>'}).content
    assert b'value="&quot;&gt;&lt;b&gt;"' in page
    assert b'"><b>' not in page


# -- Crosstable and seats -------------------------------------------------------------------------


def test_a_crosstable_has_rows_for_those_that_are_ranked(site, client, ranked_two, text):
    page = text(client.get(reverse("ladder_tables", args=[site.public.slug])))
    assert page.count('<th scope="row">') == 2
    assert "red-fox" in page
    assert "Nobody is ranked yet." not in page


def test_a_ladder_without_ranks_says_so(site, client, text):
    assert "Nobody is ranked yet." in text(
        client.get(reverse("ladder_tables", args=[site.public.slug]))
    )
