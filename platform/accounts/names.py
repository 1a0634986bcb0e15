"""What people and bots may be called, and which names look alike."""

import re

from django.core.exceptions import ValidationError

LEAST, MOST = 3, 24
ALLOWED = re.compile("[A-Za-z0-9_-]+")
RESERVED = {
    "about", "account", "accounts", "admin", "administrator", "all", "anonymous", "anyone", "api",
    "author", "bot", "bots", "challenges", "dealer", "docs", "everyone", "games", "guest", "help",
    "host", "kibitz", "ladder", "ladders", "mail", "match", "matches", "me", "media", "moderator",
    "new", "nobody", "none", "null", "official", "operator", "owner", "player", "players", "root",
    "security", "server", "staff", "static", "status", "superuser", "support", "system", "table",
    "team", "undefined", "unknown", "user", "users", "webmaster", "worker", "workers", "www", "you",
}  # fmt: skip
DELETED = "deleted"  # who has left
RESERVED_BEGINNINGS = (DELETED, "house")

# What eyes take for each other; pairs of letters that look like one are written out.
LOOK_ALIKES = str.maketrans(
    {"0": "o", "1": "l", "2": "z", "5": "s", "8": "b", "9": "g", "i": "l", "q": "g"}
    | {"d": "cl", "m": "rn", "w": "vv", "-": "", "_": ""}
)
BONES = 2  # of one letter, at most


def skeleton(name: str) -> str:
    """What is left of a name once case, dashes and look-alike letters are the same."""
    return name.lower().translate(LOOK_ALIKES)


RESERVED_BONES = {skeleton(name) for name in RESERVED}
RESERVED_FIRST_BONES = tuple(map(skeleton, RESERVED_BEGINNINGS))


def check_name(name: str) -> None:
    """Refuses a name that is too short or long, has other letters, or is kept for the site."""
    if not LEAST <= len(name) <= MOST:
        raise ValidationError(
            f"A name has {LEAST} to {MOST} letters; this one has {len(name)}.", code="length"
        )
    if not ALLOWED.fullmatch(name):
        raise ValidationError(
            "A name is made of the letters a to z, digits, '-' and '_'.", code="letters"
        )
    if not name[0].isalpha():
        raise ValidationError("A name begins with a letter.", code="letters")
    bones = skeleton(name)
    if bones in RESERVED_BONES or bones.startswith(RESERVED_FIRST_BONES):
        raise ValidationError(
            "This name, or one that looks like it, is kept for the site; choose another.",
            code="reserved",
        )
