"""The check of a new version names what came, what was expected, and how to see it at home."""

import io
import zipfile
from pathlib import Path

import pytest

from games import GAMES
from games.player import Limits
from sandbox.box import InfrastructureFault
from sandbox.local import LocalSandbox
from workers.check import Check, Table
from workers.inside import Inside, choose_of
from workers.programs import Programs

EXAMPLES = Path(__file__).parents[2] / "examples"
GAME = GAMES["color-stock"]
RANDOM = EXAMPLES / "color-stock" / "python" / "random_bot.py"
LIMITS = Limits(start_ms=10000, wall_ms=3000)


@pytest.fixture
def programs(tmp_path):
    sandbox = LocalSandbox()
    yield Programs(sandbox, tmp_path / "programs", "local")
    sandbox.close()


def checked(programs, upload, file_name="bot.py"):
    choose, lines = choose_of(RANDOM), []
    table = Table(GAME, {"rounds": 1}, 2, LIMITS, [lambda: Inside(choose)])
    return Check(programs, table, lines.append).run(upload, file_name), "\n".join(lines)


def zipped(**files):
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("_dot_", "."), text)
    return raw.getvalue()


def test_an_example_is_ready_and_its_whole_conversation_is_in_the_log(programs):
    verdict, log = checked(programs, RANDOM.read_bytes(), "random_bot.py")
    assert verdict.ready
    assert verdict.language == "python"
    assert [(step.name, step.outcome) for step in verdict.steps] == [
        ("files", "passed"),
        ("build", "passed"),
        ("self-test", "passed"),
        ("a leg against itself", "passed"),
        ("a leg against examples", "passed"),
    ]
    assert log.count('-> {"type":"start"') == 2
    assert log.count('<- {"type":"ready"}') + log.count('<- {"type": "ready"}') == 2
    assert log.count('-> {"type":"end"') == 2


def test_an_archive_is_unpacked_and_its_kibitz_toml_obeyed(programs):
    bot = zipped(
        bot_dot_txt=RANDOM.read_text(), kibitz_dot_toml='command = ["python3", "bot.txt"]\n'
    )
    verdict, _ = checked(programs, bot, "bot.zip")
    assert verdict.ready, verdict.sentence


REJECTED = {
    "no file of a known language": (b"hello", "notes.txt", "files", "No file of a language"),
    "a broken archive": (b"PK\x03\x04nonsense", "bot.zip", "files", "damaged or cut off"),
    "a build that fails": (b"int main( {", "bot.c", "build", "could not be built"),
    "a first line that is not ready": (b"print('hi')", "bot.py", "a leg against itself", "hi"),
    "a program that ends": (b"1/0", "bot.py", "a leg against itself", "ZeroDivisionError"),
}


@pytest.mark.parametrize("name", REJECTED)
def test_a_bot_is_rejected_for(name, programs):
    upload, file_name, step, words = REJECTED[name]
    verdict, log = checked(programs, upload, file_name)
    assert not verdict.ready
    assert (verdict.steps[-1].name, verdict.steps[-1].outcome) == (step, "failed")
    assert words in verdict.sentence
    assert f"kibitz check {file_name} --game color-stock" in verdict.sentence
    assert verdict.sentence in log


def test_an_illegal_move_is_told_with_the_question_and_what_came(programs):
    bot = RANDOM.read_text().replace("def choose(", "def unused(") + "\n"
    bot = bot.replace(
        'if __name__ == "__main__"',
        'def choose(view, legal, dice):\n    return "gold+gold"\n\n\nif __name__ == "__main__"',
    )
    verdict, _ = checked(programs, bot.encode())
    assert not verdict.ready
    assert "illegal at decision 0" in verdict.sentence
    assert '"legal":' in verdict.sentence
    assert "gold+gold" in verdict.sentence


def test_a_program_is_built_once_and_kept(programs, monkeypatch):
    upload = zipped(main_dot_py=RANDOM.read_text())
    first = programs.program(upload, "bot.zip")
    monkeypatch.setattr(programs.sandbox, "build", None)  # calling it again would fail
    assert programs.program(upload, "bot.zip") == first


def test_a_checked_bot_that_cannot_be_built_is_no_fault_of_its_own(programs):
    with pytest.raises(InfrastructureFault, match="cannot be built here"):
        programs.program(b"int main( {", "bot.c")


def test_the_least_wanted_programs_are_dropped_when_the_folder_is_full(programs, monkeypatch):
    monkeypatch.setattr("workers.programs.KEPT_BYTES", 30_000)
    for number in range(6):
        programs.program(zipped(main_dot_py=f"# {number}"), "bot.zip")
    kept = list(programs.folder.glob("*.tar"))
    assert 0 < sum(path.stat().st_size for path in kept) <= 30_000
