"""What has not changed is not sent again; the replay of a finished match may be kept."""

import pytest

from bots.services import rename


@pytest.mark.parametrize(
    "address", ["bots", "bots/red-fox", "games", "ladders/open-table/standings"]
)
def test_an_answer_that_has_not_changed_is_not_sent_again(anyone, site, address):
    first = anyone.get(address)
    assert first["ETag"]
    assert first["Cache-Control"] == "private, no-cache"
    assert "Authorization" in first["Vary"]
    second = anyone.get(address, headers={"if-none-match": first["ETag"]})
    assert (second.status_code, second.content) == (304, b"")


def test_an_answer_that_has_changed_is(anyone, as_alice, site):
    first = anyone.get("bots/red-fox")
    as_alice.post("bots/red-fox/pause")
    second = anyone.get("bots/red-fox", headers={"if-none-match": first["ETag"]})
    assert (second.status_code, second.json()["state"]) == (200, "paused")


def test_a_finished_replay_may_be_kept_by_everybody(anyone, site):
    answer = anyone.get(f"matches/{site.finished.pk}/replay")
    assert answer["Cache-Control"] == "max-age=86400, immutable, public"
    assert not answer["ETag"].startswith("W/")
    again = anyone.get(
        f"matches/{site.finished.pk}/replay", headers={"if-none-match": answer["ETag"]}
    )
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", answer["ETag"])


def test_a_kept_replay_is_not_even_read_again(anyone, site, monkeypatch):
    address = f"matches/{site.finished.pk}/replay"
    tag = anyone.get(address)["ETag"]
    monkeypatch.setattr("tournaments.replays.legs_bytes", None)
    assert anyone.get(address, headers={"if-none-match": tag}).status_code == 304


def test_a_renamed_bot_makes_another_replay_of_it(anyone, site):
    address = f"matches/{site.finished.pk}/replay"
    tag = anyone.get(address)["ETag"]
    rename(bot=site.alices, name="grey-fox")
    answer = anyone.get(address, headers={"if-none-match": tag})
    assert (answer.status_code, b"grey-fox" in answer.content) == (200, True)


def test_the_replay_of_a_hidden_match_is_kept_by_its_reader_alone(as_alice, site):
    answer = as_alice.get(f"matches/{site.private_match.pk}/replay")
    assert answer["Cache-Control"] == "max-age=86400, immutable, private"


def test_what_is_private_of_a_replay_is_kept_by_its_owner_alone(as_alice, site):
    answer = as_alice.get(f"matches/{site.finished.pk}/replay/private")
    assert answer["Cache-Control"] == "private, no-cache"


def test_a_new_token_is_kept_nowhere(as_alice):
    assert as_alice.post("tokens", {"name": "x"})["Cache-Control"] == "private, no-store"
