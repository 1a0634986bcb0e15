"""Tokens: recognisable by their prefix, checkable by their last letters, kept only as a hash."""

import secrets
import string
import zlib
from hashlib import sha256

LETTERS = string.digits + string.ascii_uppercase + string.ascii_lowercase
CHANCE_LETTERS, CHECK_LETTERS = 30, 6
PERSON, WORKER = "kbz_", "kbw_"


def new_token(prefix: str = PERSON) -> str:
    """A prefix that scanners for leaked secrets know, 30 letters of chance, 6 that check them."""
    chance = "".join(secrets.choice(LETTERS) for _ in range(CHANCE_LETTERS))
    return f"{prefix}{chance}{check_letters(chance)}"


def is_well_formed(token: str) -> bool:
    """Whether a text can be a token at all; needs no database."""
    prefix, chance, check = token[:4], token[4:-CHECK_LETTERS], token[-CHECK_LETTERS:]
    known = prefix in (PERSON, WORKER) and len(chance) == CHANCE_LETTERS
    return known and check == check_letters(chance)


def check_letters(chance: str) -> str:
    number, letters = zlib.crc32(chance.encode()), ""
    for _ in range(CHECK_LETTERS):
        number, rest = divmod(number, len(LETTERS))
        letters = LETTERS[rest] + letters
    return letters


def token_hash(token: str) -> str:
    """What is kept of a token. It has 178 bits of chance: a slow hash would add nothing."""
    return sha256(token.encode()).hexdigest()
