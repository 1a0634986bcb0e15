"""House bots: the example bots, entered by the site itself on every ladder of their game."""

from hashlib import sha256

from django.db import transaction
from django.db.models import Max

from accounts.models import User
from accounts.names import skeleton
from bots import files
from bots.examples import HOUSE, Example, house_example
from bots.models import Archive, Bot, Version
from games import GAMES
from ladders.models import Ladder
from ladders.services import ensure_anchor, enter

OWNER = "house"


def ensure_house() -> list[Bot]:
    """All house bots, on all ladders of their games; what has changed in the examples is a new
    version."""
    owner = house_owner()
    bots = [ensure_bot(owner, game, strength) for game in GAMES for strength in HOUSE]
    for ladder in Ladder.objects.all():
        for bot in bots:
            if bot.game == ladder.game and not ladder.entries.filter(bot=bot).exists():
                enter(ladder=ladder, bot=bot)
        ensure_anchor(ladder)
    return bots


def house_owner() -> User:
    owner = User.objects.filter(is_house=True).first()
    if owner is None:
        owner = User.objects.create_user(OWNER, is_house=True)
    return owner


@transaction.atomic
def ensure_bot(owner: User, game: str, strength: str) -> Bot:
    name = f"house-{strength}-{game}"
    example = house_example(game, strength)
    bot, _ = Bot.objects.get_or_create(
        name=name,
        defaults={
            "owner": owner,
            "game": game,
            "skeleton": skeleton(name),
            "is_house": True,
            "about": f"The example bot {example.path.name}, entered by the site.",
        },
    )
    bot.active_version = ensure_version(bot, example)
    bot.save(update_fields=["active_version"])
    return bot


def ensure_version(bot: Bot, example: Example) -> Version:
    """Ours needs no check: the site's own tests play it."""
    data = example.data
    digest = sha256(data).hexdigest()
    if version := bot.versions.filter(archive=digest).first():
        return version
    files.keep(data)
    archive, _ = Archive.objects.get_or_create(sha256=digest, defaults={"size": len(data)})
    return Version.objects.create(
        bot=bot,
        number=1 + (bot.versions.aggregate(last=Max("number"))["last"] or 0),
        archive=archive,
        file_name=example.path.name,
        language="python",
        state=Version.State.READY,
        is_example=True,
    )
