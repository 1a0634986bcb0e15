"""The page about ratings says what the code does."""

import json
import math
import re
import subprocess
import sys
from pathlib import Path

import pytest

from docs import charts, rerate
from ratings import claims, comparison, draw, fit, monitor, preview, scale, uncertainty

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = " ".join((DOCS / "ratings.md").read_text(encoding="utf-8").split())
EXPORT = re.search(
    r"```json\n(.*?)```", (DOCS / "ratings.md").read_text(encoding="utf-8"), re.DOTALL
).group(1)


@pytest.mark.parametrize(
    "words",
    [
        f"finishes ahead of the other in {100 * scale.expected(100, 0):.0f} of 100 legs",
        f"it has played **{claims.PROVISIONAL_MATCHES} matches**",
        f"its ± is at most **{claims.PROVISIONAL_WIDTH}**",
        f"it has met **{claims.PROVISIONAL_OWNERS}** other owners",
        f"from {100 * claims.CLEARLY:.0f} % on *clearly ahead*",
        f"from {100 * claims.PROBABLY:.0f} % on *probably ahead*",
        f"Before {claims.CLAIM_MATCHES} matches nothing is called clear",
        f"those within {draw.WINDOW:.0f} points, or from the nearest {draw.LEAST_OPPONENTS}",
        f"Every {draw.HOUSE_EVERY}th match of a bot has a house bot",
        f"by more than {monitor.SUSPICIOUS:.0f} standard errors in {monitor.LEAST_MATCHES} matches",
        f"K falls from {preview.k_factor(0):.0f} for the first match to {preview.k_factor(95):.0f} after 95",
        f"a gain of at least {comparison.GAIN} points",
        f"after {comparison.MOST_GAMES:,} it says that the two are too close",
        f"s₁ = {comparison.BETTER:.4f}",
        f"From {comparison.LEAST_UNITS} deals on, +{comparison.CLEAR:.3f} is *better*",
        f"t = {fit.NEXT_SPREAD * scale.ELO:.0f}, a first version M = L and t = {fit.FIRST_SPREAD * scale.ELO:.0f}",
        f"The anchor's R is {scale.FIRST:.0f}",
        f"is {scale.WIDTH} times the standard error",
        f"1 + {uncertainty.FEW} / m",
        f"Above {rerate.WHOLE_MOST:,} versions",
    ],
)
def test_a_number_of_the_page_is_that_of_the_code(words):
    assert words in PAGE


def test_at_most_a_quarter_are_against_one_owner():
    assert draw.OWNER_SHARE == 4
    assert "At most a quarter of a bot's matches are against one owner" in PAGE


def test_the_picture_of_the_standings_shows_what_the_page_tells_of_it():
    said = charts.drawn()["ratings-standings.svg"]
    assert (
        charts.STRENGTHS[charts.BOTS.index("Moth")] > charts.STRENGTHS[charts.BOTS.index("Anvil")]
    )
    assert said.index("Anvil 1") < said.index("Moth 1")
    assert re.search(r"3 \(2–4\) Anvil \d+ ±\d+\. too close to call with #4", said)


def test_the_example_of_an_export_is_right(tmp_path):
    path = tmp_path / "export.ndjson"
    path.write_text(EXPORT, encoding="utf-8")
    answer = subprocess.run(
        [sys.executable, DOCS / "rerate.py", path], capture_output=True, text=True, check=False
    )
    assert (answer.returncode, answer.stderr) == (0, "")
    assert answer.stdout.startswith("1 matches, 1 removed, 2 versions\n")


def test_every_key_of_an_export_is_explained():
    said = set(re.findall(r"`([a-z_0-9]+)`", PAGE.partition("## Check it yourself")[2]))
    for line in map(json.loads, EXPORT.splitlines()):
        assert set(line) <= said
        for part in [*line.get("lineup", []), *line.get("faults", []), *line.get("versions", [])]:
            assert set(part) <= said


def test_the_script_uses_the_numbers_of_the_fit():
    assert pytest.approx(1 / fit.FIRST_SPREAD**2) == rerate.FIRST
    assert pytest.approx(1 / fit.NEXT_SPREAD**2) == rerate.LATER
    assert math.isclose(rerate.ELO, scale.ELO)
