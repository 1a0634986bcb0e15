"""The layout keeps its promises: `platform` stays Python's own, and the rules stay pure."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
RULES = sorted((ROOT / "games").rglob("*.py"))
IMPURE_MODULES = {
    "asyncio", "datetime", "io", "multiprocessing", "os", "pathlib", "random", "secrets", "shutil",
    "socket", "subprocess", "sys", "tempfile", "threading", "time", "uuid",
}  # fmt: skip
IMPURE_BUILTINS = {"__import__", "eval", "exec", "input", "open", "print"}


def fresh_interpreter(*arguments, **environment):
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=clean | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def imported_modules(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "games" if node.level else (node.module or "").partition(".")[0]


def names_read(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


# Only a fresh interpreter shows the mistake: this one has imported the real module already.


def test_a_fresh_interpreter_in_the_root_finds_pythons_own_platform():
    answer = fresh_interpreter("-c", "import platform; print(platform.system())")
    assert (answer.returncode, answer.stderr) == (0, "")
    assert answer.stdout.strip()


def test_a_module_run_with_the_root_on_the_path_finds_pythons_own_platform():
    answer = fresh_interpreter("-m", "platform", PYTHONPATH=".")
    assert (answer.returncode, answer.stderr) == (0, "")
    assert answer.stdout.strip()


def test_an_installed_tool_run_as_a_module_still_starts():
    answer = fresh_interpreter("-m", "pytest", "--version", PYTHONPATH=".")
    assert answer.returncode == 0, answer.stderr


def test_the_platform_folder_holds_folders_only():
    assert [path.name for path in (ROOT / "platform").iterdir() if not path.is_dir()] == []


def test_the_platform_folder_holds_no_tests():
    strays = [*(ROOT / "platform").rglob("conftest.py"), *(ROOT / "platform").rglob("test_*.py")]
    assert strays == []


def test_no_app_is_named_like_a_standard_module_or_a_top_level_folder():
    apps = {path.parent.name for path in (ROOT / "platform").glob("*/__init__.py")}
    folders = {path.name for path in ROOT.iterdir() if path.is_dir()}
    assert apps & (sys.stdlib_module_names | folders) == set()


def test_the_tests_are_no_package():
    assert list((ROOT / "tests").rglob("__init__.py")) == []


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.name)
def test_the_rules_import_only_the_standard_library(path):
    assert set(imported_modules(path)) <= sys.stdlib_module_names | {"games"}


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.name)
def test_the_rules_read_no_clock_no_file_and_no_global_chance(path):
    assert set(imported_modules(path)) & IMPURE_MODULES == set()
    assert names_read(path) & IMPURE_BUILTINS == set()


def test_there_are_rules_to_look_at():
    assert len(RULES) > 1
