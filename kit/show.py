"""What the `kibitz` command prints."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from games import GAMES
from games.base import Game
from games.cards import colour
from games.words import signed
from kit.compare import NEW, OLD, OTHERS, Plan, Report
from kit.local import Standing, example_names
from ratings.comparison import CLEAR, Comparison

# -- kibitz games ---------------------------------------------------------------------------------


def games_json() -> list[dict[str, Any]]:
    return [
        {
            "name": game.name,
            "title": game.title,
            "defaults": game.complete({}),
            "options": {
                key: [
                    {"value": value, "players": players_with(game, key, value)} for value in values
                ]
                for key, values in game.choices.items()
            },
            "example_players": example_names(game),
        }
        for game in GAMES.values()
    ]


def players_with(game: type[Game], key: str, value: str | int) -> list[int]:
    return list(game.player_counts(game.complete({key: value})))


def games_text() -> str:
    return "\n\n".join(_game_text(game) for game in GAMES.values())


def _game_text(game: type[Game]) -> str:
    lines = [
        f"{game.name:<12}  {game.title}, {_span(game.player_counts(game.complete({})))} players"
    ]
    for key, values in game.choices.items():
        lines += [_option_text(game, key, value) for value in values]
    lines.append(f"{'':12}  example players: {', '.join(example_names(game))}")
    return "\n".join(lines)


def _option_text(game: type[Game], key: str, value: str | int) -> str:
    options = game.complete({key: value})
    usual = game.complete({})
    said = ["the default"] if usual[key] == value else []
    said += [
        f"{other} {options[other]}"
        for other in options
        if options[other] != usual[other] and other != key
    ]
    if game.player_counts(options) != game.player_counts(usual):
        said.append(f"{_span(game.player_counts(options))} players")
    return f"{'':12}  --option {key}={value}" + (f"  ({', '.join(said)})" if said else "")


def _span(counts: range) -> str:
    return f"{counts[0]} to {counts[-1]}"


# -- kibitz play ----------------------------------------------------------------------------------


def standings_json(match: Mapping[str, Any], table: Sequence[Standing]) -> dict[str, Any]:
    kept = ("match", "game", "options", "players", "seed", "seed_sha256", "played_at")
    return {key: match[key] for key in kept} | {
        "legs": len(match["legs"]),
        "standings": [standing._asdict() for standing in table],
    }


def standings_text(match: Mapping[str, Any], table: Sequence[Standing]) -> str:
    """One line a bot: how much of the opposition it left behind, then leg by leg."""
    wide = max(len("bot"), *(len(standing.name) for standing in table))
    legs = " ".join(f"{f'leg {leg + 1}':>8}" for leg in range(len(match["legs"])))
    lines = [f"{'bot':<{wide}}  ahead of  mean score  {legs}"]
    for standing in table:
        by_leg = " ".join(
            f"{f'{score} ({rank})':>8}"
            for score, rank in zip(standing.scores, standing.ranks, strict=True)
        )
        mean = sum(standing.scores) / len(standing.scores)
        faults = f"  faults: {', '.join(standing.faults)}" if standing.faults else ""
        lines.append(
            f"{standing.name:<{wide}}  {standing.ahead:>8.0%}  {mean:>10.1f}  {by_leg}{faults}"
        )
    lines.append(f"score (rank) by leg; seed {match['seed']}")
    return "\n".join(lines)


# -- kibitz compare -------------------------------------------------------------------------------


def progress_text(comparison: Comparison) -> str:
    gain = comparison.gain
    return (
        f"{comparison.games} games: {signed(round(gain.value))} ±{math.ceil(gain.plus_minus)} Elo, "
        f"evidence {comparison.evidence:+.1f} of ±{CLEAR:.1f}"
    )


def report_text(report: Report, names: Sequence[str]) -> str:
    """The verdict, what else is known, and how many games were lost by faults."""
    comparison, lead = report.comparison, report.comparison.lead
    lines = [
        comparison.words().text([]),
        f"{names[NEW]} finished ahead of {names[OLD]} in {comparison.share:.1%} of the games.",
        f"Points, not rated: {lead.value:+.1f} ±{lead.plus_minus:.1f} a game.".replace("-", "−"),
    ]
    for bot, count in sorted(report.faults.items()):
        lines.append(f"{names[bot]} faulted in {count} of {comparison.games} games.")
    return "\n".join(lines)


def report_json(plan: Plan, report: Report, bots: Sequence[str]) -> dict[str, Any]:
    comparison = report.comparison
    return {
        "verdict": comparison.verdict,
        "games": comparison.games,
        "share": comparison.share,
        "elo": comparison.gain._asdict(),
        "evidence": comparison.evidence,
        "points_not_rated": comparison.lead._asdict(),
        "faults": {bots[bot]: count for bot, count in sorted(report.faults.items())},
        "new": bots[NEW],
        "old": bots[OLD],
        "against": list(bots[OTHERS:]),
        "game": plan.game,
        "options": dict(plan.options),
        "players": plan.players,
        "seed": plan.seed.hex(),
    }


# -- kibitz deal ----------------------------------------------------------------------------------


def deal_text(dealt: Mapping[str, Any]) -> str:
    options = " ".join(f"{key}={value}" for key, value in dealt["options"].items())
    lines = [
        f"{dealt['game']}, {dealt['players']} players, {options}",
        f"seed    {dealt['seed']}",
        f"sha256  {dealt['seed_sha256']}",
        f"seat {dealt['first_leader']} leads round 1",
    ]
    for deal in dealt["rounds"]:
        lines += ["", f"round {deal['round']}"]
        lines += [f"  seat {seat}  {cards_text(hand)}" for seat, hand in enumerate(deal["hands"])]
        if deal["left_over"]:
            lines.append(f"  over    {' '.join(deal['left_over'])}")
    lines += ["", "dice, seat by seat"]
    lines += [
        f"  leg {leg:<3}  {' '.join(map(str, dice))}" for leg, dice in enumerate(dealt["dice"])
    ]
    return "\n".join(lines)


def cards_text(hand: Sequence[str]) -> str:
    """A sorted hand, colour by colour: `red 0 7  blue 11`; equal cards are counted."""
    by_colour: dict[str, list[str]] = {}
    for card in hand:
        by_colour.setdefault(colour(card), []).append(card.partition("-")[2])
    return "  ".join(
        f"{name} {' '.join(values)}" if any(values) else f"{len(values)} {name}"
        for name, values in by_colour.items()
    )
