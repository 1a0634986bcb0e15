"""What a run decides on its way, with small stand-ins for the programs that it starts."""

import os
import re
import shutil
import sys

import pytest

from deploy import commands, run
from deploy.broker import Broker
from deploy.ctrl_c import CtrlC
from deploy.obstacles import Obstacle
from deploy.run import Failed, Run, Settings, Stopped
from sandbox import image

FOREVER = ["sh", "-c", "echo up; exec sleep 1000"]


@pytest.fixture
def begun(tmp_path, folder, lines, monkeypatch):
    """A run with data of its own, which is stopped in the end."""
    monkeypatch.setattr(commands, "worker", lambda: FOREVER)
    monkeypatch.setattr(commands, "people", lambda: FOREVER)
    runs = []

    def begin(**environment):
        settings = Settings.of(
            {"PATH": os.environ["PATH"], "KIBITZ_DATA": str(tmp_path)} | environment
        )
        (folder / "run").mkdir()
        for name in ("broker", "worker"):
            (tmp_path / name).mkdir(exist_ok=True)
        begun = Run(
            settings, lines, folder / "run", lock=os.open(os.devnull, os.O_RDONLY), ctrl_c=CtrlC()
        )
        runs.append(begun)
        return begun

    yield begin
    for begun in runs:
        begun.ctrl_c.hurry = True
        begun.stop()
        os.close(begun.lock)


def said(run):
    return run.lines.out.getvalue()


# -- Which sandbox --------------------------------------------------------------------------------


@pytest.fixture
def no_engine(monkeypatch):
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere.sock")


def test_without_an_engine_bots_run_without_boxes_and_the_reason_is_told(begun, no_engine):
    run = begun()
    assert run.chosen_sandbox() == "local"
    assert "No boxes, since no Docker engine can be used here" in said(run)


def test_boxes_that_were_asked_for_are_not_done_without(begun, no_engine):
    with pytest.raises(Obstacle, match=r"no engine can be used: .* KIBITZ_SANDBOX=local make run"):
        begun(KIBITZ_SANDBOX="docker").chosen_sandbox()


def test_an_engine_that_is_not_wanted_is_not_asked(begun, no_engine):
    run = begun(KIBITZ_SANDBOX="local")
    assert (run.chosen_sandbox(), said(run)) == ("local", "")


# -- What each is told ----------------------------------------------------------------------------


def test_the_site_is_told_a_key_that_stays(begun, tmp_path):
    run = begun()
    told = run.site_environment("redis://", "local")
    assert told["KIBITZ_SECRET_KEY"] == (tmp_path / "secret-key").read_text()
    assert run.site_environment("redis://", "local") == told
    assert (told["KIBITZ_DEBUG"], told["KIBITZ_LOCAL_SANDBOX"]) == ("0", "1")


def test_a_key_that_is_given_is_used(begun, tmp_path):
    told = begun(KIBITZ_SECRET_KEY="given").site_environment("redis://", "docker")
    assert (told["KIBITZ_SECRET_KEY"], told["KIBITZ_LOCAL_SANDBOX"]) == ("given", "0")
    assert not (tmp_path / "secret-key").exists()


def test_a_worker_is_told_nothing_that_is_the_sites_alone(begun):
    secret = {"KIBITZ_SECRET_KEY": "x", "KIBITZ_DATABASE": "x", "KIBITZ_DATABASE_FILE": "x"}
    run = begun(**secret, KIBITZ_BROKER="redis://elsewhere")
    run.start_worker("redis://elsewhere", "local")
    told = run.services[-1].task.environment
    assert told.keys() & secret.keys() == set()
    assert told["KIBITZ_BROKER"] == "redis://elsewhere"
    assert told["KIBITZ_SITE"] == "http://127.0.0.1:8000"


def test_a_broker_may_be_named_in_a_file(tmp_path):
    (tmp_path / "broker").write_text("redis://elsewhere\n")
    assert Settings.of({"KIBITZ_BROKER_FILE": f"{tmp_path}/broker"}).broker == "redis://elsewhere"
    with pytest.raises(Obstacle, match="KIBITZ_BROKER_FILE cannot be read"):
        Settings.of({"KIBITZ_BROKER_FILE": f"{tmp_path}/none"})


# -- Starting -------------------------------------------------------------------------------------


def test_a_broker_that_cannot_read_its_data_starts_afresh_and_says_so(begun, tmp_path):
    run = begun()
    run.start_broker()
    run.services.pop().stop(run.ctrl_c)
    [base] = (tmp_path / "broker" / "appendonlydir").glob("*.base.rdb")
    base.write_bytes(b"no data at all")
    shutil.rmtree(run.folder / "broker")
    address = run.start_broker()
    assert "its data, which is now in" in said(run)
    assert Broker(tmp_path / "broker", run.folder / "broker" / "socket").answers()
    assert address.startswith("redis+socket://")


def test_what_fails_before_the_start_is_shown_with_its_last_lines(begun, monkeypatch):
    run = begun()
    failing = [sys.executable, "-c", "print('no such table'); raise SystemExit(3)"]
    with pytest.raises(Failed, match="with status 3"):
        run.together([failing, ["true"]], {})
    assert "prepare   no such table" in said(run)


def test_ctrl_c_ends_what_is_being_prepared(begun):
    run = begun()
    run.ctrl_c.press()
    with pytest.raises(Stopped):
        run.together([["sleep", "1000"]], dict(os.environ))


# -- Boxes ----------------------------------------------------------------------------------------


@pytest.fixture
def boxes(monkeypatch):
    """Which images are there, how their making ends, and which were made."""
    state = {"newest": None, "status": {"python": 0, "full": 0}}
    monkeypatch.setattr(image, "newest", lambda: state["newest"])
    monkeypatch.setattr(
        commands,
        "boxes",
        lambda stage: ["sh", "-c", f"echo making {stage}; exit {state['status'][stage]}"],
    )
    return state


def test_python_comes_first_and_the_rest_while_it_is_played(begun, boxes):
    run = begun()
    run.make_first_boxes()
    assert re.findall(r"making (\w+)", said(run))[0] == "python"
    run.start_worker("redis://", "docker")
    run.start_people("redis://", "docker")
    first = [service.process for service in run.services]
    run.until(lambda: run.look_after_boxes() or run.boxes is None, 60)
    assert "making full" in said(run)
    assert all(process.status is not None for process in first)
    assert not {service.process for service in run.services} & set(first)


def test_boxes_that_come_while_all_stops_start_no_worker_again(begun, boxes, monkeypatch):
    run = begun()
    run.make_first_boxes()
    run.start_worker("redis://", "docker")
    worker, boxes_made = run.services[-1], run.boxes
    run.until(lambda: boxes_made.status is not None, 20)
    monkeypatch.setattr(
        worker, "stop", lambda ctrl_c, stop=worker.stop: (run.ctrl_c.press(), stop(ctrl_c))
    )
    run.look_after_boxes()
    assert worker.process is None


def test_boxes_that_are_there_are_not_made_again(begun, boxes):
    boxes["newest"] = image.tag("full")
    run = begun()
    run.make_first_boxes()
    assert (run.boxes, said(run)) == (None, "")


def test_boxes_that_cannot_be_made_end_the_run_with_a_way_out(begun, boxes):
    boxes["status"]["python"] = 1
    with pytest.raises(Failed, match="KIBITZ_SANDBOX=local make run"):
        begun().make_first_boxes()


def test_python_bots_play_on_when_the_other_languages_cannot_be_made(begun, boxes):
    boxes["status"]["full"] = 1
    run = begun()
    run.make_first_boxes()
    run.start_worker("redis://", "docker")
    worker = run.services[-1].process
    run.until(lambda: run.look_after_boxes() or run.boxes is None, 60)
    assert "Only Python bots can be played" in said(run)
    assert run.services[-1].process is worker


# -- The end --------------------------------------------------------------------------------------


def test_what_was_started_last_is_stopped_first(begun, monkeypatch):
    run = begun()
    stopped = []
    for name in ("broker", "site", "scheduler", "worker"):
        service = run.begin(name, FOREVER, dict(os.environ))
        stop = service.stop
        monkeypatch.setattr(
            service,
            "stop",
            lambda ctrl_c, name=name, stop=stop: (stopped.append(name), stop(ctrl_c)),
        )
    run.stop()
    assert stopped == ["worker", "scheduler", "site", "broker"]
    assert not run.folder.exists()


def test_a_run_that_nobody_reads_any_more_ends(begun):
    begun = begun()
    begun.lines.wanted = False
    begun.keep_going()
    assert not begun.ctrl_c.stopping


def test_a_system_that_is_not_linux_is_told_the_other_way(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(Obstacle, match="docker-compose"):
        run.obstacles.known_system()
