"""Talking to a bot in a box: the same in kept and fresh boxes, to the byte."""

import textwrap

import pytest

from games.player import Fault
from tests.sandbox.bots import PATIENT, READY, program

ECHO = """
import sys
for line in sys.stdin.buffer:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
"""


def test_lines_go_to_the_bot_and_back_unchanged(opened):
    bot = opened(ECHO)
    for line in (b"plain", "ä\u2028z".encode(), b"\xff\x00\r\t ", b"", b"x" * 60000):
        assert bot.start(line + b"\n", PATIENT).line == line


def test_a_bot_may_be_ready_before_it_is_spoken_to(opened):
    assert opened("print('ready', flush=True)\ninput()").start(b"start\n", PATIENT).line == b"ready"


def test_an_answer_may_come_in_pieces(opened):
    bot = opened(
        READY + "for _ in sys.stdin:\n  for c in 'red-7\\n':\n    print(c, end='', flush=True)"
    )
    bot.start(b"start\n", PATIENT)
    assert bot.ask(b"question\n", PATIENT).line == b"red-7"


def test_input_and_print_work_as_everywhere(opened):
    bot = opened("while True: print(input('? ').upper(), flush=True)")
    assert bot.start(b"one\n", PATIENT).line == b"? ONE"


def test_the_cpu_time_of_an_answer_is_measured(opened):
    bot = opened(
        READY
        + "for _ in sys.stdin:\n  t = time.process_time()\n  while time.process_time() - t < 0.1: pass\n  print(1, flush=True)"
    )
    bot.start(b"start\n", PATIENT)
    assert 95 < bot.ask(b"question\n", PATIENT).cpu_ms < 150


def test_the_cpu_time_of_a_child_is_charged(opened):
    source = """
    for _ in sys.stdin:
        if os.fork() == 0:
            t = time.process_time()
            while time.process_time() - t < 0.1: pass
            os._exit(0)
        os.wait()
        print(1, flush=True)
    """
    bot = opened(READY + textwrap.dedent(source))
    bot.start(b"start\n", PATIENT)
    assert bot.ask(b"question\n", PATIENT).cpu_ms > 95


def test_sleeping_costs_nothing(opened):
    bot = opened(READY + "for _ in sys.stdin:\n  time.sleep(0.3)\n  print(1, flush=True)")
    bot.start(b"start\n", PATIENT)
    reply = bot.ask(b"question\n", PATIENT)
    assert reply.wall_ms >= 300
    assert reply.cpu_ms < 50


def test_the_last_line_is_heard_and_the_bot_may_leave(opened):
    bot = opened(READY + "print(sys.stdin.read(), file=sys.stderr)")
    bot.start(b"start\n", PATIENT)
    bot.end(b"the end\n")
    assert bot.close() == b"the end\n\n"


def test_debug_output_is_kept_and_closing_twice_is_harmless(opened):
    bot = opened("import sys\nprint('hm', file=sys.stderr, flush=True)\n" + READY + "input()")
    bot.start(b"start\n", PATIENT)
    assert bot.close() == b"hm\n"
    assert bot.close() == b""


def test_the_traceback_of_a_python_bot_names_its_own_lines_only(opened):
    bot = opened("def f():\n    return 1 / 0\nf()\n")
    with pytest.raises(Fault, match="crashed"):
        bot.start(b"start\n", PATIENT)
    said = bot.close().decode()
    assert said.startswith(
        'Traceback (most recent call last):\n  File "/w/bot/main.py", line 3, in <module>'
    )
    assert said.endswith(
        "    return 1 / 0\n           ~~^~~\nZeroDivisionError: division by zero\n"
    )
    assert "launcher" not in said


def test_a_syntax_error_is_told_in_the_debug_output(opened):
    bot = opened("print(\n")
    with pytest.raises(Fault, match="crashed"):
        bot.start(b"start\n", PATIENT)
    assert b"SyntaxError" in bot.close()


def test_a_python_bot_finds_what_the_interpreter_would_give_it(opened):
    bot = opened(
        """
        import atexit, json, os, sys
        import random, __main__
        class Hand: pass
        atexit.register(lambda: print("bye", file=sys.stderr))
        import pickle
        pickle.loads(pickle.dumps(Hand()))
        print(json.dumps([__name__, sys.argv, sys.path[0], os.getcwd(), __file__, os.environ["HOME"],
            sorted(m for m in sys.modules if "sandbox" in m or "launcher" in m), __main__.Hand is Hand]), flush=True)
        input()
        exit(3)
        """
    )
    assert bot.start(b"start\n", PATIENT).line.decode() == (
        '["__main__", ["/w/bot/main.py"], "/w/bot", "/w/leg", "/w/bot/main.py", "/w/leg", [], true]'
    )
    bot.end(b"end\n")
    assert bot.close() == b"bye\n"


def test_a_bot_s_own_modules_come_before_the_library_s(sandbox):
    files = {
        "main.py": "import random, cards.deck\nprint(random.NAME, cards.deck.NAME, flush=True)\ninput()",
        "random.py": "NAME = 'mine'",
        "cards/__init__.py": "",
        "cards/deck.py": "NAME = 'deck'",
    }
    bot = sandbox.open(program(files, "python3", "main.py"))
    assert bot.start(b"start\n", PATIENT).line == b"mine deck"
    bot.close()


def test_the_rules_can_be_imported(opened):
    bot = opened("import games\nprint(sorted(games.GAMES)[0], flush=True)\ninput()")
    assert bot.start(b"start\n", PATIENT).line == b"color-stock"


def test_other_commands_are_run_in_the_bot_s_folder(sandbox):
    files = {"bot.sh": "#!/bin/sh\necho ready $1 $0 $PWD\nread x\n"}
    bot = sandbox.open(program(files, "{bot}/bot.sh", "hello"))
    assert bot.start(b"start\n", PATIENT).line == b"ready hello /w/bot/bot.sh /w/leg"
    bot.close()


def test_a_command_that_is_not_there_crashes_with_a_word(sandbox):
    bot = sandbox.open(program({"x": ""}, "{bot}/nothing"))
    with pytest.raises(Fault, match="crashed"):
        bot.start(b"start\n", PATIENT)
    assert b"No such file" in bot.close()


def test_files_that_cannot_be_unpacked_are_a_fault_of_the_bot(sandbox):
    too_much = program({"main.py": READY, "large": bytes(30 << 20)}, "python3", "main.py")
    with pytest.raises(Fault, match="startup"):
        sandbox.open(too_much)
    broken = program({"main.py": READY}, "python3", "main.py")
    broken = type(broken)(b"no tar at all" * 100, "broken", broken.command)
    with pytest.raises(Fault, match="startup"):
        sandbox.open(broken)


def test_chance_is_new_in_every_leg(sandbox):
    bot = program("import random\nprint(random.random(), flush=True)\ninput()")
    seen = set()
    for _ in range(3):
        player = sandbox.open(bot)
        seen.add(player.start(b"start\n", PATIENT).line)
        player.close()
    assert len(seen) == 3
