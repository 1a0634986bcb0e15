"""What a fault means to the author of a bot: what happened, and what usually helps."""

import json
from collections.abc import Mapping
from typing import Any

HELP = {
    "startup": 'The bot must write {"type":"ready"} as its first line, and flush it, within start_ms.',
    "memory": "The box ran out of memory and a process was ended. Keep less.",
    "crashed": "The program ended, or closed its output, when an answer was due. Its debug output may say why.",
    "stalled": "No complete line came within wall_ms. Flush after every answer, and end it with a newline.",
    "too-long": "A line may have line_bytes bytes. Write debug output to stderr, not to stdout.",
    "time": "The answer took more CPU time than was left in the bank. Think less, or watch bank_ms.",
    "unreadable": "An answer is one JSON object in one line, with the id of the question and a move.",
    "out-of-turn": "Write exactly one line for each question, with its id, and nothing in between.",
    "illegal": "The move must be one of the texts in the question's legal list, unchanged.",
}
SHOWN_QUESTION = 600


def explained(fault: Mapping[str, Any]) -> str:
    """A fault as the referee notes it down, in a few lines: what, why, the question and what came."""
    where = "at the start" if fault["decision"] < 0 else f"at decision {fault['decision']}"
    why = ended(fault["why"] or "see below")
    lines = [f"{fault['kind']} {where}, seat {fault['seat']}: {why}"]
    lines.append(HELP[fault["kind"]])
    lines.append(f"asked: {shortened(json.dumps(fault['question'], separators=(',', ':')))}")
    lines.append(f"came:  {fault['came'] or 'nothing'}")
    return "\n".join(lines)


def ended(why: str) -> str:
    """With its full stop, unless it has one or is the log of a build."""
    why = why.rstrip()
    return why if why.endswith(".") or "\n" in why else f"{why}."


def shortened(text: str) -> str:
    return text if len(text) <= SHOWN_QUESTION else f"{text[:SHOWN_QUESTION]}..."
