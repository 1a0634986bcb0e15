"""A version's page: the check while it runs, its verdict, and to whom it is shown."""

import re

import pytest
from django.urls import reverse

from bots.services import upload
from workers.check import Verdict
from workers.contract import Job, Step

pytestmark = pytest.mark.django_db

PAGE = reverse("version", args=["red-fox", 2])
PART = reverse("version_check", args=["red-fox", 2])


@pytest.fixture
def version(site):
    """Alice's second version, whose check waits."""
    return upload(bot=site.alices, data=b"print(2)", file_name="two.py", notes="<b>new</b>")[0]


@pytest.fixture
def job(version):
    return Job("check", str(version.check_job.pk), 1)


def test_a_check_is_followed_from_the_queue_to_its_end(version, job, hands, as_alice, text):
    assert "Its check waits for a worker." in text(as_alice.get(PAGE))
    ticket = hands.ticket(job)
    assert "Its check is running." in text(as_alice.get(PAGE))
    hands.progress(job, ["files: 1 file, recognised as Python", "compiling <it>"])
    page = text(as_alice.get(PART))
    assert "compiling &lt;it&gt;" in page
    assert 'Files <span class="faint">passed</span>' in page
    assert 'Build <span class="faint">running</span>' in page
    assert 'Self-test <span class="faint">waiting</span>' in page
    hands.report(hands.check_record(ticket))
    page = text(as_alice.get(PART))
    assert "Ready, and the version that plays." in page
    assert "data-live" not in page


def test_the_page_and_its_part_say_the_same(version, job, hands, as_alice):
    hands.ticket(job)
    hands.progress(job, ["files: 1 file"])
    part = as_alice.get(PART).content.decode()
    assert part.strip() in as_alice.get(PAGE).content.decode()


def test_a_check_under_way_is_live_with_and_without_scripts(version, hands, as_alice):
    page = as_alice.get(PAGE).content.decode()
    head = " ".join(page.partition("</head>")[0].split())
    assert f'data-live="{PART}"' in page
    assert re.search('<noscript> *<meta http-equiv="refresh" content="2"> *</noscript>', head)
    hands.check(version)
    page = as_alice.get(PAGE).content.decode()
    assert "refresh" not in page
    assert "data-live" not in page


def test_a_rejection_says_what_came_and_how_to_see_it_at_home(version, hands, as_alice, text):
    sentence = (
        "illegal: red+pink came.\nSee the same at home: kibitz check two.py --game color-stock"
    )
    steps = [Step("files", "passed", "1 file"), Step("a leg against itself", "failed", sentence)]
    hands.check(version, Verdict(False, "python", sentence, steps))
    page = text(as_alice.get(PAGE))
    assert "See the same at home" in page
    assert ">kibitz check two.py --game color-stock</pre>" in page
    assert "failed" in page
    assert reverse("bot_upload", args=["red-fox"]) in page


def test_the_log_of_another_attempt_is_not_shown(version, job, hands, as_alice):
    hands.ticket(job)
    hands.progress(job, ["from the first attempt"])
    hands.give_back(job)
    assert b"from the first attempt" not in as_alice.get(PAGE).content


def test_a_very_long_log_is_shown_from_its_end(version, job, hands, as_alice, text):
    hands.ticket(job)
    hands.progress(job, [f"line {number}." for number in range(450)])
    page = text(as_alice.get(PAGE))
    assert "its last 400 lines" in page
    assert "line 449." in page
    assert "line 49." not in page


def test_a_long_line_is_cut_on_the_page_and_whole_in_the_log(version, job, hands, as_alice):
    hands.ticket(job)
    hands.progress(job, ["first", f"-> {'x' * 900}"])
    assert b"x" * 301 not in as_alice.get(PAGE).content
    log = as_alice.get(reverse("version_log", args=["red-fox", 2]))
    assert log.content.decode() == f"first\n-> {'x' * 900}\n"
    assert log["Content-Type"] == "text/plain; charset=utf-8"


def test_checks_are_for_owner_and_operators(version, client, as_bob, as_operator):
    for address in (PAGE, PART):
        assert client.get(address).url.startswith(reverse("account_login"))
        assert as_bob.get(address).status_code == 403
        assert as_operator.get(address).status_code == 200


def test_a_house_bots_version_has_no_check_to_show(site, as_operator):
    address = reverse("version", args=["house-good-color-stock", 1])
    assert as_operator.get(address).status_code == 200


def test_notes_are_text(version, as_alice):
    assert b"&lt;b&gt;new&lt;/b&gt;" in as_alice.get(PAGE).content


# -- The archive ----------------------------------------------------------------------------------


def test_the_owner_gets_the_very_bytes_back(version, as_alice):
    answer = as_alice.get(reverse("version_archive", args=["red-fox", 2]))
    assert (answer.content, answer["Content-Type"]) == (b"print(2)", "application/octet-stream")
    assert answer["Content-Disposition"] == 'attachment; filename="two.py"'
    assert "private" in answer["Cache-Control"]


def test_nobody_else_gets_the_code_not_even_an_operator(version, client, as_bob, as_operator):
    address = reverse("version_archive", args=["red-fox", 2])
    assert client.get(address).status_code == 302
    assert [caller.get(address).status_code for caller in (as_bob, as_operator)] == [403, 403]
