"""A verdict in its parts, so that a page can say what came, what was asked, and how to see it at home."""

from dataclasses import dataclass

BEGINNINGS = {
    "asked: ": "asked",
    "came: ": "came",
    "Its debug output:": "debug",
    "See the same at home: ": "command",
}


@dataclass(frozen=True)
class Verdict:
    """What is said of a rejected version; all but the first sentence may be missing."""

    sentence: str
    more: str = ""
    asked: str = ""
    came: str = ""
    debug: str = ""
    command: str = ""

    @property
    def more_is_output(self) -> bool:
        """Whether what follows the sentence is what some program printed."""
        return self.sentence.endswith(":")


def verdict_of(text: str) -> Verdict:
    """Lines belong to the part that was begun last; the first ones say what is wrong and why."""
    sentence, *lines = text.splitlines() or [""]
    parts: dict[str, list[str]] = {"more": []}
    current = "more"
    for line in lines:
        beginning = next((each for each in BEGINNINGS if line.startswith(each)), None)
        if beginning:
            current = BEGINNINGS[beginning]
        parts.setdefault(current, []).append(line.removeprefix(beginning or ""))
    return Verdict(sentence, **{name: "\n".join(said).strip() for name, said in parts.items()})
