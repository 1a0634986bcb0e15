"""What may be said of ratings: who has a rank, and who is ahead of whom."""

from games.words import Sentence, say

PROVISIONAL_MATCHES, PROVISIONAL_WIDTH, PROVISIONAL_OWNERS = 20, 70, 8

CLEARLY, PROBABLY = 0.95, 0.75
CLAIM_MATCHES = 30  # before, nothing is said to be clear


def is_provisional(*, matches: int, plus_minus: int, owners_met: int, owners_there: int) -> bool:
    """Whether too little is known of a bot to give it a rank. Owners are those of other bots: met at
    tables so far, and on the ladder to be met."""
    return (
        matches < PROVISIONAL_MATCHES
        or plus_minus > PROVISIONAL_WIDTH
        or owners_met < min(PROVISIONAL_OWNERS, owners_there)
    )


def is_clear(superiority: float, matches: int) -> bool:
    """Whether there is no doubt; `matches` are those of the one of the two that has fewer."""
    return superiority >= CLEARLY and matches >= CLAIM_MATCHES


def words_for(superiority: float, rank: int, *, clear: bool) -> Sentence:
    """What may be said of being ahead of that rank."""
    if superiority < PROBABLY:
        return say("too close to call with #{rank}", rank=rank)
    if clear:
        return say("clearly ahead of #{rank}", rank=rank)
    percent = min(int(100 * superiority), int(100 * CLEARLY) - 1)
    return say("probably ahead of #{rank} ({percent} %)", rank=rank, percent=percent)


def words_for_first(*, alone: bool, clear: bool) -> Sentence:
    """Whether who stands first is the champion beyond doubt."""
    return say("confirmed champion") if alone or clear else say("leader")
