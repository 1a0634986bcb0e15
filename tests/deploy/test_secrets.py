"""A secret is made once, whole, and for its owner's eyes; every service learns its own."""

from concurrent.futures import ThreadPoolExecutor
from urllib.parse import unquote, urlsplit

import pytest

from deploy import secrets


def test_a_secret_is_made_once(tmp_path):
    first = secrets.kept(tmp_path / "key")
    assert secrets.kept(tmp_path / "key") == first
    assert len(first) >= 50
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600


def test_many_who_make_it_at_once_get_the_same(tmp_path):
    with ThreadPoolExecutor(8) as hands:
        made = set(hands.map(lambda _: secrets.kept(tmp_path / "key"), range(50)))
    assert len(made) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


# -- For containers ---------------------------------------------------------------------------------


@pytest.fixture
def handed_out(tmp_path):
    """What the services find, after secrets were handed out."""
    for name in ("site", "database", "broker", "worker"):
        (tmp_path / "out" / name).mkdir(parents=True)
    (tmp_path / "given").mkdir()

    def hand_out(**environment):
        secrets.hand_out(environment, tmp_path / "given", tmp_path / "out")
        files = [path for path in (tmp_path / "out").glob("*/*") if "made-" not in path.name]
        return {f"{path.parent.name}/{path.name}": path.read_text().strip() for path in files}

    return hand_out


def test_what_is_not_given_is_made_once(handed_out):
    first = handed_out()
    assert handed_out() == first
    assert (
        len({first["site/secret-key"], first["database/password"], first["broker/password"]}) == 3
    )


def test_everybody_is_told_the_same_password(handed_out):
    told = handed_out()
    database, broker = urlsplit(told["site/database"]), urlsplit(told["site/broker"])
    assert (database.scheme, database.password) == ("postgres", told["database/password"])
    assert (broker.scheme, broker.password) == ("redis", told["broker/password"])
    assert told["worker/broker"] == told["site/broker"]
    assert f'requirepass "{told["broker/password"]}"' in told["broker/redis.conf"]


def test_a_worker_is_told_nothing_but_the_broker(handed_out):
    told = handed_out()
    assert [name for name in told if name.startswith("worker/")] == ["worker/broker"]


def test_what_the_environment_gives_goes_before_files(handed_out, tmp_path):
    (tmp_path / "given" / "secret-key").write_text("from a file\n")
    (tmp_path / "given" / "broker-password").write_text("from a file\n")
    told = handed_out(KIBITZ_SECRET_KEY="from the environment")
    assert told["site/secret-key"] == "from the environment"
    assert told["broker/password"] == "from a file"


def test_a_password_may_have_any_letters(handed_out):
    odd = 'a"b\\c@d/e:f%g h'
    told = handed_out(KIBITZ_BROKER_PASSWORD=odd, KIBITZ_DATABASE_PASSWORD=odd)
    assert unquote(urlsplit(told["site/database"]).password) == odd
    assert unquote(urlsplit(told["worker/broker"]).password) == odd
    assert 'requirepass "a\\"b\\\\c@d/e:f%g h"' in told["broker/redis.conf"]


def test_the_queues_are_kept_and_never_thrown_away(handed_out):
    settings = handed_out()["broker/redis.conf"].splitlines()
    assert {"appendonly yes", "maxmemory-policy noeviction"} <= set(settings)
