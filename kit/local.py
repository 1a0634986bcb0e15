"""Matches at home: who sits down, the match itself, and its replay."""

import gzip
import io
import os
import tarfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from games import GAMES, replay
from games.base import Game, Refusal
from games.chance import SEED_BYTES
from games.player import Fault, Limits, OpenPlayer, Player
from games.seating import seatings
from workers.archive import Rejected
from workers.check import Check, Table
from workers.inside import Inside, choose_of
from workers.programs import NotBuilt, Programs
from workers.referee import PlayedLeg, Watch, play_match

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
ENDING = "_bot.py"
ROUNDS_SHOWN = 5  # of a game that is played to a target, however many rounds that takes
HIGHEST_LIMIT = 10**9  # eleven days, or a line of a gigabyte


class Bot(NamedTuple):
    """Who takes part: its name, the hash of its program, and a way to sit it down."""

    name: str
    sha256: str
    open: OpenPlayer
    apart: bool = True  # in a process of its own

    @property
    def entry(self) -> dict[str, Any]:
        return {"name": self.name, "author": "", "version": 0, "sha256": self.sha256}


def example_names(game: type[Game]) -> list[str]:
    files = (EXAMPLES / game.name / "python").glob(f"*{ENDING}")
    return sorted(path.name.removesuffix(ENDING) for path in files)


def example(game: type[Game], name: str) -> Bot:
    """The example player of that name, to be played inside this process."""
    path = EXAMPLES / game.name / "python" / f"{name}{ENDING}"
    choose = choose_of(path)
    return Bot(name, sha256(path.read_bytes()).hexdigest(), lambda: Inside(choose), apart=False)


def is_example(game: type[Game], player: str) -> bool:
    """Whether a player is an example by name; if not, it must be a file or folder."""
    path = Path(player)
    if player in example_names(game):
        return True
    if not path.exists():
        known = ", ".join(example_names(game))
        raise Refusal(
            f"there is no file '{player}', nor an example player of that name for {game.title}; "
            f"the examples are {known}"
        )
    if not (path.is_file() or path.is_dir()):
        raise Refusal(f"'{player}' is neither a file nor a folder")
    return False


class Upload(NamedTuple):
    """A bot as it would be sent to a site: a file's bytes, or a folder's as an archive."""

    name: str
    file_name: str
    sha256: str
    data: bytes


def upload_of(path: Path) -> Upload:
    try:
        if path.is_dir():
            tar, name = tar_of_folder(path), name_of(path)
            return Upload(name, name, sha256(tar).hexdigest(), gzip.compress(tar, mtime=0))
        data, name = path.read_bytes(), name_of(path)
    except OSError as error:
        raise Refusal(f"{error.filename} cannot be read: {error.strerror}") from None
    without_ending = name.removesuffix(path.suffix).removesuffix(".tar")
    return Upload(without_ending, path.name, sha256(data).hexdigest(), data)


def name_of(path: Path) -> str:
    """The last part of a path as it was given, in a form that UTF-8 can hold."""
    name = path.name if path.name not in ("", "..") else path.resolve().name
    return os.fsencode(name).decode("utf-8", "replace")


def tar_of_folder(folder: Path) -> bytes:
    """A tar of a folder, sorted, with times and owners zeroed: the same files, the same bytes."""

    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.mtime = entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        return entry

    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in sorted(folder.rglob("*")):
            tar.add(path, path.relative_to(folder).as_posix(), recursive=False, filter=plain)
    return raw.getvalue()


def uploaded(path: Path, programs: Programs) -> Bot:
    """A bot of the author's own. One that cannot be built takes part, and faults at the start."""
    upload = upload_of(path)
    try:
        program, _ = programs.built(upload.data, upload.file_name)
    except (Rejected, NotBuilt) as error:
        why = f"{error}:\n{error.log}" if isinstance(error, NotBuilt) else str(error)
        return Bot(upload.name, upload.sha256, lambda: refuse_to_start(why))
    return Bot(upload.name, upload.sha256, lambda: programs.sandbox.open(program))


@contextmanager
def programs_in(kind: str, say: Callable[[str], None]) -> Iterator[Programs]:
    """A sandbox of that kind with the programs built in it, closed in the end."""
    from sandbox.choice import open_sandbox  # the engine's client takes a while to import

    sandbox, box = open_sandbox(kind, say)
    try:
        yield Programs(sandbox, programs_folder(), box)
    finally:
        sandbox.close()


def programs_folder() -> Path:
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kibitz/programs"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refusal(
            f"{folder} cannot be made: {error.strerror}; name another cache in XDG_CACHE_HOME"
        ) from None
    return folder


def game_in(path: Path) -> str:
    """The game that a path names, like examples/stop-it/...; without one it must be said."""
    found = [name for name in GAMES if name in path.resolve().parts]
    if not found:
        raise Refusal(f"say which game the bot plays: --game {' or '.join(GAMES)}")
    return found[-1]


def check(
    game: type[Game],
    options: Mapping[str, object],
    players: int,
    path: Path,
    kind: str,
    say: Callable[[str], None],
) -> bool:
    """Whether a bot is ready to play; `say` hears all that an author should know."""
    upload = upload_of(path)
    opponents = [example(game, "simple").open] * (players - 1)
    table = Table(game, options, players, Limits(), opponents)
    with programs_in(kind, say) as programs:
        return Check(programs, table, say).run(upload.data, upload.file_name).ready


@contextmanager
def seated(
    game: type[Game], players: Sequence[str], kind: str, say: Callable[[str], None]
) -> Iterator[list[Bot]]:
    """The bots of a command; a sandbox is opened only if one of them is not an example."""
    known = {player: is_example(game, player) for player in players}
    if all(known.values()):
        yield [example(game, player) for player in players]
        return
    with programs_in(kind, say) as programs:
        yield [
            example(game, player) if known[player] else uploaded(Path(player), programs)
            for player in players
        ]


def refuse_to_start(why: str) -> Player:
    raise Fault("startup", why=why)


def seed_from(hex_digits: str | None) -> bytes:
    """The seed that was asked for, or a fresh one."""
    if hex_digits is None:
        return os.urandom(SEED_BYTES)
    try:
        seed = bytes.fromhex(hex_digits)
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise Refusal(
            f"a seed is {2 * SEED_BYTES} hex digits; `openssl rand -hex {SEED_BYTES}` makes one"
        )
    return seed


def options_from(game: type[Game], given: Sequence[str]) -> dict[str, object]:
    """Options written as key=value; a value that is a number in the rules becomes one."""
    options: dict[str, object] = {}
    for pair in given:
        key, sign, written = pair.partition("=")
        if not sign:
            raise Refusal(f"'{pair}' is no option; write it as key=value")
        if key in options:
            raise Refusal(f"option '{key}' is given twice")
        known = {str(value): value for value in game.choices.get(key, ())}
        options[key] = known.get(written, written)
    return options


def limits_from(text: str) -> Limits:
    """Limits written as start_ms=2000,bank_ms=1000; the others stay as they are."""
    known, changes = asdict(Limits()), {}
    for pair in filter(None, text.split(",")):
        key, _, written = pair.partition("=")
        number = int(written) if written.isdecimal() and len(written) < 20 else 0
        if key not in known or not 1 <= number <= HIGHEST_LIMIT:
            named = ", ".join(f"{key}=N" for key in known)
            raise Refusal(f"'{pair}' is no limit; write {named}, N from 1 to {HIGHEST_LIMIT:,}")
        if key in changes:
            raise Refusal(f"limit '{key}' is given twice")
        changes[key] = number
    return Limits(**(known | changes))


def play(
    game: type[Game],
    options: Mapping[str, object],
    bots: Sequence[Bot],
    seed: bytes,
    *,
    legs: int | None,
    watch: Watch,
    limits: Limits,
) -> tuple[dict[str, Any], list[PlayedLeg]]:
    """Plays a match; gives its replay, and what the replay does not tell."""
    played_at = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    openers = [bot.open for bot in bots]
    cores = (os.cpu_count() or 1) if any(bot.apart for bot in bots) else 1
    played = play_match(
        game, options, openers, seed, limits=limits, legs=legs, cores=cores, watch=watch
    )
    match = replay.replay_of(
        game,
        options,
        seed,
        match=sha256(seed).hexdigest()[:16],
        played_at=played_at,
        limits=asdict(limits),
        bots=[bot.entry for bot in bots],
        legs=[replay.leg_entry(leg.seating, leg.leg) for leg in played],
    )
    return match, played


class Standing(NamedTuple):
    """How a bot did over the legs of a match; `ahead` is the share of opponents it left behind."""

    bot: int
    name: str
    ahead: float
    ranks: list[int]
    scores: list[int]
    faults: list[str]


def standings(match: Mapping[str, Any]) -> list[Standing]:
    """The bots of a replay, best first; who is level stands in the order of the command."""
    names = told_apart([bot["name"] for bot in match["bots"]])
    table = [_standing(match, bot, name) for bot, name in enumerate(names)]
    return sorted(table, key=lambda standing: -standing.ahead)


def _standing(match: Mapping[str, Any], bot: int, name: str) -> Standing:
    legs = [(leg, leg["seating"].index(bot)) for leg in match["legs"]]
    beaten = [
        (rank > leg["ranks"][seat]) + (rank == leg["ranks"][seat]) / 2
        for leg, seat in legs
        for other, rank in enumerate(leg["ranks"])
        if other != seat
    ]
    return Standing(
        bot,
        name,
        ahead=sum(beaten) / len(beaten),
        ranks=[leg["ranks"][seat] for leg, seat in legs],
        scores=[leg["scores"][seat] for leg, seat in legs],
        faults=[
            fault["kind"] for leg, seat in legs for fault in leg["faults"] if fault["seat"] == seat
        ],
    )


def told_apart(names: Sequence[str]) -> list[str]:
    """The same names, with a number where one stands several times."""
    seen: dict[str, int] = {}
    apart = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        apart.append(name if names.count(name) == 1 else f"{name} {seen[name]}")
    return apart


def deal(
    game: type[Game], players: int, options: Mapping[str, object], seed: bytes, rounds: int | None
) -> dict[str, Any]:
    """All that a seed gives before anybody has played: deals, first dealer, dice."""
    position = game.deal(players, options, seed)
    rounds = rounds or position.view(0).get("rounds", ROUNDS_SHOWN)
    return {
        "game": game.name,
        "options": position.options,
        "players": players,
        "seed": seed.hex(),
        "seed_sha256": sha256(seed).hexdigest(),
        "dealer": position.drawn_dealer,
        "first_leader": position.leader,
        "rounds": [
            {"round": number, "hands": hands, "left_over": left_over}
            for number in range(1, rounds + 1)
            for hands, left_over in [position.deal_of(number)]
        ],
        "dice": [
            [position.chance.dice(leg, seat) for seat in range(players)]
            for leg in range(len(seatings(players)))
        ],
    }
