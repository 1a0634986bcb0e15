"""Recognising a bot by the names of its files, or as its kibitz.toml says."""

import pytest

from sandbox.recipe import Recipe, Unrecognised, recipe
from sandbox.runtimes import RUNTIMES
from sandbox.runtimes.runtime import BUILD_LIMITS, RUN_LIMITS


def refusal(names: list[str], settings: str | None = None) -> str:
    with pytest.raises(Unrecognised) as caught:
        recipe(names, settings)
    return str(caught.value)


@pytest.mark.parametrize(
    ("names", "language", "last_word"),
    [
        (["main.py"], "python", "{bot}/main.py"),
        (["anything.py"], "python", "{bot}/anything.py"),
        (["main.py", "bot.py", "helper.py", "data/table.json"], "python", "{bot}/main.py"),
        (["bot.py", "helper.py"], "python", "{bot}/bot.py"),
        (["only.py", "package/__init__.py", "package/more.py"], "python", "{bot}/only.py"),
        (["player.c", "player.h"], "c", "{bot}/program"),
        (["main.cpp", "part.c"], "cpp", "{bot}/program"),
        (["main.cc"], "cpp", "{bot}/program"),
        (["Main.java", "Hand.java"], "java", "Main"),
        (["Bot.java"], "java", "Bot"),
        (["main.mjs", "package.json"], "javascript", "{bot}/main.mjs"),
        (["main.go", "hand.go", "go.mod"], "go", "{bot}/program"),
        (["bot.rs"], "rust", "{bot}/program"),
        (["Cargo.toml", "src/main.rs", "src/hand.rs"], "rust", "{bot}/program"),
        (["main.rs", "train.py"], "rust", "{bot}/program"),
    ],
)
def test_a_bot_is_recognised_by_the_names_of_its_files(names, language, last_word):
    found = recipe(names)
    assert (found.language, found.command[-1]) == (language, last_word)


@pytest.mark.parametrize("runtime", RUNTIMES, ids=lambda runtime: runtime.name)
def test_the_self_test_of_a_language_is_recognised_as_its_own(runtime):
    found = recipe(list(runtime.self_test))
    assert (found.language, found.limits) == (runtime.name, runtime.limits)


@pytest.mark.parametrize(
    ("names", "says"),
    [
        ([], "No file of a language known here (.py, .c, .cpp"),
        (["README.md"], "No file of a language known here"),
        (["one.py", "two.py"], "Several Python files: call the one to be started main.py."),
        (["src/deep.go"], "No Go file in the topmost folder: put main.go there"),
        (["main.py", "main.c"], "main.py or main.c: either could be the bot"),
        (["one.py", "two.js"], 'Say which in kibitz.toml, for instance with language = "python"'),
    ],
)
def test_what_is_not_recognised_is_told_how_it_would_be(names, says):
    assert says in refusal(names)


def test_all_files_of_a_compiled_language_are_built_together():
    [command] = recipe(["main.cpp", "hand.cpp", "deep/trick.cc", "hand.h"]).build
    assert command[-3:] == ["./deep/trick.cc", "./hand.cpp", "./main.cpp"]


def test_no_file_name_is_taken_for_an_option_of_a_compiler():
    [command] = recipe(["main.c", "-fplugin=x.c"]).build
    assert [word for word in command if "plugin" in word] == ["./-fplugin=x.c"]


def test_a_go_module_is_built_as_such_and_else_its_topmost_files():
    assert recipe(["main.go", "go.mod", "deep/more.go"]).build[0][-1] == "."
    names = ["main.go", "hand.go", "hand_test.go", "deep/more.go"]
    assert recipe(names).build[0][-2:] == ["./hand.go", "./main.go"]


def test_kibitz_toml_names_the_language_where_two_are_possible():
    found = recipe(["main.py", "main.c", "kibitz.toml"], 'language = "c"')
    assert (found.language, found.command) == ("c", ("{bot}/program",))


def test_kibitz_toml_names_a_command_as_it_is_written_in_the_folder():
    found = recipe(
        ["go.py", "deep/data.txt"], 'command = ["python3", "go.py", "deep/data.txt", "-v"]'
    )
    assert found.command == ("python3", "{bot}/go.py", "{bot}/deep/data.txt", "-v")
    assert found.language == "python"


def test_kibitz_toml_may_name_a_build_and_a_program_that_it_makes():
    settings = 'build = [["make", "-j2"], ["strip", "mine"]]\ncommand = ["./mine", "--fast"]'
    assert recipe(["Makefile", "kibitz.toml"], settings) == Recipe(
        language="",
        build=[["make", "-j2"], ["strip", "mine"]],
        command=("{bot}/mine", "--fast"),
        limits=RUN_LIMITS,
        build_limits=BUILD_LIMITS,
    )


def test_a_single_build_command_needs_no_second_bracket():
    assert recipe(["main.c"], 'build = ["make", "program"]').build == [["make", "program"]]


def test_an_empty_build_builds_nothing():
    assert recipe(["main.c", "program"], "build = []").build == []


def test_a_command_decides_the_language_before_the_names_do():
    found = recipe(["main.py", "tool.js"], 'command = ["node", "tool.js"]')
    assert (found.language, found.limits.memory_mb) == ("javascript", 256)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ("command = ", "kibitz.toml cannot be read"),
        ('comand = ["x"]', "there is no 'comand', only build, command, language."),
        ('command = "python3 main.py"', 'command is a list like ["python3", "main.py"].'),
        ("command = []", "command is a list"),
        ('command = ["python3", 1]', "command is a list"),
        ('command = ["a\\u0000b"]', "command is a list"),
        ('language = "cobol"', "language is one of python, c, cpp, java, javascript, go, rust."),
        ("language = 3", "language is one of"),
        ('build = "make"', 'build is a list of commands like [["make", "bot"]].'),
        ("build = [[]]", "build is a list of commands"),
        ('language = "go"', "No Go file in the topmost folder"),
    ],
)
def test_a_kibitz_toml_that_says_nonsense_is_refused_with_what_it_may_say(settings, says):
    assert says in refusal(["main.py"], settings)
