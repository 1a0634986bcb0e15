"""The image of the box: its name, when it is made, and what is in it."""

import json
import re
import secrets
import shutil

import pytest

from sandbox import image
from sandbox.box import InfrastructureFault
from sandbox.runtimes import RUNTIMES

pytestmark = pytest.mark.timeout(900)  # the first to come makes the image

ALL = {runtime.name for runtime in RUNTIMES}


@pytest.fixture(scope="module")
def full(engine):
    return image.ensure("full")


def test_the_same_files_give_the_same_name():
    assert image.tag("full") == image.tag("full", dict(image.files()))


@pytest.mark.parametrize(
    "changed",
    [
        {"Dockerfile": b"FROM debian"},
        {"games/sticheln.py": b""},
        {"games/new.py": b""},
        {"other.cfg": image.files()["dpkg.cfg"]},
    ],
    ids=["a file", "a rule", "a new file", "another name"],
)
def test_any_change_of_the_files_gives_another_name(changed):
    assert image.tag("full", image.files() | changed) != image.tag("full")


def test_moving_a_byte_from_one_file_to_the_next_gives_another_name():
    assert image.tag("full", {"a": b"xy", "b": b""}) != image.tag("full", {"a": b"x", "b": b"y"})


def test_the_stages_are_told_apart_by_their_names():
    assert image.tag("python") == f"{image.tag('full')}-python"


def test_the_image_is_made_from_the_rules_and_nothing_else_of_ours():
    folders = {name.split("/")[0] for name in image.files() if "/" in name}
    assert folders == {"games"}
    assert not [name for name in image.files() if "__pycache__" in name]


def test_an_image_that_is_there_is_not_made_again(full):
    said: list[str] = []
    assert image.ensure("full", said.append) == full
    assert said == []


def test_the_fullest_image_that_is_there_is_the_newest(full):
    assert image.newest() == full


def test_all_languages_are_in_the_full_image(full):
    versions = image.languages(full)
    assert {name for name, version in versions.items() if version} == ALL
    assert versions["python"].startswith("Python 3.")


def test_the_page_on_the_box_names_the_versions_that_are_in_it(full):
    page = (image.ROOT / "docs" / "box.md").read_text(encoding="utf-8")
    versions = image.languages(full)
    for runtime in RUNTIMES:
        [named] = re.findall(rf"^\| {re.escape(runtime.title)} \| \D*([\d.]+) \|", page, re.M)
        assert re.search(rf"\b(v|go)?{re.escape(named)}\.", versions[runtime.name] or "")


def test_the_first_stage_has_python_and_leaves_the_others_out(full):
    versions = image.languages(image.ensure("python"))
    assert {name for name, version in versions.items() if version} == {"python"}
    assert versions.keys() == ALL


def test_an_image_is_asked_for_its_languages_only_once(full, tmp_path, monkeypatch):
    monkeypatch.setattr(image, "VAR", tmp_path / "box")
    image.languages(full)
    [known] = (tmp_path / "box").iterdir()
    known.write_text(json.dumps(dict.fromkeys(ALL, "as remembered")))
    assert image.languages(full)["go"] == "as remembered"


def test_the_command_lists_the_languages(full, capsys):
    image.main()
    said = capsys.readouterr().out
    assert [runtime.title for runtime in RUNTIMES if runtime.title not in said] == []
    assert said.endswith(f"The box is ready: {full}\n")


def test_a_missing_language_is_told_and_is_no_failure(full, capsys, monkeypatch):
    monkeypatch.setattr(image, "languages", lambda name: dict.fromkeys(ALL) | {"python": "3"})
    image.main()
    assert "Rust        not in the box: its bots cannot be" in capsys.readouterr().out


def test_an_engine_that_does_not_answer_is_told(monkeypatch):
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    with pytest.raises(InfrastructureFault, match="FileNotFoundError"):
        image.ensure("full")
    with pytest.raises(SystemExit, match="The image of the box cannot be made"):
        image.main()


def test_a_build_tells_its_steps_and_the_end_of_what_it_said_when_it_fails():
    told: list[str] = []
    steps = [
        {"stream": "Step 1/2 : RUN x\n"},
        {"stream": "E: no such package\n"},
        {"error": "code 100"},
    ]
    with pytest.raises(InfrastructureFault) as caught:
        image.follow(steps, told.append)
    assert told == ["  Step 1/2 : RUN x"]
    assert str(caught.value).endswith("E: no such package\ncode 100")


# -- Where the base cannot be pulled --------------------------------------------------------------


@pytest.fixture
def unknown_base(monkeypatch, engine):
    """A base that no registry has, so that pulling fails at once or after a silence."""
    name = f"kibitz-test-{secrets.token_hex(4)}"
    monkeypatch.setattr(image, "BASE", (name, "latest"))
    monkeypatch.setattr(image, "PULL_SILENCE_SECONDS", 5)
    return name


def test_without_debootstrap_or_root_one_is_told_what_to_do(unknown_base, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    told: list[str] = []
    with (
        image.engine(60) as client,
        pytest.raises(InfrastructureFault, match="install debootstrap"),
    ):
        image.ensure_base(client, told.append)
    assert f"{unknown_base}:latest cannot be pulled" in told[1]


def test_a_stand_in_gets_the_name_of_the_base(unknown_base, monkeypatch):
    def made(folder, progress):
        (folder / "etc").mkdir()
        (folder / "etc/hostname").write_text("stand-in")

    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/sbin/{name}")
    monkeypatch.setattr(image.os, "geteuid", lambda: 0)
    monkeypatch.setattr(image, "run_debootstrap", made)
    with image.engine(60) as client:
        image.ensure_base(client, lambda line: None)
        try:
            assert image.is_there(f"{unknown_base}:latest")
        finally:
            client.images.remove(f"{unknown_base}:latest")
