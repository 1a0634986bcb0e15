"""The `kibitz` command: its words and switches. What they do is in the modules beside this one.

Data goes to standard output, talk to standard error. Those modules are imported inside the commands:
`kibitz --help` must not wait for them.
"""

import errno
import json
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from games import game_named, replay
from games.base import Game, Refusal
from sandbox.box import InfrastructureFault

if TYPE_CHECKING:
    from kit.local import Bot
    from workers.referee import PlayedLeg, Watch

WRONG, UNREADABLE = 1, 2
NO_GAIN, TOO_CLOSE, BROKEN, INTERRUPTED = 1, 3, 4, 130


class Kibitz(click.Group):
    """What the rules refuse is the caller's to mend: a sentence, not a traceback."""

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except Refusal as refusal:
            raise click.UsageError(f"{refusal}.") from None
        except InfrastructureFault as fault:
            raise Broken(f"{fault}. Nobody has lost; try again.") from None
        except KeyboardInterrupt:  # of click it would have the code 1, which is a verdict
            click.echo("\nInterrupted.", err=True)
            sys.exit(INTERRUPTED)


class Broken(click.ClickException):
    """The machine failed, not a bot: no verdict, and not the code of one."""

    exit_code = BROKEN


def examples(*lines: str) -> str:
    """The end of a help page; \\b keeps click from filling the lines."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


def option_switch(command: Callable[..., None]) -> Callable[..., None]:
    return click.option(
        "--option",
        "-o",
        "options",
        multiple=True,
        metavar="KEY=VALUE",
        help="An option of the game; `kibitz games` lists them. May be repeated.",
    )(command)


def sandbox_switch(command: Callable[..., None]) -> Callable[..., None]:
    return click.option(
        "--sandbox",
        type=click.Choice(["auto", "docker", "local"]),
        default="auto",
        help="Where bots of your own run; auto: in Docker boxes if an engine answers.",
    )(command)


def talker(quiet: bool) -> Callable[[str], None]:
    return lambda text: None if quiet else click.echo(text, err=True)


@click.group(
    cls=Kibitz,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples(
        "kibitz play sticheln good simple random --legs 1 --watch",
        "kibitz play color-stock good simple --out match.json",
        "kibitz verify match.json",
    ),
)
@click.version_option(package_name="kibitz", prog_name="kibitz")
def main() -> None:
    """Card games for bots: play, watch, check and verify."""


@main.command(epilog=examples("kibitz games", "kibitz games --json"))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def games(as_json: bool) -> None:
    """List the games: options, players, example players."""
    from kit import show

    click.echo(json.dumps(show.games_json(), indent=2) if as_json else show.games_text())


@main.command(
    epilog=examples(
        "kibitz play sticheln good simple random random",
        "kibitz play stop-it good simple random --option target=100 --legs 1 --watch",
        "kibitz play color-stock good my_bot.py --out match.json",
        "kibitz play sticheln my_bot.zip good good --sandbox docker",
    )
)
@click.argument("game", metavar="GAME")
@click.argument("players", nargs=-1, required=True, metavar="PLAYER...")
@option_switch
@click.option(
    "--seed", metavar="HEX", help="64 hex digits that decide every deal; else a fresh one."
)
@click.option("--legs", type=click.Choice(["1"]), help="Play only the first leg.")
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="FILE", help="Write the replay there."
)
@sandbox_switch
@click.option(
    "--limits", default="", metavar="KEY=N,...", help="For instance bank_ms=1000,wall_ms=2000."
)
@click.option("--watch", is_flag=True, help="Show the table while it is played.")
@click.option("--json", "as_json", is_flag=True, help="Print the standings as JSON.")
@click.option("--quiet", "-q", is_flag=True, help="Print nothing.")
def play(
    game: str,
    players: Sequence[str],
    options: Sequence[str],
    seed: str | None,
    legs: str | None,
    out: Path | None,
    sandbox: str,
    limits: str,
    watch: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Play a match between bots.

    Every PLAYER plays from every seat, all legs on the same deals.

    PLAYER is the name of an example player (random, simple, good), or a bot of your own: a source
    file, a folder or an archive. As many seats are taken as players are named.
    """
    from kit import local

    if quiet and (watch or as_json):
        raise click.UsageError("--quiet prints nothing: leave out --watch and --json.")
    if watch and as_json:
        raise click.UsageError("--json prints nothing but JSON: leave out --watch.")
    rules = game_named(game)
    chosen = rules.complete(local.options_from(rules, options))
    rules.check_players(len(players), chosen)
    clocks, dealt_from = local.limits_from(limits), local.seed_from(seed)
    if out:
        check_writable(out)
    with local.seated(rules, players, sandbox, talker(quiet)) as bots:
        match, played = local.play(
            rules,
            chosen,
            bots,
            dealt_from,
            legs=int(legs) if legs else None,
            limits=clocks,
            watch=watcher(rules, chosen, [bot.name for bot in bots], watch=watch, talk=not quiet),
        )
    if out:
        write_whole(out, replay.write(match))
    if quiet:
        return
    report(match, bots, played, as_json)
    if out:
        click.echo(f"The replay is in {out}. Next: kibitz verify {out}", err=True)


def report(
    match: dict[str, Any], bots: "Sequence[Bot]", played: "Sequence[PlayedLeg]", as_json: bool
) -> None:
    """The standings, and every fault in words."""
    from kit import local, show
    from workers.faults import explained

    table = local.standings(match)
    as_text = not as_json and show.standings_text(match, table)
    click.echo(as_text or json.dumps(show.standings_json(match, table)))
    for leg in played:
        for fault in leg.faults:
            name = bots[leg.seating[fault["seat"]]].name
            click.echo(f"\n{name}, leg {leg.leg.number + 1}: {explained(fault)}", err=True)


def watcher(
    game: type[Game], options: Any, names: Sequence[str], *, watch: bool, talk: bool
) -> "Watch":
    """What to do with the events of a match as they happen."""
    from kit.local import told_apart

    if watch:
        from kit.table import TerminalTable

        return TerminalTable(game, options, told_apart(names)).watch
    return progress if talk and sys.stderr.isatty() else lambda leg, events: None


def progress(leg: int, events: Sequence[Any]) -> None:
    """Says which leg is being played, on a line that is wiped when the leg is over."""
    over = events and events[-1]["event"] == "scored"  # a round that is not the last is dealt anew
    click.echo("\r        \r" if over else f"\rleg {leg + 1}", err=True, nl=False)


def check_writable(path: Path) -> None:
    """Says before a long match, not after it, that its replay has nowhere to go."""
    if path.is_dir():
        raise click.UsageError(f"{path} is a folder; name a file for the replay.")
    if not path.parent.is_dir():
        raise click.UsageError(f"there is no folder {path.parent}; make it, or name another.")


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file so that nobody ever sees half of it."""
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # a pipe or a device: to be written to, not to be replaced
        else:
            replace_whole(path.resolve(), data)  # a link stays, the file behind it is replaced
    except OSError as error:
        why = error.strerror or error
        raise click.ClickException(f"the replay could not be written to {path}: {why}") from None


def replace_whole(path: Path, data: bytes) -> None:
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_bytes(data)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


@main.command(
    epilog=examples("kibitz check my_bot.py --game stop-it", "kibitz check my_bot.zip --log")
)
@click.argument("bot", type=click.Path(exists=True, path_type=Path), metavar="BOT")
@click.option("--game", metavar="GAME", help="The game it plays; else the one its path names.")
@click.option("--players", type=int, metavar="N", help="The number of seats; else the fewest.")
@option_switch
@sandbox_switch
@click.option("--log", is_flag=True, help="Show the whole conversation.")
def check(
    bot: Path,
    game: str | None,
    players: int | None,
    options: Sequence[str],
    sandbox: str,
    log: bool,
) -> None:
    """Check a bot as a site would before it plays.

    Recognises the language, builds it, and plays a leg against itself and one against examples. Exit
    code 0: ready to play; 1: rejected, and why.
    """
    from kit import local

    rules = game_named(game or local.game_in(bot))
    chosen = rules.complete(local.options_from(rules, options))
    seats = rules.player_counts(chosen)[0] if players is None else players
    rules.check_players(seats, chosen)

    def say(text: str) -> None:
        if log or not text.startswith(("-> ", "<- ")):
            click.echo(text)

    click.echo(f"Checking {bot} for {rules.title}, {seats} players", err=True)
    sys.exit(0 if local.check(rules, chosen, seats, bot, sandbox, say) else WRONG)


@main.command(
    epilog=examples(
        "kibitz compare new_bot.py old_bot.py --game stop-it",
        "kibitz compare new.zip old.zip --game sticheln --players 5 --against good",
        "kibitz compare good simple --game color-stock --json",
    )
)
@click.argument("new", metavar="NEW")
@click.argument("old", metavar="OLD")
@click.option("--game", metavar="GAME", help="The game they play; else the one NEW's path names.")
@click.option(
    "--players", type=int, metavar="N", help="The number of seats; else four, if it can be."
)
@option_switch
@click.option(
    "--against",
    multiple=True,
    metavar="PLAYER",
    help="Who else may sit at the table; else good and simple. May be repeated.",
)
@sandbox_switch
@click.option(
    "--games",
    "most_games",
    type=click.IntRange(min=2),
    default=4000,
    metavar="N",
    show_default=True,
    help="Give up after so many games.",
)
@click.option("--seed", metavar="HEX", help="64 hex digits that decide every deal and table.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def compare(
    new: str,
    old: str,
    game: str | None,
    players: int | None,
    options: Sequence[str],
    against: Sequence[str],
    sandbox: str,
    most_games: int,
    seed: str | None,
    as_json: bool,
) -> None:
    """Find out whether a bot is better than another.

    Plays every deal twice, NEW and OLD exchanging seats, on all cores, and stops as soon as the answer
    is clear: better means a gain of 20 Elo or more, and 1 answer in 20 is wrong.

    NEW, OLD and PLAYER are players as in `kibitz play`. Exit code 0: NEW is better; 1: no gain of
    20 Elo; 3: too close to tell; 2: the words were wrong; 4: the machine failed;
    130: interrupted, what is known so far is printed.
    """
    from kit import local, show
    from kit.compare import AGAINST, NOTHING, OTHERS, Plan, usual_players
    from kit.compare import compare as until_clear

    rules = game_named(game or local.game_in(Path(new)))
    chosen = rules.complete(local.options_from(rules, options))
    seats = usual_players(rules, chosen) if players is None else players
    rules.check_players(seats, chosen)
    bots = [new, old, *(against or AGAINST)]
    for player in bots:
        local.is_example(rules, player)
    plan = Plan(rules.name, chosen, seats, bots, sandbox, local.seed_from(seed))
    names, report, interrupted = [*local.told_apart([new, old]), *bots[OTHERS:]], NOTHING, False
    played = until_clear(plan, most_games, os.cpu_count() or 1, talker(quiet=False))
    try:
        with closing(played):
            for report in played:
                show_line(show.progress_text(report.comparison))
    except KeyboardInterrupt:
        if report is NOTHING:
            raise
        interrupted = True
    show_line("")
    as_text = not as_json and show.report_text(report, names)
    click.echo(as_text or json.dumps(show.report_json(plan, report, names)))
    for bot, words in sorted(report.explained.items()):
        click.echo(f"\n{names[bot]}: {words}", err=True)
    codes = {"better": 0, "no gain": NO_GAIN, "too close": TOO_CLOSE}
    sys.exit(INTERRUPTED if interrupted else codes[str(report.comparison.verdict)])


def show_line(text: str) -> None:
    """Replaces the last line of a terminal; nobody else is told how things stand."""
    if sys.stderr.isatty():
        click.echo(f"\r\x1b[K{text}", err=True, nl=False)


@main.command(epilog=examples("kibitz verify match.json", "kibitz verify replays/*.json"))
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
def verify(files: Sequence[str]) -> None:
    """Check that replays are right.

    Deals from the seed, plays the moves and compares every event, score and rank.

    One line a file. Exit code 0: all are right; 1: one differs, the line says where; 2: one cannot be
    read. "-" is standard input.
    """
    worst = 0
    for file in files:
        code, line = verdict(file)
        click.echo(f"{in_one_line(file)}: {line}")
        worst = max(worst, code)
    sys.exit(worst)


def in_one_line(name: str) -> str:
    """A file's name may hold line ends, terminal codes and bytes that are no text."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in name)


def verdict(file: str) -> tuple[int, str]:
    try:
        found = replay.read(read_bounded(file))
        replay.verify(found)
    except (OSError, replay.Unreadable) as error:
        why = error.strerror if isinstance(error, OSError) else error
        return UNREADABLE, f"cannot be read: {why}"
    except replay.Difference as difference:
        return WRONG, f"differs: {difference}"
    legs, decisions = len(found["legs"]), sum(len(leg["decisions"]) for leg in found["legs"])
    return 0, (
        f"right: {found['game']}, {found['players']} players, {legs} {'leg' if legs == 1 else 'legs'}, "
        f"{decisions} decisions, every one as dealt and ruled"
    )


def read_bounded(file: str) -> bytes:
    """A file, or a little more of it than a replay may have: endless ones too can be named."""
    if file == "-":
        if sys.stdin is None:  # closed by whoever started the command
            raise OSError(errno.EBADF, "standard input is closed")
        return sys.stdin.buffer.read(replay.MOST_BYTES + 1)
    with Path(file).open("rb") as opened:
        return opened.read(replay.MOST_BYTES + 1)


@main.command(
    epilog=examples(
        "kibitz deal stop-it --players 4 --seed $(openssl rand -hex 32)",
        "kibitz deal sticheln --players 3 --option rules=misery --seed 00... --json",
    )
)
@click.argument("game", metavar="GAME")
@click.option("--players", type=int, required=True, metavar="N", help="The number of seats.")
@click.option("--seed", required=True, metavar="HEX", help="64 hex digits.")
@option_switch
@click.option("--rounds", type=click.IntRange(min=1), metavar="N", help="How many rounds to show.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def deal(
    game: str, players: int, seed: str, options: Sequence[str], rounds: int | None, as_json: bool
) -> None:
    """Show the deals, dealer and dice of a seed."""
    from kit import local, show

    rules = game_named(game)
    chosen = local.options_from(rules, options)
    dealt = local.deal(rules, players, chosen, local.seed_from(seed), rounds)
    click.echo(json.dumps(dealt) if as_json else show.deal_text(dealt))
