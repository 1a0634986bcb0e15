"""Workers as they are started, on a real broker, against a site that speaks the contract."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from workers import contract
from workers.app import LONGEST_MATCH_S, Settings, Unset, app, places_of, queue_settings
from workers.contract import Job
from workers.desk import Spool

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "color-stock" / "python"
ALL_QUEUES = ("checks", "newcomers", "matches", "comparisons")
pytestmark = pytest.mark.timeout(400)  # workers take their time to start where there is much to do

FULL = {"KIBITZ_SITE": "https://kibitz.example", "KIBITZ_TOKEN": "t"}


# -- Settings -------------------------------------------------------------------------------------


def test_three_settings_are_enough():
    settings = Settings.of(FULL)
    assert (settings.site, settings.token) == ("https://kibitz.example", "t")
    assert (settings.sandbox, settings.runtime, settings.cores) == ("auto", "", 1)
    assert settings.name


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"KIBITZ_SITE": ""}, "KIBITZ_SITE is not set"),
        ({"KIBITZ_TOKEN": " "}, "KIBITZ_TOKEN is not set"),
        ({"KIBITZ_SITE": "kibitz.example"}, "like https://"),
        ({"KIBITZ_SANDBOX": "none"}, "one of auto, docker, local"),
        ({"KIBITZ_CORES": "many"}, "KIBITZ_CORES is 'many'"),
        ({"KIBITZ_CORES": "100000"}, "from 1 to"),
    ],
)
def test_a_wrong_setting_is_named_with_what_it_should_be(changed, said):
    with pytest.raises(Unset, match=said):
        Settings.of(FULL | changed)


def test_a_token_may_stand_in_a_file(tmp_path):
    (tmp_path / "token").write_text("from a file\n")
    given = FULL | {"KIBITZ_TOKEN_FILE": str(tmp_path / "token")}
    assert Settings.of(given).token == "from a file"


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(Unset, match="KIBITZ_TOKEN_FILE cannot be read"):
        Settings.of(FULL | {"KIBITZ_TOKEN_FILE": str(tmp_path / "none")})


def test_a_message_is_never_lost_to_a_dead_process_nor_seen_twice_within_a_match():
    options = app.conf.broker_transport_options
    assert app.conf.task_acks_late
    assert app.conf.task_reject_on_worker_lost
    assert app.conf.worker_prefetch_multiplier == 1
    assert app.conf.task_time_limit < options["visibility_timeout"] == 3 * LONGEST_MATCH_S
    assert options["visibility_timeout"] == app.conf.visibility_timeout
    assert app.conf.accept_content == ["json"]


def test_checks_are_served_before_matches_and_comparisons_last():
    settings = queue_settings("redis://", 1)
    assert [queue.name for queue in settings["task_queues"]] == list(ALL_QUEUES)
    assert settings["broker_transport_options"]["queue_order_strategy"] == "priority"


def test_a_message_goes_into_one_queue_only():
    bound = {(queue.name, queue.exchange.name, queue.routing_key) for queue in app.conf.task_queues}
    assert bound == {(name, name, name) for name in ALL_QUEUES}


def test_a_worker_without_its_settings_ends_with_a_sentence(tmp_path):
    clean = {key: value for key, value in os.environ.items() if not key.startswith("KIBITZ")}
    ended = subprocess.run(
        [Path(sys.executable).with_name("celery"), "-A", "workers.app", "worker"],
        cwd=ROOT,
        env=clean,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert ended.returncode != 0
    assert "KIBITZ_SITE is not set: it must be the site's address" in ended.stderr


def test_the_worker_runs_without_django():
    code = "import sys; sys.modules['django'] = None; import workers.app"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=100)


@pytest.mark.parametrize(
    ("for_a_match", "processes", "places"),
    [
        (1, 4, [{0}, {1}, {2}, {3}]),
        (2, 2, [{0, 1}, {2, 3}]),
        (4, 1, [{0, 1, 2, 3}]),
        (1, 5, [{0}, {1}, {2}, {3}, {0}]),
        (3, 2, [{0, 1, 2}, {0, 1, 2}]),
        (1, 2, [{0, 1, 2, 3}, {0, 1, 2, 3}]),
    ],
)
def test_every_process_has_cores_of_its_own_unless_some_would_be_idle(
    for_a_match, processes, places
):
    assert places_of([0, 1, 2, 3], for_a_match, processes) == places


# -- Playing --------------------------------------------------------------------------------------


def test_a_check_a_match_and_a_unit_are_played_in_this_order_whichever_came_first(site, crew):
    good, simple = ((EXAMPLES / f"{name}_bot.py").read_bytes() for name in ("good", "simple"))
    crew.send(site.add_unit("u", [simple, good]))
    crew.send(site.add_match("m", [good, simple]))
    crew.send(site.add_check("c", good))
    crew.start()
    site.until(lambda: set(site.states().values()) == {"finished"})
    check, match = site.jobs["check", "c"], site.jobs["match", "m"]
    assert (check.record.verdict, check.record.language) == ("ready", "python")
    assert site.finished == ["c", "m", "u"]
    assert not any(leg.faults for leg in match.record.legs)
    assert not any(leg.faults for leg in site.jobs["unit", "u"].record.legs)


def test_the_processes_of_a_pool_stay_on_their_cores(site, crew):
    cores = os.sched_getaffinity(0)
    worker = crew.start(processes=len(cores))
    pool = Path(f"/proc/{worker.pid}/task/{worker.pid}/children")

    def kept_to():
        return [os.sched_getaffinity(int(pid)) for pid in pool.read_text().split()]

    site.until(lambda: sorted(kept_to(), key=min) == [{core} for core in sorted(cores)])


def test_a_message_names_the_job_and_nothing_else(site, crew, client):
    crew.send(site.add_match("m", [site.quick_bot] * 2))
    message = client.lindex("matches", 0)
    for secret in (site.jobs["match", "m"].ticket["seed"], "archives", site.token):
        assert secret.encode() not in message


def test_a_record_waits_on_disk_while_the_site_is_down_and_survives_a_restart(site, crew, tmp_path):
    site.trouble(contract.RECORD, *["503"] * 100)
    crew.send(site.add_match("m", [site.quick_bot] * 2, legs=1))
    first = crew.start()
    spool = Spool(tmp_path / "one" / "spool")
    site.until(spool.waiting)
    crew.kill(first)
    assert site.states() == {"m": "playing"}
    site.troubles.clear()
    crew.start()
    site.until(lambda: site.states() == {"m": "finished"})
    site.until(lambda: not spool.waiting())


def test_sigterm_finishes_the_match_and_leaves_the_rest_to_others(site, crew, client):
    crew.send(site.add_match("m1", [site.slow_bot] * 2, legs=1))
    crew.send(site.add_match("m2", [site.slow_bot] * 2, legs=1))
    worker = crew.start()
    site.until(lambda: site.jobs["match", "m1"].beats)
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(100) == 0
    assert site.states() == {"m1": "finished", "m2": "waiting"}
    assert client.llen("matches") == 1


def test_a_killed_worker_loses_nothing(site, crew):
    site.lease_s = 2.0
    site.add_match("m", [site.slow_bot] * 2, legs=1)
    site.sweep_with(crew.send)
    first = crew.start("one")
    site.until(lambda: site.jobs["match", "m"].beats)
    crew.kill(first)
    crew.start("two")
    site.until(lambda: site.states() == {"m": "finished"})
    entry = site.jobs["match", "m"]
    assert (entry.records, entry.record.worker) == (1, "two")
    assert entry.attempt >= 2


def test_the_same_message_many_times_is_played_once(site, crew, client):
    job = site.add_match("m", [site.quick_bot] * 2, legs=1)
    for _ in range(5):
        crew.send(job)
    crew.send(Job("match", "m", 7))
    crew.send(Job("match", "unknown", 1))
    crew.start("one")
    crew.start("two")
    site.until(lambda: site.asked.count(contract.CLAIM) == 7 and site.states() == {"m": "finished"})
    assert site.jobs["match", "m"].records == 1


def test_a_worker_with_a_wrong_token_says_so_and_stops(site, crew, client):
    crew.send(site.add_match("m", [site.quick_bot] * 2))
    worker = crew.start(KIBITZ_TOKEN="wrong")
    worker.wait(100)
    assert "Is KIBITZ_TOKEN right?" in crew.log()
    assert site.states() == {"m": "waiting"}
    assert (client.llen("matches"), client.llen("checks")) == (1, 0)


def test_a_job_that_cannot_be_taken_now_is_left_to_another_worker(site, crew):
    """An engine that is down: nothing is claimed, and nobody plays without a box instead."""
    crew.send(site.add_match("m", [site.quick_bot] * 2, legs=1))
    crew.start("one", KIBITZ_SANDBOX="docker", DOCKER_HOST="unix:///nowhere.sock")
    site.until(lambda: "No job is taken now" in crew.log("one"))
    assert contract.CLAIM not in site.asked
    crew.start("two")
    site.until(lambda: site.states() == {"m": "finished"})
    assert site.jobs["match", "m"].record.worker == "two"
