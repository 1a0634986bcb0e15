"""The page on the box says what the runtimes say."""

import re
from pathlib import Path

import pytest

from sandbox.recipe import KEYS
from sandbox.runtimes import RUNTIMES
from sandbox.runtimes.runtime import BUILD_LIMITS, RUN_LIMITS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "box.md").read_text(encoding="utf-8")
ROWS = {cells[0]: cells for cells in re.findall(r"^\| ([^|]+?) \| (.+?) \| (.+?) \|", PAGE, re.M)}


@pytest.mark.parametrize("runtime", RUNTIMES, ids=lambda runtime: runtime.name)
def test_the_page_names_the_files_of_every_language(runtime):
    _, _, files = ROWS[runtime.title]
    assert tuple(re.findall(r"`([^`]+)`", files)) == runtime.endings


def test_the_page_names_the_limits():
    larger = next(runtime.limits for runtime in RUNTIMES if runtime.name == "java")
    memory = f"{RUN_LIMITS.memory_mb} MB; Java and JavaScript {larger.memory_mb} MB"
    processes = f"{RUN_LIMITS.processes}; Java and JavaScript {larger.processes}"
    assert ROWS["memory"][1:] == (memory, f"{BUILD_LIMITS.memory_mb} MB")
    assert ROWS["processes and threads"][1:] == (processes, str(BUILD_LIMITS.processes))
    assert ROWS["disk"][1].startswith(f"{RUN_LIMITS.disk_mb} MB in all")
    assert ROWS["disk"][2] == f"{BUILD_LIMITS.disk_mb} MB"


def test_only_the_languages_named_on_the_page_get_more():
    more = {
        runtime.title for runtime in RUNTIMES if runtime.limits.memory_mb > RUN_LIMITS.memory_mb
    }
    assert more == {"Java", "JavaScript"}


def test_only_the_languages_named_on_the_page_go_without_pipes():
    tight = [runtime.title for runtime in RUNTIMES if runtime.limits.calls == "tight"]
    assert f"in {', '.join(tight[:-1])} and {tight[-1]} also pipes and sockets" in PAGE


def test_the_page_shows_every_key_of_kibitz_toml():
    [example] = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert tuple(sorted(re.findall(r"^(\w+) =", example, re.M))) == KEYS
