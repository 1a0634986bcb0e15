"""What pages call the options of the games, and their values."""

TITLES = {
    "rules": "Rules",
    "all_zero_trick": "Trick of zeros",
    "target": "Played to",
    "rounds": "Rounds",
}
VALUES = {
    ("all_zero_trick", "first"): "goes to its first card",
    ("all_zero_trick", "nobody"): "goes to nobody",
    ("target", 50): "50 points",
    ("target", 75): "75 points",
    ("target", 100): "100 points",
}


def option_title(name: str) -> str:
    return TITLES.get(name, name.replace("_", " "))


def option_value(option: tuple[str, str | int]) -> str:
    """The value of an option, given with its name."""
    return VALUES.get(option, str(option[1]))
