"""Archives are kept by their sha256, proved at every use, and never take more room than they may."""

import os
import threading
from hashlib import sha256

import pytest

from workers.store import Mismatch, Store


def digest_of(data):
    return sha256(data).hexdigest()


def never():
    raise AssertionError("fetched although it is here")


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "archives", most_bytes=1000)


def test_an_archive_is_fetched_once(store):
    data = b"a bot"
    assert store.archive(digest_of(data), lambda: data) == data
    assert store.archive(digest_of(data), never) == data


def test_what_is_not_the_archive_is_refused_and_not_kept(store):
    with pytest.raises(Mismatch):
        store.archive(digest_of(b"a bot"), lambda: b"another bot")
    assert list(store.folder.iterdir()) == []


def test_a_file_that_has_changed_on_disk_is_fetched_again(store):
    data = b"a bot"
    store.archive(digest_of(data), lambda: data)
    store.path(digest_of(data)).write_bytes(b"a b0t")
    assert store.archive(digest_of(data), lambda: data) == data
    assert store.archive(digest_of(data), never) == data


def test_the_longest_unused_archive_makes_room(store):
    bots = [bytes([number]) * 400 for number in range(3)]
    for age, data in enumerate(bots[:2]):
        store.archive(digest_of(data), lambda data=data: data)
        os.utime(store.path(digest_of(data)), (1000 + age, 1000 + age))
    store.archive(digest_of(bots[0]), never)
    store.archive(digest_of(bots[2]), lambda: bots[2])
    assert store.kept(digest_of(bots[1])) is None
    assert store.kept(digest_of(bots[0])) == bots[0]
    assert store.kept(digest_of(bots[2])) == bots[2]


def test_what_a_killed_worker_left_half_written_is_taken_away(store):
    (store.folder / "1-1.part").write_bytes(b"half")
    os.utime(store.folder / "1-1.part", (1000, 1000))
    (store.folder / "2-2.part").write_bytes(b"being written now")
    store.archive(digest_of(b"a bot"), lambda: b"a bot")
    assert sorted(path.name for path in store.folder.glob("*.part")) == ["2-2.part"]


def test_a_write_that_fails_leaves_nothing_behind(store, monkeypatch):
    def full(handle):
        raise OSError(28, "no space left")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="no space"):
        store.archive(digest_of(b"a bot"), lambda: b"a bot")
    assert list(store.folder.iterdir()) == []


def test_several_at_once_get_the_same_archive(store):
    data, got = b"x" * 300, []
    threads = [
        threading.Thread(target=lambda: got.append(store.archive(digest_of(data), lambda: data)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == [data] * 8
    assert [path.name for path in store.folder.iterdir()] == [digest_of(data)]
